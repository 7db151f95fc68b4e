"""What a command may say when it cannot go on, and which exit code tells programs so."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of `bullseye`; numbers above 64 are those of sysexits.h and of shells."""

    DONE = 0  #: done; "no solution" is an answer
    SOME_FAILED = 1  #: done, but something failed, timed out, was invalid, or not as expected
    USAGE = 2  #: the command line makes no sense
    BAD_INPUT = 65  #: the input was not understood; nothing was stored
    UNREACHABLE = 69  #: Redis or the database does not answer
    GAVE_UP = 75  #: `--wait` gave up; the batch goes on
    INTERRUPTED = 130  #: Ctrl-C
    CLOSED_PIPE = 141  #: nobody reads our output any more


class CliError(Exception):
    """The command cannot go on."""

    exit = Exit.SOME_FAILED


class BadUsage(CliError):
    """The options do not fit each other or what is stored."""

    exit = Exit.USAGE


class NoLiveWorker(CliError):
    """No worker answered for a minute, so waiting makes no sense."""

    exit = Exit.GAVE_UP


class OutputError(CliError):
    """The file for the answers cannot be written."""
