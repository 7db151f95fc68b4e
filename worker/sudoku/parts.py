"""The search of a grid in parts: leaving it when its budget is over, and continuing a part."""

import numpy as np

from worker.exact_cover.costs.scores import Scored, Scores, Setup
from worker.exact_cover.parts.frontier import Frontier, Levels
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.state import EXHAUSTED, PAUSED, UNBOUNDED, Path, kept_paths
from worker.outcome import KeptSolution, Rest
from worker.sudoku.entries import WRITING, prepare_grid
from worker.sudoku.lay_out import POINT
from worker.sudoku.solver import GridSolver
from worker.sudoku.symbols import SYMBOLS


def leave(solver: GridSolver) -> Rest | None:
    """Stop the search of the grid that is next, and return what is left; None if nothing is.

    The solver writes what was found so far as the grid's result, and goes on with the next grid.
    """
    report, search, terms = solver.report, solver.search, solver.terms
    scores = Scores(int(report.dual), POINT) if terms.costly else None
    limit = int(report.bound) // POINT if scores else None
    kept = tuple(
        KeptSolution(scores and scores.of(cost), path, text_of(solver, path))
        for path, cost in kept_paths(search)
    )
    setup = _setup(solver)
    if terms.prune:
        frontier: Frontier | None = Frontier((), limit)
    else:
        frontier = PartSearch(solver.links, search, terms, ()).frontier()
        if frontier and scores and limit is not None:
            levels = scores.bounded(frontier.levels, solver.links.cost, limit)
            frontier = Frontier(levels, limit)
    report.nodes, report.status = search.state.nodes, EXHAUSTED if frontier is None else PAUSED
    solver.stage = WRITING
    return None if frontier is None else Rest(frontier, setup.encode(), kept)


def part_of(solver: GridSolver, setup: Setup, levels: Levels) -> tuple[PartSearch, Scored | None]:
    """Lay out the only grid of a solver, and return the search of a part of it."""
    terms, links = solver.terms, solver.links
    multiplier = np.array(setup.multipliers, np.int64)
    prepare_grid(
        solver.board,
        solver.marks,
        links,
        solver.search,
        solver.grids,
        solver.scoring,
        terms,
        multiplier,
        setup.reach,
    )
    part = PartSearch(links, solver.search, terms, levels, setup.pairs_compared)
    if not terms.costly:
        return part, None
    return part, Scored(Scores(int(multiplier.sum()), POINT), links.cost, setup.bound)


def text_of(solver: GridSolver, path: Path) -> str:
    """Return the symbols of a solution of the presolved grid, cell by cell."""
    side = solver.board.units.shape[1]
    symbols = [SYMBOLS[int(one).bit_length()] for one in solver.marks.candidates]
    for option in path:
        symbols[option // side] = SYMBOLS[option % side + 1]
    return "".join(symbols)


def _setup(solver: GridSolver) -> Setup:
    """Return what the parts of the grid that is next need."""
    state, kept, terms = solver.search.state, solver.search.kept, solver.terms
    if not terms.costly:
        return Setup(int(state.pairs_compared))
    reach = UNBOUNDED
    if terms.prune and state.kept == terms.wanted:
        reach = int(kept.cost[kept.heap[0]]) - terms.step
    multipliers = tuple(solver.scoring.multiplier.tolist())
    return Setup(int(state.pairs_compared), multipliers, reach, int(solver.report.bound) // POINT)
