"""Types of arguments and option values: how they are parsed, rejected and completed."""

import re
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from cli.formatting import count, shorten
from storage.values import LAST, MAX_INTEGER, BatchKey, Priority
from storage.view import COLUMNS, MEMBER, is_column
from worker.options import MAX_TIMEOUT_SECONDS

#: processes that one `solve` or `worker` may start
MAX_PROCESSES = 4096
#: characters of the number of a batch; Python refuses to convert thousands of digits
MAX_DIGITS = 40
#: characters of the name of a batch
MAX_NAME = 200
#: the greatest number of a port
MAX_PORT = 2**16 - 1
#: batches proposed by completion, newest first
COMPLETED_BATCHES = 50
#: parts of a split at most, and the share of one
MAX_PARTS = 20
SHARE = re.compile("[1-9][0-9]{0,8}")


class Integer(click.IntRange):
    """An integer within optional limits."""

    name = "integer"


class Timeout(click.types.FloatParamType):
    """A time limit in seconds, more than 0; rejects `nan`."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the seconds, or raise BadParameter."""
        seconds = float(super().convert(value, param, ctx))
        if not 0 < seconds <= MAX_TIMEOUT_SECONDS:
            limits = f"more than 0 and at most {MAX_TIMEOUT_SECONDS:,} seconds"
            self.fail(f"{value!r} is not a time limit; give {limits}.", param, ctx)
        return seconds


#: the name of a file or folder to write, which shells complete
OUTPUT_FILE = click.Path(readable=False)


class InputFile(click.Path):
    """The name of a file to read; the empty name, which the system takes for `.`, is rejected."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, or raise BadParameter."""
        if not value:
            self.fail("'' is not a file; give the name of one.", param, ctx)
        return str(value)


class Quantity(click.ParamType[int]):
    """A number with a unit, such as 12h or 500M, of `least` or more."""

    def __init__(self, what: str, units: dict[str, int], examples: str, least: int = 0) -> None:
        self.name = what.rsplit(maxsplit=1)[-1]
        self._what, self._units, self._examples, self._least = what, units, examples, least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the product of number and unit, or raise BadParameter."""
        number, unit = value[:-1], value[-1:]
        factor = self._units.get(unit) or self._units.get(unit.upper())
        is_number = number.isascii() and number.isdecimal() and len(number) <= 6
        if not (factor and is_number and int(number) >= self._least):
            self.fail(f"{value!r} is not {self._what}: write {self._examples}.", param, ctx)
        return int(number) * factor


#: a span of time, in seconds
AGE = Quantity("an age", {"h": 3600, "d": 86400, "w": 7 * 86400}, "12h, 30d or 8w")
#: a number of bytes
SIZE = Quantity("a size", {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}, "500M or 2G", least=1)


class Address(NamedTuple):
    """Where a server listens."""

    host: str
    port: int  #: 0 stands for a free one

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class ListenAddress(click.ParamType[Address]):
    """A port, after the name or number of a host and a colon if others are to reach it."""

    name = "address"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Address:
        """Return the address, or raise BadParameter."""
        host, _, port = value.rpartition(":")
        is_number = port.isascii() and port.isdecimal() and len(port) <= 5
        if not is_number or int(port) > MAX_PORT:
            self.fail(f"{value!r} is not a port, such as 9464 or 0.0.0.0:9464.", param, ctx)
        return Address(host.strip("[]") or "127.0.0.1", int(port))


#: where a server listens
ADDRESS = ListenAddress()


def solution_limit(_ctx: click.Context, _param: click.Parameter, value: str) -> int | None:
    """Return a number of solutions from 1, None for `all`, or raise BadParameter."""
    if value == "all":
        return None
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:20]) < 2**62):
        raise click.BadParameter(f"{value!r} is neither a positive integer nor 'all'.")
    return int(value)


def column_names(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    """Return the names of columns of `answers`, separated by commas, or raise BadParameter."""
    if value is None:
        return None
    names = tuple(name.strip() for name in value.split(","))
    if unknown := [name for name in names if not is_column(name)]:
        raise click.BadParameter(
            f"there is no column {unknown[0]!r}; the columns are {', '.join(COLUMNS)}."
        )
    return names


def shares(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> tuple[int, ...] | None:
    """Return the shares of parts, whole numbers separated by commas, or raise BadParameter."""
    if value is None:
        return None
    words = [word.strip() for word in value.split(",")]
    if not 2 <= len(words) <= MAX_PARTS or not all(map(SHARE.fullmatch, words)):
        raise click.BadParameter("give 2 to 20 whole numbers from 1 on, such as 80,10,10.")
    return tuple(map(int, words))


def complete_columns(
    ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[str | CompletionItem]:
    """Propose columns of `answers`, also members of `extra`, for the last of several."""
    before, comma, last = incomplete.rpartition(",")
    is_member = last and MEMBER.startswith(last[: len(MEMBER)])
    members = _members(ctx.params.get("database")) if is_member else []
    return [f"{before}{comma}{name}" for name in (*COLUMNS, *members) if name.startswith(last)]


def _members(database: str | None) -> list[str]:
    """Return members of `extra`; none if the database cannot be opened."""
    from cli.database import reading
    from storage.errors import StorageError
    from storage.queries.extras import member_names
    from worker.errors import WorkerError

    try:
        with reading(database) as connection:
            return member_names(connection)
    except (StorageError, WorkerError):
        return []  # a message would end up in the line being typed


class BatchArgument(click.ParamType[BatchKey]):
    """The number of a batch, its name, or `last`; completion proposes the newest batches."""

    name = "batch"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> BatchKey:
        """Return a number as an integer, and a name unchanged; raise BadParameter for no batch."""
        if not value:
            self.fail("a batch is given by its number, its name, or last.", param, ctx)
        if not _is_number(value):
            return str(value)
        if len(value) > MAX_DIGITS or not 1 <= int(value) <= MAX_INTEGER:
            self.fail(f"{shorten(value, MAX_DIGITS)} is not a batch number.", param, ctx)
        return int(value)

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 # Click's signature
        incomplete: str,
    ) -> list[CompletionItem]:
        """Propose numbers, or names that begin so; nothing if the database cannot be opened."""
        from cli.database import reading
        from storage import batches
        from storage.errors import StorageError
        from worker.errors import WorkerError

        try:
            with reading(ctx.params.get("database")) as connection:
                found = batches.newest(connection, COMPLETED_BATCHES)
        except (StorageError, WorkerError):
            return []  # a message would end up in the line being typed
        sizes = {one.id: count(one.puzzles, "puzzle") for one in found}
        helps = {one.id: f"{one.name or one.source}, {sizes[one.id]}" for one in found}
        numbers = [one.id for one in found if str(one.id).startswith(incomplete)]
        if incomplete and not numbers:
            named = [one for one in found if (one.name or "").startswith(incomplete)]
            return [CompletionItem(str(one.name), help=helps[one.id]) for one in named]
        return [CompletionItem(number, help=helps[number]) for number in numbers]


#: a batch argument
BATCH = BatchArgument()
#: the share of the workers that a batch gets
PRIORITY = click.Choice([one.value for one in Priority])


def batch_name(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Return the name of a new batch, or raise BadParameter if it would select another one."""
    if value is not None and (value == LAST or _is_number(value)):
        raise click.BadParameter(
            f"{value!r} cannot be a name: it selects "
            + ("the newest batch." if value == LAST else "the batch with this number.")
        )
    if value is not None and len(value) > MAX_NAME:
        raise click.BadParameter(f"a name has at most {MAX_NAME} characters.")
    return value


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()
