"""Compiles the whole solver before the first test, so that no test does and no command says so."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from worker.solve import KERNELS


def compile_all() -> None:
    """Fill the cache of compiled code in two processes: the first takes as long as the others."""
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for compiled in [pool.submit(kernel) for kernel in KERNELS]:
            compiled.result()
