"""Random searches in any order of events: the totals are those of an undivided search."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from storage.database import read
from storage.outbox.publishing import Chunk
from storage.queries import health
from storage.queries.answers import find_answer, further_solutions
from storage.queries.progress import read_progress
from storage.searches.parts import PartLease
from storage.tables import candidate, part, search_worker
from storage.values import Gain
from tests.storage.searching.harness import SearchHarness
from tests.storage.searching.tree import Tree
from tests.storage.simulation import Event, Occurrence, Simulation, examples, sequences

trees = st.builds(
    Tree,
    leaves=st.lists(st.none() | st.integers(0, 5), min_size=12, max_size=60).map(tuple),
    scored=st.booleans(),
    keep=st.integers(1, 4),
    limit=st.none() | st.integers(4, 20),
)


class Division(Simulation[PartLease]):
    """A search, workers that die or hang, and a user who cancels, retries, pauses and resumes."""

    def __init__(self, harness: SearchHarness, tree: Tree) -> None:
        leaves = range(len(tree.leaves))
        first, parts = tree.visit(leaves[:1]), tree.rows([leaves[1::2], leaves[2::2]])
        super().__init__(harness, harness.begin(parts, first, **tree.options))
        self.tree = tree
        self.holders: dict[int, PartLease] = {}  #: the last lease of each part
        self.stored: list[tuple[int, Callable[[], bool]]] = []  #: part and turn
        self.bound: int | None = None

    def a_message_arrives(self, which: int, how: int) -> None:
        if message := self.received(which, again=how % 3 == 0):
            self._take(message)

    def a_turn_ends(self, which: int, how: int) -> None:
        taken = self.worker(which)
        leaves = json.loads(taken.levels)
        done, left = leaves[:how], leaves[how:]
        rest = self.tree.rows([left[start :: which % 3 + 1] for start in range(which % 3 + 1)])
        rest = [
            (one, share, bound and bound + how, path) for one, share, bound, path in rest
        ]  # as a solver might say
        found = self.tree.visit(done, taken.best)

        def end() -> bool:
            return self.harness.end_turn(taken, found, rest, worker=f"worker {how}", seconds=0.5)

        if end():
            assert self.holders[taken.lease.chunk_id] is taken, "the part was overtaken"
            self.stored.append((taken.lease.chunk_id, end))

    def a_turn_is_stored_again(self, which: int, how: int) -> None:
        for chunk_id, end in self.stored[which::3]:  # its commit was not confirmed
            if how % 2:
                self.publish()
                self._take_from(chunk_id)
            assert not end()

    def a_part_is_overtaken(self, which: int, how: int) -> None:
        taken = self.worker(which)
        self.harness.backdate(61, taken.lease.chunk_id)
        if self._take_from(taken.lease.chunk_id):
            assert not self.harness.end_turn(taken, Gain(1, 1, 1))

    def a_part_fails(self, which: int, how: int) -> None:
        taken = self.worker(which)
        if self.harness.fail(taken):
            assert not self.harness.fail(taken)

    def a_part_is_released(self, which: int, how: int) -> None:
        lease = self.worker(which).lease
        self.harness.release(lease)

    def a_worker_renews_its_lease(self, which: int, how: int) -> None:
        self.harness.renew(self.workers[which % len(self.workers)].lease)

    def a_turn_is_long(self, which: int, how: int) -> None:
        self.harness.time_passes(2.0 * how)
        taken = self.worker(which)
        rest = self.tree.rows([json.loads(taken.levels)])
        self.harness.end_turn(taken, rest=rest, seconds=2.0 * how)

    def the_user_retries(self, which: int, how: int) -> None:
        self.harness.retry(self.batch)
        assert self.harness.retry(self.batch) == 0

    def _take(self, message: Chunk) -> bool:
        taken = self.harness.take_part(message)
        if taken:
            self.workers.append(taken)
            self.holders[message.id] = taken
        return taken is not None

    def _take_from(self, chunk_id: int) -> bool:
        """Let another worker take a part with its last message, if it was sent."""
        sent = [message for message in self.seen if message.id == chunk_id]
        return bool(sent) and self._take(sent[-1])

    def check(self) -> None:
        row, sums = self._sums()
        assert row["nodes"] == row["first_nodes"] + sums["nodes"] == sums["by_worker"]
        assert int(row["solutions"]) == int(row["first_solutions"]) + sums["solutions"]
        if row["ended_at"] is None:
            assert row["share"] == pytest.approx(1 - sums["share"])
            assert row["open"] == sums["open"] > 0
            assert sums["candidates"] <= self.tree.keep
        if self.tree.scored and sums["left"]:
            assert row["bound"] == sums["bound"]
            assert self.bound is None or row["bound"] <= self.bound
            self.bound = row["bound"]
        with read(self.harness.engine) as connection:
            progress = read_progress(connection, self.batch.id, tally=True)
        assert progress.answered == sum(progress.by_status.values())
        assert progress.answered == (row["ended_at"] is not None)

    def _sums(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the row of the search, and the same sums over its parts."""
        row = self.harness.search(self.batch)
        ours = part.c.search_id == self.batch.first_id
        with read(self.harness.engine) as connection:
            found = connection.execute(select(part).where(ours)).mappings().all()
            kept = select(func.count()).where(candidate.c.search_id == self.batch.first_id)
            nodes = select(func.sum(search_worker.c.nodes)).where(
                search_worker.c.search_id == self.batch.first_id
            )
            sums = {
                "candidates": connection.execute(kept).scalar_one(),
                "by_worker": connection.execute(nodes).scalar_one(),
            }
        left = [one for one in found if one["ended_at"] is None]
        sums["nodes"] = sum(one["nodes"] for one in found)
        sums["solutions"] = sum(int(one["solutions"]) for one in found)
        sums["share"] = sum(one["share"] for one in left)
        sums["open"] = sum(one["detail"] is None for one in left)
        sums["left"] = len(left)
        sums["bound"] = max(
            (one["bound"] for one in left if one["bound"] is not None), default=None
        )
        return row, sums

    def complete(self) -> None:
        self.harness.cancel(self.batch)
        self.harness.retry(self.batch)
        while sent := self.harness.claim_parts():
            for message in sent:
                if taken := self.harness.take_part(message):
                    found = self.tree.visit(json.loads(taken.levels), taken.best)
                    assert self.harness.end_turn(taken, found, seconds=0.0)
        self.check()
        self.check_answer()
        with read(self.harness.engine) as connection:
            assert list(health.faults(connection, self.batch)) == []

    def check_answer(self) -> None:
        tree = self.tree
        with read(self.harness.engine) as connection:
            answer = find_answer(connection, self.batch.first_id)
            kept = [one.text for one in further_solutions(connection, answer.id)]
            scores = [one.score for one in further_solutions(connection, answer.id)]
        if answer.solution is not None:
            kept, scores = [answer.solution, *kept], [answer.score, *scores]
        best, limited = tree.best(), tree.limit is not None and tree.solutions == tree.limit
        assert answer.status == ("solved" if best else "none")
        assert answer.solutions == tree.solutions
        assert scores == [score for score, _, _ in best]
        if limited and not tree.scored:
            assert not answer.complete
            return
        assert answer.complete
        assert answer.nodes == len(tree.leaves)
        assert answer.bound == (scores[0] if scores and tree.scored else None)
        if not tree.scored:
            assert kept == [text for _, _, text in best]


#: events, the usual ones repeated, and whether they need a worker
EVENTS: list[Event] = [
    *[(Division.a_message_arrives, False)] * 6,
    *[(Division.a_minute_passes, False)] * 2,
    *[(Division.a_turn_ends, True)] * 5,
    (Division.a_turn_is_stored_again, True),
    (Division.a_part_is_overtaken, True),
    (Division.a_turn_is_long, True),
    (Division.a_part_fails, True),
    (Division.a_part_is_released, True),
    (Division.a_worker_dies, True),
    (Division.a_worker_renews_its_lease, True),
    (Division.the_user_cancels, False),
    (Division.the_user_retries, False),
    *[(Division.the_user_pauses_or_resumes, False)] * 2,
]


def test_the_answer_is_that_of_an_undivided_search_in_any_order_of_events(
    shared_harness: SearchHarness,
) -> None:
    @settings(max_examples=examples(15, shared_harness))
    @given(trees, sequences(EVENTS, 40))
    def run(tree: Tree, sequence: list[Occurrence]) -> None:
        Division(shared_harness, tree).run(sequence)

    run()
