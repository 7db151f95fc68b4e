"""The families of random puzzles, and the independent solvers that judge each of them."""

import random
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import NamedTuple

from tests.differential import covers, grids
from tests.differential.optimisers import cp_sat, max_sat
from tests.differential.oracles import Oracle, brute_force, exact_cover, sat, xcover
from worker.options import Options

#: yields every solution of a model once
LISTING: Mapping[str, Oracle] = {
    "brute force": brute_force,
    "exact_cover": exact_cover,
    "xcover": xcover,
    "CaDiCaL": sat,
}
#: yields the solutions of a model, the best ones first
BEST_FIRST: Mapping[str, Oracle] = {"RC2": max_sat, "CP-SAT": cp_sat}
#: solver -> the module that it needs
MODULES = {
    "exact_cover": "exact_cover",
    "xcover": "xcover",
    "CaDiCaL": "pysat",
    "RC2": "pysat",
    "CP-SAT": "ortools",
}
EXACT = ("exact_cover", "CaDiCaL")
ANY_SIZE = ("brute force", "CaDiCaL")


class Family(NamedTuple):
    """Random puzzles of one sort."""

    draw: Callable[[random.Random], tuple[str, Options]]
    share: int  #: so many of 100 puzzles
    oracles: tuple[str, ...]  #: one of them, drawn at random, judges a puzzle


FAMILIES: Mapping[str, Family] = {
    "sudokus, 4x4 to 10x10": Family(grids.ordinary, 12, EXACT),
    "sudokus, 12x12 and 16x16": Family(grids.large, 3, ("CaDiCaL",)),
    "sudokus, counted": Family(grids.counted, 6, EXACT),
    "target sudokus, few completions": Family(grids.few, 10, EXACT),
    "target sudokus, many completions": Family(grids.many, 1, ("CP-SAT",)),
    "exact covers": Family(covers.ordinary, 15, (*EXACT, "brute force", "xcover")),
    "exact covers with colours": Family(covers.coloured, 10, (*ANY_SIZE, "xcover")),
    "exact covers, counted": Family(covers.counted, 10, ("xcover", "CaDiCaL")),
    "cheapest exact covers": Family(covers.cheapest, 12, (*EXACT, "brute force", "RC2")),
    "cheapest of larger exact covers": Family(covers.planted, 2, ("CP-SAT",)),
    "multiplicities": Family(covers.multiple, 8, ANY_SIZE),
    "cheapest with larger multiplicities": Family(covers.planted_multiple, 2, ("CP-SAT",)),
    "set covers": Family(covers.set_covers, 7, ANY_SIZE),
    "cheapest of larger set covers": Family(covers.planted_set_covers, 2, ("CP-SAT",)),
}


def installed() -> set[str]:
    """Return the solvers whose module can be imported."""
    names = LISTING.keys() | BEST_FIRST.keys()
    return {name for name in names if name not in MODULES or find_spec(MODULES[name])}
