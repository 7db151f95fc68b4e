"""The lines of `bullseye show` about one puzzle."""

import io
from typing import Any

import pytest
from rich.console import Console

from cli.drawing import MAX_FURTHER, draw_puzzle
from storage.queries.searches import SearchWork
from storage.values import Kept
from storage.view import AnswerRow
from tests.cli.answers import (
    ALL,
    BEST,
    COVER,
    INVALID,
    MULTIPLE,
    NONE,
    TARGET,
    TIMEOUT,
    UNIQUE,
    UNPROVEN,
)


def shown(
    answer: AnswerRow,
    *further: Kept,
    options: dict[str, Any] | None = None,
    all_solutions: bool = False,
    colour: bool = False,
    work: SearchWork | None = None,
) -> str:
    screen = Console(file=io.StringIO(), width=80, force_terminal=colour, no_color=False)
    lines = draw_puzzle(
        answer, further, options or {}, screen, work=work, all_solutions=all_solutions
    )
    return "\n".join(line.plain for line in lines)


def test_a_search_in_parts_shows_how_many_and_how_many_workers_it_took() -> None:
    work = SearchWork(parts=1024, turns=3000, workers=4, elapsed=125.0, cpu=480.0)
    assert (
        "\ndivided into 1,024 parts · 3,000 turns · 4 worker processes"
        " · 2:05 elapsed · 8:00 on 1 process\n"
    ) in shown(UNIQUE, work=work)
    assert "divided" not in shown(UNIQUE)


def test_a_target_shows_score_and_rings() -> None:
    text = shown(TARGET)
    assert "score 2870 (20 above the average, 2850) · optimal" in text
    assert "5 solutions in total" in text
    for ring in ("10      1       8      80", "6     32     155     930"):
        assert ring in text
    assert "81     405    2870" in text


def test_an_unproven_score_is_shown_with_its_bound() -> None:
    text = shown(UNPROVEN)
    assert "score 2866 (16 above the average, 2850) · best so far, at most 2881" in text
    assert "optimal" not in text


def test_scores_with_custom_weights_are_not_compared_with_the_average() -> None:
    text = shown(TARGET, options={"weights": [1] * 81})
    assert "score 2870 · optimal" in text
    assert "weight" not in text
    assert "2850" not in text


def test_without_colour_the_puzzle_is_drawn_beside_its_solution() -> None:
    first = next(line for line in shown(UNIQUE).splitlines() if line.startswith(" 9"))
    assert first == " 9 8 7   . . 2   5 . .    9 8 7   6 3 2   5 4 1"


def test_with_colour_only_the_solution_is_drawn() -> None:
    first = next(line for line in shown(UNIQUE, colour=True).splitlines() if line.startswith(" 9"))
    assert first.replace(" ", "") == BEST[:9]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (UNIQUE, "1 solution (unique)"),
        (MULTIPLE, "2 solutions found, there may be more"),
        (NONE, "no solution\n"),
        (TIMEOUT, "no solution found so far"),
        (UNPROVEN, "solutions not counted"),
    ],
)
def test_the_number_of_solutions_is_described(answer: AnswerRow, words: str) -> None:
    assert words in shown(answer)


def test_without_a_solution_the_puzzle_is_shown() -> None:
    assert " 9 8 7   . . 2   5 . .\n" in shown(NONE)


def test_an_invalid_line_is_shown_unchanged() -> None:
    text = shown(INVALID)
    assert "invalid · 80 cells, expected 81" in text
    assert INVALID.puzzle in text


def test_a_cover_lists_the_items_of_its_chosen_options() -> None:
    assert "option  items\n     1  a b\n     2  c d" in shown(COVER)


def test_items_without_names_are_numbered() -> None:
    text = shown(COVER._replace(puzzle=COVER.puzzle.partition(', "names"')[0] + "}"))
    assert "     2  3 4" in text


def test_further_solutions_are_shown_with_rank_and_score() -> None:
    text = shown(TARGET, Kept(2, 2866, BEST), Kept(3, 2860, BEST))
    assert " 2. · score 2866" in text
    assert " 3. · score 2860" in text


def test_only_some_further_solutions_are_shown_without_all() -> None:
    further = [Kept(rank, 2870 - rank, BEST) for rank in range(2, 2 + MAX_FURTHER + 3)]
    assert "3 more kept solutions: bullseye show 61 --all" in shown(TARGET, *further)
    assert f" {MAX_FURTHER + 4}. ·" in shown(TARGET, *further, all_solutions=True)


def test_further_covers_are_listed() -> None:
    text = shown(COVER, Kept(2, None, "3"))
    assert "1.\noption  items" in text
    assert "2.\noption  items\n     3  a c" in text


@pytest.mark.parametrize("size", [4, 16, 25])
def test_grids_of_other_sizes_fit_the_screen(size: int) -> None:
    grid = ".123456789ABCDEFGHIJKLMNOP"[size] * size * size
    text = shown(UNIQUE._replace(size=size, puzzle=grid, solution=grid))
    assert max(map(len, text.splitlines())) <= 80
    assert text.count(grid[0]) >= 2 * size * size


@pytest.mark.parametrize("answer", ALL, ids=lambda answer: str(answer.id))
def test_every_line_about_a_puzzle_fits_80_columns(answer: AnswerRow) -> None:
    lines = shown(answer).splitlines()
    assert max(len(line) for line in lines if BEST not in line) <= 80
