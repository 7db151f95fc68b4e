"""`bullseye.solve`: puzzles in every form, covers against brute force, and errors."""

import json
from collections.abc import Callable, Hashable, Sequence
from itertools import combinations, islice
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bullseye import BadUsage, Cover, PuzzleError, Status, solve
from tests.readme.reading import ROOT
from tests.sudoku import grids, is_solution, score

PUZZLES = list(islice(grids(13, 30), 3))
NUMBERS = np.array([[int(cell) if cell != "." else 0 for cell in one] for one in PUZZLES])

FORMS: dict[str, Callable[[Path], object]] = {
    "a list of texts": lambda _: PUZZLES,
    "an iterator of texts": lambda _: iter(PUZZLES),
    "texts with spaces and line ends": lambda _: [f"{one[:9]} \n {one[9:]}" for one in PUZZLES],
    "a text with a line for each": lambda _: "\n".join(PUZZLES),
    "an array n x 81": lambda _: NUMBERS,
    "an array n x 9 x 9": lambda _: NUMBERS.reshape(-1, 9, 9),
    "an array in Fortran order": lambda _: np.asfortranarray(NUMBERS),
    "an array of floating point": lambda _: NUMBERS.astype(float),
    "an array of texts": lambda _: np.array(PUZZLES),
    "a list of arrays": lambda _: list(NUMBERS.reshape(-1, 9, 9)),
    "lists of rows": lambda _: NUMBERS.reshape(-1, 9, 9).tolist(),
    "a DataFrame": lambda _: pd.DataFrame({"id": [1, 2, 3], "Puzzle": PUZZLES}, index=[7, 8, 9]),
    "a Series": lambda _: pd.Series(PUZZLES, index=[7, 8, 9]),
    "a file": lambda folder: written(folder / "puzzles.txt"),
}


def written(file: Path) -> Path:
    file.write_text("\n".join(PUZZLES))
    return file


@pytest.mark.parametrize("form", FORMS)
def test_puzzles_in_every_form_have_the_same_answers(form: str, tmp_path: Path) -> None:
    answers = solve(FORMS[form](tmp_path))
    assert [answer.puzzle for answer in answers] == PUZZLES
    assert [answer.position for answer in answers] == [1, 2, 3]
    assert all(is_solution(a.puzzle, a.solution or "") for a in answers)


def test_one_grid_is_a_batch_of_one_whether_text_array_or_rows() -> None:
    rows = NUMBERS[0].reshape(9, 9)
    for one in (PUZZLES[0], PUZZLES[0].encode(), [PUZZLES[0]], rows, rows.tolist(), NUMBERS[0]):
        (answer,) = solve(one)
        assert answer.puzzle == PUZZLES[0]


def test_grids_of_several_sizes_are_answered_in_order() -> None:
    sizes = [4, 6, 9] * 3
    puzzles = [next(grids(5, size**2 // 2, size)) for size in sizes]
    answers = solve(puzzles)
    assert [answer.puzzle for answer in answers] == puzzles
    assert [answer.size for answer in answers] == sizes
    assert all(is_solution(a.puzzle, a.solution or "") for a in answers)


def test_boxes_may_be_wider_than_high() -> None:
    (answer,) = solve(np.zeros((6, 6), int))
    assert answer.grid is not None
    boxes = answer.grid.reshape(3, 2, 2, 3).swapaxes(1, 2).reshape(6, 6)
    assert np.array_equal(np.sort(boxes), np.tile(np.arange(1, 7), (6, 1)))
    assert (answer._repr_svg_() or "").startswith("<svg")


def test_without_puzzles_there_are_no_answers() -> None:
    assert list(solve([])) == []
    assert list(solve(pd.DataFrame({"puzzle": []}))) == []


def test_the_limit_and_the_kept_solutions_are_those_asked_for() -> None:
    (two,) = solve("." * 16)
    assert (two.solutions, two.complete, two.unique, len(two.kept)) == (2, False, False, 1)
    (every,) = solve("." * 16, limit=None, keep=300)
    assert (every.solutions, every.complete, len({one.text for one in every.kept})) == (
        288,
        True,
        288,
    )


def test_the_best_score_is_found_and_proven() -> None:
    answers = solve(ROOT / "examples" / "target.txt", target=True)
    for answer in answers:
        assert answer.label is not None
        assert answer.label.startswith(f"best {answer.score} of ")
        assert answer.solution is not None
        assert score(answer.solution) == answer.score == answer.bound


def test_own_weights_decide_which_solution_is_best() -> None:
    corner = np.zeros((4, 4), int)
    corner[0, 0] = 1
    (answer,) = solve("." * 16, target=True, weights=corner)
    assert (answer.score, (answer.solution or "")[0]) == (4, "4")


# --- exact covers ---


def covers_of(options: Sequence[set[Hashable]], secondary: set[Hashable]) -> list[tuple[int, ...]]:
    """Return every exact cover, by trying all subsets of the options with a primary item."""
    primary = set().union(*options) - secondary
    found = []
    for size in range(len(options) + 1):
        for some in combinations(range(len(options)), size):
            items = [item for k in some for item in options[k]]
            is_useful = all(options[k] & primary for k in some)
            if len(set(items)) == len(items) and primary <= set(items) and is_useful:
                found.append(some)
    return found


# Items of several types, some of which are texts that are alike.
items = st.sampled_from([1, "1", 2.5, ("a", 1), frozenset({3}), None, "b"])
problems = st.lists(st.sets(items, min_size=1, max_size=4), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(problems, st.sets(items, max_size=2))
def test_all_covers_are_those_of_brute_force(
    options: list[set[Hashable]], secondary: set[Hashable]
) -> None:
    secondary &= set().union(*options[1:])
    expected = covers_of(options, secondary)
    if not set().union(*options) - secondary:
        return  # nothing is to be covered
    (answer,) = solve(Cover(options, secondary=secondary), limit=None, keep=1000)
    assert answer.solutions == len(expected)
    kept = {tuple(int(number) - 1 for number in one.text.split()) for one in answer.kept}
    assert kept == set(expected)
    assert answer.chosen in expected or not expected


@settings(max_examples=40, deadline=None)
@given(problems, st.data())
def test_the_cheapest_cover_is_that_of_brute_force(
    options: list[set[Hashable]], data: st.DataObject
) -> None:
    prices = st.lists(st.integers(0, 9), min_size=len(options), max_size=len(options))
    costs = data.draw(prices)
    (answer,) = solve(Cover(options, costs), target=True)
    expected = [sum(costs[k] for k in some) for some in covers_of(options, set())]
    assert answer.score == (-min(expected) if expected else None)
    assert sum(costs[k] for k in answer.chosen) == -(answer.score or 0)


def test_covers_are_read_as_lists_of_sets_one_or_many_and_as_matrices() -> None:
    options = [{1, 4, 7}, {1, 4}, {4, 5, 7}, {3, 5, 6}, {2, 3, 6, 7}, {2, 7}]
    matrix = np.array([[item in option for item in range(1, 8)] for option in options])
    expected = (1, 3, 5)
    assert [one.chosen for one in solve(options)] == [expected]
    assert [one.chosen for one in solve([options, [{1}, {1, 2}]])] == [expected, (1,)]
    assert [one.chosen for one in solve([Cover(options), Cover([{1}])])] == [expected, (0,)]
    assert [one.chosen for one in solve(matrix)] == [expected]
    (none,) = solve([{1, 2}, {2, 3}])
    assert (none.status, none.chosen, none.solutions) == (Status.NONE, (), 0)


# --- errors ---


@pytest.mark.parametrize(
    ("puzzles", "why"),
    [
        ([PUZZLES[0], "12"], "list line 2: 2 cells, expected 81"),
        ([PUZZLES[0], ""], "list line 2: 0 cells"),
        ([PUZZLES[0], "#" + "." * 80], "list line 2: "),
        (["." * 81, "A" + "." * 80], "list line 2: "),
        ("12", "text line 1: 2 cells"),
        ("", "text: is empty"),
        (np.zeros((16, 16), int), "one 16x16 grid or sixteen 4x4 grids; reshape it"),
        (np.zeros((2, 80), int), "array: is an array of 2 x 80"),
        (np.full((2, 81), 10), "array: has a value such as 10"),
        (pd.DataFrame({"a": PUZZLES}), "the DataFrame has no column of puzzles"),
        (["." * 81, None], "list line 2: NoneType is not a puzzle"),
        (5, "int is not a puzzle"),
        ({"a": {1}}, "dict is not a puzzle"),
        ([[1, 2], [3]], "list line 1: list is not a puzzle"),
        (str(ROOT / "README.md"), "is the name of a file: give pathlib.Path("),
        (Cover([["a", "a"]]), "covers line 1: option 1 has an item twice"),
        (Cover([{"a"}], multiplicities={"b": (1, 2)}), "'b' has a multiplicity, but is no primary"),
        (Cover([{"a"}], multiplicities={"a": (2, 1)}), "item 1 is 2 to 1; the least number must"),
        ([[{1}], [set()]], "covers line 2: no primary item, so nothing to cover"),
        (Cover([{1}], costs=[-(10**9) - 1]), "the cost of option 1 must be a whole number"),
        (Cover([{1}], costs=[1.5]), "the cost of option 1 must be a whole number"),  # type: ignore[list-item] # on purpose
        (Path("missing.txt"), "missing.txt: no such file"),
    ],
    ids=str,
)
def test_what_is_no_puzzle_is_rejected_with_its_place(puzzles: object, why: str) -> None:
    with pytest.raises(PuzzleError) as error:
        solve(puzzles)
    assert why in str(error.value)


@pytest.mark.parametrize(
    ("puzzles", "options", "why"),
    [
        ("." * 81, {"limit": 0}, "limit is 0"),
        ("." * 81, {"limit": 2.5}, "limit is 2.5"),
        ("." * 81, {"keep": "3"}, "keep is '3'"),
        ("." * 81, {"target": True, "weights": [0.5] * 81}, "weights must be whole numbers"),
        ("." * 81, {"target": True, "weights": [10**17] * 81}, "the weights are too large"),
        ("." * 81, {"keep": 0}, "keep is 0"),
        ("." * 81, {"sample": -1, "limit": None}, "sample is -1; give an integer from 0"),
        ("." * 81, {"seed": 0.5}, "seed is 0.5"),
        ("." * 81, {"sample": 3}, "sample needs limit=None"),
        (
            "." * 81,
            {"sample": 3, "limit": None, "keep": 2},
            "sample says how many solutions to store",
        ),
        ("." * 81, {"seed": 3}, "^seed needs sample$"),
        ([{1}], {"sample": 3, "limit": None, "set_cover": True}, "sample cannot be combined with"),
        ("." * 81, {"timeout": float("nan")}, "timeout must be more than 0"),
        ("." * 81, {"limit": 5, "target": True}, "limit cannot be combined with target"),
        ("." * 81, {"every": True}, "^every needs target$"),
        ("." * 81, {"weights": [1] * 81}, "^weights needs target$"),
        ("." * 16, {"target": True}, "4x4 grids have no default weights"),
        (
            "." * 81,
            {"target": True, "weights": [1]},
            "weights has 1 number, but a 9x9 grid needs 81",
        ),
        ([{1}], {"target": True}, "target needs grids or cover problems with costs"),
        ([{1}], {"at_most": 1}, "^at_most needs set_cover$"),
        ([{1}], {"set_cover": True, "at_most": -1}, "at_most is -1; give an integer from 0"),
        ([{1}], {"set_cover": True, "target": True}, "set_cover cannot be combined with target"),
        ([{1}], {"set_cover": True, "limit": 5}, "limit with set_cover needs at_most"),
        ("." * 16, {"set_cover": True}, "set_cover needs cover problems, not grids"),
        (Cover([{1}], [1]), {"target": True, "weights": [1]}, "weights applies to grids"),
    ],
    ids=str,
)
def test_options_that_do_not_suit_the_puzzles_are_rejected(
    puzzles: object, options: dict[str, object], why: str
) -> None:
    with pytest.raises(BadUsage, match=why):
        solve(puzzles, **options)  # type: ignore[arg-type] # wrong on purpose


@pytest.mark.attack
@pytest.mark.parametrize("other", ["\udc80", "\ud800", "\ufffd", "#", "\u0301", "٣"])
@pytest.mark.parametrize("form", ["list", "text", "lines", "file"])
def test_a_character_that_is_no_cell_is_never_an_empty_cell(
    other: str, form: str, tmp_path: Path
) -> None:
    good = ".." + "1" * 2 + "." * 77
    grid = good[:9] + other + good[10:]
    file = tmp_path / "puzzles.txt"
    file.write_bytes(f"{good}\n{grid}\n".encode("utf-8", "surrogatepass"))
    puzzles = {"list": [good, grid], "text": grid, "lines": f"{good}\n{grid}\n", "file": file}
    with pytest.raises(PuzzleError):
        solve(puzzles[form])


def test_further_columns_of_a_dataframe_are_kept() -> None:
    values = {"er": [8.5, None, 7.0], "tags": [["x"], [], None], "day": pd.Timestamp(2026, 1, 2)}
    numbers = np.array([1, 2, 3], np.int16)
    frame = pd.DataFrame({"puzzle": PUZZLES, "name": ["a", "b", "c"], "number": numbers, **values})
    found = solve(frame)
    assert [answer.label for answer in found] == ["a", "b", "c"]
    kept = [json.loads(one) for one in found.to_pandas()["extra"]]
    assert kept[0] == {"number": 1, "er": 8.5, "tags": ["x"], "day": "2026-01-02 00:00:00"}
    assert [one.get("er") for one in kept] == [8.5, None, 7.0]
    assert (
        found[1:].to_arrow().column("extra").to_pylist() == found.to_pandas()["extra"][1:].to_list()
    )


def test_further_keys_of_a_text_are_kept() -> None:
    found = solve(json.dumps({"puzzle": PUZZLES[0], "rating": 8.5}))
    assert found.to_pandas()["extra"].to_list() == ['{"rating":8.5}']
    assert "extra" not in solve(PUZZLES).to_pandas().columns
