"""Unfinished chunks of schema 0001, which had neither a kind nor a digest, after an upgrade."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, create_engine, text

from storage.database import open_database, write
from storage.outbox import leases
from storage.packing import digest, unpack
from storage.values import Kind
from tests import schemas

GRID, COVER = "." * 81, '{"items":1,"secondary":0,"options":[[1]]}'
#: a batch of 0001.sql that is neither finished nor cancelled, and ids of none of its puzzles
BATCH, FIRST_ID = 5, 1001
#: ids of the chunks that the tests add
ADDED = 501


def packed(*texts: str, first_id: int = FIRST_ID) -> str:
    """Puzzles as schema 0001 stores and sends them."""
    rows = [[first_id + n, n + 1, None, one] for n, one in enumerate(texts)]
    return json.dumps(rows, separators=(",", ":"))


def upgraded(url: str, *chunks: tuple[str, str], answered: Sequence[int] = ()) -> Engine:
    """Upgrade a database of schema 0001 with chunks of these states and puzzles.

    The puzzles with the ids `answered` have an answer, and belong to the first chunk.
    """
    schemas.create(url, "0001")
    engine = create_engine(url)
    with engine.begin() as connection:
        for number, (state, puzzles) in enumerate(chunks, ADDED):
            _insert_chunk(connection, number, state, puzzles, len(answered))
        for id_ in answered:
            connection.execute(
                text(
                    "INSERT INTO answer (id, batch_id, position, kind, puzzle, status, complete,"
                    " attempts, solved_at) VALUES (:id, :batch, 1, 'sudoku', '.', 'none', 1, 1, '')"
                ),
                {"id": id_, "batch": BATCH},
            )
        if engine.dialect.name == "postgresql":  # the dump does not advance it
            connection.execute(text("SELECT setval('chunk_id_seq', 600)"))
    engine.dispose()
    return open_database(url, migrate=True)


def _insert_chunk(
    connection: Connection, number: int, state: str, puzzles: str, answered: int
) -> None:
    connection.execute(
        text(
            "INSERT INTO chunk (id, batch_id, count, answered, bytes, state, attempts, puzzles)"
            " VALUES (:id, :batch, :count, :answered, :bytes, :state, 0, :puzzles)"
        ),
        {
            "id": number,
            "batch": BATCH,
            "count": len(json.loads(puzzles)),
            "answered": answered if number == ADDED else 0,
            "bytes": len(puzzles),
            "state": state,
            "puzzles": puzzles,
        },
    )


def added(engine: Engine) -> list[Any]:
    with engine.connect() as connection:
        return list(
            connection.execute(
                text(
                    "SELECT id, state, kind, count, answered, bytes, digest, puzzles FROM chunk"
                    " JOIN payload ON chunk_id = id"
                    f" WHERE id >= {ADDED} ORDER BY id"
                )
            )
        )


@pytest.mark.parametrize(
    ("puzzles", "kind"),
    [(packed(GRID, GRID), Kind.SUDOKU), (packed(COVER), Kind.COVER)],
    ids=["grids", "covers"],
)
def test_a_chunk_sent_before_the_upgrade_is_sent_again_with_the_same_puzzles(
    url: str, puzzles: str, kind: Kind
) -> None:
    engine = upgraded(url, ("sent", puzzles))
    (one,) = added(engine)
    assert (one.state, one.kind) == ("new", kind)
    assert [list(puzzle) for puzzle in unpack(one.puzzles)] == json.loads(puzzles)
    with write(engine) as connection:
        assert leases.take(connection, ADDED, "ada", digest(puzzles)) is None
        assert not leases.has_other_puzzles(connection, ADDED, digest(puzzles))
        lease = leases.take(connection, ADDED, "ada", digest(one.puzzles))
    assert lease is not None
    assert lease.kind is kind
    engine.dispose()


def test_labels_are_kept(url: str) -> None:
    rows = [[FIRST_ID, 1, "", GRID], [FIRST_ID + 1, 2, None, GRID], [FIRST_ID + 4, 5, "hard", GRID]]
    engine = upgraded(url, ("new", json.dumps(rows)))
    (one,) = added(engine)
    assert [list(puzzle) for puzzle in unpack(one.puzzles)] == rows
    engine.dispose()


def test_a_chunk_of_both_kinds_is_split(url: str) -> None:
    both = packed(GRID, COVER, GRID, COVER)
    engine = upgraded(url, ("sent", both), answered=[FIRST_ID, FIRST_ID + 1, FIRST_ID + 2])
    grids, covers = added(engine)
    assert (grids.kind, grids.state, grids.count, grids.answered) == ("sudoku", "new", 2, 2)
    assert (covers.kind, covers.state, covers.count, covers.answered) == ("cover", "new", 2, 1)
    assert [puzzle.text for puzzle in unpack(grids.puzzles)] == [GRID, GRID]
    assert unpack(covers.puzzles).ids == [FIRST_ID + 1, FIRST_ID + 3]
    for chunk in (grids, covers):
        assert (chunk.bytes, chunk.digest) == (len(chunk.puzzles), digest(chunk.puzzles))
    engine.dispose()


def test_every_unfinished_chunk_has_a_kind_and_the_digest_of_its_puzzles(url: str) -> None:
    engine = upgraded(url)
    with engine.connect() as connection:
        unfinished = list(
            connection.execute(
                text(
                    "SELECT kind, digest, puzzles FROM chunk JOIN payload ON chunk_id = id"
                    " WHERE state <> 'done'"
                )
            )
        )
    assert unfinished
    assert {chunk.kind for chunk in unfinished} == {"sudoku"}
    assert all(chunk.digest == digest(chunk.puzzles) for chunk in unfinished)
    engine.dispose()
