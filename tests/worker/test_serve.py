import logging
import os

import pytest

from worker.compiling import log
from worker.errors import RedisUnreachable
from worker.queue.notices import LOGGERS, NoticeReader, send_notices
from worker.serve import serve
from worker.settings import Settings


def test_a_worker_does_not_start_without_redis() -> None:
    settings = Settings("sqlite:////nowhere/bullseye.db", "redis://127.0.0.1:1/0")
    with pytest.raises(RedisUnreachable, match=r"cannot reach Redis at 127\.0\.0\.1:1"):
        serve(settings, 1)


def test_a_compilation_is_announced_through_the_pipe() -> None:
    reader, writer = os.pipe()
    send_notices(writer)
    try:
        log.logger.warning(log.TEXT, extra={"reason": log.TEXT})
    finally:
        for logger in LOGGERS:
            logger.removeHandler(logger.handlers[-1])
            logger.setLevel(logging.NOTSET)
    assert NoticeReader(reader, print).read() == ["compiling the solver, once, up to 30 s"]
    os.close(reader)
    os.close(writer)
