"""Concurrent workers and users: the totals of a search are those of an undivided one."""

import json
import random
import threading
import time

import pytest
from sqlalchemy import Engine

from storage.batches import Batch
from storage.database import read, write
from storage.errors import DatabaseBusy
from storage.outbox import publishing, recovery
from storage.packing import is_part
from storage.queries.answers import find_answer
from storage.queries.health import wrong_totals
from storage.searches import parts, turns
from storage.values import Gain
from tests.storage.harness import QUEUE, ROOM, leases_last, puzzles_of
from tests.storage.searching.harness import SearchHarness, nothing_follows, share_alone
from tests.storage.searching.tree import Tree

#: turns that the threads store, and seconds within which they must
TURNS, MAX_SECONDS = 100, 200.0
#: seconds until a lease expires: so few that workers often take over
LEASE_SECONDS = 0.02
LEAVES = 3000


@pytest.fixture
def harness(engine: Engine) -> SearchHarness:
    return SearchHarness(engine)


class Worker:
    """Takes parts and ends turns until it is told to stop; some turns end late, some are lost."""

    def __init__(self, harness: SearchHarness, tree: Tree, seed: int) -> None:
        self.harness = harness
        self.tree = tree
        self.random = random.Random(seed)
        self.stored = 0
        self.deadlocks = 0
        self.errors: list[Exception] = []

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set() and not self.errors:
            try:
                self.work()
            except DatabaseBusy:  # a deadlock; a worker tries again
                self.deadlocks += 1
            except Exception as error:
                self.errors.append(error)

    def work(self) -> None:
        with write(self.harness.engine) as connection:
            sent = publishing.claim_new(connection, QUEUE, ROOM, most=2)
            lost = recovery.lost(connection, QUEUE, idle=False, drained=False)
            sent += publishing.claim_unchanged(connection, lost[:2])
        for message in sent:
            if is_part(message.puzzles):
                self.turn(message.id, message.puzzles)

    def turn(self, chunk_id: int, packed: str) -> None:
        with write(self.harness.engine) as connection:
            taken = parts.take(connection, chunk_id, packed, "ada")
        if taken is None or self.random.random() < 0.1:  # the worker dies
            return
        if self.random.random() < 0.1:  # it is slow
            time.sleep(2 * LEASE_SECONDS)
        leaves = json.loads(taken.levels)
        done = self.random.randint(0, 20)
        left, pieces = leaves[done:], self.random.choice((1, 1, 1, 4))
        rest = self.tree.rows([left[start::pieces] for start in range(pieces)])
        found = self.tree.visit(leaves[:done])
        with write(self.harness.engine) as connection:
            self.stored += turns.end(
                *(connection, taken, found, rest),
                worker="ada",
                seconds=0.0,
                following=nothing_follows,
                prediction=share_alone,
            )


def test_concurrent_workers_and_retries_keep_the_totals_exact(harness: SearchHarness) -> None:
    tree = Tree(tuple(range(LEAVES)), scored=False, keep=5, limit=None)
    leaves = range(LEAVES)
    leases_last(harness.engine, LEASE_SECONDS)
    batch = harness.begin(tree.rows([leaves[k::8] for k in range(8)]), **tree.options)
    stop, deadline = threading.Event(), time.monotonic() + MAX_SECONDS
    workers = [Worker(harness, tree, seed) for seed in range(4)]
    threads = [threading.Thread(target=worker.run, args=(stop,)) for worker in workers]
    threads.append(threading.Thread(target=interrupt, args=(harness, batch, stop)))
    for thread in threads:
        thread.start()
    while sum(worker.stored for worker in workers) < TURNS and time.monotonic() < deadline:
        time.sleep(0.01)
    stop.set()
    for thread in threads:
        thread.join()
    assert [worker.errors for worker in workers] == [[]] * len(workers)
    assert sum(worker.stored for worker in workers) >= TURNS
    complete(harness, batch, tree)
    with read(harness.engine) as connection:
        answer = find_answer(connection, batch.first_id)
        assert wrong_totals(connection) == []
    assert (answer.status, answer.nodes) == ("solved", LEAVES)
    assert answer.solutions == tree.solutions
    assert answer.solution == "leaf 0"


def interrupt(harness: SearchHarness, batch: Batch, stop: threading.Event) -> None:
    """Cancel and retry again and again."""
    while not stop.wait(0.1):
        try:
            harness.cancel(batch)
            harness.retry(batch)
        except DatabaseBusy:  # a deadlock; a user tries again
            continue


def complete(harness: SearchHarness, batch: Batch, tree: Tree) -> None:
    """Let one worker end what is left."""
    harness.cancel(batch)
    harness.retry(batch)
    while claimed := harness.claim_parts():
        for taken in map(harness.must_take_part, claimed):
            assert harness.end_turn(taken, tree.visit(json.loads(taken.levels)), seconds=0.0)


def test_of_two_workers_that_cut_the_same_puzzle_one_succeeds(harness: SearchHarness) -> None:
    batch = harness.submit_with()
    (sent,) = harness.claim_new()
    slow = harness.must_take(sent.id, "ada")
    harness.backdate(61, sent.id)
    fast = harness.must_take(sent.id, "bob")
    cuts = [("[[1,2,3]]", 0.5, None, ())]
    outcomes: dict[int, bool] = {}
    (puzzle,) = puzzles_of(sent)
    threads = [
        threading.Thread(
            target=lambda lease=lease: outcomes.update(
                {lease.attempt: harness.cut(lease, puzzle, Gain(0, 0, 0), cuts)}
            )
        )
        for lease in (slow, fast)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == {1: False, 2: True}
    assert harness.search(batch)["parts"] == 1
