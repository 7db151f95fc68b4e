import time
from collections.abc import Generator
from itertools import groupby, islice

import pytest

from storage.values import Answer, Answers, Candidate, Kept, Kind, Puzzle, Puzzles, Status
from tests.sudoku import grids
from tests.worker.solving import every, kind_of, longer
from worker.attempt.solver import Solver
from worker.errors import SolverFailed
from worker.options import Options
from worker.outcome import Fixed, Turn

EMPTY = "." * 81
TOY = '{"items": 2, "secondary": 0, "options": [[1], [2], [1, 2]]}'
#: two equal digits in a row
WRONG = "11" + "." * 79


def answers(texts: list[str], options: Options) -> list[Answer]:
    puzzles = [Puzzle(n + 100, n, f"no {n}", text) for n, text in enumerate(texts, start=1)]
    found: list[Answer] = []
    for kind, some in groupby(puzzles, lambda puzzle: kind_of(puzzle.text)):
        run = Solver(kind, options, silence=60.0).run(Puzzles.of(kind, list(some)))
        found += map(Answer, *Answers.joined([results.answers for results in run]))
    return found


def test_each_answer_has_the_values_of_its_puzzle_and_its_outcome() -> None:
    texts = [*islice(grids(5, 30), 3), WRONG, TOY, EMPTY]
    options = Options(limit=5, keep=3)
    found = answers(texts, options)
    outcomes = every(texts, options)
    assert [answer.puzzle for answer in found] == texts
    assert [answer.id for answer in found] == [101, 102, 103, 104, 105, 106]
    assert [answer.position for answer in found] == [1, 2, 3, 4, 5, 6]
    assert [answer.label for answer in found] == [f"no {n}" for n in range(1, 7)]
    for answer, outcome in zip(found, outcomes, strict=True):
        for field in ("kind", "size", "clues", "solutions", "complete", "bound", "nodes", "detail"):
            assert getattr(answer, field) == getattr(outcome, field), field
        first = outcome.kept[0].text if outcome.kept else None
        assert (answer.solution, answer.score) == (first, None)
        assert [(one.rank, one.text) for one in answer.further] == [
            (rank, one.text) for rank, one in enumerate(outcome.kept[1:], start=2)
        ]


def test_the_best_solutions_are_kept_with_scores_and_ranks() -> None:
    (answer,) = answers([EMPTY], Options(target=True, keep=3))
    assert (answer.kind, answer.status) == ("target", Status.SOLVED)
    assert answer.score == answer.bound == 2906
    assert [type(one) for one in answer.further] == [Kept, Kept]
    assert [one.rank for one in answer.further] == [2, 3]
    assert all(one.score is not None and one.score <= 2906 for one in answer.further)


def test_the_status_depends_on_how_the_search_ended() -> None:
    solved, none, invalid = answers([next(grids(6, 30)), WRONG, "q" * 81], Options())
    assert solved.status is Status.SOLVED
    assert none.status is Status.NONE
    assert invalid.status is Status.INVALID
    assert invalid.detail


def test_solutions_found_before_a_timeout_are_kept() -> None:
    tried = (answers([EMPTY], Options(limit=None, timeout=limit))[0] for limit in longer(0.01))
    answer = next(one for one in tried if one.solutions)
    assert answer.status is Status.TIMEOUT
    assert answer.solution is not None


def test_the_time_of_the_solver_is_in_milliseconds() -> None:
    began = time.thread_time()
    (answer,) = answers([EMPTY], Options(limit=None, timeout=0.2))
    ran = time.thread_time() - began
    assert answer.ms is not None
    assert 500 * ran < answer.ms <= 1000 * ran


def test_a_turn_that_keeps_a_wrong_solution_fails() -> None:
    def mistaken(*_: object, **__: object) -> Generator[Turn | None, bool | None]:
        yield Turn(1, 1, 1, 1, (Candidate(None, (0,), "1"),), None)

    solver = Solver(Kind.COVER, Options(), silence=60.0, search_part=mistaken)
    with pytest.raises(SolverFailed, match="item 2 is not covered"):
        solver.turn(TOY, "", "", 1.0, Fixed(None), lambda: False)
