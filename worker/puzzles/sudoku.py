"""Grids of any box order, many at a time: texts -> the engine -> outcomes."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, repeat

import numpy as np
from numpy.typing import NDArray

from worker.exact_cover import dlx
from worker.exact_cover.problem import Problem
from worker.puzzles.options import Options
from worker.puzzles.outcome import Outcome, Solution, malformed
from worker.puzzles.target import LARGEST_WEIGHT, least_bound, rings, seen

#: an empty cell, and the values from 1 on
SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"
#: cells of a grid -> its box order
ORDERS = {16: 2, 81: 3, 256: 4, 625: 5}
#: kept solutions that one call of the engine has room for, to begin with
ROWS = 4096

_LETTERS = np.frombuffer(SYMBOLS.encode(), np.uint8)
_VALUES = np.full(256, 255, np.uint8)
_VALUES[_LETTERS] = np.arange(len(SYMBOLS))


def solve(texts: Sequence[str], options: Options, slice_seconds: float) -> Iterator[list[Outcome]]:
    """Outcomes of grids of one length, as `search` gives them."""
    why = _refusal(len(texts[0]), options)
    if why is not None:
        yield [malformed(_kind(options), why) for _ in texts]
        return
    order = ORDERS[len(texts[0])]
    given = _VALUES[np.frombuffer("".join(texts).encode("latin-1", "replace"), np.uint8)]
    given = given.reshape(len(texts), order**4)
    well_formed = np.all(given <= order**2, axis=1).tolist()
    for good, run in groupby(range(len(texts)), well_formed.__getitem__):
        places = list(run)
        if good:
            yield from _Grids(order, given[places[0] : places[-1] + 1], options).run(slice_seconds)
        else:
            why = f"a {order**2}x{order**2} grid holds `.` and {SYMBOLS[1 : order**2 + 1]} only"
            yield [malformed(_kind(options), why) for _ in places]


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

    def run(self, slice_seconds: float) -> Iterator[list[Outcome]]:
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

    def _outcomes(self, start: int, stop: int) -> list[Outcome]:
        """What the last call of the engine found out of these grids."""
        if start == stop:
            return []
        report = self.grids.report[start:stop]
        clues = np.count_nonzero(self.grids.given[start:stop], axis=1).tolist()
        texts = self._texts(int(report[-1, dlx.ROW] + report[-1, dlx.N_KEPT]))
        if self.options.target:
            return [self._best(*told, texts) for told in zip(report.tolist(), clues, strict=True)]
        status, found, _, nodes, ns = report[:, : dlx.N_NS + 1].T
        columns = (found, status == dlx.EXHAUSTED, status == dlx.TIMED_OUT)
        return list(
            map(
                Outcome,
                repeat("sudoku"),
                repeat(self.order**2),
                clues,
                *(column.tolist() for column in columns),
                _kept(report, list(map(Solution, texts, repeat(None)))),
                repeat(None),
                nodes.tolist(),
                ns.tolist(),
            )
        )

    def _texts(self, rows: int) -> list[str]:
        """The kept solutions that the last call of the engine wrote down."""
        cells = self.order**4
        letters = _LETTERS[self.grids.kept[:rows]].tobytes().decode()
        return [letters[k : k + cells] for k in range(0, len(letters), cells)]

    def _best(self, report: list[int], clues: int, texts: list[str]) -> Outcome:
        """The outcome of a target."""
        status, found, n_kept, nodes, ns, row, base, bound = report
        complete = status == dlx.EXHAUSTED
        kept = tuple(
            Solution(texts[k], (base - int(self.grids.costs[k])) // dlx.POINT)
            for k in range(row, row + n_kept)
        )
        return Outcome(
            kind="target",
            size=self.order**2,
            clues=clues,
            solutions=found if self.options.every else seen(kept, self.options),
            complete=complete,
            timed_out=status == dlx.TIMED_OUT,
            kept=kept,
            bound=least_bound(bound // dlx.POINT, complete, kept),
            nodes=nodes,
            ns=ns,
        )


def _kept(report: NDArray[np.int64], solutions: list[Solution]) -> Iterable[tuple[Solution, ...]]:
    """The kept solutions of each grid; nearly always one, which is worth a way of its own."""
    if np.all(report[:, dlx.N_KEPT] == 1):
        return zip(solutions, strict=True)
    rows = report[:, [dlx.ROW, dlx.N_KEPT]].tolist()
    return [tuple(solutions[row : row + n_kept]) for row, n_kept in rows]


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
