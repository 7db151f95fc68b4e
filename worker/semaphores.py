"""The semaphores that every pool of processes needs, which not every host has."""

import multiprocessing

from worker.errors import NoSemaphores


def require_semaphores() -> None:
    """Raise NoSemaphores unless the processes of this host can share semaphores.

    Containers without a writable /dev/shm refuse them, and Celery would say so in a traceback.
    """
    try:
        multiprocessing.get_context("fork").Lock()  # has no name afterwards, so nothing stays
    except OSError as error:
        raise NoSemaphores(
            f"cannot start processes: no semaphore can be made ({error.strerror}); "
            "Linux keeps semaphores in /dev/shm, which must be writable"
        ) from error
