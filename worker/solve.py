"""Solves puzzles of any kind: texts become outcomes, in slices of time."""

import sysconfig
from collections.abc import Callable, Generator, Sequence
from itertools import groupby
from math import inf

from storage.values import Kind
from worker.counting.from_diagram import warm_up as warm_up_counts
from worker.covers import solve as cover
from worker.errors import SettingsError
from worker.estimate.estimate import WARM_UP_PUZZLES
from worker.estimate.estimate import warm_up as warm_up_estimates
from worker.estimate.short import puzzle_of
from worker.exact_cover.parts.frontier import WHOLE, Part, decode
from worker.exact_cover.scores import Setup
from worker.facts import exchanges, survey
from worker.lasting import take_turn
from worker.multiplicity.solve import warm_up as warm_up_multiplicities
from worker.options import Options
from worker.outcome import Fixed, Incumbent, Known, Outcomes, Turn
from worker.proof.write import warm_up as warm_up_proofs
from worker.set_cover.solve import warm_up as warm_up_set_covers
from worker.sudoku import solve as sudoku
from worker.symmetry import forms

if sysconfig.get_config_var("Py_GIL_DISABLED"):  # threads share the tables of compiled functions
    raise SettingsError("this Python is free-threaded", "use one with a global interpreter lock")


def search(
    kind: Kind,
    texts: Sequence[str],
    options: Options,
    slice_seconds: float = 0.25,
    budget: float = inf,
) -> Generator[Outcomes]:
    """Yield the outcomes of puzzles of one kind in the order of `texts`, many at a time.

    Yields at least about every `slice_seconds`, without outcomes if there are none yet, so that the
    caller can check the clock and cancellation.  Closing the generator abandons the rest.

    A puzzle that is not solved after `budget` seconds of wall time is left, and its outcome has a
    `rest` to be searched in parts.
    """
    if kind is Kind.COVER:
        yield from cover.solve(texts, options, slice_seconds, budget)
        return
    for _, same_size in groupby(texts, len):
        yield from sudoku.solve(list(same_size), options, slice_seconds, budget)


def search_part(
    kind: Kind,
    text: str,
    options: Options,
    setup: str,
    levels: str,
    seconds: float,
    incumbent: Incumbent,
    slice_seconds: float = 0.25,
    known: Known | None = None,
) -> Generator[Turn | None, bool | None]:
    """Search one part of a puzzle for a turn of `seconds`.

    Yields None after each slice, and at last what the turn brought.  `setup` is that of `Rest`, and
    `levels` the text of the part; `known` is the best solution so far.  A caller that sends True
    for None ends the turn at once: what it brought comes next.
    """
    puzzle = puzzle_of(kind, text, options)
    given = (puzzle, options, Setup.decode(setup), decode(levels), incumbent, known)
    yield from take_turn(*given, seconds=seconds, slice_seconds=slice_seconds)


def following_round(setup: str, best: int | None) -> tuple[str, Part] | None:
    """Return what is to be searched when all parts have ended: a new setup, and the whole as part.

    `best` is the score that a solution must exceed to be kept, None if any is kept.  Returns None
    if nothing better can be found; so it is whenever scores do not count.
    """
    following = Setup.decode(setup).following(best)
    if following is None:
        return None
    return following.encode(), WHOLE._replace(bound=following.bound)


def warm_up() -> None:
    """Compile what every start of a solving process loads, or load it from the cache.

    That is what 9x9 grids need whose search does not last.
    """
    for _ in search(Kind.SUDOKU, ["." * 81], Options()):
        pass


def warm_up_grids() -> None:
    """Compile what grids of other sizes need in addition, and searches that last."""
    _warm_up_kind(Kind.SUDOKU)


def warm_up_covers() -> None:
    """Compile what cover problems need in addition, or load it from the cache."""
    _warm_up_kind(Kind.COVER)


def _warm_up_kind(kind: Kind) -> None:
    setup, seconds = Setup(1).encode(), 1e-6
    part = (Options(limit=None), setup, WHOLE.levels, seconds, Fixed(None))
    for text in WARM_UP_PUZZLES[kind]:
        for target in (False, True):
            for _ in search(kind, [text], Options(target=target)):
                pass
        for _ in search_part(kind, text, *part):
            pass
    warm_up_estimates(kind)


def warm_up_facts() -> None:
    """Compile what canonical forms and facts of sudokus need, which few batches ask for."""
    forms.warm_up()
    survey.warm_up()
    exchanges.warm_up()


#: each compiles a part of the solver: the first what every start loads, the others what is loaded,
#: or on a new machine compiled, when the first problem of its kind is solved, counted or proven
KERNELS: tuple[Callable[[], None], ...] = (
    warm_up,
    warm_up_grids,
    warm_up_covers,
    warm_up_counts,
    warm_up_set_covers,
    warm_up_multiplicities,
    warm_up_proofs,
    warm_up_facts,
)


def warm_up_all() -> None:
    """Compile the whole solver, or load it from the cache."""
    for kernel in KERNELS:
        kernel()
