"""The text of a cover problem: encoding, decoding, and the errors of an invalid problem."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.covers.decoding import decode, validate
from worker.covers.solve import problem_of
from worker.covers.text import (
    MAX_CHARACTERS,
    MAX_COST,
    ONCE,
    Cover,
    EncodedOptions,
    Multiplicity,
    encode,
    has_multiplicities,
)
from worker.errors import PuzzleError

TEXTS = st.text('ab"\\é,😀\n', max_size=2)


@st.composite
def covers(draw: st.DrawFn) -> Cover:
    primary, secondary = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    items = list(range(1, primary + secondary + 1))
    options = draw(st.lists(st.lists(st.sampled_from(items), unique=True), min_size=1, max_size=5))
    costs = [draw(st.sampled_from([0, 1, MAX_COST])) for _ in options]
    colours = [[(item, draw(TEXTS)) for item in option if item > primary] for option in options]
    return Cover(
        primary,
        secondary,
        options,
        draw(st.sampled_from([None, costs])),
        draw(st.sampled_from([None, colours])) if any(colours) else None,
        [draw(TEXTS) for _ in items],
        multiplicities=draw(st.none() | multiplicities(primary)),
    )


def multiplicities(primary: int) -> st.SearchStrategy[list[Multiplicity]]:
    """Not all of them are ONCE, because then the text has none."""
    one = st.tuples(st.integers(0, 2), st.integers(2, 3)) | st.just(ONCE)
    several = st.lists(one, min_size=primary, max_size=primary)
    return several.filter(lambda drawn: set(drawn) != {ONCE})


@given(covers())
def test_an_encoded_problem_is_decoded_unchanged(cover: Cover) -> None:
    assert decode(encode(cover)) == cover
    assert has_multiplicities(encode(cover)) == (cover.multiplicities is not None)


@given(covers())
def test_the_text_is_compact_json(cover: Cover) -> None:
    text = encode(cover)
    compact = json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
    assert text == compact


@given(covers())
def test_the_length_of_encoded_options_is_known_before_their_text(cover: Cover) -> None:
    options = EncodedOptions()
    for option in cover.options:
        options.add(option, 1, [(1, "red")])
    brackets = len('{"items":0,"secondary":0,"options":[],"costs":[],"colours":[]}')
    assert (
        options.characters == len(options.text(Cover(0, 0, []))) - brackets + 3
    )  # each list ends with ","
    assert options.characters < MAX_CHARACTERS


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({}, "`items` must be a whole number from 0 to 2,147,483,647"),
        ({"items": True}, "`items` must be"),
        ({"items": 2**31}, "`items` must be"),
        ({"items": 1, "secondary": -1}, "`secondary` must be"),
        ({"items": 1}, "`options` must be a list of lists"),
        ({"items": 1, "options": [[1], 1]}, "option 2 must be a list of item numbers"),
        ({"items": 1, "options": [[1.0]]}, "option 1 must be a list of item numbers"),
        ({"items": 1, "options": [[2]]}, "option 1 has an item outside 1 to 1"),
        ({"items": 1, "options": [[1], [1, 1]]}, "option 2 has an item twice"),
        (
            {"items": 1, "options": [[1]], "costs": []},
            "`costs` must be a list with a number for each option (1)",
        ),
        ({"items": 1, "options": [[1]], "costs": [-(10**9) - 1]}, "the cost of option 1 must be"),
        (
            {"items": 1, "options": [[1]], "colours": {}},
            "`colours` must be a list with a list for each option (1)",
        ),
        ({"items": 1, "options": [[1]], "colours": [[1]]}, "colours of option 1 must be pairs"),
        ({"items": 1, "options": [[1]], "colours": [[[1, 2]]]}, 'a text, such as [3, "red"]'),
        ({"items": 1, "options": [[1]], "colours": [[[1, "a"]]]}, "option 1 has a colour without"),
        (
            {"items": 1, "options": [[1]], "names": ["a", "b"]},
            "`names` must be a list with a text for each item (1)",
        ),
        (
            {"items": 1, "options": [[1]], "names": ["\ud800"]},
            "`names` must be a list with a text for each item (1)",
        ),
        (
            {"items": 1, "options": [[1], [1]], "option_names": ["a"]},
            "`option_names` must be a list with a text for each option (2)",
        ),
        (
            {"items": 1, "options": [[1]], "option_names": [1]},
            "`option_names` must be a list with a text for each option (1)",
        ),
    ],
)
def test_an_invalid_problem_is_rejected_with_the_reason(members: dict[str, Any], why: str) -> None:
    with pytest.raises(PuzzleError) as rejection:
        validate(json.loads(json.dumps(members)))
    assert why in str(rejection.value)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([[2]], "option 1 names an item that does not exist"),
        ([[1], [1, 1]], "option 2 names an item twice"),
        ([[0]], "option 1 names an item that does not exist"),
    ],
)
def test_items_of_a_stored_problem_are_checked_when_it_is_laid_out(
    options: list[list[int]], why: str
) -> None:
    cover = decode(json.dumps({"items": 1, "options": options}))
    with pytest.raises(PuzzleError, match=why):
        problem_of(cover)


def test_an_item_with_two_colours_is_rejected() -> None:
    colours = [[[2, "a"], [2, "b"]]]
    members = {"items": 1, "secondary": 1, "options": [[1, 2]], "colours": colours}
    with pytest.raises(PuzzleError, match="option 1 has an item with two colours"):
        decode(json.dumps(members))


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '{"a": ' * 100_000, "9" * 5000])
def test_a_text_that_is_not_a_json_object_is_rejected(text: str) -> None:
    with pytest.raises(PuzzleError, match="the JSON"):
        decode(text)
