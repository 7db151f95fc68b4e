"""The line at the end."""

from cli.progress.summary import Tally
from storage.database import read
from storage.queries.progress import count_outcomes
from tests.cli.answers import INVALID, MULTIPLE, NONE, TARGET, TIMEOUT, UNIQUE, UNPROVEN
from tests.cli.conftest import Filled


def tally(*answers: object) -> Tally:
    counted = Tally()
    assert tuple(counted.over(answers)) == answers  # type: ignore[arg-type]
    return counted


def test_it_counts_what_there_is_and_is_silent_about_the_rest() -> None:
    line = tally(UNIQUE, UNIQUE, MULTIPLE, NONE).sentence("0.41 s", "batch 7 in /path/bullseye.db")
    assert line == (
        "4 puzzles · 3 solved (2 unique, 1 multiple) · 1 none · 0.41 s · "
        "batch 7 in /path/bullseye.db"
    )


def test_a_target_tells_the_best_score_and_what_is_proven() -> None:
    assert tally(TARGET, TARGET._replace(score=2852)).sentence() == (
        "2 puzzles · 2 solved (2 proven optimal) · best 2870"
    )


def test_one_solution_that_may_not_be_alone_is_neither_unique_nor_multiple() -> None:
    assert tally(UNIQUE._replace(complete=0)).sentence() == "1 puzzle · 1 solved"


def test_it_ends_well_only_where_all_is_well() -> None:
    assert tally().exit == 0
    assert tally(UNIQUE, NONE).exit == 0
    for bad in (TIMEOUT, INVALID, UNPROVEN, NONE._replace(status="failed")):
        assert tally(UNIQUE, bad).exit == 1


def test_what_is_missing_is_told() -> None:
    assert tally(UNIQUE).sentence(of=400) == "1 of 400 puzzles · 1 solved (1 unique)"
    assert tally().sentence(of=1) == "0 of 1 puzzle"
    assert tally(UNIQUE).sentence(of=1) == "1 puzzle · 1 solved (1 unique)"


def test_what_went_wrong_is_counted() -> None:
    assert tally(TIMEOUT, INVALID, INVALID).sentence() == "3 puzzles · 1 timeout · 2 invalid"


def test_a_best_score_of_nothing_is_better_than_less() -> None:
    assert tally(TARGET._replace(score=0), TARGET._replace(score=-1)).best == 0
    assert tally(TARGET._replace(score=-1), TARGET._replace(score=0)).best == 0


def test_answers_counted_by_the_database_are_summed_up_as_one_by_one(filled: Filled) -> None:
    given = [UNIQUE, MULTIPLE, MULTIPLE._replace(solutions=7), NONE, TIMEOUT, TARGET, UNPROVEN]
    given += [UNIQUE, TARGET._replace(score=2852), INVALID, UNIQUE._replace(complete=0)]
    batch = filled.store(given)
    counted = Tally()
    with read(filled.engine) as connection:
        for alike in count_outcomes(connection, batch):
            counted.add_many(alike)
    assert counted == tally(*given)
