"""Turns the puzzles of a chunk into answers, without using the queue or the database."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import compress, count, zip_longest

from storage.values import Answer, Answers, Kept, Kind, Puzzle, Status
from worker.errors import SolverFailed
from worker.options import Options
from worker.outcome import Outcomes, Search
from worker.queue.solving.watchdog import watched
from worker.solve import search


@dataclass(frozen=True, slots=True)
class Solver:
    """Solves the puzzles of one chunk, which are of one kind and have the same options."""

    kind: Kind
    options: Options
    silence: float  #: seconds within which a slice must end, or the watchdog ends the process
    search: Search = search

    def run(self, puzzles: Sequence[Puzzle]) -> Generator[Answers]:
        """Yield the answers to `puzzles` in their order, many at a time.

        Yields at least about four times a second, without answers if there are none yet, so that
        the caller can check the clock and cancellation.  Closing the generator abandons the rest.
        Raises SolverFailed for any error of the solver, lack of memory included.
        """
        texts = [puzzle.text for puzzle in puzzles]
        answered = 0
        try:
            with closing(self.search(self.kind, texts, self.options)) as slices:
                for outcomes in watched(slices, self.silence):
                    solved = puzzles[answered : answered + len(outcomes.ns)]
                    answered += len(solved)
                    yield _answers(solved, outcomes)
        except MemoryError as error:
            raise SolverFailed("the solver ran out of memory") from error
        except Exception as error:
            raise SolverFailed(f"the solver failed: {type(error).__name__}: {error}") from error

    def failed(self, puzzle: Puzzle, detail: str) -> Answer:
        """Return the answer `failed` for a puzzle that the solver could not finish."""
        grid = puzzle.text if self.kind is Kind.SUDOKU else None
        return Answer(
            id=puzzle.id,
            position=puzzle.position,
            label=puzzle.label,
            kind="target" if grid and self.options.target else self.kind,
            size=round(len(grid) ** 0.5) if grid else None,
            clues=len(grid) - grid.count(".") if grid else None,
            puzzle=puzzle.text,
            status=Status.FAILED,
            detail=detail,
        )


def _answers(puzzles: Sequence[Puzzle], outcomes: Outcomes) -> Answers:
    if not puzzles:
        return Answers.of([])
    return answers_of(*zip(*puzzles, strict=True), outcomes=outcomes)


def answers_of(
    ids: Sequence[int],
    positions: Sequence[int],
    labels: Sequence[str | None],
    puzzles: Sequence[str],
    *,
    outcomes: Outcomes,
) -> Answers:
    """Return the answers to puzzles given in columns, from their outcomes in the same order."""
    texts, scores = outcomes.texts, outcomes.scores
    return Answers(
        id=ids,
        position=positions,
        label=labels,
        kind=outcomes.kind,
        size=outcomes.size,
        clues=outcomes.clues,
        puzzle=puzzles,
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
    for index in _true_indexes(outcomes.timed_out):
        status[index] = Status.TIMEOUT
    for index in _true_indexes(outcomes.detail):
        status[index] = Status.INVALID
    return status


def _true_indexes(column: Sequence[object]) -> Iterator[int]:
    return compress(count(), column)


def _further(texts: Sequence[str], scores: Sequence[int | None]) -> tuple[Kept, ...]:
    """Return the kept solutions after the first, which is the answer's own."""
    kept = zip_longest(scores[1:], texts[1:])
    return tuple(Kept(rank, score, text) for rank, (score, text) in enumerate(kept, start=2))
