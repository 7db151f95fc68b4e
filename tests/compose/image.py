"""The image of compose.yaml in a folder: the steps of its Dockerfile, run without Docker."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.compose.compose_file import ROOT, Steps


class Image:
    """The file system of the image in a folder, with the project installed and compiled."""

    def __init__(self, folder: Path, recipe: Steps) -> None:
        self.folder = folder
        self.recipe = recipe

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
        self.run(self.warm_up)

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
        shutil.copy(source, target)
