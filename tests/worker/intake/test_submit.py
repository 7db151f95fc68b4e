from itertools import chain, islice
from pathlib import Path

import pytest
from sqlalchemy import Engine

from storage import batches, packing
from storage.database import write
from storage.outbox import publishing
from storage.queries.answers import select_answers
from storage.values import Puzzle
from tests.sudoku import grids
from tests.worker.conftest import QUEUE, submit


def test_a_line_that_is_no_puzzle_is_stored_as_invalid_in_its_place(
    engine: Engine, tmp_path: Path
) -> None:
    good = next(grids(1, 30))
    batch = submit(engine, f"{good}\n{good[:80]}\n{good}\n", tmp_path)
    with write(engine) as connection:
        [answer] = select_answers(connection, batch=batch.id)
        waiting = publishing.claim_new(connection, QUEUE, 10**6)
    assert (answer.position, answer.kind, answer.status) == (2, "sudoku", "invalid")
    assert answer.detail == "80 cells, expected 81"
    places = [puzzle.position for chunk in waiting for puzzle in packing.decode(chunk.puzzles)]
    assert places == [1, 3]


def test_nothing_of_a_batch_is_seen_before_its_last_puzzle_is_stored(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(batches, "make_ready", crash)
    with pytest.raises(KeyboardInterrupt):
        submit(engine, next(grids(1, 30)), tmp_path)
    with write(engine) as connection:
        assert batches.newest(connection) == []
        assert publishing.claim_new(connection, QUEUE, 10**6) == []


def test_a_plain_file_is_stored_as_one_with_labels_is_but_for_the_labels(
    engine: Engine, tmp_path: Path
) -> None:
    some = list(islice(grids(2, 30), 50))
    plain = submit(engine, "\n".join(some), tmp_path)
    labelled = submit(engine, "\n".join(f"{grid} easy" for grid in some), tmp_path)
    with write(engine) as connection:
        waiting = publishing.claim_new(connection, QUEUE, 10**6)
    found: dict[int, list[list[Puzzle]]] = {plain.id: [], labelled.id: []}
    for chunk in waiting:
        found[chunk.batch_id].append(packing.decode(chunk.puzzles))
    assert [puzzle.text for puzzle in chain(*found[plain.id])] == some
    assert found[plain.id] == [
        [puzzle._replace(id=puzzle.id - plain.puzzles, label=None) for puzzle in chunk]
        for chunk in found[labelled.id]
    ]
    assert {puzzle.label for puzzle in chain(*found[labelled.id])} == {"easy"}


def test_an_input_of_several_portions_keeps_its_order(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.intake.submit.TRANSACTION", 7)
    some = list(islice(grids(3, 30), 40))
    some[10] += " ten"  # a portion with a label between two without
    batch = submit(engine, "\n".join(some), tmp_path)
    with write(engine) as connection:
        waiting = publishing.claim_new(connection, QUEUE, 10**6)
    puzzles = [puzzle for chunk in waiting for puzzle in packing.decode(chunk.puzzles)]
    assert [puzzle.id for puzzle in puzzles] == [*range(batch.first_id, batch.last_id + 1)]
    assert [puzzle.position for puzzle in puzzles] == [*range(1, 41)]
    assert [puzzle.text for puzzle in puzzles] == [line[:81] for line in some]
