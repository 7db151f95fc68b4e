"""Every command that takes a batch takes its number, its name, or `last`."""

import re

import pytest

from storage import batches
from storage.database import read
from storage.errors import NoSuchBatch
from tests.cli.answers import TIMEOUT, UNIQUE
from tests.cli.conftest import Bullseye, Database, Result

COMMANDS = (
    "status",
    "status --json",
    "results",
    "results -f csv",
    "stats --json",
    "cancel",
    "retry",
)


def without_rate(result: Result) -> Result:
    """The result of `status --json` without what changes from one moment to the next."""
    return result._replace(out=re.sub(r',\n +"rate": [\d.]+', "", result.out))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("selected", ["sunday", "2"])
def test_a_batch_is_selected_by_its_number_or_its_name(
    bullseye: Bullseye, database: Database, redis: str, command: str, selected: str
) -> None:
    database.store([UNIQUE])
    database.store([UNIQUE], name="sunday")
    database.store([UNIQUE])
    result = bullseye(*command.split(), selected)
    assert result.code == 0
    if command in {"cancel", "retry"}:
        assert "batch 2" in result.err
    assert without_rate(result) == without_rate(bullseye(*command.split(), 2))


@pytest.mark.parametrize("command", COMMANDS)
def test_last_is_the_newest_batch(
    bullseye: Bullseye, database: Database, redis: str, command: str
) -> None:
    database.store([UNIQUE])
    database.store([UNIQUE, UNIQUE], name="sunday")
    found, expected = (bullseye(*command.split(), batch) for batch in ("last", 2))
    assert without_rate(found) == without_rate(expected)


def test_stats_compares_batches_by_name(bullseye: Bullseye, database: Database) -> None:
    database.store([UNIQUE], name="before")
    database.store([UNIQUE], name="after")
    by_name = bullseye("stats", "last", "--against", "before")
    assert by_name.code == 0
    assert by_name == bullseye("stats", 2, "--against", 1)


def test_a_retry_by_name_queues_the_batch(
    bullseye: Bullseye, database: Database, redis: str
) -> None:
    database.store([TIMEOUT], name="late")
    assert "batch 1: 1 puzzle queued again" in bullseye("retry", "late").err


@pytest.mark.parametrize("command", COMMANDS)
def test_an_ambiguous_or_unknown_name_is_refused(
    bullseye: Bullseye, database: Database, redis: str, command: str
) -> None:
    for _ in range(2):
        database.store([UNIQUE], name="twin")
    result = bullseye(*command.split(), "twin")
    assert (result.code, result.out) == (2, "")
    assert result.err == "error: the batches 1 and 2 are all named 'twin': give a number\n"
    result = bullseye(*command.split(), "nobody")
    assert (result.code, result.out) == (2, "")
    assert result.err == "error: there is no batch named 'nobody': see bullseye status\n"


@pytest.mark.attack
@pytest.mark.parametrize("number", ["9" * 5000, "-5", str(2**63), "--5", "٣" * 30])
def test_what_cannot_be_the_number_of_a_batch_is_refused_in_a_short_sentence(
    bullseye: Bullseye, database: Database, redis: str, number: str
) -> None:
    for command in (*COMMANDS, "export --parquet x", "archive", "delete --yes"):
        result = bullseye(*command.split(), "--", number)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("error: ")
        assert len(result.err) < 300


def test_a_python_program_may_give_any_number(database: Database) -> None:
    with read(database.engine) as connection:
        for number in (10**30, -(10**30), 2**63):
            with pytest.raises(NoSuchBatch, match=f"there is no batch {number}"):
                batches.find(connection, number)
