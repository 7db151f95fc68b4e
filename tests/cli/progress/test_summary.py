"""The summary line."""

from cli.progress.summary import Tally, tally_of
from storage import batches
from storage.database import read
from storage.queries.progress import OutcomeCount
from storage.view import AnswerRow
from tests.cli.answers import INVALID, MULTIPLE, NONE, TARGET, TIMEOUT, UNIQUE, UNPROVEN
from tests.cli.conftest import Database


def tally(*answers: AnswerRow) -> Tally:
    counted = Tally()
    for one in answers:
        counted.add(OutcomeCount(one.status, one.complete, one.solutions, one.score, puzzles=1))
    return counted


def test_counts_of_zero_are_left_out_of_the_summary() -> None:
    line = tally(UNIQUE, UNIQUE, MULTIPLE, NONE).line("0.41 s", "batch 7 in /path/bullseye.db")
    assert line == (
        "4 puzzles · 3 solved (2 unique, 1 multiple) · 1 none · 0.41 s · "
        "batch 7 in /path/bullseye.db"
    )


def test_the_summary_of_targets_has_proven_answers_and_best_score() -> None:
    assert tally(TARGET, TARGET._replace(score=2852)).line() == (
        "2 puzzles · 2 solved (2 proven optimal) · best 2870"
    )


def test_an_incomplete_search_with_one_solution_is_neither_unique_nor_multiple() -> None:
    assert tally(UNIQUE._replace(complete=0)).line() == "1 puzzle · 1 solved"


def test_the_exit_code_is_0_only_without_failures() -> None:
    assert tally().exit == 0
    assert tally(UNIQUE, NONE).exit == 0
    for bad in (TIMEOUT, INVALID, UNPROVEN, NONE._replace(status="failed")):
        assert tally(UNIQUE, bad).exit == 1


def test_unanswered_puzzles_are_counted() -> None:
    assert tally(UNIQUE).line(puzzles=400) == "1 of 400 puzzles · 1 solved (1 unique)"
    assert tally().line(puzzles=1) == "0 of 1 puzzle"
    assert tally(UNIQUE).line(puzzles=1) == "1 puzzle · 1 solved (1 unique)"


def test_failures_are_counted_by_status() -> None:
    assert tally(TIMEOUT, INVALID, INVALID).line() == "3 puzzles · 1 timeout · 2 invalid"


def test_a_best_score_of_0_is_kept() -> None:
    assert tally(TARGET._replace(score=0), TARGET._replace(score=-1)).best == 0
    assert tally(TARGET._replace(score=-1), TARGET._replace(score=0)).best == 0


def test_outcomes_counted_by_the_database_give_the_same_tally(database: Database) -> None:
    given = [UNIQUE, MULTIPLE, MULTIPLE._replace(solutions=7), NONE, TIMEOUT, TARGET, UNPROVEN]
    given += [UNIQUE, TARGET._replace(score=2852), INVALID, UNIQUE._replace(complete=0)]
    batch_id = database.store(given)
    with read(database.engine) as connection:
        assert tally_of(connection, batches.find(connection, batch_id)) == tally(*given)
