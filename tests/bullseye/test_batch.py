"""`bullseye.submit` with a real worker, and `bullseye.results` on what it stored."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from bullseye import (
    BadUsage,
    Batch,
    Cover,
    NoLiveWorker,
    PuzzleError,
    RedisUnreachable,
    canonical,
    results,
    submit,
)
from storage.errors import BadQuery, DatabaseMissing, NoSuchBatch
from tests.end_to_end.bullseye import Bullseye
from tests.end_to_end.conftest import bullseye, home, redis_program  # noqa: F401 # fixtures
from tests.sudoku import grids, is_solution
from worker.settings import Settings

PUZZLES = list(islice(grids(17, 30), 50))


def test_an_unknown_priority_is_refused() -> None:
    with pytest.raises(BadUsage, match=r"^priority is 'urgent'; give 'low', "):
        submit(PUZZLES, priority="urgent")


def test_a_submitted_batch_is_waited_for_and_its_rows_are_read(
    bullseye: Bullseye,  # noqa: F811
) -> None:
    database, redis = str(bullseye.database), bullseye.redis_url
    with bullseye.worker():
        batch = submit(
            [*PUZZLES, "11" + "." * 79],
            name="from Python",
            classes=True,
            facts=True,
            database=database,
            redis=redis,
        )
        cover = submit(
            Cover([{"x"}, {"x", "y"}], [3, 5]), target=True, database=database, redis=redis
        )
        rows = list(batch.wait())
        (cheapest,) = cover.wait()
    assert (batch.id, batch.name, batch.puzzles) == (1, "from Python", 51)
    assert [row.puzzle for row in rows[:-1]] == PUZZLES
    assert all(is_solution(row.puzzle, row.solution or "") for row in rows[:-1])
    assert [row.canonical for row in rows[:-1]] == canonical(PUZZLES)
    assert rows[-1].depth == 0
    assert (cheapest.score, cheapest.chosen) == (-5, (1,))

    read = results(batch.id, status="none", database=database)
    assert [row.position for row in read] == [51]
    assert [row.position for row in read] == [51]  # read anew
    slowest = results(1, where="clues = 30", sort="-ms", first=2, database=database)
    times = [row.ms or 0.0 for row in slowest]
    by_time = list(results(1, where="clues = 30", sort=["-ms", "id"], offset=1, database=database))
    assert [row.ms for row in by_time][: len(times) - 1] == times[1:]
    assert times == sorted((row.ms or 0.0 for row in rows[:-1]), reverse=True)[:2]
    assert len(list(results("from Python", database=database))) == 51
    assert [row.kind for row in results("last", database=database)] == ["cover"]
    (first,) = results(1, where="position = 1", database=database)
    assert first.grid is not None
    assert np.array_equal(np.sort(first.grid[0]), np.arange(1, 10))
    assert (first._repr_svg_() or "").startswith("<svg")

    frame = read.to_pandas()
    assert frame["status"].tolist() == ["none"]
    assert str(frame["solved_at"].dtype).endswith("UTC]")
    assert read.to_arrow()["status"].to_pylist() == ["none"]


def test_nothing_is_stored_if_redis_is_away_or_a_puzzle_is_bad(tmp_path: Path) -> None:
    database = tmp_path / "bullseye.db"
    with pytest.raises(RedisUnreachable):
        submit(PUZZLES, database=str(database), redis="redis://127.0.0.1:1/0")
    assert not database.exists()


def test_a_batch_without_a_worker_stays_queued(
    bullseye: Bullseye,  # noqa: F811
    tmp_path: Path,
) -> None:
    database, redis = str(tmp_path / "new.db"), bullseye.redis_url
    with pytest.raises(PuzzleError, match="list line 1"):
        submit(["12"], database=database, redis=redis)
    assert not Path(database).exists()
    batch = submit(PUZZLES, database=database, redis=redis)
    with pytest.raises(NoLiveWorker):
        batch.wait(patience=0.2)
    assert list(batch.results()) == []


def test_no_text_of_results_or_of_a_batch_shows_a_password() -> None:
    url = "postgresql+psycopg://ann:sesame@127.0.0.1/db"
    assert "sesame" not in repr(results(database=url))
    settings = Settings(url, "redis://:sesame@127.0.0.1/0")
    assert "sesame" not in repr(Batch(1, "sunday", 3, settings))


def test_errors_of_the_database_are_those_of_the_commands(tmp_path: Path) -> None:
    missing = results(database=str(tmp_path / "missing.db"))
    with pytest.raises(DatabaseMissing):
        next(iter(missing))


def test_invalid_filters_are_rejected(
    bullseye: Bullseye,  # noqa: F811
) -> None:
    database = str(bullseye.database)
    submit(PUZZLES[:1], database=database, redis=bullseye.redis_url)
    with pytest.raises(BadQuery, match="no such column: nonsense"):
        list(results(where="nonsense = 1", database=database))
    with pytest.raises(BadQuery, match="there is no column 'colour'"):
        list(results(sort="colour", database=database))
    with pytest.raises(NoSuchBatch):
        list(results(99, database=database))
