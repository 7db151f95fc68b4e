"""Turns puzzles into answers, without using the queue or the database.

The solver is called in slices of time, watched by the watchdog; every error of it is SolverFailed.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import compress, count, repeat, zip_longest
from math import inf
from typing import NamedTuple

from storage.values import (
    NO_FACTS,
    WRONG_ANSWER,
    Answer,
    Answers,
    Facts,
    Kept,
    Kind,
    Puzzle,
    Puzzles,
    Status,
)
from worker.attempt.isolation import CHECK_SECONDS, watching
from worker.checking.outcomes import fault, faults
from worker.errors import SolverFailed
from worker.facts.facts import facts_of_texts
from worker.options import Options
from worker.outcome import Incumbent, Known, Outcome, Outcomes, Rest, Search, SearchPart, Turn
from worker.solve import search, search_part

#: puzzles whose facts are found at a time
FACTS_AT_A_TIME = 500


class Lasting(NamedTuple):
    """A puzzle whose search has used up its budget."""

    puzzle: Puzzle
    outcome: Outcome  #: what was found so far
    rest: Rest  #: what is left


class Results(NamedTuple):
    """What one slice of time brought for the next puzzles of a chunk."""

    answers: Answers
    lasting: tuple[Lasting, ...] = ()
    facts: Mapping[int, Facts] = NO_FACTS  #: of puzzles by their ids, if they are asked for

    @property
    def puzzles(self) -> int:
        """The number of puzzles."""
        return len(self.answers.id) + len(self.lasting)


@dataclass(frozen=True, slots=True)
class Solver:
    """Solves puzzles that are of one kind and have the same options."""

    kind: Kind
    options: Options
    silence: float  #: seconds within which a slice must end, or the watchdog ends the process
    budget: float = inf  #: seconds after which the search for one puzzle is divided into parts
    search: Search = search
    search_part: SearchPart = search_part

    def run(self, puzzles: Puzzles) -> Generator[Results]:
        """Yield the results of `puzzles` in their order, many at a time.

        Yields at least about four times a second, without puzzles if there are none yet, so that
        the caller can check the clock and cancellation.  Closing the generator abandons the rest.
        Raises SolverFailed for any error of the solver, lack of memory and wrong answers included.
        """
        texts, answered = puzzles.texts, 0
        with closing(self.search(self.kind, texts, self.options, budget=self.budget)) as slices:
            while True:
                with self._slice():
                    outcomes = next(slices, None)
                if outcomes is None:
                    return
                some = slice(answered, answered + len(outcomes.ns))
                answered = some.stop
                self._check(texts[some], outcomes)
                results = _results(puzzles[some], outcomes)
                if self.options.classes or self.options.facts:
                    for piece in _pieces(results):
                        yield from self._with_facts(piece)
                else:
                    yield results

    def _with_facts(self, results: Results) -> Iterator[Results]:
        """Yield results with the facts of their puzzles, after results without puzzles."""
        found, lasting = results.answers, [one.puzzle for one in results.lasting]
        ids = [*found.id, *(puzzle.id for puzzle in lasting)]
        if self.kind is Kind.COVER or not ids:
            yield results
            return
        each = zip(found.solution, found.solutions, found.complete, strict=True)
        grids = [one if is_whole and number == 1 else None for one, number, is_whole in each]
        grids += repeat(None, len(lasting))
        puzzles = [*found.puzzle, *(puzzle.text for puzzle in lasting)]
        slices = facts_of_texts(puzzles, grids, self.options)
        while True:
            with self._slice():
                facts = next(slices)
            if facts:
                break
            yield Results(Answers.of([]))
        known = {id_: one for id_, one in zip(ids, facts, strict=True) if any(one)}
        yield results._replace(facts=known)

    def only(self, puzzle: Puzzles) -> Results:
        """Return the results of a single puzzle; raises SolverFailed as `run` does."""
        *_, last = (results for results in self.run(puzzle) if results.puzzles)
        return last

    def turn(
        self,
        text: str,
        setup: str,
        levels: str,
        seconds: float,
        incumbent: Incumbent,
        must_end: Callable[[], bool],
        known: Known | None = None,
    ) -> Turn:
        """Search a part of a puzzle for a turn of `seconds`, and return what that brought.

        The turn ends early after `must_end()`, which is called several times a second, returns
        True.  Raises SolverFailed as `run` does.
        """
        given = (self.kind, text, self.options, setup, levels, seconds, incumbent)
        turn, ends = None, None
        with closing(self.search_part(*given, min(seconds, CHECK_SECONDS), known)) as slices:
            while turn is None:
                with self._slice():
                    turn = slices.send(ends)
                ends = turn is None and must_end()
        kept = [(one.text, one.score) for one in turn.kept]
        if what := fault(self.kind, text, self.options, kept):
            raise SolverFailed(WRONG_ANSWER + what)
        return turn

    def _check(self, texts: Sequence[str], outcomes: Outcomes) -> None:
        """Raise SolverFailed if an outcome is wrong."""
        for what in faults(self.kind, texts, self.options, outcomes).values():
            raise SolverFailed(WRONG_ANSWER + what)

    @contextmanager
    def _slice(self) -> Iterator[None]:
        """Watch one slice, and raise its errors as SolverFailed."""
        try:
            with watching(self.silence):
                yield
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


def _results(puzzles: Puzzles, outcomes: Outcomes) -> Results:
    answers = answers_of(puzzles, outcomes)
    if not any(outcomes.rest):
        return Results(answers)
    rows = zip(puzzles, outcomes.rows(), strict=True)
    lasting = tuple(Lasting(puzzle, row, row.rest) for puzzle, row in rows if row.rest)
    return Results(answers.without({one.puzzle.id for one in lasting}), lasting)


def _pieces(results: Results) -> Iterator[Results]:
    """Yield the results some at a time: finding the facts of all of them may take minutes."""
    if results.lasting or results.puzzles <= FACTS_AT_A_TIME:
        yield results
        return
    for start in range(0, results.puzzles, FACTS_AT_A_TIME):
        some = slice(start, start + FACTS_AT_A_TIME)
        yield Results(Answers._make(column[some] for column in results.answers))


def answers_of(puzzles: Puzzles, outcomes: Outcomes) -> Answers:
    """Return the answers to puzzles from their outcomes, which are in the same order."""
    texts, scores = outcomes.texts, outcomes.scores
    return Answers(
        id=puzzles.ids,
        position=puzzles.positions,
        label=puzzles.labels or (None,) * len(puzzles),
        kind=outcomes.kind,
        size=outcomes.size,
        clues=outcomes.clues,
        puzzle=puzzles.texts,
        status=_status(outcomes),
        solutions=outcomes.solutions,
        complete=outcomes.complete,
        solution=[some[0] if some else None for some in texts],
        score=[some[0] if some else None for some in scores],
        bound=outcomes.bound,
        nodes=outcomes.nodes,
        ms=[ns / 1e6 for ns in outcomes.ns],
        detail=outcomes.detail,
        option_counts=outcomes.option_counts,
        further=[
            _further(some, scored) if len(some) > 1 else ()
            for some, scored in zip(texts, scores, strict=True)
        ],
    )


def _status(outcomes: Outcomes) -> list[Status]:
    solved, none = Status.SOLVED, Status.NONE  # looking up a member takes longer than the rest
    status = [solved if some else none for some in outcomes.texts]
    for index in _true_indexes(outcomes.timed_out):
        status[index] = Status.TIMEOUT
    for index in _true_indexes(outcomes.detail):
        if outcomes.solutions[index] is None:
            status[index] = Status.INVALID
    return status


def _true_indexes(column: Sequence[object]) -> Iterator[int]:
    return compress(count(), column)


def _further(texts: Sequence[str], scores: Sequence[int | None]) -> tuple[Kept, ...]:
    """Return the kept solutions after the first, which is the answer's own."""
    kept = zip_longest(scores[1:], texts[1:])
    return tuple(Kept(rank, score, text) for rank, (score, text) in enumerate(kept, start=2))
