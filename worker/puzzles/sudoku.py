"""Grids of any box order, many at a time: texts -> the engine -> outcomes."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from worker.exact_cover import dlx
from worker.puzzles.options import Options
from worker.puzzles.outcome import Outcome, Solution, malformed
from worker.puzzles.target import rings

#: an empty cell, and the values from 1 on
SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"
#: cells of a grid -> its box order
ORDERS = {16: 2, 81: 3, 256: 4, 625: 5}
#: bytes that the kept grids of one call of the engine may take
ROOM = 1 << 24

_LETTERS = np.frombuffer(SYMBOLS.encode(), np.uint8)
_VALUES = np.full(256, 255, np.uint8)
_VALUES[_LETTERS] = np.arange(len(SYMBOLS))


def solve(texts: Sequence[str], options: Options, slice_seconds: float) -> Iterator[list[Outcome]]:
    """Outcomes of grids of one length, as `search` gives them."""
    order = ORDERS.get(len(texts[0]))
    if order is None:
        yield [malformed("sudoku", f"no grid has {len(text)} cells") for text in texts]
        return
    kept = _kept(options)
    step = max(1, ROOM // (kept * len(texts[0])))
    for start in range(0, len(texts), step):
        yield from _Grids(order, texts[start : start + step], options, kept).run(slice_seconds)


@lru_cache(maxsize=len(ORDERS))
def board(order: int) -> dlx.Board:
    """What all grids with boxes of `order` x `order` have in common."""
    side = order * order
    cell = np.arange(side * side).reshape(side, side)
    boxes = cell.reshape(order, order, order, order).swapaxes(1, 2).reshape(side, side)
    units = np.concatenate([cell, cell.T, boxes])
    unit_of = [np.nonzero(np.any(units == c, axis=1))[0] for c in cell.flat]
    peers = [np.setdiff1d(units[unit_of[c]], c) for c in cell.flat]
    symbol = np.zeros(37, np.uint8)
    symbol[[2**s % 37 for s in range(side)]] = np.arange(side)
    return dlx.Board(
        np.concatenate([unit_of, peers], axis=1).astype(np.uint32),
        units.astype(np.uint32),
        symbol,
    )


class _Grids:
    """A run of grids of one order through the engine."""

    def __init__(self, order: int, texts: Sequence[str], options: Options, kept: int) -> None:
        self.texts = texts
        self.options = options
        self.side = order * order
        self.cells = self.side**2
        self.given = _VALUES[np.frombuffer("".join(texts).encode("latin-1", "replace"), np.uint8)]
        self.given = self.given.reshape(len(texts), self.cells)
        self.bad: NDArray[np.bool_] = np.any(self.given > self.side, axis=1)
        self.board = board(order)
        self.marks, self.links, self.dance = _memory(order, kept)
        self.grids = dlx.Grids(
            np.where(self.given > self.side, 0, self.given).astype(np.uint8),
            _weights(options, self.cells),
            np.zeros((len(texts), 6), np.int64),
            np.zeros((len(texts), kept, self.cells), np.uint8),
            np.zeros((len(texts), kept), np.int64),
        )

    def run(self, slice_seconds: float) -> Iterator[list[Outcome]]:
        at, paused, pair = 0, False, np.zeros(2, np.int64)
        while at < len(self.texts):
            before = at
            at, paused = dlx.solve_grids(
                self.board,
                self.marks,
                self.links,
                self.dance,
                self.grids,
                at,
                paused,
                _limit(self.options),
                self.options.target and not self.options.every,
                int(slice_seconds * 1e9),
                int(self.options.timeout * 1e9),
                pair,
            )
            yield self._outcomes(before, at)

    def _outcomes(self, start: int, stop: int) -> list[Outcome]:
        clues = np.count_nonzero(self.given[start:stop], axis=1).tolist()
        letters = _LETTERS[self.grids.kept[start:stop]]
        reports = self.grids.report[start:stop].tolist()
        return [
            malformed(self._kind, "a grid holds `.`, digits and letters only")
            if self.bad[start + k]
            else self._outcome(start + k, reports[k], letters[k], clues[k])
            for k in range(stop - start)
        ]

    def _outcome(
        self, at: int, report: list[int], letters: NDArray[np.uint8], clues: int
    ) -> Outcome:
        status, found, n_kept, nodes, ns, base = report
        target = self.options.target
        complete = status == dlx.EXHAUSTED
        kept = tuple(
            Solution(
                letters[rank].tobytes().decode(),
                base - int(self.grids.costs[at, rank]) if target else None,
            )
            for rank in range(n_kept)
        )
        return Outcome(
            kind=self._kind,
            size=self.side,
            clues=clues,
            solutions=None if target and not self.options.every and kept else found,
            complete=complete,
            timed_out=status == dlx.TIMED_OUT,
            kept=kept,
            bound=_bound(base, complete, kept) if target else None,
            nodes=nodes,
            ns=ns,
        )

    @property
    def _kind(self) -> str:
        return "target" if self.options.target else "sudoku"


def _kept(options: Options) -> int:
    if options.target or options.limit is None:
        return options.keep
    return min(options.keep, options.limit)


def _bound(base: int, complete: bool, kept: tuple[Solution, ...]) -> int | None:
    """The most that any completion scores: the best score where all were searched."""
    if not complete:
        return base
    return kept[0].score if kept else None


def _limit(options: Options) -> int:
    """As the engine counts: a number that is never reached means no limit."""
    return -1 if options.target or options.limit is None else options.limit


def _weights(options: Options, cells: int) -> NDArray[np.int64]:
    if not options.target:
        return np.zeros(cells, np.int64)
    if options.weights is None:
        return rings(round(cells**0.5))
    return np.array(options.weights, np.int64)


def _memory(order: int, kept: int) -> tuple[dlx.Marks, dlx.Links, dlx.Dance]:
    """The arrays of one run."""
    side = order * order
    cells, items, options = side**2, 4 * side**2, side**3
    marks = dlx.Marks(*(np.zeros(n, np.uint32) for n in (cells, 3 * side, cells, items)))
    return marks, dlx.empty_links(items, options, 4 * options), dlx.dance(cells, kept)
