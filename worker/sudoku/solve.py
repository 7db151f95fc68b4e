"""Grids of any box order, many at a time: texts -> the engine -> outcomes."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from worker.exact_cover import dlx
from worker.exact_cover.problem import Problem
from worker.options import Options
from worker.outcome import Outcomes, least_bound, malformed, seen
from worker.sudoku.symbols import SYMBOLS
from worker.sudoku.target import LARGEST_WEIGHT, rings

T = TypeVar("T")
Integers = NDArray[np.int64]

#: cells of a grid -> its box order
ORDERS = {16: 2, 81: 3, 256: 4, 625: 5}
#: kept solutions that one call of the engine has room for, to begin with
ROWS = 4096

#: from letters to values, 255 for what is none, and back: byte by byte
_VALUES = bytes(SYMBOLS.find(chr(code)) % 256 for code in range(256))
_LETTERS = SYMBOLS.encode().ljust(256)


def solve(texts: Sequence[str], options: Options, slice_seconds: float) -> Iterator[Outcomes]:
    """Outcomes of grids of one length, as `search` gives them."""
    why = _refusal(len(texts[0]), options)
    if why is not None:
        yield _malformed(len(texts), options, why)
        return
    order = ORDERS[len(texts[0])]
    letters = bytearray("".join(texts), "latin-1", "replace")  # arrays that can be written to
    given = np.frombuffer(letters.translate(_VALUES), np.uint8).reshape(len(texts), order**4)
    well_formed = np.all(given <= order**2, axis=1)
    for start, stop in _runs(well_formed):
        if well_formed[start]:
            yield from _Grids(order, given[start:stop], options).run(slice_seconds)
        else:
            why = f"a {order**2}x{order**2} grid holds `.` and {SYMBOLS[1 : order**2 + 1]} only"
            yield _malformed(stop - start, options, why)


def _runs(flags: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Where neighbours agree: from, and up to."""
    return pairwise([0, *(np.flatnonzero(np.diff(flags)) + 1).tolist(), flags.size])


def _malformed(count: int, options: Options, why: str) -> Outcomes:
    return Outcomes.of([malformed(_kind(options), why)] * count)


@lru_cache(maxsize=len(ORDERS))
def board(order: int) -> dlx.Board:
    """What all grids with boxes of `order` x `order` have in common."""
    units = _units(order)
    unit_of = [np.nonzero(np.any(units == c, axis=1))[0] for c in range(order**4)]
    peers = [np.setdiff1d(units[of], c) for c, of in enumerate(unit_of)]
    return dlx.Board(
        np.concatenate([unit_of, peers], axis=1).astype(np.uint32),
        units.astype(np.uint32),
        dlx.Unsigned(order),
    )


def _units(order: int) -> NDArray[np.int64]:
    """The cells of the rows, of the columns and of the boxes."""
    side = order * order
    cell = np.arange(side * side).reshape(side, side)
    boxes = cell.reshape(order, order, order, order).swapaxes(1, 2).reshape(side, side)
    return np.concatenate([cell, cell.T, boxes])


@lru_cache(maxsize=len(ORDERS))
def nodes(order: int) -> dlx.Nodes:
    """What the options of all grids of an order have in common."""
    return dlx.nodes_of(problem(order))[0]


@lru_cache(maxsize=len(ORDERS))
def problem(order: int) -> Problem:
    """The empty grid as an exact cover problem: the cells, then the symbols of each unit."""
    side = order * order
    cells = side * side
    unit = np.argsort(_units(order).reshape(3, cells), axis=1) // side
    symbol = np.arange(side)
    items = [np.repeat(np.arange(cells), side)] + [
        (cells + (way * side + unit[way])[:, None] * side + symbol).ravel() for way in range(3)
    ]
    members = np.stack(items, axis=1).ravel() + 1
    options = cells * side
    return Problem(
        4 * cells,
        4 * cells,
        members.astype(np.uint32),
        np.arange(0, 4 * options + 1, 4, dtype=np.uint32),
        np.zeros(options, np.int64),
    )


class _Grids:
    """A run of grids of one order through the engine."""

    def __init__(self, order: int, given: NDArray[np.uint8], options: Options) -> None:
        self.options = options
        self.order = order
        self.terms = _terms(options)
        self.board = board(order)
        self.marks, self.links, self.dance = _memory(order, min(self.terms.wanted, 16))
        cells = order**4
        rows = min(ROWS, self.terms.wanted * len(given))
        self.grids = dlx.grids(given, _weights(options, cells), rows)

    def run(self, slice_seconds: float) -> Iterator[Outcomes]:
        at, stage = 0, dlx.FRESH
        prices = dlx.prices(4 * self.order**4, self.order**6, 4 * self.order**6)
        while at < len(self.grids.given):
            before = at
            at, stage = dlx.solve_grids(
                self.board,
                self.marks,
                self.links,
                self.dance,
                self.grids,
                self.terms,
                at,
                stage,
                dlx.nanoseconds(slice_seconds),
                prices,
            )
            yield self._outcomes(before, at)
            self._make_room(stage)

    def _make_room(self, stage: int) -> None:
        """For the solutions of the grid that the engine came back with."""
        if stage == dlx.DANCING:
            self.dance = dlx.with_room(self.dance, self.terms.wanted)
        rows = int(self.dance.tally[dlx.KEPT])
        if stage == dlx.WRITING and rows > len(self.grids.kept):
            self.grids = self.grids._replace(
                kept=np.zeros((rows, self.order**4), np.uint8), costs=np.zeros(rows, np.int64)
            )

    def _outcomes(self, start: int, stop: int) -> Outcomes:
        """What the last call of the engine found out of these grids."""
        report = self.grids.report[start:stop]
        status, found, n_kept, nodes, ns, base, bound = report.T
        complete, times = (status == dlx.EXHAUSTED).tolist(), stop - start
        outcomes = Outcomes(
            kind=(_kind(self.options),) * times,
            size=(self.order**2,) * times,
            clues=np.count_nonzero(self.grids.given[start:stop], axis=1).tolist(),
            solutions=found.tolist(),
            complete=complete,
            timed_out=(status == dlx.TIMED_OUT).tolist(),
            texts=_apart(self._texts(int(n_kept.sum())), n_kept),
            scores=((),) * times,
            bound=(None,) * times,
            nodes=nodes.tolist(),
            ns=ns.tolist(),
            detail=(None,) * times,
        )
        return self._scored(outcomes, n_kept, base, bound) if self.options.target else outcomes

    def _texts(self, rows: int) -> list[str]:
        """The kept solutions that the last call of the engine wrote down."""
        cells = self.order**4
        letters = self.grids.kept[:rows].tobytes().translate(_LETTERS).decode()
        return [letters[k : k + cells] for k in range(0, len(letters), cells)]

    def _scored(
        self, outcomes: Outcomes, n_kept: Integers, base: Integers, bound: Integers
    ) -> Outcomes:
        """The outcomes of targets."""
        shortfall = self.grids.costs[: n_kept.sum()]
        kept = ((np.repeat(base, n_kept) - shortfall) // dlx.POINT).tolist()
        scores = _apart(kept, n_kept)
        bounds = map(least_bound, (bound // dlx.POINT).tolist(), outcomes.complete, scores)
        found = outcomes.solutions
        if not self.options.every:
            found = [seen(some, self.options) for some in scores]
        return outcomes._replace(scores=scores, bound=list(bounds), solutions=found)


def _apart(kept: Sequence[T], n_kept: Integers) -> list[tuple[T, ...]]:
    """Those of each grid; nearly always one, which is worth a way of its own."""
    if np.all(n_kept == 1):
        return list(zip(kept, strict=True))
    ends = np.cumsum(n_kept).tolist()
    return [tuple(kept[start:end]) for start, end in pairwise([0, *ends])]


def _kind(options: Options) -> str:
    return "target" if options.target else "sudoku"


def _refusal(cells: int, options: Options) -> str | None:
    """Why a grid of so many cells cannot be solved at all."""
    if cells not in ORDERS:
        return f"no grid has {cells} cells"
    weights = options.weights if options.target else None
    if weights is not None and len(weights) != cells:
        return f"there are {len(weights)} weights for a grid of {cells} cells"
    if weights is not None and max(map(abs, weights)) > LARGEST_WEIGHT:
        return f"a weight is beyond ±{LARGEST_WEIGHT:,}"
    return None


def _terms(options: Options) -> dlx.Terms:
    return dlx.asked(
        limit=None if options.target else options.limit,
        keep=options.keep,
        prune=options.target and not options.every,
        timeout=options.timeout,
        step=dlx.POINT,
        costly=options.target,
    )


def _weights(options: Options, cells: int) -> NDArray[np.int64]:
    if not options.target:
        return np.zeros(cells, np.int64)
    if options.weights is None:
        return rings(round(cells**0.5))
    return np.array(options.weights, np.int64)


def _memory(order: int, room: int) -> tuple[dlx.Marks, dlx.Links, dlx.Dance]:
    """The arrays of one run."""
    side = order * order
    links = dlx.room(problem(order), nodes(order), 4 * side**2 + 1)
    return dlx.marks(side), links, dlx.dance(side**2, room)
