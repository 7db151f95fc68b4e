"""Solves puzzles in this process, with neither a database nor a queue."""

from collections.abc import Iterator, Sized
from typing import Unpack

from bullseye.answers import Answers
from bullseye.options import SearchOptions, checked, search_options
from bullseye.puzzles import Puzzles, open_puzzles
from storage import values
from worker.formats.entry import Block
from worker.options import Options


def solve(puzzles: Puzzles, **search: Unpack[SearchOptions]) -> Answers:
    """Solve puzzles in this process, and return their answers in the same order.

    `puzzles` may be a text, the path of a file, an iterable of texts, a NumPy array, a DataFrame,
    or exact covers as lists of sets: see `bullseye.puzzles.open_puzzles`.

    - `limit`: stop after this many solutions of a puzzle, by default 2; None finds all
    - `target`: find the solution with the highest score, or the cover with the lowest cost
    - `weights`: with `target`, a whole number for each cell, row by row; by default 6 at the border
      of a 9x9 grid to 10 in the centre
    - `every`: with `target`, visit every solution, so that they are counted
    - `keep`: how many solutions of a puzzle to keep, by default 1; with `target` the best
    - `timeout`: seconds for each puzzle, by default 30; what was found by then is kept
    - `set_cover`: find the fewest or cheapest options that cover items once or more
    - `at_most`: with `set_cover`, find a cover of this number of options, or of this cost, or less
    - `sample`: with `limit=None`, keep this number of solutions, each drawn from all at random
    - `seed`: another seed draws other solutions
    - `per_option`: with `limit=None`, also count the solutions with each option, or each symbol in
      each cell: `option_counts` of an answer is a JSON text

    Raises PuzzleError if one of them is no puzzle, and BadUsage if the options do not suit the
    puzzles; nothing is solved then.  The first call on a machine compiles the solver, which takes
    about ten seconds.

    >>> solve("12...4.....3..2.")[0].grid.tolist()
    [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
    >>> solve([{1, 4, 7}, {1, 4}, {4, 5, 7}, {3, 5, 6}, {2, 3, 6, 7}, {2, 7}])[0].chosen
    (1, 3, 5)
    """
    options = search_options(**search)
    if isinstance(puzzles, Sized) and not isinstance(puzzles, str) and not len(puzzles):
        return Answers(values.Answers.of([]))
    with open_puzzles(puzzles) as source:
        blocks = list(checked(source.name, source.blocks(), options))
    found = values.Answers.joined(list(_solved(blocks, options)))
    return Answers(found, _extras(blocks))


def _extras(blocks: list[Block]) -> list[str | None] | None:
    if not any(any(block.extras or ()) for block in blocks):
        return None
    return [one for block in blocks for one in block.extras or [None] * block.count]


def _solved(blocks: list[Block], options: Options) -> Iterator[values.Answers]:
    """Yield the answers to the puzzles of each block, some at a time."""
    from worker.attempt.solver import answers_of  # noqa: PLC0415 # loads NumPy
    from worker.solve import search  # noqa: PLC0415

    first = 1
    for block in blocks:
        assert block.kind is not None, "`checked` raises for a block of errors"  # noqa: S101
        positions = range(first, first + block.count)
        puzzles = values.Puzzles(block.kind, positions, block.labels, block.texts())
        done = 0
        for outcomes in search(block.kind, puzzles.texts, options):
            some = slice(done, done + len(outcomes.ns))
            yield answers_of(puzzles[some], outcomes)
            done = some.stop
        first += block.count
