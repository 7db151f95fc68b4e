"""The exit codes of `bullseye`, and the one place where errors become a code and a message."""

import errno
from enum import IntEnum
from typing import TypeGuard

import click

from storage import errors as storage
from worker import errors as worker
from worker.formats.errors import FormatError


class Exit(IntEnum):
    """Exit codes of `bullseye`; those from 64 follow sysexits.h, those above 128 shells."""

    DONE = 0  #: done; "no solution" is an answer
    SOME_FAILED = 1  #: a puzzle failed or is not as expected; the batch was cancelled; other errors
    USAGE = 2  #: invalid command line
    BAD_INPUT = 65  #: the input was not understood; nothing was stored
    UNREACHABLE = 69  #: Redis or the database cannot be reached
    NOT_WRITTEN = 74  #: an output or a temporary file cannot be written, as on a full disk
    GAVE_UP = 75  #: `--wait` found no live worker; the batch stays queued
    INTERRUPTED = 130  #: Ctrl-C
    CLOSED_PIPE = 141  #: the reader of our output closed its pipe


class CliError(Exception):
    """The command cannot continue; `str()` is the message for the user."""


class OutputError(CliError):
    """The output cannot be written."""


#: the errors with an exit code of their own; all others exit with 1
EXIT_CODES: dict[Exit, tuple[type[BaseException], ...]] = {
    Exit.INTERRUPTED: (KeyboardInterrupt, click.Abort),
    Exit.USAGE: (
        *(worker.BadUsage, worker.SettingsError, storage.BadQuery),
        *(storage.NoSuchBatch, storage.AmbiguousName, storage.NoSuchPuzzle),
        *(storage.BatchUnfinished, storage.BatchIncomplete, storage.BatchArchived),
        storage.BatchNotQueued,
    ),
    Exit.BAD_INPUT: (FormatError, worker.BadInput),
    Exit.UNREACHABLE: (
        *(storage.InvalidDatabaseUrl, storage.DatabaseUnreachable, worker.RedisUnreachable),
        *(storage.DatabaseMissing, storage.DatabaseOutdated, storage.DatabaseTooNew),
    ),
    Exit.NOT_WRITTEN: (OutputError, storage.ExportFailed),
    Exit.GAVE_UP: (worker.NoLiveWorker,),
}
#: what the system reports if a disk, a quota or the largest size of a file is exceeded
_FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
#: the first word of a message; further lines are indented by its length
PREFIX = "error: "
#: characters of a message, which may quote what was given
MAX_MESSAGE = 4000
#: base classes of errors whose `str()` is written for the user
_OURS = (CliError, storage.StorageError, worker.WorkerError)


def exit_code(error: BaseException) -> int:
    """Return the exit code of an error."""
    if isinstance(error, click.ClickException):
        return error.exit_code
    if _is_full_disk(error):
        return Exit.NOT_WRITTEN
    codes = (code for code, kinds in EXIT_CODES.items() if isinstance(error, kinds))
    return next(codes, Exit.SOME_FAILED)


def message(error: BaseException) -> str:
    """Return what to print for an error: empty for an interruption, else a sentence or two."""
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return ""
    if isinstance(error, click.UsageError) and error.ctx:
        return _prefixed(f"{error.format_message()}\nsee: {error.ctx.command_path} --help")
    if isinstance(error, click.ClickException):
        return _prefixed(error.format_message())
    if _is_full_disk(error):
        return _prefixed(f"cannot write the output or a temporary file: {error.strerror}")
    return _prefixed(str(error) if isinstance(error, _OURS) else _unexpected(error))


def _is_full_disk(error: BaseException) -> TypeGuard[OSError]:
    return isinstance(error, OSError) and error.errno in _FULL_DISK


def _unexpected(error: BaseException) -> str:
    first_line = str(error).partition("\n")[0]
    return (
        f"{type(error).__name__}: {first_line}\n"
        "this is a bug in Bullseye; run again with -v to see the traceback"
    )


def _prefixed(text: str) -> str:
    text = text if len(text) <= MAX_MESSAGE else f"{text[:MAX_MESSAGE]}…"
    return PREFIX + text.strip().replace("\n", "\n" + " " * len(PREFIX))
