"""The engine is compiled before the first test that counts time."""

import pytest

from worker.puzzles.search import warm_up


@pytest.fixture(scope="session")
def warm() -> None:
    warm_up()
