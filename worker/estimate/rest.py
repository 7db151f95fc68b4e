"""The size of a search that was left to parts."""

from storage.values import Kind
from worker.errors import PuzzleError
from worker.estimate.ranges import Range
from worker.estimate.sampling import size
from worker.estimate.short import puzzle_of
from worker.exact_cover.costs.scores import Setup
from worker.lasting import part_of
from worker.options import Options

#: nodes of each sample; the first are few, because the search may be slow
NODES = (4_000, 20_000, 100_000)
#: seconds of CPU time after which no further sample is taken
SECONDS = 0.2


def estimate_rest(
    kind: Kind,
    text: str,
    options: Options,
    setup: str,
    *,
    best: int | None = None,
    seconds: float = SECONDS,
) -> Range | None:
    """Return how many nodes all parts of the search of a puzzle have together.

    `setup` is that of `Rest`. Where scores count, `best` is what a solution must exceed to be
    wanted: the nodes are those of the proof that there is none. Return None if nothing is known.
    """
    try:
        puzzle = puzzle_of(kind, text, options)
    except PuzzleError:
        return None
    part, scored = part_of(puzzle, options, Setup.decode(setup), ())
    if scored and part.terms.prune:
        part.search.state.budget = scored.scores.above(best)
    found = size(part.tables, part.search, part.terms, seed=0, seconds=seconds, sample_nodes=NODES)
    return None if found is None else found.nodes
