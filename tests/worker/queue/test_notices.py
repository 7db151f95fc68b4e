import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from storage.errors import DatabaseBusy
from worker.outages import retrying
from worker.queue.notices import LOGGERS, MAX_REASON, NoticeReader, send_notices


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The read end and the write end."""
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


@contextmanager
def sending(descriptor: int) -> Iterator[None]:
    send_notices(descriptor)
    try:
        yield
    finally:
        for logger in LOGGERS:
            logger.removeHandler(logger.handlers[-1])
            logger.setLevel(logging.NOTSET)


def wait_for(reason: str) -> None:
    """Run a step that is retried once, because of `reason`."""
    outcomes = iter([DatabaseBusy(reason), None])

    def step() -> None:
        if outcome := next(outcomes):
            raise outcome

    retrying(step, sleep=lambda _: None)


def test_the_reason_of_a_pause_arrives_at_the_reader(pipe: tuple[int, int]) -> None:
    reader = NoticeReader(pipe[0], print)
    assert reader.read() == []
    with sending(pipe[1]):
        wait_for("the disk is full; retrying in 9 s")
        wait_for("WARNING: the file is locked\nby whom")
    assert reader.read() == [
        "the disk is full; retrying in 9 s",
        "WARNING: the file is locked\nby whom",
    ]
    assert reader.read() == []


def test_reasons_of_a_forked_process_arrive_at_the_same_reader(pipe: tuple[int, int]) -> None:
    with sending(pipe[1]):
        child = os.fork()
        if child == 0:
            wait_for("the disk is full")
            os._exit(0)
        os.waitpid(child, 0)
    assert NoticeReader(pipe[0], print).read() == ["the disk is full"]


def test_a_notice_is_read_when_its_line_is_complete(pipe: tuple[int, int]) -> None:
    reader = NoticeReader(pipe[0], print)
    os.write(pipe[1], b'{"reason": "the di')
    assert reader.read() == []
    os.write(pipe[1], b'sk is full"}\n{')
    assert reader.read() == ["the disk is full"]


def test_a_long_reason_is_sent_in_one_atomic_write(pipe: tuple[int, int]) -> None:
    reader = NoticeReader(pipe[0], print)
    longest = os.fpathconf(pipe[1], "PC_PIPE_BUF")
    with sending(pipe[1]):
        wait_for("\N{GRINNING FACE}" * 10_000)
    assert len(os.read(pipe[0], 10**6)) <= longest
    with sending(pipe[1]):
        wait_for("x" * 10_000)
    assert reader.read() == ["x" * MAX_REASON]


def test_a_full_pipe_or_a_lost_reader_does_not_stop_the_worker() -> None:
    reader, writer = os.pipe()
    with sending(writer):
        for _ in range(1000):
            wait_for("x" * MAX_REASON)
        assert len(NoticeReader(reader, print).read()) < 1000
        os.close(reader)
        wait_for("nobody reads this")
    os.close(writer)
