import json
import os
import signal
from itertools import chain, islice
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event

from storage import batches
from storage.database import read, write
from storage.errors import NoSuchBatch
from storage.outbox import publishing
from storage.packing import unpack
from storage.queries.answers import select_answers
from storage.values import Puzzle
from tests.sudoku import grids
from tests.worker.conftest import QUEUE, add_file, submit
from tests.worker.solving import kind_of
from worker.errors import BatchLost
from worker.intake.spool import Spool
from worker.intake.submit import store
from worker.options import Options


def test_a_line_that_is_not_a_puzzle_is_stored_as_invalid_at_its_position(
    engine: Engine, tmp_path: Path
) -> None:
    good = next(grids(1, 30))
    batch = submit(engine, f"{good}\n{good[:80]}\n{good}\n", tmp_path)
    with write(engine) as connection:
        [answer] = select_answers(connection, batch=batch.id)
        waiting = publishing.claim_new(connection, QUEUE, 10**6)
    assert (answer.position, answer.kind, answer.status) == (2, "sudoku", "invalid")
    assert answer.detail == "80 cells, expected 81"
    places = [puzzle.position for chunk in waiting for puzzle in unpack(chunk.puzzles)]
    assert places == [1, 3]


def test_nothing_is_left_of_a_batch_that_could_not_be_stored_completely(
    engine: Engine, tmp_path: Path
) -> None:
    with Spool(portion_puzzles=1) as spool:
        for grid in islice(grids(1, 30), 3):
            add_file(spool, grid, tmp_path)
        spool.file.truncate(spool.file.tell() - 100)  # the last header cannot be read
        with pytest.raises(ValueError, match=r"Unterminated|Expecting"):
            store(engine, spool, Options(), name=None, queue=QUEUE)
    with write(engine) as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM chunk").scalar() == 0
        assert batches.newest(connection, being_stored=True) == []


def test_a_batch_that_is_deleted_while_it_is_stored_gets_no_further_answers(
    engine: Engine, tmp_path: Path
) -> None:
    with Spool(portion_puzzles=1) as spool:
        good = next(grids(1, 30))
        add_file(spool, f"{good}\n{good[:80]}\n", tmp_path)

        @event.listens_for(engine, "commit")
        def delete(connection: Connection) -> None:
            if connection.get_execution_options().get("write"):
                connection.exec_driver_sql("DELETE FROM batch")

        with pytest.raises(NoSuchBatch):
            store(engine, spool, Options(), name=None, queue=QUEUE)
    with read(engine) as connection:
        assert list(select_answers(connection)) == []


@pytest.mark.attack
@pytest.mark.parametrize("how", ["cancelled", "interrupted"])
def test_nothing_is_left_of_a_batch_that_is_cancelled_or_interrupted_while_it_is_stored(
    engine: Engine, tmp_path: Path, how: str
) -> None:
    with Spool(portion_puzzles=1) as spool:
        add_file(spool, "\n".join(islice(grids(1, 30), 3)), tmp_path)

        @event.listens_for(engine, "commit")
        def end(connection: Connection) -> None:
            if not connection.get_execution_options().get("write"):
                return
            if how == "interrupted":
                os.kill(os.getpid(), signal.SIGINT)
            else:
                connection.exec_driver_sql("UPDATE batch SET cancelled_at = 'now'")

        with pytest.raises(KeyboardInterrupt if how == "interrupted" else BatchLost):
            store(engine, spool, Options(), name=None, queue=QUEUE)
    with read(engine) as connection:
        for table in ("batch", "chunk", "payload"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0
        owners = "SELECT count(*) FROM meta WHERE key LIKE 'owner%'"
        assert connection.exec_driver_sql(owners).scalar() == 0


def test_files_with_and_without_labels_are_cut_into_the_same_chunks(
    engine: Engine, tmp_path: Path
) -> None:
    some = list(islice(grids(2, 30), 50))
    plain = submit(engine, "\n".join(some), tmp_path)
    labelled = submit(engine, "\n".join(f"{grid} easy" for grid in some), tmp_path)
    with write(engine) as connection:
        waiting = publishing.claim_new(connection, QUEUE, 10**6)
    found: dict[int, list[list[Puzzle]]] = {plain.id: [], labelled.id: []}
    for chunk in waiting:
        found[chunk.batch_id].append(list(unpack(chunk.puzzles)))
    assert [puzzle.text for puzzle in chain(*found[plain.id])] == some
    assert found[plain.id] == [
        [puzzle._replace(id=puzzle.id - plain.puzzles, label=None) for puzzle in chunk]
        for chunk in found[labelled.id]
    ]
    assert {puzzle.label for puzzle in chain(*found[labelled.id])} == {"easy"}


def test_a_batch_of_several_portions_keeps_the_order_of_its_inputs(
    engine: Engine, tmp_path: Path
) -> None:
    some = list(islice(grids(3, 30), 40))
    some[10] += " ten"  # a file with labels between two without
    files = ["\n".join(some[at : at + 7]) for at in range(0, 40, 7)]
    batch = submit(engine, files, tmp_path, portion_puzzles=14)
    puzzles = [puzzle for _, puzzle in waiting(engine)]
    assert [puzzle.id for puzzle in puzzles] == [*range(batch.first_id, batch.last_id + 1)]
    assert [puzzle.position for puzzle in puzzles] == [*range(1, 41)]
    assert [puzzle.text for puzzle in puzzles] == [line[:81] for line in some]
    assert [puzzle.position for puzzle in puzzles if puzzle.label] == [11]


def test_a_chunk_holds_puzzles_of_one_kind_and_size(engine: Engine, tmp_path: Path) -> None:
    small, grid = "1..............4", next(grids(3, 30))
    cover = '{"items":1,"secondary":0,"options":[[1]]}'
    puzzles = [small, grid, cover] * 40
    lines = [text if text == cover else json.dumps({"puzzle": text}) for text in puzzles]
    submit(engine, "\n".join(lines), tmp_path)
    found = waiting(engine)
    assert [puzzle.text for _, puzzle in sorted(found, key=lambda one: one[1])] == puzzles
    assert [kind for kind, _ in found] == [kind_of(puzzle.text) for _, puzzle in found]
    with read(engine) as connection:
        chunks = connection.exec_driver_sql("SELECT puzzles FROM payload").scalars().all()
    assert len(chunks) < 40
    assert all(len({puzzle.text for puzzle in unpack(chunk)}) == 1 for chunk in chunks)


def waiting(engine: Engine) -> list[tuple[str, Puzzle]]:
    """Return the kind and the row of each waiting puzzle, chunk by chunk."""
    with read(engine) as connection:
        texts = "SELECT kind, payload.puzzles FROM chunk JOIN payload ON chunk_id = id ORDER BY id"
        found = connection.exec_driver_sql(texts).all()
    return [(kind, puzzle) for kind, packed in found for puzzle in unpack(packed)]
