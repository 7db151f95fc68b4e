"""Run a chunk: puzzles in, answers out.  No Celery and no database in it."""

from collections.abc import Generator, Sequence
from contextlib import closing

from storage.values import Answer, Kept, Puzzle, Status
from worker.errors import SolverFailed
from worker.puzzles.options import Options
from worker.puzzles.search import Outcome, Solution, search
from worker.watchdog import watched


def run(puzzles: Sequence[Puzzle], options: Options, silence: float) -> Generator[list[Answer]]:
    """Answers in the order of `puzzles`, a few at a time.

    Control comes back about four times a second, perhaps with an empty list, so that the
    caller can look at clock and cancellation; closing the generator abandons the rest.  Where
    it does not come back for `silence` seconds, the process ends.  Whatever the solver raises,
    lack of memory included, is SolverFailed.
    """
    waiting = iter(puzzles)
    try:
        with closing(search([puzzle.text for puzzle in puzzles], options)) as slices:
            for outcomes in watched(slices, silence):
                yield [_answer(next(waiting), outcome) for outcome in outcomes]
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


def _answer(puzzle: Puzzle, outcome: Outcome) -> Answer:
    """By position, because this runs for every puzzle: names take three times as long."""
    kind, size, clues, solutions, complete, late, kept, bound, nodes, ns, detail = outcome
    if kept:
        status, (solution, score) = Status.SOLVED, kept[0]
    else:
        status, solution, score = Status.NONE, None, None
    if late:
        status = Status.TIMEOUT
    if detail is not None:
        status = Status.INVALID
    id_, position, label, text = puzzle
    # fmt: off
    return Answer(
        id_, position, label, kind, size, clues, text, status, solutions, complete, solution,
        score, bound, nodes, ns / 1e6, detail, _further(kept) if len(kept) > 1 else (),
    )
    # fmt: on


def _further(kept: Sequence[Solution]) -> tuple[Kept, ...]:
    """Those after the answer's own."""
    return tuple(Kept(rank, one.score, one.text) for rank, one in enumerate(kept[1:], start=2))
