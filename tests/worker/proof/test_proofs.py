"""Proofs of true claims are accepted, and of false ones never, whoever made them."""

import json
import random
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sudoku import BOXES, SYMBOLS
from tests.worker.exact_cover.oracle import covers, problems
from tests.worker.proof.oracle import best_of, refused, true_of, ways
from tests.worker.solving import completions, is_consistent, one, weighed
from worker.options import Options
from worker.proof.branches import ProofTooLong, Prover
from worker.proof.check import WrongProof, check, cover
from worker.proof.write import proof_of_best, proof_of_number, proof_of_several

pytestmark = pytest.mark.usefixtures("warm_proofs")

WEIGHTS = [3, -1, 4, 1, -5, 9, 2, 6, 5, 3, 5, -8, 9, 7, 9, 3]
#: an exact cover problem with one item, and options to be filled in
COVER = 'cover {"items":1,"options":%s}'
#: 11 options over 4 primary and 2 secondary items, some with colours
COLOURED = json.dumps(
    {
        "items": 4,
        "secondary": 2,
        "options": [
            [1, 5],
            [1, 2],
            [2, 5],
            [2, 6],
            [3, 5, 6],
            [3, 4],
            [4, 6],
            [1, 3],
            [4],
            [5],
            [],
        ],
        "costs": [3, 4, 1, 2, 2, 6, 1, 5, 3, 0, 0],
        "colours": [[[5, "A"]], [], [[5, "A"]], [], [[5, "B"]], [], [[6, "C"]], [], [], [], []],
    },
    separators=(",", ":"),
)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(0, 8))
def test_the_number_of_completions_of_a_grid_is_proven(seed: int, clues: int) -> None:
    chance = random.Random(seed)
    cells = chance.sample(range(16), clues)
    grid = "".join(chance.choice("1234") if cell in cells else "." for cell in range(16))
    number = sum(1 for _ in completions(grid)) if is_consistent(grid) else 0
    assert check(proof_of_number(grid, number)).startswith(f"proven: {number} solution")
    for wrong in (number - 1, number + 1):
        with pytest.raises(WrongProof, match=f"have {number} solutions, not {wrong}"):
            check(proof_of_number(grid, wrong))


@given(problems())
def test_the_number_of_covers_is_proven(
    drawn: tuple[int, int, list[list[int]], list[int]],
) -> None:
    primary, secondary, options, _ = drawn
    number = len(covers(primary, secondary, options))
    text = json.dumps({"items": primary, "secondary": secondary, "options": options})
    assert check(proof_of_number(text, number)).startswith(f"proven: {number} solution")
    assert refused(proof_of_number(text, number + 1))


@settings(max_examples=15)
@given(problems())
def test_the_lowest_cost_is_proven(drawn: tuple[int, int, list[list[int]], list[int]]) -> None:
    primary, secondary, options, costs = drawn
    given = {"items": primary, "secondary": secondary, "options": options, "costs": costs}
    text = json.dumps(given)
    if not covers(primary, secondary, options):
        return
    score, solution = best_of(text)
    assert check(proof_of_best(text, None, score, solution)) == f"proven: the best score is {score}"
    assert refused(proof_of_best(text, None, score - 1, solution))
    assert refused(proof_of_best(text, None, score + 1, solution))


@settings(max_examples=15)
@given(st.lists(st.integers(-9, 9), min_size=16, max_size=16), st.integers(0, 15))
def test_the_best_score_of_a_grid_is_proven(weights: list[int], cell: int) -> None:
    grid = "." * cell + "3" + "." * (15 - cell)
    score, solution = best_of(grid, weights)
    proof = proof_of_best(grid, weights, score, solution)
    assert check(proof) == f"proven: the best score is {score}"
    worse, another = min((weighed(some, weights), some) for some in completions(grid))
    assert worse == score or refused(proof_of_best(grid, weights, worse, another))


@cache
def proofs() -> list[str]:
    """A proof of each kind of claim."""
    third = "1" + "." * 15
    colours = ways(cover(COLOURED))
    return [
        proof_of_number("......42...12...", 1),
        proof_of_number("12..3.......2..1", sum(1 for _ in completions("12..3.......2..1"))),
        proof_of_number(COLOURED, len(list(colours))),
        proof_of_best(third, WEIGHTS, *best_of(third, WEIGHTS)),
        proof_of_several("12..34..........", ["1234341221434321", "1234341243212143"]),
        proof_of_best(COLOURED, None, *best_of(COLOURED)),
    ]


def test_the_proofs_that_are_edited_below_are_accepted() -> None:
    for proof in proofs():
        assert check(proof).startswith("proven")
        assert true_of(proof)


@settings(max_examples=250)
@given(st.data())
def test_a_proof_edited_in_any_byte_is_refused_or_proves_what_it_says(data: st.DataObject) -> None:
    proof = data.draw(st.sampled_from(proofs()))
    at = data.draw(st.integers(0, len(proof) - 1))
    byte = data.draw(st.sampled_from([*map(chr, range(10, 127)), "é", ""]))
    edited = proof[:at] + byte + proof[at + data.draw(st.integers(0, 1)) :]
    assert refused(edited) or true_of(edited)


@settings(max_examples=20)
@given(problems())
def test_two_solutions_prove_that_there_are_two_or_more(
    drawn: tuple[int, int, list[list[int]], list[int]],
) -> None:
    primary, secondary, options, _ = drawn
    text = json.dumps({"items": primary, "secondary": secondary, "options": options})
    found = [" ".join(str(k + 1) for k in some) for some in covers(primary, secondary, options)]
    for first, second in pairwise(found):
        assert check(proof_of_several(text, [first, second])) == "proven: 2 or more solutions"
        assert refused(proof_of_several(text, [first, first]))


def test_a_proof_that_ends_early_or_goes_on_is_refused() -> None:
    for proof in (proof for proof in proofs() if "\ntrace" in proof):
        shorter = proof[: proof.rindex(" ")] + "\n"
        longer = proof[:-1] + " r1c1\n"
        has_branches = not proof.endswith("trace\n")
        assert refused(shorter) or not has_branches
        with pytest.raises(WrongProof, match="branch r1c1 comes after the last"):
            check(longer)


def test_with_multipliers_that_give_an_option_a_negative_cost_no_option_exceeds_the_budget() -> (
    None
):
    *_, proof = proofs()
    multipliers = next(line for line in proof.splitlines() if line.startswith("multipliers"))
    parts, *numbers = multipliers.split()[1:]
    lower = " ".join(["multipliers", parts, *(str(int(number) - 9999) for number in numbers)])
    with pytest.raises(WrongProof, match="not on an open item"):
        check(proof.replace(multipliers, lower))


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["sudoku ....", "trace"], "its lines are sudoku, trace"),
        (["sudoku ...", "solutions 1", "trace"], "the sudoku is not a grid"),
        (["sudoku .", "solutions one", "trace"], "a line is malformed"),
        (['cover {"items": 1}', "solutions 1", "trace"], "'options'"),
        ([COVER % '[[1]],"costs":[1.5]', "solutions 1", "trace"], "a line is malformed"),
        ([COVER % "[[2]]", "solutions 1", "trace"], "a line is malformed: 2"),
        ([COVER % "[[1]]", "sudoku .", "solutions 1", "trace"], "its lines are cover, sudoku, so"),
        ([COVER % "[[1]]", "solutions 1", "part 1 0 0"], "not in range"),
        (
            ["sudoku .", "weights 1 2", "best 1", "solution 1", "multipliers 1 0 0 0 0", "trace"],
            "longer",
        ),
        ([COVER % '[[1]],"distances":[[1]]', "solutions 1", "trace"], "member that is not known"),
        ([COVER % '[[1]],"multiplicities":[[2,1]]', "solutions 0", "trace"], "2 to 1 times"),
        ([COVER % '[[1]],"set_cover":1', "solutions 1", "trace"], "not clear how often"),
        (
            [COVER % '[[1]],"set_cover":true,"multiplicities":[[1,1]]', "solutions 1", "trace"],
            "not clear how often",
        ),
        ([COVER % '[[1]],"multiplicities":[]', "solutions 0", "trace"], "a line is malformed"),
        ([COVER % '[[1]],"set_cover":true,"costs":[-1]', "solutions 1", "trace"], "negative costs"),
        ([COVER % '[[1]],"set_cover":true', "solutions 1", "part 1 1"], "only exact covers"),
        ([COVER % "[[1]]", "solutions 1", "multipliers 1 2 3", "trace"], "number of multipliers"),
    ],
)
def test_a_text_that_is_not_a_proof_is_rejected_with_the_reason(lines: list[str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        check("\n".join(["bullseye proof 1", *lines, ""]))


def test_a_best_score_may_be_proven_by_branches_on_items_as_in_earlier_versions() -> None:
    options = [[4, 2], [5, 2, 1], [1, 4, 3], [3, 6], [4, 1], [1, 2], [1], [1, 5, 4], [4]]
    costs = [2, 8, 5, 8, 0, 5, 6, 0, 1]
    text = json.dumps({"items": 4, "secondary": 2, "options": options, "costs": costs})
    multipliers = "multipliers 1024 -1 -5119 -8191 3072"
    head = f"bullseye proof 1\ncover {text}\nbest -14\nsolution 6 4 9\n{multipliers}\n"
    assert check(f"{head}trace 3 2\n") == "proven: the best score is -14"
    assert refused(f"{head}trace 3\n")


def test_a_text_of_another_version_or_without_its_end_is_not_a_proof() -> None:
    proof = proof_of_number("......42...12...", 1)
    for text in (proof.replace("proof 1", "proof 2"), proof[:-1], ""):
        with pytest.raises(ValueError, match="the first line is not"):
            check(text)


def test_a_grid_of_each_size_has_a_proof() -> None:
    for side in BOXES:
        grid = "".join(
            "." if cell % 7 == 0 else symbol for cell, symbol in enumerate(pattern(side))
        )
        number = one(grid, Options(limit=None)).solutions
        assert number is not None
        assert check(proof_of_number(grid, number)).startswith(f"proven: {number} solution")


def test_huge_numbers_of_covers_have_short_proofs() -> None:
    cells = [(row, column) for row in range(8) for column in range(8)]
    across = [[8 * y + x + 1, 8 * y + x + 2] for y, x in cells if x < 7]
    down = [[8 * y + x + 1, 8 * y + x + 9] for y, x in cells if y < 7]
    dominoes = json.dumps({"items": 64, "options": across + down})
    proof = proof_of_number(dominoes, 12_988_816)  # Kasteleyn, 1961
    assert check(proof) == "proven: 12988816 solutions"
    assert len(proof) < 8000


def test_a_proof_that_would_be_too_long_is_not_made() -> None:
    prover = Prover(cover('{"items": 3, "options": [[1], [1], [2], [2], [3], [3]]}'))
    allowed = np.ones(6, np.uint32)
    assert prover.branches(allowed, limit=5) == [0, 1, 2]  # later states are known
    with pytest.raises(ProofTooLong, match="more than 2 branches"):
        prover.branches(allowed, limit=2)


def pattern(side: int) -> str:
    """A solved grid of any size: each row is the one above it, moved on."""
    height, width = BOXES[side]
    return "".join(
        SYMBOLS[(width * (row % height) + row // height + column) % side]
        for row in range(side)
        for column in range(side)
    )


def test_weights_that_are_too_large_for_64_bits_have_no_proof() -> None:
    with pytest.raises(ValueError, match="its costs or weights are too large"):
        proof_of_best("." * 16, [10**17] * 16, 4 * 10**18, "1234341221434321")
