"""The memory of a search with a table of states, which can be continued."""

from typing import Any, NamedTuple

import numpy as np

from worker.compiling.jit import Record, record
from worker.counting.diagram import NO_DIAGRAM, Diagram
from worker.counting.numbers import Words, to_int, widened
from worker.counting.table import Table
from worker.exact_cover.layout import Links, links, max_depth
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import Search, new_search, terms

#: Why a search returned, besides the constants of `exact_cover.state`. It continues when it is
#: called again with a larger table, or with a table of wider counts.
CROWDED = 11  #: three quarters of the table are in use
OVERFLOW = 12  #: a count has no room, or a diagram

#: the terms of the search for one cover beside the count
ONE_COVER = terms(limit=None, keep=1, costly=False)

#: a level: what `exact_cover.state.Guess` does not hold
Level: Any = record(
    ("one", np.uint64),  # the key of the state
    ("two", np.uint64),
    ("entered", np.int64),  # nodes when the state was entered
    ("branching", np.int64),  # options of the item
    ("tried", np.int64),  # of them
)


#: the registers of a search with a table, beside those of `exact_cover`
State: Any = record(
    ("returning", np.uint64),  # 1 if it returns a count, else 0
    ("skipping", np.uint64),  # 1 if it looks for the cover behind those that it is to skip, else 0
)


class Memo(NamedTuple):
    """A search with a table, which can be continued."""

    links: Links  #: with a trail
    search: Search
    levels: Record  #: per level: a `Level`
    sums: Words  #: per level: the covers counted so far; all counts have as many words
    result: Words  #: the count that is returned to the level above
    skip: Words  #: how many covers to skip
    table: Table
    keys: Words  #: two random words per option
    by_size: bool  #: branch on the smallest item, not on the first
    diagram: Diagram  #: with room for no node if covers are counted
    state: Record  #: a `State`


def new_memo(
    problem: Problem,
    table: Table,
    keys: Words,
    *,
    by_size: bool,
    diagram: Diagram = NO_DIAGRAM,
) -> Memo:
    """Return a search that has not begun."""
    depth, words = max_depth(problem), int(table.state.count_words)
    return Memo(
        links(problem, snapshots=False),  # keys are made from the trail
        new_search(depth, problem.members.size, 1),
        np.zeros(depth + 2, Level),
        np.zeros((depth + 2) * words, np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(words, np.uint64),
        table,
        keys,
        by_size,
        diagram,
        np.zeros(1, State)[0],
    )


def with_table(memo: Memo, table: Table) -> Memo:
    """Return the same search with another table, whose counts may have more words."""
    before, after = int(memo.table.state.count_words), int(table.state.count_words)
    return memo._replace(
        table=table,
        sums=widened(memo.sums, before, after),
        result=widened(memo.result, before, after),
        skip=widened(memo.skip, before, after),
    )


def covers_counted(memo: Memo) -> int:
    """Return the covers that the search has counted so far; all if it has ended."""
    words, level = int(memo.table.state.count_words), int(memo.search.state.level)
    counts = [memo.sums.reshape(-1, words)[k] for k in range(1, level + 1)]
    if memo.state.returning:
        counts.append(memo.result)
    return sum(map(to_int, counts))
