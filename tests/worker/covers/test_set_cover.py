"""Set covers as JSON: their outcomes, with the option or with the marker of the text."""

import json
from math import inf

import pytest

from storage.values import Kind
from tests.worker.set_cover.oracle import grid, queens
from tests.worker.solving import longer, one
from worker.covers.decoding import decode
from worker.covers.text import Cover, encode, is_set_cover
from worker.errors import PuzzleError
from worker.estimate.estimate import estimate
from worker.options import Options
from worker.outcome import Outcome
from worker.solve import search

pytestmark = pytest.mark.usefixtures("warm_set_cover")

SET_COVER = Options(set_cover=True)
OVERLAPPING = [[1, 2], [2, 3], [3, 1]]


def text(items: int, options: list[list[int]], **more: object) -> str:
    return json.dumps({"items": items, "options": options, **more})


def found(outcome: Outcome) -> list[tuple[str, int | None]]:
    return [(kept.text, kept.score) for kept in outcome.kept]


def test_options_may_overlap_and_without_costs_each_costs_1() -> None:
    outcome = one(text(3, OVERLAPPING), SET_COVER)
    assert found(outcome) == [("1 2", -2)]
    assert (outcome.kind, outcome.size, outcome.clues) == ("cover", 3, None)
    assert (outcome.solutions, outcome.complete, outcome.bound) == (None, True, -2)
    assert one(text(3, OVERLAPPING), Options()).solutions == 0


def test_costs_are_honoured_and_the_best_are_kept() -> None:
    problem = text(3, [*OVERLAPPING, [1, 2, 3]], costs=[1, 2, 2, 4])
    outcome = one(problem, Options(set_cover=True, keep=3))
    assert found(outcome)[0] == ("1 2", -3)
    assert [score for _, score in found(outcome)] == [-3, -3, -4]
    few = one(problem, Options(set_cover=True, keep=9))
    assert (few.solutions, few.complete) == (4, True)


def test_the_marker_of_a_text_stands_for_the_option() -> None:
    marked = text(3, OVERLAPPING, set_cover=True)
    assert found(one(marked, Options())) == [("1 2", -2)]
    assert is_set_cover(encode(decode(marked)))
    assert not is_set_cover(encode(decode(text(3, OVERLAPPING))))


def test_secondary_items_are_covered_once_at_most_and_colours_must_agree() -> None:
    options = [[1, 2, 4], [2, 3, 4], [3, 1]]
    assert found(one(text(3, options, secondary=1), SET_COVER)) == [("1 3", -2)]
    coloured = text(3, options, secondary=1, colours=[[[4, "A"]], [[4, "B"]], []])
    assert found(one(coloured, Options(set_cover=True, keep=3))) == [("1 3", -2), ("2 3", -2)]


def test_a_problem_with_an_item_that_no_option_has_has_no_cover() -> None:
    outcome = one(text(3, [[1, 2]]), SET_COVER)
    assert (outcome.kept, outcome.solutions, outcome.complete) == ((), 0, True)


def test_at_most_finds_any_cover_that_is_cheap_enough() -> None:
    options = Options(set_cover=True, at_most=5, limit=1)
    outcome = one(text(64, queens(8)), options)
    (kept,) = outcome.kept
    assert (len(kept.text.split()), kept.score) == (5, None)
    assert (outcome.solutions, outcome.complete, outcome.bound) == (1, False, None)
    none = one(text(64, queens(8)), Options(set_cover=True, at_most=4, limit=1))
    assert (none.kept, none.solutions, none.complete) == ((), 0, True)


def test_at_most_counts_every_cover_with_limit_all() -> None:
    options = Options(set_cover=True, at_most=3, limit=None, keep=200)
    outcome = one(text(25, queens(5)), options)
    assert (outcome.solutions, outcome.complete, len(outcome.kept)) == (186, True, 186)


def test_a_search_that_lasts_ends_at_its_timeout() -> None:
    texts = [text(400, grid(20, 20)), text(3, OVERLAPPING)]
    tried = (Options(set_cover=True, timeout=limit) for limit in longer(0.2))
    searches = (list(search(Kind.COVER, texts, given, 0.01)) for given in tried)
    slices = next(outcomes for outcomes in searches if len(outcomes) > 8)
    lasting, short = (row for outcomes in slices for row in outcomes.rows())
    assert (lasting.timed_out, lasting.complete, lasting.rest) == (True, False, None)
    assert lasting.bound is not None
    assert lasting.kept[0].score is not None
    assert -inf < lasting.kept[0].score < lasting.bound < 0
    assert found(short) == [("1 2", -2)]


def test_a_set_cover_is_not_estimated() -> None:
    with pytest.raises(PuzzleError, match="covered several times"):
        estimate(Kind.COVER, text(3, OVERLAPPING, set_cover=True), Options())


def test_a_set_cover_has_no_negative_costs() -> None:
    problem = Cover(1, 0, [[1], [1]], costs=[2, -1])
    asked, marked = Options(set_cover=True), problem._replace(set_cover=True)
    assert one(encode(problem), asked).detail == "a set cover has no negative costs"
    assert str(one(encode(marked), Options()).detail).endswith("a set cover has no negative costs")


def test_a_marker_that_is_neither_true_nor_false_is_rejected() -> None:
    outcome = one(text(3, OVERLAPPING, set_cover=1), SET_COVER)
    assert "`set_cover` must be true or false" in (outcome.detail or "")
