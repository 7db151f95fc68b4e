"""Run a chunk: puzzles in, answers out.  No Celery and no database in it."""

from collections.abc import Generator, Sequence
from contextlib import closing

from storage.values import Answer, Kept, Puzzle, Status
from worker.puzzles.options import Options
from worker.puzzles.search import Outcome, search


def run(puzzles: Sequence[Puzzle], options: Options) -> Generator[list[Answer]]:
    """Answers in the order of `puzzles`, a few at a time.

    Control comes back about four times a second, perhaps with an empty list, so that the
    caller can look at clock and cancellation; closing the generator abandons the rest.
    """
    waiting = iter(puzzles)
    with closing(search([puzzle.text for puzzle in puzzles], options)) as slices:
        for outcomes in slices:
            yield [_answer(next(waiting), outcome) for outcome in outcomes]


def failed(puzzle: Puzzle, options: Options, detail: str) -> Answer:
    """The answer to a puzzle that the solver died on."""
    cover = puzzle.text.startswith("{")
    return Answer(
        id=puzzle.id,
        position=puzzle.position,
        label=puzzle.label,
        kind="cover" if cover else "target" if options.target else "sudoku",
        size=None if cover else round(len(puzzle.text) ** 0.5),
        clues=None if cover else len(puzzle.text) - puzzle.text.count("."),
        puzzle=puzzle.text,
        status=Status.FAILED,
        detail=detail,
    )


def _answer(puzzle: Puzzle, outcome: Outcome) -> Answer:
    first = outcome.kept[0] if outcome.kept else None
    return Answer(
        id=puzzle.id,
        position=puzzle.position,
        label=puzzle.label,
        kind=outcome.kind,
        size=outcome.size,
        clues=outcome.clues,
        puzzle=puzzle.text,
        status=_status(outcome),
        solutions=outcome.solutions,
        complete=outcome.complete,
        solution=first.text if first else None,
        score=first.score if first else None,
        bound=outcome.bound,
        nodes=outcome.nodes,
        ms=outcome.ns / 1e6,
        detail=outcome.detail,
        further=tuple(
            Kept(rank, kept.score, kept.text) for rank, kept in enumerate(outcome.kept[1:], start=2)
        ),
    )


def _status(outcome: Outcome) -> Status:
    if outcome.detail is not None:
        return Status.INVALID
    if outcome.timed_out:
        return Status.TIMEOUT
    return Status.SOLVED if outcome.kept else Status.NONE
