"""An upgrade of a database of the first schema, which is killed several times before it ends."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine

from storage.database import open_database, read
from storage.queries.health import BLOCK_PUZZLES
from tests import schemas, services
from tests.benchmarks.store.figures import Took

#: shares of the answers that are read when an upgrade is killed
KILLS = (0.1, 0.5, 0.9)


def tables(answers: int, database: str | None, rounds: int) -> Iterator[str]:
    """Yield the times for so many answers, in SQLite or (`postgresql`) on a temporary server."""
    with ExitStack() as stack:
        url = f"sqlite:///{stack.enter_context(TemporaryDirectory())}/bullseye.db"
        if database == "postgresql":
            programs = services.find_postgresql() or services.missing("postgresql")
            url = stack.enter_context(services.postgresql(programs)).url
        schemas.create(url, "0001")
        engine = create_engine(url)
        with engine.begin() as connection:
            schemas.fill(connection, answers)
        yield f"| upgrade of {answers:,} answers, {engine.dialect.name} | CPU s | wall-clock s |"
        engine.dispose()
        yield "|---|---|---|"
        for share in (*KILLS, 1.0):
            name = f"killed at {share:.0%}" if share < 1 else "not killed"
            took = _upgrade(url, int(share * 2 * answers / BLOCK_PUZZLES) if share < 1 else None)
            yield f"| {name} | {took.cpu:.1f} | {took.seconds:.1f} |"
        _check(url, answers)


def _upgrade(url: str, blocks: int | None) -> Took:
    """Upgrade, and kill the process after so many blocks of answers; return what it took."""
    began = time.perf_counter()
    process = schemas.upgrading(url)
    assert process.stdout is not None
    with process.stdout as lines:
        for number, _ in enumerate(lines, 1):
            if number == blocks:
                process.kill()
                break
        _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return Took(time.perf_counter() - began, used.ru_utime + used.ru_stime)


def _check(url: str, answers: int) -> None:
    """Check that all answers are counted."""
    engine = open_database(url)
    with read(engine) as connection:
        found = connection.exec_driver_sql("SELECT sum(answers) FROM summaries WHERE batch = 7")
        assert found.scalar_one() == answers
    engine.dispose()
