"""The image of compose.yaml in a folder: the steps of its Dockerfile, run without Docker.

The step that compiles the kernel finds it compiled, because that takes 20 s: the code that the
tests use is copied to where the step looks for it.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.compose.compose_file import ROOT, Steps

#: prints the source file and the folder of the cache of all functions that are cached
CACHES = """
import sys, worker.solve
from numba.extending import is_jitted
ours = [module for name, module in sys.modules.items() if name.startswith("worker.")]
functions = filter(is_jitted, [value for module in ours for value in vars(module).values()])
pairs = {(one.py_func.__code__.co_filename, one.stats.cache_path) for one in functions}
for source, cache in sorted(pair for pair in pairs if pair[1]):
    print(source, cache, sep="\\n")
"""


class Image:
    """The file system of the image in a folder, with the project installed and compiled."""

    def __init__(self, folder: Path, recipe: Steps) -> None:
        self.folder = folder
        self.recipe = recipe
        #: what the step that compiles the kernel has printed
        self.log = ""

    def place(self, text: str) -> str:
        """`text` with the absolute paths of the image moved into the folder."""
        return re.sub(r"(?<![\w./])/(opt|tmp|data|puzzles|src)\b", rf"{self.folder}/\1", text)

    @property
    def env(self) -> dict[str, str]:
        path = os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]])
        return {**os.environ, "PATH": path, "PYTHONPATH": str(self.folder / "site-packages")}

    @property
    def workdir(self) -> Path:
        """The working directory; Python would import the sources if started in their folder."""
        return self.folder / "puzzles"

    def build(self) -> None:
        """Run the COPY steps, build and unpack the wheel, and run the warm-up step."""
        for name in ("bin", "opt", "tmp", "data", "puzzles", "src", "site-packages"):
            (self.folder / name).mkdir()
        for _, step in (step for step in self.recipe if step[0] == "COPY"):
            *sources, target = step.split()
            for source in sources:
                copy(ROOT / source, self.folder / "src" / target)
        self._install()
        self._program("python", sys.executable)
        self._program("bullseye", f"{sys.executable} -m cli.main")
        self._copy_compiled_kernel()
        self.log = self.run(self.warm_up, NUMBA_DEBUG_CACHE="1")

    @property
    def warm_up(self) -> str:
        """The RUN step that compiles the kernel."""
        (step,) = (step for step in self.recipe if step[0] == "RUN" and "warm_up" in step[1])
        return step[1]

    def _install(self) -> None:
        built = self.folder / "dist"
        hatchling = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)]
        subprocess.run(hatchling, cwd=self.folder / "src", check=True, capture_output=True)
        (wheel,) = built.iterdir()
        shutil.unpack_archive(wheel, self.folder / "site-packages", "zip")

    def _copy_compiled_kernel(self) -> None:
        """Copy the compiled code of the sources for the installed package.

        numba compares the time of a source file with the one it compiled.
        """
        ours = caches({**os.environ, "PYTHONPATH": str(ROOT)})
        installed = caches({**self.env, "NUMBA_CACHE_DIR": str(self.folder / "opt" / "numba")})
        for (source, compiled), (copied, target) in zip(ours, installed, strict=True):
            for path in compiled.glob("*.nb[ci]"):
                shutil.copy(path, target)
            shutil.copystat(source, copied)

    def _program(self, name: str, command: str) -> None:
        script = self.folder / "bin" / name
        script.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        script.chmod(0o755)

    def run(self, line: str, **environ: str) -> str:
        """Run a shell line in the working directory of the image; returns stdout and stderr."""
        done = subprocess.run(
            ["/bin/sh", "-c", self.place(line)],
            cwd=self.workdir,
            env={**self.env, **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def service(self, service: dict[str, Any], port: int) -> tuple[list[str], dict[str, str]]:
        """The entry point of a service and its environment, for a Redis on `port`."""
        environ = {key: self.place(value) for key, value in service["environment"].items()}
        here = environ["BULLSEYE_REDIS_URL"].replace("@redis:6379", f"@127.0.0.1:{port}")
        command = [self.place(word) for word in service["entrypoint"]]
        return command, {**self.env, **environ, "BULLSEYE_REDIS_URL": here}


def copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        target.parent.mkdir(exist_ok=True)
        shutil.copy(source, target)


def caches(environ: dict[str, str]) -> list[tuple[Path, Path]]:
    """The source file and the folder of the cache of the modules whose functions are cached."""
    done = subprocess.run(
        [sys.executable, "-c", CACHES],
        cwd="/",
        env=environ,
        check=True,
        capture_output=True,
        text=True,
    )
    lines = [Path(line) for line in done.stdout.splitlines()]
    return list(zip(lines[::2], lines[1::2], strict=True))
