"""The search of a grid in parts: leaving it when its budget is over, and continuing a part."""

from functools import partial

import numpy as np

from worker.exact_cover.costs.scores import Scored, Scores, Setup
from worker.exact_cover.exclude import list_by_cost
from worker.exact_cover.parts.frontier import Frontier, Levels
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.state import EXHAUSTED, PAUSED, UNBOUNDED, Path, kept_paths
from worker.outcome import KeptSolution, Rest, first_path
from worker.sudoku.entries import prepare_grid
from worker.sudoku.grids import WRITING
from worker.sudoku.rounds import GridRounds
from worker.sudoku.solver import GridSolver
from worker.sudoku.symbols import SYMBOLS
from worker.turn import kept_solutions


def leave(solver: GridSolver) -> Rest | None:
    """Stop the search of the grid that is next, and return what is left; None if nothing is.

    The solver writes what was found so far as the grid's result, and goes on with the next grid.
    """
    report, state, links = solver.report, solver.search.state, solver.links
    kept = _kept(solver)
    setup = Setup(int(state.pairs_compared))
    frontier = PartSearch(links, solver.search, solver.terms, ()).frontier()
    if solver.terms.costly:
        setup = setup._replace(
            multipliers=tuple(solver.scoring.multiplier.tolist()),
            unit=solver.scale.unit,
            factor=solver.scale.factor,
            offset=solver.scale.offset,
        )
        bound = setup.scores.of(setup.scores.base - int(report.bound))
        setup = setup._replace(bound=bound)
        if frontier is not None:
            levels = setup.scores.bounded(frontier.levels, links.cost, bound)
            frontier = Frontier(levels, bound)
    report.nodes, report.status = state.nodes, EXHAUSTED if frontier is None else PAUSED
    solver.stage = WRITING
    return None if frontier is None else Rest(frontier, setup.encode(), kept)


def leave_rounds(solver: GridSolver, rounds: GridRounds) -> Rest:
    """Stop the rounds of the grid that is next, and return what is left, as `leave` does."""
    setup = rounds.setup()
    solver.report.status = PAUSED
    return Rest(Frontier((), setup.bound), setup.encode(), _kept(solver))


def part_of(solver: GridSolver, setup: Setup, levels: Levels) -> tuple[PartSearch, Scored | None]:
    """Lay out the only grid of a solver, and return the search of a part of it."""
    _lay_out(solver, setup, setup.reach)
    part = PartSearch(solver.links, solver.search, solver.terms, levels, setup.pairs_compared)
    if not solver.terms.costly:
        return part, None
    return part, Scored(setup.scores, solver.links.cost, setup.reach, setup.bound)


def rounds_near(solver: GridSolver, setup: Setup, path: Path, score: int, seed: str) -> GridRounds:
    """Return rounds that can improve a known solution of this score of a solver's only grid."""
    _lay_out(solver, setup, UNBOUNDED)
    list_by_cost(solver.links, solver.search)
    solver.report.dual = solver.report.bound = setup.scores.base
    rounds = GridRounds(solver, seed)
    rounds.start_from(path, score)
    return rounds


def _lay_out(solver: GridSolver, setup: Setup, reach: int) -> None:
    prepare_grid(
        solver.board,
        solver.marks,
        solver.links,
        solver.search,
        solver.grids,
        solver.scoring,
        solver.terms,
        np.array(setup.multipliers, np.int64),
        reach,
    )


def _kept(solver: GridSolver) -> tuple[KeptSolution, ...]:
    """Return the solutions that the search of the grid that is next keeps."""
    paths = [(tuple(sorted(path)), cost) for path, cost in kept_paths(solver.search)]
    scores = Scores(int(solver.report.dual), *solver.scale[1:]) if solver.terms.costly else None
    kept = kept_solutions(paths, partial(text_of, solver), scores)
    if solver.terms.prune:  # parts may find them again, in another order
        return kept
    return tuple(one._replace(path=first_path(rank)) for rank, one in enumerate(kept))


def text_of(solver: GridSolver, path: Path) -> str:
    """Return the symbols of a solution of the presolved grid, cell by cell."""
    side = solver.board.units.shape[1]
    symbols = [SYMBOLS[int(one).bit_length()] for one in solver.marks.candidates]
    for option in path:
        symbols[option // side] = SYMBOLS[option % side + 1]
    return "".join(symbols)
