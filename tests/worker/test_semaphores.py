"""Hosts without semaphores, such as containers without a writable /dev/shm."""

import multiprocessing.synchronize

import pytest

from worker.errors import NoSemaphores
from worker.local.pool import Pool
from worker.semaphores import require_semaphores
from worker.serve import serve
from worker.settings import Settings


@pytest.fixture
def _no_semaphores(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(multiprocessing.synchronize, "Lock", refuse)


def test_this_host_has_semaphores() -> None:
    require_semaphores()


@pytest.mark.usefixtures("_no_semaphores")
def test_a_host_without_semaphores_is_refused_in_one_sentence(settings: Settings) -> None:
    sentence = (
        r"^cannot start processes: no semaphore can be made \(Read-only file system\); "
        r"Linux keeps semaphores in /dev/shm, which must be writable$"
    )
    with pytest.raises(NoSemaphores, match=sentence):
        Pool(settings, 1, print)
    with pytest.raises(NoSemaphores, match=sentence):
        serve(settings, 1)
