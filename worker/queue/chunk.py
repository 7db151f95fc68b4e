"""Solves the puzzles of a chunk: puzzles in, answers out, without queue and database."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import compress, count, zip_longest

from storage.values import Answer, Answers, Kept, Kind, Puzzle, Status
from worker.errors import SolverFailed
from worker.options import Options
from worker.queue.watchdog import watched
from worker.solve import Outcomes, search


def run(
    kind: Kind, puzzles: Sequence[Puzzle], options: Options, silence: float
) -> Generator[Answers]:
    """Solve puzzles of one kind and yield their answers, in order and many at a time.

    Yields about four times a second, if only an empty batch of answers, so that the caller can
    check the clock and cancellation.  Closing the generator abandons the rest.  If the solver
    does not come back for `silence` seconds, the watchdog ends the process.  Whatever the solver
    raises becomes SolverFailed.
    """
    answered = 0
    try:
        with closing(search(kind, [puzzle.text for puzzle in puzzles], options)) as slices:
            for outcomes in watched(slices, silence):
                solved = puzzles[answered : answered + len(outcomes.ns)]
                answered += len(solved)
                yield _answers(solved, outcomes)
    except MemoryError as error:
        raise SolverFailed("the solver ran out of memory") from error
    except Exception as error:
        raise SolverFailed(f"the solver failed: {type(error).__name__}: {error}") from error


def failed(kind: Kind, puzzle: Puzzle, options: Options, detail: str) -> Answer:
    """Return the answer `failed` for a puzzle that the solver could not finish."""
    grid = puzzle.text if kind is Kind.SUDOKU else None
    return Answer(
        id=puzzle.id,
        position=puzzle.position,
        label=puzzle.label,
        kind="target" if grid and options.target else kind,
        size=round(len(grid) ** 0.5) if grid else None,
        clues=len(grid) - grid.count(".") if grid else None,
        puzzle=puzzle.text,
        status=Status.FAILED,
        detail=detail,
    )


def _answers(puzzles: Sequence[Puzzle], outcomes: Outcomes) -> Answers:
    if not puzzles:
        return Answers.of([])
    id_, position, label, text = zip(*puzzles, strict=True)
    texts, scores = outcomes.texts, outcomes.scores
    return Answers(
        id=id_,
        position=position,
        label=label,
        kind=outcomes.kind,
        size=outcomes.size,
        clues=outcomes.clues,
        puzzle=text,
        status=_status(outcomes),
        solutions=outcomes.solutions,
        complete=outcomes.complete,
        solution=[some[0] if some else None for some in texts],
        score=[some[0] if some else None for some in scores],
        bound=outcomes.bound,
        nodes=outcomes.nodes,
        ms=[ns / 1e6 for ns in outcomes.ns],
        detail=outcomes.detail,
        further=[
            _further(some, scored) if len(some) > 1 else ()
            for some, scored in zip(texts, scores, strict=True)
        ],
    )


def _status(outcomes: Outcomes) -> list[Status]:
    status = [Status.SOLVED if some else Status.NONE for some in outcomes.texts]
    for index in _true(outcomes.timed_out):
        status[index] = Status.TIMEOUT
    for index in _true(outcomes.detail):
        status[index] = Status.INVALID
    return status


def _true(column: Sequence[object]) -> Iterator[int]:
    """Yield the indexes of the true values."""
    return compress(count(), column)


def _further(texts: Sequence[str], scores: Sequence[int | None]) -> tuple[Kept, ...]:
    """Return the kept solutions after the first, which is the answer's own."""
    kept = zip_longest(scores[1:], texts[1:])
    return tuple(Kept(rank, score, text) for rank, (score, text) in enumerate(kept, start=2))
