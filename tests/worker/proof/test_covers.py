"""Proofs of set covers, of packings, and of covers with multiplicities."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worker.exact_cover.oracle import problems as exact_problems
from tests.worker.multiplicity import oracle
from tests.worker.multiplicity.oracle import Drawn, problems
from tests.worker.proof.oracle import refused, true_of
from tests.worker.set_cover.oracle import set_covers
from worker.proof.check import WrongProof, check
from worker.proof.write import proof_of_best, proof_of_number, proof_of_several

pytestmark = pytest.mark.usefixtures("warm_proofs")

ROOT = Path(__file__).parents[3]
#: the heads of proofs: three items of which any two share an option, and the cheapest set cover
HEAD = "bullseye proof 1\n"
TRIANGLE = {"items": 3, "options": [[1, 2], [2, 3], [3, 1]], "costs": [1, 1, 1], "set_cover": True}
#: one secondary item, which both options may give the same colour, and profits
COLOURED = {
    "items": 2,
    "secondary": 1,
    "options": [[1, 3], [2, 3]],
    "costs": [-1, -1],
    "colours": [[[3, "A"]], [[3, "A"]]],
    "multiplicities": [[0, 1], [0, 1]],
}


def text_of(problem: object) -> str:
    return json.dumps(problem, separators=(",", ":"))


def numbers(chosen: Sequence[int]) -> str:
    return " ".join(str(option + 1) for option in chosen)


def assert_proven(text: str, covers: list[tuple[int, ...]], costs: list[int]) -> None:
    """Every true claim about the covers of a problem is proven, and no false one is."""
    count = len(covers)
    assert check(proof_of_number(text, count)).startswith(f"proven: {count} solution")
    assert refused(proof_of_number(text, count + 1))
    if covers:
        cost, best = min((sum(costs[k] for k in cover), cover) for cover in covers)
        claim = f"proven: the best score is {-cost}"
        assert check(proof_of_best(text, None, -cost, numbers(best))) == claim
        for wrong in (1 - cost, -cost - 1):
            assert refused(proof_of_best(text, None, wrong, numbers(best)))
    if count > 1:
        shown = [numbers(cover) for cover in covers[:2]]
        assert check(proof_of_several(text, shown)) == "proven: 2 or more solutions"
        assert refused(proof_of_several(text, [shown[0], shown[0]]))


@settings(max_examples=50)
@given(problems(), st.data())
def test_covers_with_multiplicities_and_their_lowest_cost_are_proven(
    drawn: Drawn, data: st.DataObject
) -> None:
    primary, secondary, options, costs, bounds = drawn
    hues = st.sampled_from(["A", "B", ""])
    colours = [
        [(item, hue) for item in option if item > primary and (hue := data.draw(hues))]
        for option in options
    ]
    text = text_of(
        {
            "items": primary,
            "secondary": secondary,
            "options": options,
            "costs": costs,
            "multiplicities": bounds,
            "colours": colours,
        }
    )
    assert_proven(text, oracle.covers(primary, secondary, options, bounds, colours), costs)


@settings(max_examples=50)
@given(exact_problems())
def test_set_covers_and_their_lowest_cost_are_proven(
    drawn: tuple[int, int, list[list[int]], list[int]],
) -> None:
    primary, secondary, options, costs = drawn
    given = {"items": primary, "secondary": secondary, "options": options, "costs": costs}
    text = text_of({**given, "set_cover": True})
    covers = set_covers(primary, secondary, options)
    assert_proven(text, covers, costs)
    for most in (0, 3):
        count = sum(sum(costs[k] for k in cover) <= most for cover in covers)
        claim = f"proven: {count} solution{'s' * (count != 1)} of a cost of at most {most}"
        assert check(proof_of_number(text, count, most)) == claim
        assert refused(proof_of_number(text, count + 1, most))


def test_a_set_cover_without_costs_has_as_many_options_as_it_costs() -> None:
    given = {key: value for key, value in TRIANGLE.items() if key != "costs"}
    assert check(proof_of_best(text_of(given), None, -2, "1 2")) == "proven: the best score is -2"
    assert check(proof_of_number(text_of(given), 0, 1)).startswith("proven: 0 solutions")


def test_the_documentation_shows_the_proof_of_a_set_cover() -> None:
    given = {"items": 3, "secondary": 0, "options": [[1, 2], [2, 3], [1, 3]], "set_cover": True}
    proof = proof_of_best(text_of(given), None, -2, "1 2")
    assert f"```text\n{proof}```" in (ROOT / "docs" / "proofs.md").read_text()


def test_multipliers_prove_a_bound_without_a_branch() -> None:
    # Each option has two of the three items, so that three multipliers of 1/2 are a bound of 3/2.
    head = f"{HEAD}cover {text_of(TRIANGLE)}\nbest -2\nsolution 1 2\n"
    proven = "proven: the best score is -2"
    assert check(f"{head}multipliers 2 -1 -1 -1\ntrace\n") == proven
    assert check(f"{head}multipliers 2 0 0 0\ntrace 1:-1,2:-1,3:-1\n") == proven
    with pytest.raises(WrongProof, match="branches on nothing"):
        check(f"{head}multipliers 2 0 0 0\ntrace\n")


def test_the_multiplier_of_an_item_with_colours_proves_nothing_by_how_often_it_is_covered() -> None:
    # If the secondary item were covered once at most, 5 would prove a score of 1 for both options.
    head = f"{HEAD}cover {text_of(COLOURED)}\n"
    assert check(proof_of_best(text_of(COLOURED), None, 2, "1 2")) == "proven: the best score is 2"
    for multiplier in (1, 5, -1, -5):
        given = f"best 1\nsolution 1\nmultipliers 1 0 0 {multiplier}\n"
        for trace in ("", " x1 x2", " x1", " x2"):
            assert refused(f"{head}{given}trace{trace}\n")


def test_a_step_that_the_score_is_no_multiple_of_is_refused() -> None:
    text = text_of({"items": 1, "options": [[1], [1]], "costs": [2, 4], "set_cover": True})
    proof = proof_of_best(text, None, -2, "1")
    assert "step 2\n" in proof
    assert check(proof) == "proven: the best score is -2"
    assert refused(proof.replace("best -2", "best -3"))
    assert refused(proof.replace("step 2", "step 4"))


def test_branches_on_what_is_decided_are_refused() -> None:
    head = f"{HEAD}cover {text_of(TRIANGLE)}\nsolutions 3\ntrace"
    assert check(f"{head} x1 x2\n") == "proven: 3 solutions"
    for trace in (" x1", " x1 x1", " x4", " x0", " x-1", " 1 1", " x1 x2 x3", " 4", " 4:1 x1 x2"):
        assert refused(f"{head}{trace}\n"), trace


@cache
def proofs_of_covers() -> list[str]:
    """Proofs of each kind, with branches and multipliers."""
    options, bounds = (
        [[1, 2], [2, 3], [3, 4], [4, 1], [1, 3], [2, 4]],
        [(1, 2), (0, 2), (2, 3), (0, 1)],
    )
    square = {"items": 4, "options": options}
    costs = {"costs": [3, 2, 3, 4, 3, 2]}
    multiple = {**square, "multiplicities": bounds}
    return [
        proof_of_best(text_of(TRIANGLE), None, -2, "1 2"),
        proof_of_best(text_of(COLOURED), None, 2, "1 2"),
        proof_of_number(text_of({**square, "set_cover": True}), len(set_covers(4, 0, options))),
        proof_of_number(text_of({**square, **costs, "set_cover": True}), 1, 5),
        proof_of_several(text_of({**square, "set_cover": True}), ["1 3", "2 4"], 2),
        proof_of_number(text_of(multiple), len(oracle.covers(4, 0, options, bounds))),
        f"{HEAD}cover {text_of(TRIANGLE)}\nbest -2\nsolution 1 2\nmultipliers 2 0 0 0\n"
        "trace 1:-1,2:-1,3:-1\n",
    ]


def test_the_proofs_that_are_mutated_elsewhere_are_accepted() -> None:
    for proof in proofs_of_covers():
        assert check(proof).startswith("proven")
        assert true_of(proof)
