"""Compiles the whole solver before the first test, so that no test does and no command says so."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from worker.exact_cover.problem import number
from worker.multiplicity import solve as multiplicity
from worker.set_cover.solve import cheapest
from worker.solve import warm_up


def compile_set_covers() -> None:
    """Compile the kernel of set covers, or load it from the cache."""
    for _ in cheapest(number(1, 0, [[1]], [1])):
        pass


def compile_multiplicities() -> None:
    """Compile the kernel of multiplicities, or load it from the cache."""
    multiplicity.solve(number(1, 0, [[1]]), [(1, 1)])


def compile_all() -> None:
    """Fill the cache of compiled code in two processes: the first takes as long as the others."""
    kernels = (warm_up, compile_set_covers, compile_multiplicities)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for compiled in [pool.submit(kernel) for kernel in kernels]:
            compiled.result()
