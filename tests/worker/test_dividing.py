"""Puzzles that are solved in parts: the same answers as in one search."""

import json
import random
import time
from collections.abc import Sequence
from itertools import pairwise

import pytest

from storage.values import Candidate, Kind
from tests.worker.exact_cover.problems import partition, queens
from tests.worker.solving import P1074, kind_of, one
from worker.exact_cover.problem import Problem
from worker.options import Options
from worker.outcome import Fixed, Known, Outcome, Solution, Turn
from worker.solve import following_round, search, search_part

pytestmark = pytest.mark.usefixtures("warm")
#: with these, the best score of the empty grid takes 200,000 nodes
_DRAWN = random.Random(1)
WEIGHTS = tuple(_DRAWN.randrange(1, 50) for _ in range(81))
ALL = Options(limit=None, keep=5)
#: grids with 39,168 and 288 completions
FIRST_ROW = "123456" + "." * 30
EMPTY_4 = "." * 16


def text_of(problem: Problem) -> str:
    first = problem.first.tolist()
    options = [problem.members[a:b].tolist() for a, b in pairwise(first)]
    return json.dumps(
        {
            "items": problem.primary,
            "secondary": problem.items - problem.primary,
            "options": options,
            "costs": problem.cost.tolist(),
        }
    )


class BestScore:
    """The best score of all parts in one process."""

    def __init__(self) -> None:
        self.score: int | None = None

    def best(self) -> int | None:
        return self.score

    def offer(self, score: int) -> None:
        self.score = score if self.score is None else max(score, self.score)


def solved_in_parts(text: str, options: Options, budget: float, seed: int) -> tuple[Outcome, int]:
    """The outcome of a search whose parts are divided again after a millisecond; their number."""
    chance, kind, best = random.Random(seed), kind_of(text), BestScore()
    slices = search(kind, [text], options, slice_seconds=budget, budget=budget)
    (outcome,) = (outcome for outcomes in slices for outcome in outcomes.rows())
    if outcome.rest is None:
        return outcome, 0
    rest, turns = outcome.rest, list[Turn]()
    waiting = list(rest.frontier.split(chance.randint(1, 9)))
    while waiting:
        part = waiting.pop(chance.randrange(len(waiting)))
        turns.append(turn(kind, text, options, rest.setup, part.levels, best))
        if left := turns[-1].frontier:
            waiting += left.split(chance.randint(1, 9))
    kept = best_of([rest.kept, *(one.kept for one in turns)], options.keep)
    whole = outcome._replace(
        solutions=(outcome.solutions or 0) + sum(one.found for one in turns),
        nodes=outcome.nodes + sum(one.nodes for one in turns),
        complete=True,
        kept=tuple(Solution(one.text, one.score) for one in kept),
    )
    return whole, len(turns)


def turn(kind: Kind, text: str, options: Options, setup: str, levels: str, best: BestScore) -> Turn:
    *_, last = search_part(kind, text, options, setup, levels, 0.001, best, 0.001)
    assert last is not None
    return last


def best_of(kept: Sequence[Sequence[Candidate]], count: int) -> list[Candidate]:
    together = [one for some in kept for one in some]
    return sorted(together, key=lambda one: (-(one.score or 0), one.path))[:count]


def best_scores_in_parts(text: str, options: Options, budget: float, seed: int) -> list[int]:
    """The best scores of a search in rounds of parts, each turn of which takes milliseconds."""
    chance, kind, best = random.Random(seed), kind_of(text), BestScore()
    slices = search(kind, [text], options, slice_seconds=budget, budget=budget)
    (outcome,) = (outcome for outcomes in slices for outcome in outcomes.rows())
    assert outcome.rest is not None
    setup, parts = outcome.rest.setup, outcome.rest.frontier.split(9)
    found = {one.path: one for one in outcome.rest.kept}
    while parts:
        waiting = list(parts)
        while waiting:
            part = waiting.pop(chance.randrange(len(waiting)))
            known = max(found.values(), key=lambda one: one.score or 0, default=None)
            *_, turn = search_part(
                kind,
                text,
                options,
                setup,
                part.levels,
                0.005,
                best,
                0.001,
                Known(known.score or 0, known.path) if known else None,
            )
            assert turn is not None
            found |= {one.path: one for one in turn.kept}
            if turn.frontier:
                assert turn.frontier.bound is not None
                assert part.bound is not None
                assert turn.frontier.bound <= part.bound
                waiting += turn.frontier.split(chance.randint(1, 9))
        wanted = best_of([list(found.values())], options.keep)
        worst = wanted[-1].score if len(wanted) == options.keep else None
        following = following_round(setup, worst)
        setup, parts = (following[0], (following[1],)) if following else ("", ())
    scores = [one.score or 0 for one in best_of([list(found.values())], options.keep)]
    assert (best.best() or scores[-1]) <= scores[-1]  # else parts may pass over wanted solutions
    return scores


@pytest.mark.parametrize("keep", [1, 3])
@pytest.mark.parametrize(
    "text",
    [text_of(partition(40, 400, 0)), text_of(partition(40, 700, 3)), "." * 81],
    ids=["cover", "larger cover", "grid"],
)
@pytest.mark.usefixtures("rounds_alone")
def test_rounds_of_parts_prove_the_best_scores_of_one_search(text: str, keep: int) -> None:
    options = Options(target=True, keep=keep, weights=WEIGHTS if "." in text else None)
    scores = [kept.score for kept in one(text, options).kept]
    assert best_scores_in_parts(text, options, 0.001, keep) == scores


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (FIRST_ROW, ALL),
        (text_of(queens(11)), ALL),
        (text_of(partition(15, 80, 3)), ALL),
        (FIRST_ROW, Options(target=True, every=True, keep=3, weights=tuple(range(36)))),
        (text_of(partition(16, 90, 3)), Options(target=True, every=True, keep=3)),
    ],
    ids=["grid", "queens", "cover", "grid with scores", "cover with costs"],
)
def test_parts_give_the_answer_of_the_whole(text: str, options: Options) -> None:
    whole = one(text, options)
    for seed in range(2):
        parts, turns = solved_in_parts(text, options, 0.0002, seed)
        assert (parts.solutions, parts.nodes) == (whole.solutions, whole.nodes)
        assert parts.kept == whole.kept
        assert turns > 0


def test_a_search_within_its_budget_has_no_rest() -> None:
    assert one(P1074[0], Options()).rest is None
    assert solved_in_parts(EMPTY_4, ALL, 30.0, 1)[1] == 0


def test_a_turn_can_be_ended_before_its_time() -> None:
    options = Options(limit=None)
    turn = search_part(
        Kind.SUDOKU, "." * 81, options, '{"pairs_compared":8}', "[]", 1e6, BestScore(), 0.001
    )
    assert next(turn) is None
    last = turn.send(True)
    assert last is not None
    assert last.frontier is not None


@pytest.mark.attack
@pytest.mark.parametrize("options", [ALL, Options(target=True)])
def test_a_large_problem_is_read_and_laid_out_once_for_all_turns(options: Options) -> None:
    chance = random.Random(2)
    made = [sorted(chance.sample(range(1, 61), 6)) for _ in range(20_000)]
    costs = [chance.randint(1, 99) for _ in made]
    text = json.dumps({"items": 60, "options": made, "costs": costs})
    slices = search(Kind.COVER, [text], options, slice_seconds=0.01, budget=0.01)
    (outcome,) = (outcome for outcomes in slices for outcome in outcomes.rows())
    assert outcome.rest is not None
    setup, (part,) = outcome.rest.setup, outcome.rest.frontier.split(1)
    took = []
    for begin in (" ", "", ""):  # the first text is another one
        began = time.thread_time()
        given = (begin + text, options, setup, part.levels, 0.001, Fixed(None))
        for _ in search_part(Kind.COVER, *given, slice_seconds=0.001):
            pass
        took.append(time.thread_time() - began)
    assert took[2] < took[0] / 2
