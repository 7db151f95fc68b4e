"""How large the search for one puzzle is, and one that was left to parts."""

import json
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from storage.values import Kind
from worker.estimate.ranges import UNKNOWN, Range, exactly
from worker.estimate.sampling import NODES, size
from worker.estimate.short import Allowance, Short, puzzle_of, search_briefly
from worker.exact_cover.scores import Setup
from worker.exact_cover.state import Terms
from worker.lasting import part_of
from worker.options import Options
from worker.stopwatch import Stopwatch

#: nodes of the short search before samples are taken
SHORT_NODES = 1 << 20
#: seconds after which the short search is ended, or the samples: they take a tenth of this, but for
#: problems with millions of options
SECONDS = 10.0
#: relative error of the time per node, which is not the same everywhere in the tree
TIME_ERROR = 0.05
#: nodes of each sample of a search that was left; the first are few, because it may be slow
REST_NODES = (4_000, 20_000, 100_000)
#: seconds of CPU time after which no further sample of it is taken
REST_SECONDS = 0.2

#: Puzzles that need all code that is compiled for their kind: a grid in lanes, and another; and a
#: cover problem for each form of the tables, see `exact_cover.form`. Their searches visit more
#: nodes than are visited between two readings of the clock, so that they can be left.
WARM_UP_PUZZLES = {
    Kind.SUDOKU: ["." * 81, "." * 16],
    Kind.COVER: [
        '{"items": 2, "options": [[1], [1], [2], [2]], "costs": [1, 2, 3, 4]}',
        json.dumps({"items": 2, "options": [[1, 2]] * 400, "costs": [1] * 400}),
    ],
}

#: solutions may be found 4 times as early, or as late, as if they were spread evenly
MOST_UNEVEN = 4.0


class Estimate(NamedTuple):
    """How large the search for one puzzle is."""

    nodes: Range  #: of the whole search
    solutions: Range | None  #: of the puzzle; None where they are pruned unseen
    exact: bool  #: a short search has ended: all numbers are exact
    short: Short  #: that search, on this machine; without the tree, which takes much memory

    def seconds(self, processes: int = 1) -> Range:
        """Return the range of the time that this machine needs with this number of processes."""
        short = self.short
        if self.exact:
            return exactly(short.ns / 1e9 / processes)
        less = short.ns_per_node - short.ns_per_first_node
        ns = [end * short.ns_per_node - min(end, short.first_nodes) * less for end in self.nodes]
        return Range(*ns).times(1e-9 / processes, TIME_ERROR)


@cache
def warm_up(kind: Kind) -> None:
    """Compile what estimates of this kind need, or load it from the cache."""
    for text in WARM_UP_PUZZLES[kind]:
        # Without nodes for the short search, so that samples are taken.
        estimate(kind, text, Options(limit=None), short_nodes=0)


def estimate(
    kind: Kind,
    text: str,
    options: Options,
    *,
    seed: int = 0,
    short_nodes: int = SHORT_NODES,
    sample_nodes: Sequence[int] = NODES,
    seconds: float = SECONDS,
) -> Estimate:
    """Return how large the search for a puzzle is, by a short search and random samples.

    A puzzle that the short search finishes is reported exactly. The result, but for the time per
    node, depends on the seed alone unless `seconds` are over. Where solutions have scores, the
    nodes are those that it takes to prove that the best solutions of the short search are best; if
    better ones are found later, it takes fewer. Raise PuzzleError if the text is no puzzle.
    """
    watch = Stopwatch(seconds)
    short = search_briefly(kind, text, options, Allowance(short_nodes, Stopwatch(seconds / 2)))
    nodes, solutions = exactly(short.nodes), exactly(short.found)
    if short.tree:
        left = watch.left_ns / 1e9
        whole = size(*short.tree, seed=seed, seconds=left, sample_nodes=sample_nodes)
        nodes, solutions = _whole(*(whole or (UNKNOWN, UNKNOWN)), short, short.tree.terms)
    return Estimate(
        nodes,
        None if options.target and not options.every else solutions,
        short.tree is None,
        short._replace(tree=None),
    )


def estimate_rest(
    kind: Kind, text: str, options: Options, setup: str, seconds: float = REST_SECONDS
) -> Range | None:
    """Return how many nodes all parts of the search of a puzzle have together, if none is pruned.

    `setup` is that of `Rest`. Return None if nothing is known.
    """
    part = part_of(puzzle_of(kind, text, options), options, Setup.decode(setup), ())
    tree = part.tables, part.search, part.terms
    found = size(*tree, seed=0, seconds=seconds, sample_nodes=REST_NODES)
    return None if found is None else found.nodes


def _whole(nodes: Range, solutions: Range, short: Short, terms: Terms) -> tuple[Range, Range]:
    """Return nodes and solutions of the whole search, given those of the tree that was sampled."""
    if terms.prune:  # this tree is visited after the short search
        return nodes.plus(short.nodes), solutions
    solutions = solutions.at_least(short.found)
    if terms.limit >= 0:
        nodes = nodes.times_range(_share_until(terms.limit, solutions))
    return nodes.plus(short.first_nodes).at_least(short.nodes), solutions


def _share_until(limit: int, solutions: Range) -> Range:
    """Return which share of a tree is searched until `limit` of its solutions are found.

    If they were spread evenly, that would be `limit` of the number plus one. How they are spread is
    not known.
    """
    low, likely, high = (min(1.0, limit / (end + 1)) for end in reversed(solutions))
    return Range(low / MOST_UNEVEN, likely, min(1.0, high * MOST_UNEVEN))
