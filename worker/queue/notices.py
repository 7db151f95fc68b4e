"""Notices: why a worker waits, as JSON lines in a pipe to the process that started it.

A line is `{"reason": "the database ... is locked"}`.  It is shorter than PIPE_BUF, the size up to
which POSIX makes writes to a pipe atomic, so all processes of a worker share one pipe.
"""

import json
import logging
import os
from contextlib import suppress

#: characters of a reason that are sent; each is at most 12 bytes of JSON, and PIPE_BUF is 4096
MAX_REASON = 300
#: bytes read at a time
READ_BYTES = 65536


class NoticeSender(logging.Handler):
    """Writes the `reason` of each log record into a pipe.

    A notice is dropped if the pipe is full or has no reader, so that the worker never waits for it.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self.descriptor = descriptor
        os.set_blocking(descriptor, False)

    def emit(self, record: logging.LogRecord) -> None:
        """Write the reason of a record, if it has one, shortened to MAX_REASON characters."""
        reason = str(vars(record).get("reason", ""))[:MAX_REASON]
        if not reason:
            return
        with suppress(BlockingIOError, BrokenPipeError):
            os.write(self.descriptor, json.dumps({"reason": reason}).encode() + b"\n")


class NoticeReader:
    """Reads notices from a pipe."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.incomplete = b""
        os.set_blocking(descriptor, False)

    def read(self) -> list[str]:
        """Return the reasons that have arrived since the last call; does not block."""
        with suppress(BlockingIOError):
            while arrived := os.read(self.descriptor, READ_BYTES):
                self.incomplete += arrived
        *lines, self.incomplete = self.incomplete.split(b"\n")
        return [str(json.loads(line)["reason"]) for line in lines]
