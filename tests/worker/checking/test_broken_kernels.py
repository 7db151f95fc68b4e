"""A solver that is broken never has a wrong answer stored and proven.

Each fault damages tables of the compiled solver, or what it reports. A wrong solution or score is
found by the check before it is stored; that a solution is missed, by the proof.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from storage.values import Kind
from tests.worker.solving import one
from worker.checking.outcomes import faults
from worker.exact_cover import stops
from worker.exact_cover.layout import Links, memory
from worker.options import Options
from worker.outcome import Outcome, Outcomes
from worker.proof.check import WrongProof, check
from worker.proof.write import proof_of_best, proof_of_number
from worker.sudoku.board import nodes, problem
from worker.sudoku.lanes.board import BANDS, CONFIGURATIONS, Grid
from worker.sudoku.lay_out import ENTRIES
from worker.sudoku.outcomes import outcomes
from worker.sudoku.solve import solver_of
from worker.sudoku.solver import GridSolver
from worker.sudoku.symbols import ring_weights

pytestmark = pytest.mark.usefixtures("warm", "warm_proofs")

EXAMPLES = Path(__file__).parents[3] / "examples" / "sudoku.txt"
GRIDS = [line.split()[0] for line in EXAMPLES.read_text().splitlines() if line[0] != "#"]
#: slices of time after which a broken solver is stopped, as the watchdog would stop it
MAX_SLICES = 40

Fault = Callable[[GridSolver], None]


def a_row_lacks_a_cell(solver: GridSolver) -> None:
    units = solver.memory.board.units.copy()
    units[:9, 3] = units[:9, 4]
    solver.memory = solver.memory._replace(board=solver.memory.board._replace(units=units))


def cells_have_a_wrong_peer(solver: GridSolver) -> None:
    cells = solver.memory.board.cells.copy()
    cells[:, 7] = (cells[:, 7] + 13) % 81
    solver.memory = solver.memory._replace(board=solver.memory.board._replace(cells=cells))


def peers_are_forgotten(solver: GridSolver) -> None:
    cells = solver.memory.board.cells.copy()
    cells[:, 7:12] = cells[:, 6:7]
    solver.memory = solver.memory._replace(board=solver.memory.board._replace(cells=cells))


def options_are_lost(solver: GridSolver) -> None:
    links = solver.memory.tables
    assert isinstance(links, Links)
    members = links.nodes.members.copy()
    of_option = members[: 729 * int(ENTRIES)].reshape(729, int(ENTRIES))
    of_option[4::9] = of_option[3::9]  # the 5 of each cell is another 4
    links = links._replace(nodes=links.nodes._replace(members=members))
    solver.memory = solver.memory._replace(tables=links)


def in_the_general_search(fault: Fault) -> Fault:
    """The same fault in a solver that never searches in lanes."""

    def general(solver: GridSolver) -> None:
        tables = memory(problem(9), nodes(9), problem(9).items + 1)
        solver.memory = solver.memory._replace(tables=tables)
        fault(solver)

    general.__name__ = f"{fault.__name__}_in_the_general_search"
    return general


def replace_tables(solver: GridSolver, **tables: Any) -> None:
    assert isinstance(solver.memory.tables, Grid)
    solver.memory = solver.memory._replace(tables=solver.memory.tables._replace(**tables))


def two_cells_have_one_place(solver: GridSolver) -> None:
    places = solver.memory.tables.places.copy()
    places[3] = places[4]
    replace_tables(solver, places=places)


def a_configuration_is_taken_for_another(solver: GridSolver) -> None:
    outside = solver.memory.tables.outside.copy()
    of_band = outside.reshape(BANDS, CONFIGURATIONS, -1)
    of_band[:, 0] = of_band[:, 1]
    replace_tables(solver, outside=outside)


def open_cells_lack_symbols(solver: GridSolver) -> None:
    clue = solver.memory.tables.clue.copy()
    clue[0] ^= 0b1010
    replace_tables(solver, clue=clue)


def a_clue_is_misread(solver: GridSolver) -> None:
    given = solver.grids.given[0]
    (clue, *_) = np.flatnonzero(given)
    given[clue] = given[clue] % 9 + 1


def a_clue_is_overlooked(solver: GridSolver) -> None:
    given = solver.grids.given[0]
    given[np.flatnonzero(given)[:2]] = 0


def a_weight_is_one_too_high(solver: GridSolver) -> None:
    weight = solver.scale.weight.copy()
    weight[40] += 1
    solver.scale = solver.scale._replace(weight=weight)


def solutions_are_written_to_the_wrong_row(solver: GridSolver) -> None:
    solver.row = 1


def the_score_is_one_too_high(solver: GridSolver) -> None:
    solver.scale = solver.scale._replace(offset=solver.scale.offset + 1)


def a_solution_has_a_wrong_bit(solver: GridSolver) -> None:
    solver.grids.kept[0, 40] ^= 4


def a_solution_too_many_is_reported(solver: GridSolver) -> None:
    solver.grids.report[0].found += 1


def a_search_that_was_limited_is_called_complete(solver: GridSolver) -> None:
    solver.grids.report[0].status = stops.EXHAUSTED


BEFORE: list[Fault] = [
    *map(
        in_the_general_search,
        (a_row_lacks_a_cell, cells_have_a_wrong_peer, peers_are_forgotten, options_are_lost),
    ),
    two_cells_have_one_place,
    a_configuration_is_taken_for_another,
    open_cells_lack_symbols,
    a_clue_is_misread,
    a_clue_is_overlooked,
    a_weight_is_one_too_high,
    solutions_are_written_to_the_wrong_row,
]
AFTER: list[Fault] = [
    the_score_is_one_too_high,
    a_solution_has_a_wrong_bit,
    a_solution_too_many_is_reported,
    a_search_that_was_limited_is_called_complete,
]
#: those that damage scores only
OF_TARGETS = {a_weight_is_one_too_high, the_score_is_one_too_high}


def solved(text: str, options: Options, fault: Fault) -> Outcomes | None:
    """The outcome of a solver with a fault; None if it does not end."""
    solver = solver_of(text, options, 0.05)
    if fault in BEFORE:
        fault(solver)
    for _ in range(MAX_SLICES):
        solver.advance()
        if solver.at == 1:
            if fault in AFTER:
                fault(solver)
            return outcomes(solver.grids, 0, 1, options, solver.scale)
    return None


def is_right(found: Outcome, expected: Outcome) -> bool:
    """Whether an outcome says the same as that of the sound solver."""
    return found[3:6] == expected[3:6] and found.bound == expected.bound


def is_proven(text: str, found: Outcome) -> bool:
    """Whether there is a proof of an outcome that claims to be complete."""
    try:
        if found.bound is None:
            check(proof_of_number(text, found.solutions or 0))
        else:
            check(proof_of_best(text, ring_weights(9), found.bound, found.kept[0].text))
    except WrongProof:
        return False
    return True


@pytest.mark.parametrize("fault", [*BEFORE, *AFTER], ids=lambda fault: fault.__name__)
def test_whatever_is_wrong_is_seen_by_the_check_or_by_the_proof(fault: Fault) -> None:
    options = Options(target=True) if fault in OF_TARGETS else Options(keep=2)
    wrong = 0
    for text in GRIDS:
        found = solved(text, options, fault)
        if found is None:
            continue
        (row,) = found.rows()
        is_refused = bool(faults(Kind.SUDOKU, [text], options, found))
        if is_refused or not is_right(row, one(text, options)):
            wrong += 1
            assert is_refused or (row.complete and not is_proven(text, row))
    assert wrong, "this fault has no effect"


def test_the_solver_without_a_fault_is_never_refused() -> None:
    for text in GRIDS:
        for options in (Options(), Options(target=True)):
            found = solved(text, options, lambda _: None)
            assert found is not None
            (row,) = found.rows()
            assert not faults(Kind.SUDOKU, [text], options, found)
            assert not row.complete or is_proven(text, row)
