"""Files in which puzzles and solutions alternate, without a name for either."""

import json
from collections.abc import Callable

import pytest

from tests.worker.formats.reading import errors, read
from tests.worker.formats.test_strangers import (
    OTHER,
    PUZZLE,
    SOLUTION,
    SOLVED,
    grid,
    lines,
    readable,
)
from tests.worker.formats.writing import rows
from worker.formats.errors import FormatError

pytestmark = pytest.mark.attack


#: puzzles and their solutions, in files that do not name which is which
PAIRS = {
    "lines": lines(PUZZLE, SOLUTION, OTHER, SOLVED),
    "solutions first": lines(SOLUTION, PUZZLE, SOLVED, OTHER),
    "labels": lines(f"Puzzle 1: {PUZZLE}", f"Solution 1: {SOLUTION}", OTHER, f"{SOLVED} solved"),
    "rows": "\n".join(map(grid, (PUZZLE, SOLUTION, OTHER, SOLVED))),
    "rows that follow at once": "".join(map(grid, (PUZZLE, SOLUTION, OTHER, SOLVED))),
    "headings": "".join(
        f"{head}\n{grid(cells)}"
        for head, cells in zip(
            ["Puzzle", "Solution"] * 2, [PUZZLE, SOLUTION, OTHER, SOLVED], strict=True
        )
    ),
    "QQWing readable": "".join(map(readable, (PUZZLE, SOLUTION, OTHER, SOLVED))),
    "QQWing compact": "\n".join(map(grid, (PUZZLE, SOLUTION, OTHER, SOLVED)))
    + "\nNumber of Givens: 30\n",
    "QQWing CSV": lines("Puzzle,Solution,", f"{PUZZLE},{SOLUTION},", f"{OTHER},{SOLVED},"),
    "CSV": lines("puzzle,solution", f"{PUZZLE},{SOLUTION}", f"{OTHER},{SOLVED}"),
    "CSV without a header": lines(f"{PUZZLE},{SOLUTION},", f"{OTHER},{SOLVED},"),
    "lists": json.dumps([PUZZLE, SOLUTION, OTHER, SOLVED]),
    "Python": lines(
        *(f"{name} = {rows(cells)}" for name, cells in (("puzzle", PUZZLE), ("solved", SOLUTION))),
        *(f"{name} = {rows(cells)}" for name, cells in (("puzzle", OTHER), ("solved", SOLVED))),
    ),
    "names": json.dumps({"input": PUZZLE, "output": SOLUTION, "next": OTHER, "end": SOLVED}),
    "OpenSudoku": "<opensudoku>"
    + "".join(f'<game data="{cells}"/>' for cells in (PUZZLE, SOLUTION, OTHER, SOLVED))
    + "</opensudoku>",
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_grid_that_solves_its_neighbour_is_its_solution(name: str) -> None:
    found = [(entry.text, entry.solution) for entry in read(PAIRS[name])[1]]
    assert found == [(PUZZLE, SOLUTION), (OTHER, SOLVED)]


@pytest.mark.parametrize("empty", [".", "0"])
@pytest.mark.parametrize("order", [1, -1])
def test_solutions_are_found_wherever_the_blocks_of_a_long_file_end(empty: str, order: int) -> None:
    pairs = [(PUZZLE, SOLUTION), (OTHER, SOLVED)] * 2000
    content = lines(*(cells.replace(".", empty) for pair in pairs for cells in pair[::order]))
    assert [(entry.text, entry.solution) for entry in read(content)[1]] == pairs


@pytest.mark.parametrize("at", [4000, 10_000])
def test_a_pair_that_comes_late_is_found(at: int) -> None:
    grids = [PUZZLE, *[OTHER] * at, SOLVED, *[PUZZLE] * 5000]
    entries = read(lines(*grids))[1]
    assert len(entries) == len(grids) - 1
    assert [(e.line, e.solution) for e in entries if e.solution] == [(at + 1, SOLVED)]


@pytest.mark.parametrize("write", [lines, lambda *some: "\n".join(map(grid, some))])
def test_solutions_that_follow_all_puzzles_are_refused(write: Callable[..., str]) -> None:
    for before in ([PUZZLE, OTHER], [PUZZLE, *[OTHER] * 3000]):
        with pytest.raises(FormatError, match="this grid is the solution of the puzzle on line 1;"):
            read(write(*before, SOLUTION, SOLVED))


def test_a_grid_that_solves_nothing_is_an_error_where_others_do() -> None:
    wrong = SOLVED[:-1] + "1"
    assert [number for number, _ in errors(lines(PUZZLE, SOLUTION, OTHER, wrong))] == [4]
    with pytest.raises(FormatError, match=r"line 4: .* full grid on line 2 is of none"):
        read(lines(PUZZLE, wrong, OTHER, SOLVED))


@pytest.mark.parametrize(
    "content",
    [
        lines(SOLUTION, SOLVED),
        lines(*[SOLUTION, SOLVED] * 3000),
        lines(PUZZLE, SOLVED),
        lines("." * 81, SOLVED),  # which has millions of solutions
        lines(*(json.dumps({"puzzle": cells}) for cells in (PUZZLE, SOLUTION))),
        lines("puzzle,id", f"{PUZZLE},1", f"{SOLUTION},2"),
    ],
)
def test_full_grids_without_a_puzzle_beside_them_are_puzzles(content: str) -> None:
    assert not [entry for entry in read(content)[1] if entry.error or entry.solution]
    assert sum(entry.text in {SOLUTION, SOLVED} for entry in read(content)[1]) > 0


def test_every_grid_that_solves_nothing_is_an_error_where_others_do() -> None:
    found = errors(lines(PUZZLE, SOLUTION, *[SOLVED] * 6000))
    assert [number for number, _ in found] == list(range(3, 6003))
