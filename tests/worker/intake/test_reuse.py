"""Reuse of earlier answers: known puzzles are not solved again, and their answers are equal."""

from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import Engine

from storage import batches, packing
from storage.batches import Batch
from storage.database import read, write
from storage.outbox import leases, publishing, recovery
from storage.queries.answers import further_solutions, select_answers
from storage.queries.progress import is_finished, read_progress
from storage.values import Answers, Puzzle
from storage.view import AnswerRow
from tests.storage.harness import take_chunk
from tests.sudoku import grids
from tests.worker.conftest import QUEUE, submit
from worker.attempt.solver import Solver
from worker.options import Options

SOLVED = "1234341221434321"
SEVERAL = "1.......2...4..1"  #: three solutions
NONE = "11.............."
WEIGHTS = tuple(range(16))
#: columns in which an answer and its copy may differ
OWN_COLUMNS = {
    "id",
    "batch",
    "position",
    "label",
    "nodes",
    "ms",
    "worker",
    "attempts",
    "solved_at",
    "detail",
}


def solve(engine: Engine, options: Options) -> list[Puzzle]:
    """Solve all waiting chunks as a worker does, and return their puzzles."""
    solved: list[Puzzle] = []
    with write(engine) as connection:
        for chunk in publishing.claim_new(connection, QUEUE, 1 << 24):
            puzzles = packing.unpack(chunk.puzzles)
            taken = take_chunk(connection, chunk.id, "box-1")
            assert taken is not None
            run = Solver(taken.kind, options, 60.0).run(puzzles)
            found = Answers.joined([results.answers for results in run])
            leases.store_answers(connection, taken, found, "box-1", done=True)
            solved += puzzles
    return solved


def answers_of(engine: Engine, batch: Batch) -> list[AnswerRow]:
    with read(engine) as connection:
        return list(select_answers(connection, batch=batch.id))


def common_columns(found: list[AnswerRow]) -> list[dict[str, object]]:
    return [{k: v for k, v in line.named().items() if k not in OWN_COLUMNS} for line in found]


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(limit=None, keep=5),
        Options(target=True, weights=WEIGHTS, keep=3),
        Options(target=True, weights=WEIGHTS, every=True),
    ],
    ids=["default", "all", "target", "every"],
)
def test_reused_answers_equal_those_of_solving_again(
    engine: Engine, tmp_path: Path, options: Options
) -> None:
    lines = f"{SEVERAL} a\n{NONE}\n{'.' * 16}\n12..............\n"
    first = submit(engine, lines, tmp_path, options)
    solve(engine, options)
    again = submit(engine, lines.replace(" a", " b"), tmp_path, options, reuse=True)
    assert solve(engine, options) == []
    old, new = answers_of(engine, first), answers_of(engine, again)
    assert common_columns(old) == common_columns(new)
    assert [line.label for line in new] == ["b", None, None, None]
    assert [line.position for line in new] == [1, 2, 3, 4]
    assert [line.detail for line in new] == [f"as puzzle {line.id}" for line in old]
    assert {(line.worker, line.attempts, line.ms, line.nodes) for line in new} == {
        (None, 0, None, None)
    }
    with read(engine) as connection:
        for before, after in zip(old, new, strict=True):
            assert further_solutions(connection, before.id) == further_solutions(
                connection, after.id
            )
        progress = read_progress(connection, again.id)
    assert (progress.answered, progress.batch.options["reused"]) == (4, 4)


def test_only_new_puzzles_are_solved_and_every_puzzle_has_one_answer(
    engine: Engine, tmp_path: Path
) -> None:
    some = list(islice(grids(5, 30), 40))
    submit(engine, "\n".join(some[:25:2]), tmp_path)
    solve(engine, Options())
    mixed = [*some[20:], some[0], "bad" + some[1][3:], *some[:20], some[0]]
    files = ["\n".join(mixed[at : at + 7]) for at in range(0, len(mixed), 7)]
    batch = submit(engine, files, tmp_path, reuse=True, portion_puzzles=7)
    known = {*some[:25:2]}
    assert [puzzle.text for puzzle in solve(engine, Options())] == [
        text for text in mixed if text in some and text not in known
    ]
    found = answers_of(engine, batch)
    assert [line.id for line in found] == [*range(batch.first_id, batch.last_id + 1)]
    assert [line.puzzle for line in found] == mixed
    assert batch.options["reused"] == sum(text in known for text in mixed)
    assert sum(line.attempts == 0 and line.status == "solved" for line in found) == 15
    assert [line.status for line in found].count("invalid") == 1


def test_answers_are_reused_only_on_request_and_with_equal_options(
    engine: Engine, tmp_path: Path
) -> None:
    submit(engine, SEVERAL, tmp_path)
    solve(engine, Options())
    for options in (Options(limit=3), Options(keep=2), Options(target=True, weights=WEIGHTS)):
        batch = submit(engine, SEVERAL, tmp_path, options, reuse=True)
        assert batch.options["reused"] == 0
        assert len(solve(engine, options)) == 1
    assert "reused" not in submit(engine, SEVERAL, tmp_path).options
    assert len(solve(engine, Options())) == 1


def test_answers_are_reused_despite_another_time_limit(engine: Engine, tmp_path: Path) -> None:
    submit(engine, SEVERAL, tmp_path, Options(timeout=1.0))
    solve(engine, Options())
    assert (
        submit(engine, SEVERAL, tmp_path, Options(timeout=9.0), reuse=True).options["reused"] == 1
    )


def test_counts_are_reused_whatever_memory_they_took(engine: Engine, tmp_path: Path) -> None:
    small, large = (Options(limit=None, count=True, memory=memory) for memory in (1 << 20, 1 << 30))
    submit(engine, SEVERAL, tmp_path, small)
    solve(engine, small)
    assert submit(engine, SEVERAL, tmp_path, large, reuse=True).options["reused"] == 1
    visited = submit(engine, SEVERAL, tmp_path, Options(limit=None), reuse=True)
    assert visited.options["reused"] == 0


def test_a_batch_of_reused_answers_is_complete_and_cannot_be_cancelled(
    engine: Engine, tmp_path: Path
) -> None:
    submit(engine, SEVERAL, tmp_path)
    solve(engine, Options())
    batch = submit(engine, SEVERAL, tmp_path, reuse=True)
    with write(engine) as connection:
        assert is_finished(connection, batch.id)
        assert not batches.cancel(connection, batch.id)
        assert recovery.retry(connection, batch.id, queue=QUEUE) == 0
