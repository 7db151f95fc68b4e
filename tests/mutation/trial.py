"""Runs tests with a mutant in place of its module, uncompiled, in a process of its own."""

import importlib.util
import os
import signal
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any, NoReturn

import hypothesis
import pytest

#: CPU seconds of a test, which takes one at most with the module as it is
SECONDS = 4.0
#: the first test that fails ends a run; the project's settings would start more processes
PYTEST = ("-x", "-q", "-p", "no:cacheprovider", "--noconftest", "-c", os.devnull, "--rootdir=.")
#: every run draws the same examples
EXAMPLES = hypothesis.settings(derandomize=True, deadline=None, database=None, max_examples=40)


class Mutated(SourceFileLoader):
    """Loads the code of a mutant in place of the code in the file."""

    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the mutant."""
        return self.code


class Finder(MetaPathFinder):
    """Finds a module's mutant before the module."""

    def __init__(self, path: Path, code: CodeType) -> None:
        self._name = ".".join(path.with_suffix("").parts)
        self._loader = Mutated(self._name, str(path))
        self._loader.code = code

    def find_spec(self, fullname: str, _path: Any, _target: Any = None) -> ModuleSpec | None:
        """Return the mutant if its module is wanted."""
        if fullname != self._name:
            return None
        return importlib.util.spec_from_loader(fullname, self._loader)


class Plugin:
    """Limits the time of each test, and does not compile the solver."""

    def pytest_runtest_setup(self) -> None:
        """Let SIGPROF end the process if a test takes too long."""
        signal.setitimer(signal.ITIMER_PROF, SECONDS)

    @pytest.fixture
    def warm(self) -> None:
        """Do nothing."""

    @pytest.fixture
    def warm_set_cover(self) -> None:
        """Do nothing."""

    @pytest.fixture
    def warm_multiplicity(self) -> None:
        """Do nothing."""


def start(path: Path, code: CodeType | None, tests: Sequence[str]) -> int:
    """Run tests in a new process, with this code as a module's if given; return its number.

    The process ends with 0 if all tests pass.
    """
    child = os.fork()
    return child or _run(path, code, tests)


def _run(path: Path, code: CodeType | None, tests: Sequence[str]) -> NoReturn:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    if code is not None:
        sys.meta_path.insert(0, Finder(path, code))
    hypothesis.settings.register_profile("mutation", EXAMPLES)
    hypothesis.settings.load_profile("mutation")
    os._exit(int(pytest.main([*PYTEST, *tests], plugins=[Plugin()])))
