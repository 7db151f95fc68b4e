"""Wrong outcomes are found, whatever is wrong with them, and right ones never are."""

from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

import pytest

from storage.values import Kind
from tests.sudoku import grids
from tests.worker.solving import kind_of
from worker.checking.outcomes import fault, faults
from worker.options import Options
from worker.outcome import Outcomes
from worker.solve import search

pytestmark = pytest.mark.usefixtures("warm")

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OPEN = EASY[:20] + "." * 61  # many solutions
TOY = '{"items": 3, "secondary": 0, "options": [[1], [2, 3], [1, 2], [3]], "costs": [5, 1, 2, 3]}'
COUNTED = Options(limit=None, count=True)
CASES = {
    "a sudoku": (EASY, Options()),
    "two solutions of a sudoku": (OPEN, Options(keep=2)),
    "a target": (OPEN, Options(target=True, keep=3)),
    "a cover": (TOY, Options(limit=None, keep=2)),
    "the cheapest cover": (TOY, Options(target=True, keep=2)),
    "a set cover": (TOY, Options(set_cover=True)),
    "a count": (TOY, COUNTED),
    "a count of grids": (EASY, COUNTED),
    "a sample": (TOY, Options(limit=None, count=True, sample=5)),
    "a grid without a solution": ("11" + "." * 79, Options()),
    "a text that is not a puzzle": ("q" * 81, Options()),
}


def outcome_of(text: str, options: Options) -> tuple[Kind, Outcomes]:
    kind = kind_of(text)
    (found,) = (some for some in search(kind, [text], options) if some.ns)
    return kind, found


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_wrong_with_what_the_solver_returns(case: str) -> None:
    text, options = CASES[case]
    kind, found = outcome_of(text, options)
    assert faults(kind, [text], options, found) == {}


def set_to(**values: Any) -> Callable[[Outcomes], Outcomes]:
    """Return a change of an outcome: these columns, given by the values of its only row."""
    return lambda found: found._replace(**{name: (value,) for name, value in values.items()})


def changed_texts(
    change: Callable[[Sequence[str]], Sequence[str]],
) -> Callable[[Outcomes], Outcomes]:
    return lambda found: found._replace(texts=(tuple(change(found.texts[0])),))


def changed_scores(
    change: Callable[[Sequence[Any]], Sequence[Any]],
) -> Callable[[Outcomes], Outcomes]:
    return lambda found: found._replace(scores=(tuple(change(found.scores[0])),))


@pytest.mark.parametrize(
    ("case", "change"),
    [
        ("a sudoku", changed_texts(lambda texts: [texts[0][::-1]])),
        ("a sudoku", changed_texts(lambda texts: [texts[0][:80]])),
        ("a sudoku", changed_texts(lambda _: [])),
        ("a sudoku", set_to(solutions=0)),
        ("a sudoku", set_to(timed_out=True)),
        ("two solutions of a sudoku", changed_texts(lambda texts: [texts[0], texts[0]])),
        ("two solutions of a sudoku", changed_texts(lambda texts: [*texts, texts[0]])),
        ("a target", changed_texts(lambda texts: [texts[0], texts[1][::-1], texts[2]])),
        ("a target", changed_scores(lambda scores: [scores[0] + 1, *scores[1:]])),
        ("a target", changed_scores(lambda scores: [*scores[:2], scores[2] - 1])),
        ("a target", set_to(bound=1)),
        ("a target", set_to(bound=5000)),
        ("a cover", changed_texts(lambda _: ["1 2 4"])),
        ("a cover", changed_texts(lambda texts: [texts[0], "1"])),
        ("a cover", changed_texts(lambda texts: [texts[0], texts[0]])),
        ("the cheapest cover", changed_scores(lambda scores: [scores[0] - 1, scores[1]])),
        ("the cheapest cover", changed_texts(lambda texts: texts[::-1])),
        ("a set cover", changed_texts(lambda _: ["1 3"])),
        ("a count", changed_texts(lambda _: ["2 3"])),
    ],
)
def test_a_change_of_an_outcome_is_found(case: str, change: Callable[[Outcomes], Outcomes]) -> None:
    text, options = CASES[case]
    kind, found = outcome_of(text, options)
    wrong = change(found)
    assert wrong != found
    assert set(faults(kind, [text], options, wrong)) == {0}


def test_the_right_outcomes_beside_a_wrong_one_are_not_faulty() -> None:
    texts = [next(grids(seed, 30)) for seed in range(20)]
    (found,) = (some for some in search(Kind.SUDOKU, texts, Options()) if some.ns)
    solutions = list(found.texts)
    solutions[7] = (solutions[8][0],)
    wrong = faults(Kind.SUDOKU, texts, Options(), found._replace(texts=solutions))
    assert list(wrong) == [7]
    assert "but the clue is" in wrong[7]


def test_many_kept_solutions_are_checked_in_a_fraction_of_the_time_that_finds_them() -> None:
    kind, found = outcome_of(OPEN, Options(limit=20_000, keep=20_000))
    kept = [(text, None) for text in found.texts[0]]
    began = process_time()
    assert fault(kind, OPEN, Options(keep=20_000), kept) is None
    assert process_time() - began < 0.5  # one by one, 2.5 s
    wrong = fault(kind, OPEN, Options(keep=20_000), [*kept, (kept[0][0][::-1], None)])
    assert wrong is not None
    assert wrong.startswith(kept[0][0][::-1])
