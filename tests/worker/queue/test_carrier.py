"""The same tests on fakeredis, which other tests use, and on a real Redis."""

import re
import subprocess
from collections.abc import Iterator

import fakeredis
import pytest

from worker.errors import RedisUnreachable, SettingsError
from worker.queue.carrier import HEARTBEAT_EXPIRY_SECONDS, Carrier, presence
from worker.queue.message import WorkerInfo, release, requested_chunk


def delivered(carrier: Carrier) -> int | None:
    """Return the chunk that the next message requests."""
    _, line = carrier.client.brpop(list(carrier.lists), timeout=0.01) or (None, "")
    return requested_chunk(line)


class CarrierContract:
    """The tests that every Redis must pass."""

    @pytest.fixture
    def carrier(self) -> Carrier:
        raise NotImplementedError

    def test_puzzles_are_fetched_once(self, carrier: Carrier) -> None:
        carrier.put(7, '[[1,1,null,"..."]]')
        assert carrier.fetch(7) == '[[1,1,null,"..."]]'
        assert carrier.fetch(7) is None

    def test_puzzles_that_are_put_again_replace_the_old_ones(self, carrier: Carrier) -> None:
        carrier.put(7, "old")
        carrier.put(7, "new")
        assert carrier.fetch(7) == "new"

    def test_what_another_program_stored_under_the_key_is_returned_and_removed(
        self, carrier: Carrier
    ) -> None:
        carrier.client.rpush(f"{carrier.queue}:chunk:7", "a list")
        carrier.client.set(f"{carrier.queue}:chunk:8", "\0")
        assert (carrier.fetch(7), carrier.fetch(8)) == ("", "\0")
        assert (carrier.fetch(7), carrier.fetch(8)) == (None, None)

    def test_chunks_do_not_mix(self, carrier: Carrier) -> None:
        carrier.put(1, "one")
        carrier.put(11, "eleven")
        assert carrier.fetch(1) == "one"
        assert carrier.fetch(11) == "eleven"

    def test_queues_do_not_mix(self, carrier: Carrier) -> None:
        other = Carrier(carrier.client, "another")
        carrier.put(1, "ours")
        carrier.beat("us", WorkerInfo())
        assert other.fetch(1) is None
        assert not other.workers()

    def test_depth_counts_waiting_and_unacknowledged_messages(self, carrier: Carrier) -> None:
        assert carrier.depth() == 0
        carrier.client.rpush(carrier.queue, "a", "b")
        carrier.client.hset(f"{carrier.queue}:unacked", "tag", "c")
        assert carrier.depth() == 3

    def test_what_is_sent_behind_waits_until_all_others_are_delivered(
        self, carrier: Carrier
    ) -> None:
        carrier.send({1: "large", 2: "small"}, behind=[1])
        carrier.send({3: "small"})
        assert [delivered(carrier) for _ in range(4)] == [2, 3, 1, None]

    def test_what_is_sent_behind_waits_and_is_removed_as_others_are(self, carrier: Carrier) -> None:
        carrier.send({1: "large", 2: "small", 3: "large"}, behind=[1, 3])
        assert (carrier.waiting(), carrier.depth()) == (3, 3)
        carrier.remove([2, 3])
        assert (carrier.waiting(), delivered(carrier)) == (1, 1)

    def test_a_worker_is_listed_from_its_first_beat_until_it_leaves(self, carrier: Carrier) -> None:
        carrier.beat("one@host", WorkerInfo())
        carrier.beat("two@host", WorkerInfo())
        assert sorted(carrier.workers()) == ["one@host", "two@host"]
        carrier.leave("one@host")
        assert list(carrier.workers()) == ["two@host"]

    def test_a_heartbeat_stores_the_release_and_the_offset_of_the_clock(
        self, carrier: Carrier
    ) -> None:
        carrier.beat("one@host", WorkerInfo())
        info = carrier.workers()["one@host"]
        assert info.release == release()
        assert abs(info.ahead) < 1
        carrier.leave("one@host")
        assert not carrier.client.keys("*:worker:*")

    def test_a_heartbeat_says_whether_the_worker_consumes(self, carrier: Carrier) -> None:
        carrier.beat("idle@host", WorkerInfo())
        carrier.beat("busy@host", WorkerInfo(busy=2, consumed=30.0))
        carrier.beat("stalled@host", WorkerInfo(consumed=15.0, stalled=True))
        assert presence(carrier).stalled == ["stalled@host"]
        busy = carrier.workers()["busy@host"]
        assert (busy.busy, busy.consumed) == (2, 30.0)

    @pytest.mark.attack
    @pytest.mark.parametrize(
        ("stored", "release", "processes"),
        [
            ('["0.1.0", 0.1, 1, 2.0, false, 3]', "0.1.0", 3),
            ('["0.1.0", 0.1, 1, 2.0, false, 3, "more"]', "0.1.0", 3),
            ('{"version": 2, "release": "9.0", "processes": 3, "more": {}}', "9.0", 3),
            ('{"release": 9, "processes": true, "stalled": "yes"}', "of an unknown release", 1),
            ("[" * 100_000, "of an unknown release", 1),
            ("0", "of an unknown release", 1),
        ],
    )
    def test_what_another_release_stored_about_a_worker_is_read_as_far_as_it_is_known(
        self, carrier: Carrier, stored: str, release: str, processes: int
    ) -> None:
        carrier.beat("one@host", WorkerInfo())
        carrier.client.set(f"{carrier.queue}:worker:one@host", stored)
        info = carrier.workers()["one@host"]
        assert (info.release, carrier.processes()) == (release, processes)
        assert not info.stalled

    def test_a_worker_of_this_machine_that_has_died_is_not_listed(self, carrier: Carrier) -> None:
        with subprocess.Popen(["true"]) as process:
            process.wait()
        carrier.beat("dead@host", WorkerInfo(processes=5))
        carrier.beat("one@host", WorkerInfo())
        key = f"{carrier.queue}:worker:dead@host"
        info = WorkerInfo.decode(str(carrier.client.get(key)))
        table = info.process.rpartition(" ")[0]
        carrier.client.set(key, info._replace(process=f"{table} {process.pid}").encode())
        assert list(carrier.workers()) == ["one@host"]
        assert carrier.processes() == 1
        carrier.client.set(key, info._replace(process=f"another {process.pid}").encode())
        assert sorted(carrier.workers()) == ["dead@host", "one@host"]

    def test_the_processes_of_all_live_workers_are_counted(self, carrier: Carrier) -> None:
        assert carrier.processes() == 1  # so that something is published before the first beat
        carrier.beat("two@host", WorkerInfo(processes=2))
        carrier.beat("five@host", WorkerInfo(processes=5))
        assert carrier.processes() == 7
        key = f"{carrier.queue}:workers"
        carrier.client.zincrby(key, -(HEARTBEAT_EXPIRY_SECONDS + 1), "five@host")
        assert carrier.processes() == 2

    def test_rejected_messages_are_counted(self, carrier: Carrier) -> None:
        assert carrier.rejected() == 0
        carrier.count_rejected()
        assert carrier.rejected() == 1

    def test_a_worker_whose_heartbeats_ended_is_not_listed(self, carrier: Carrier) -> None:
        carrier.beat("silent@host", WorkerInfo())
        key = f"{carrier.queue}:workers"
        carrier.client.zincrby(key, -(HEARTBEAT_EXPIRY_SECONDS + 1), "silent@host")
        assert not carrier.workers()


class TestFakeRedis(CarrierContract):
    @pytest.fixture
    def carrier(self) -> Carrier:
        return Carrier(fakeredis.FakeRedis(decode_responses=True), "queue")


class TestRealRedis(CarrierContract):
    @pytest.fixture
    def carrier(self, redis_url: str) -> Iterator[Carrier]:
        carrier = Carrier.connect(redis_url, "queue")
        carrier.client.flushdb()
        yield carrier
        carrier.close()


def test_an_unreachable_redis_is_reported_with_its_address_and_a_remedy() -> None:
    carrier = Carrier.connect("redis://127.0.0.1:1/0", "queue")
    with pytest.raises(RedisUnreachable) as raised:
        carrier.ping()
    assert str(raised.value) == (
        "cannot reach Redis at 127.0.0.1:1 (connection refused): "
        "start it, or solve without it: bullseye solve"
    )


def test_a_url_of_another_kind_is_rejected_before_connecting() -> None:
    with pytest.raises(SettingsError, match="is not a Redis URL"):
        Carrier.connect("http://example", "queue")


def test_an_error_about_a_url_does_not_contain_its_password() -> None:
    with pytest.raises(SettingsError) as raised:
        Carrier.connect("redis://:open/sesame@host:6379/0", "queue")
    assert not {"open", "sesame"} & set(re.findall(r"\w+", str(raised.value)))
