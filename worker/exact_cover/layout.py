"""The tables of the search: what Dancing Links keeps in memory for one problem."""

from typing import NamedTuple

import numpy as np

from worker.compiling.numbers import Integers, Table
from worker.exact_cover.nodes import (
    GENERAL,
    Nodes,
    dense_nodes_of,
    is_dense,
    nodes_of,
    shape,
    sizes_of,
)
from worker.exact_cover.problem import MAX_ITEMS, Problem

#: most words of the copies for the deepest search with which masks are saved at each guess
MAX_SNAPSHOT_WORDS = 1 << 24


class Links(NamedTuple):
    """Everything that the search changes and restores, and the options' costs."""

    nodes: Nodes
    left: Table  #: per item: its left neighbour in the ring of open items; item 0 is the root
    right: Table  #: per item: its right neighbour
    mask: Table  #: per word: the options left, and `NOT_OPEN`; then the sizes, if there are any
    forced: Table  #: stack of items that have one option left
    pairs: Table  #: stack of items that came to have two options left
    snapshots: Table  #: per level: a copy of `mask`; empty if hidden options are logged instead
    trail: Table  #: log of the nodes by which options were hidden; empty if masks are copied
    cost: Integers  #: per option: its cost, or its reduced cost
    by_cost: Table  #: a node of each option, the most expensive first; see `exclude`


def links(problem: Problem, snapshots: bool | None = None, dense: bool | None = None) -> Links:
    """Return the tables of a whole problem, with every primary item open.

    The search restores masks from snapshots if `snapshots` is true, from a trail if it is false;
    by default, from snapshots if these take little memory. It covers items by rows if `dense` is
    true, which needs snapshots and a problem without colours; by default, if the problem is dense.
    Raise ValueError if the problem has more than MAX_ITEMS items.
    """
    if problem.items > MAX_ITEMS:
        raise ValueError(f"there are more than {MAX_ITEMS:,} items")
    if dense is None:
        dense = snapshots is not False and _is_dense(problem)
    nodes, mask = _laid_out(problem, dense=dense)
    tables = memory(problem, nodes, mask.size, dense or snapshots)
    tables.mask[:] = mask
    primary = np.arange(1, problem.primary + 1)
    tables.right[primary - 1], tables.left[primary] = primary, primary - 1
    tables.left[0] = problem.primary
    secondary = np.arange(problem.primary + 1, problem.items + 1)
    tables.left[secondary] = tables.right[secondary] = secondary
    return general(tables) if snapshots is False else tables  # kernels that need the trail


class _LaidOut(NamedTuple):
    problem: Problem
    dense: bool
    made: tuple[Nodes, Table]  #: nodes and masks


#: the problem that was laid out last, for the next turn of a search that is divided
_last: _LaidOut | None = None


def _laid_out(problem: Problem, *, dense: bool) -> tuple[Nodes, Table]:
    """Return the nodes and masks of a problem; those of the last one if only its costs differ."""
    global _last  # noqa: PLW0603 # one value, replaced as a whole
    last = _last
    if last is None or last.dense != dense or not _are_alike(last.problem, problem):
        last = _LaidOut(problem, dense, dense_nodes_of(problem) if dense else nodes_of(problem))
        _last = last
    return last.made


def _are_alike(one: Problem, other: Problem) -> bool:
    """Return whether two problems have the same arrays, whatever their costs are."""
    return all(a is b for a, b in zip(one, other._replace(cost=one.cost), strict=True))


def general(tables: Links) -> Links:
    """Return the same tables in the form for all problems.

    What does not take much time is compiled for this form only.
    """
    return tables._replace(nodes=tables.nodes._replace(form=GENERAL))


def memory(problem: Problem, nodes: Nodes, words: int, snapshots: bool | None = None) -> Links:
    """Return tables for masks of `words` words, filled with zeros: no item is open."""
    items = problem.items + 1
    snapshot_words = words * (problem.max_depth + 1)
    if snapshots is None:
        snapshots = snapshot_words <= MAX_SNAPSHOT_WORDS
    return Links(
        nodes,
        left=np.zeros(items, np.uint32),
        right=np.zeros(items, np.uint32),
        mask=np.zeros(words, np.uint32),
        forced=np.zeros(items + 1, np.uint32),
        pairs=np.zeros(2 * items + 1, np.uint32),  # `confine` pushes an item a second time
        snapshots=np.zeros(snapshot_words if snapshots else 0, np.uint32),
        trail=np.zeros(0 if snapshots else problem.members.size + 1, np.uint32),
        cost=problem.cost.copy(),
        by_cost=np.zeros(problem.cost.size, np.uint32),
    )


def _is_dense(problem: Problem) -> bool:
    """Return whether the search covers items by rows."""
    sizes = sizes_of(problem)
    lanes, planes = shape(problem, sizes)
    snapshots = lanes * (planes + 1) * (problem.max_depth + 1)
    return snapshots <= MAX_SNAPSHOT_WORDS and is_dense(problem, sizes, lanes * planes)
