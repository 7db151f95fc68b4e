"""The best score of a grid that a first short search did not prove."""

import random
from collections.abc import Generator

import numpy as np

from worker.compiling.jit import Table
from worker.exact_cover.entries import tighten
from worker.exact_cover.rounds import NEAR_NODE_LIMIT, Rounds
from worker.exact_cover.state import FULL, PAUSED, UNBOUNDED
from worker.sudoku.batch import Batch
from worker.sudoku.entries import NEW_ROUND, WRITING, Round
from worker.sudoku.neighbourhood import neighbourhood


class GridRounds(Rounds):
    """Rounds for the grid that a batch is at."""

    def __init__(self, batch: Batch) -> None:
        report = batch.report
        super().__init__(batch.terms, batch.search, int(report.dual), int(report.bound))
        self._batch = batch
        self._chance = random.Random(0)  # noqa: S311 # the same searches in every run

    def tighten(self) -> tuple[int, int]:
        """Improve the multipliers, as `Rounds` defines it."""
        batch = self._batch
        timeout_ns = batch.timeout_ns - int(batch.report.ns)
        rise, highest, ns = tighten(batch.links, batch.dual, timeout_ns)
        batch.report.ns += ns
        return int(rise), int(highest)

    def search_within(self, reach: int, node_limit: int) -> Generator[None, None, int]:
        """Search within a reach, as `Rounds` defines it."""
        return self._search(self._batch.marks.candidates, reach, node_limit)

    def search_near(self) -> Generator[None, None, int]:
        """Search near the best cover, as `Rounds` defines it."""
        batch, kept = self._batch, self.search.kept
        side = batch.board.units.shape[1]
        self.freed = max(2, min(side, self.freed))
        best = int(np.argmin(kept.cost[: self.search.state.kept]))
        solution = kept.options[best, : kept.length[best]]
        candidates = batch.marks.candidates
        near = neighbourhood(batch.board, candidates, solution, self.freed, self._chance)
        return self._search(near, UNBOUNDED, NEAR_NODE_LIMIT)

    def _search(self, candidates: Table, reach: int, node_limit: int) -> Generator[None, None, int]:
        batch = self._batch
        batch.round, batch.stage = Round(candidates, reach, node_limit), NEW_ROUND
        while True:
            batch.advance()
            if batch.status not in {PAUSED, FULL}:
                return batch.status
            yield
            batch.make_room()
            self.search = batch.search

    def finish(self) -> None:
        """Write the result into the batch, which goes on from there."""
        batch = self._batch
        batch.report.dual, batch.report.bound = self.base, self.bound
        batch.stage = WRITING
