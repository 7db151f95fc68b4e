"""Searches of laid-out problems, for tests that look at the tables."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.exact_cover.layout import Links, links
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import Found, in_slices, run_in_slices
from worker.exact_cover.state import Search, Terms, new_search, terms
from worker.stopwatch import Stopwatch

#: a time limit in seconds for searches of small problems
AMPLE = 30.0


#: how masks are restored, and how items are covered
FORMS = ("snapshots", "trail", "dense")


def laid_out(problem: Problem, form: str) -> Links:
    """The tables of a problem in one of FORMS, whatever its size."""
    return links(problem, snapshots=form != "trail", dense=form == "dense")


def search_for(problem: Problem, room: int) -> Search:
    """A search that has room to keep so many solutions."""
    return new_search(problem, room)


def asked(limit: int | None = None, keep: int = 1, *, prune: bool = False) -> Terms:
    return terms(limit=limit, keep=keep, prune=prune)


def run(tables: Links, search: Search, terms: Terms) -> Found:
    """The result of a search in one slice; there must be room for what it keeps."""
    found = next(run_in_slices(tables, search, terms, watch=Stopwatch(AMPLE, slice_seconds=AMPLE)))
    assert found is not None
    return found


def solve_within(problem: Problem, seconds: float) -> Found:
    return next(found for found in in_slices(problem, watch=Stopwatch(seconds)) if found)


def constant_tables(tables: Links) -> list[NDArray[Any]]:
    """Copies of the tables that a finished search leaves as they were."""
    nodes = tables.nodes
    arrays = [nodes.first_word, nodes.item, nodes.first_node, nodes.others, nodes.members]
    arrays += [nodes.option, nodes.colour, tables.left, tables.right, tables.mask]
    return [*(array.copy() for array in arrays), tables.cost.copy()]


def same(before: list[NDArray[Any]], after: list[NDArray[Any]]) -> bool:
    return all(map(np.array_equal, before, after))
