"""The size of a search that was left to parts."""

from storage.values import Kind
from worker.covers.solve import read
from worker.errors import PuzzleError
from worker.estimate.ranges import Range
from worker.estimate.sampling import size
from worker.estimate.short import SLICE_SECONDS
from worker.exact_cover.costs import cheapest
from worker.exact_cover.costs.scores import Scored, Setup
from worker.exact_cover.layout import Links
from worker.exact_cover.parts.frontier import WHOLE, decode
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.solve import part_of
from worker.options import Options
from worker.sudoku import parts as grids
from worker.sudoku.solve import solver_of

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
        tables, part, scored = _whole(kind, text, options, Setup.decode(setup))
    except PuzzleError:
        return None
    if scored and part.terms.prune:
        part.search.state.budget = scored.scores.above(best)
    found = size(tables, part.search, part.terms, seed=0, seconds=seconds, sample_nodes=NODES)
    return None if found is None else found.nodes


def _whole(
    kind: Kind, text: str, options: Options, setup: Setup
) -> tuple[Links, PartSearch, Scored | None]:
    """Return the search of the part that is the whole search, and its tables at the root."""
    levels = decode(WHOLE.levels)
    if kind is not Kind.COVER:
        solver = solver_of(text, options, SLICE_SECONDS)
        part, scored = grids.part_of(solver, setup, levels)
        return solver.links, part, scored
    _, problem, has_costs = read(text)
    if options.target and has_costs:
        part, scored = cheapest.part_of(
            problem, options.keep, setup, levels, visit_all=options.every
        )
        return part.tables, part, scored
    problem = problem._replace(cost=problem.cost * 0)
    part = part_of(problem, options.limit, options.keep, setup.pairs_compared, levels)
    return part.tables, part, None
