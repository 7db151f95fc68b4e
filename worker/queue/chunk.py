"""Run a chunk: puzzles in, answers out.  No Celery and no database in it."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import compress, count, zip_longest

from storage.values import Answer, Answers, Kept, Puzzle, Status
from worker.errors import SolverFailed
from worker.options import Options
from worker.queue.watchdog import watched
from worker.solve import Outcomes, search


def run(puzzles: Sequence[Puzzle], options: Options, silence: float) -> Generator[Answers]:
    """Answers in the order of `puzzles`, many at a time.

    Control comes back about four times a second, perhaps with none, so that the caller can
    look at clock and cancellation; closing the generator abandons the rest.  Where it does not
    come back for `silence` seconds, the process ends.  Whatever the solver raises, lack of
    memory included, is SolverFailed.
    """
    answered = 0
    try:
        with closing(search([puzzle.text for puzzle in puzzles], options)) as slices:
            for outcomes in watched(slices, silence):
                theirs = puzzles[answered : answered + len(outcomes.ns)]
                answered += len(theirs)
                yield _answers(theirs, outcomes)
    except MemoryError as error:
        raise SolverFailed("the solver ran out of memory") from error
    except Exception as error:
        raise SolverFailed(f"the solver failed: {type(error).__name__}: {error}") from error


def failed(puzzle: Puzzle, options: Options, detail: str) -> Answer:
    """The answer to a puzzle that the solver died of or gave up."""
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
    """What became of each; nearly always the same."""
    status = [Status.SOLVED if some else Status.NONE for some in outcomes.texts]
    for at in _true(outcomes.timed_out):
        status[at] = Status.TIMEOUT
    for at in _true(outcomes.detail):
        status[at] = Status.INVALID
    return status


def _true(column: Sequence[object]) -> Iterator[int]:
    """The places of what is true, or no None."""
    return compress(count(), column)


def _further(texts: Sequence[str], scores: Sequence[int | None]) -> tuple[Kept, ...]:
    """Those after the answer's own."""
    kept = zip_longest(scores[1:], texts[1:])
    return tuple(Kept(rank, score, text) for rank, (score, text) in enumerate(kept, start=2))
