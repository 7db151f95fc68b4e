"""Limits of covers: time that counts whatever is done for a problem, and memory in proportion."""

import json
import random
import tracemalloc
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from tests.worker.solving import keeps_its_limit, one
from worker.options import Options

B = 2_000_000_000
pytestmark = [pytest.mark.usefixtures("warm"), pytest.mark.attack]

#: what is asked, and what the problem has besides its options
ASKED: dict[str, tuple[Options, dict[str, Any]]] = {
    "any": (Options(limit=None, keep=5), {}),
    "count": (Options(limit=None, count=True), {}),
    "sample": (Options(limit=None, count=True, sample=2), {}),
    "by option": (Options(limit=None, count=True, per_option=True), {}),
    "cheapest": (Options(target=True), {"costs": 9}),
    "every cost": (Options(target=True, every=True), {"costs": 9}),
    "set cover": (Options(set_cover=True), {"costs": 9}),
    "few enough": (Options(set_cover=True, at_most=4), {}),
    "multiplicities": (Options(limit=None), {"multiplicities": [1, 3]}),
    "cheapest with multiplicities": (Options(target=True), {"costs": 9, "multiplicities": [1, 3]}),
    "colours": (Options(limit=None), {"colours": "RG"}),
    "radius": (Options(), {"distances": 10**6}),
}


@cache
def text_of(kind: str, options: int) -> str:
    """A problem of 60 items, many options, and what the kind needs besides."""
    chance, wanted = random.Random(1), ASKED[kind][1]
    made = [sorted(chance.sample(range(1, 61), chance.randint(3, 8))) for _ in range(options)]
    problem: dict[str, Any] = {"items": 60, "options": made}
    if "costs" in wanted:
        problem["costs"] = [chance.randint(1, 9) * len(option) for option in made]
    if "multiplicities" in wanted:
        problem["multiplicities"] = [wanted["multiplicities"]] * 60
    if "colours" in wanted:
        problem["secondary"] = 1
        problem["options"] = [[*option, 61] for option in made]
        problem["colours"] = [[[61, chance.choice("RG")]] for _ in made]
    if "distances" in wanted:
        problem |= {"set_cover": True, "at_most": 5}
        problem["distances"] = [[chance.randrange(10**6) for _ in option] for option in made]
    return json.dumps(problem, separators=(",", ":"))


@pytest.mark.usefixtures("warm_set_cover", "warm_multiplicity")
@pytest.mark.parametrize("kind", ASKED)
def test_every_search_of_a_large_cover_keeps_its_time_limit(kind: str) -> None:
    keeps_its_limit(text_of(kind, 10_000), ASKED[kind][0])


@pytest.mark.soak
@pytest.mark.usefixtures("warm_set_cover", "warm_multiplicity")
@pytest.mark.parametrize("kind", ASKED)
def test_every_search_of_a_cover_of_100_000_options_keeps_its_time_limit(kind: str) -> None:
    keeps_its_limit(text_of(kind, 100_000), ASKED[kind][0])


#: what is asked, with as many covers as time allows
KEPT: dict[str, tuple[Options, dict[str, Any]]] = {
    "any": (Options(limit=None), {}),
    "cheapest": (Options(target=True), {"costs": [k % 31 for k in range(600)]}),
    "every cost": (Options(target=True, every=True), {"costs": [k % 31 for k in range(600)]}),
    "few enough": (Options(set_cover=True, at_most=70, limit=None), {}),
    "multiplicities": (Options(limit=None), {"multiplicities": [[1, 3]] * 60}),
}


@pytest.mark.usefixtures("warm_set_cover", "warm_multiplicity")
@pytest.mark.parametrize("kind", KEPT)
def test_a_search_that_keeps_a_million_covers_keeps_its_time_limit(kind: str) -> None:
    asked, more = KEPT[kind]
    text = json.dumps({"items": 60, "options": [[k % 60 + 1] for k in range(600)], **more})
    # Making an object of each kept cover, as this test does, takes no part in the stated time.
    keeps_its_limit(text, replace(asked, keep=10**6), timeout=0.5, stated=0.3)


@pytest.mark.parametrize(
    ("text", "solutions"),
    [
        (f'{{"items":{B},"options":[[1]],"set_cover":true,"distances":[[0]],"at_most":1}}', 0),
        (f'{{"items":{B},"options":[[1]],"set_cover":true}}', 0),
        (f'{{"items":{B},"options":[[1]],"costs":[3]}}', 0),
        (f'{{"items":1,"secondary":{B},"options":[[1,{B}]],"set_cover":true}}', None),
        (f'{{"items":1,"secondary":{B},"options":[[1,{B}]],"colours":[[[{B},"a"]]]}}', 1),
        (f'{{"items":1,"secondary":{B},"options":[[1,{B}]],"multiplicities":[[0,{B}]]}}', 2),
    ],
)
def test_a_short_text_takes_little_memory_whatever_numbers_it_has(
    text: str, solutions: int | None
) -> None:
    for options in (Options(), Options(limit=None, count=True), Options(target=True)):
        tracemalloc.start()
        try:
            outcome = one(text, options)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 1 << 24
        assert outcome.solutions == solutions
