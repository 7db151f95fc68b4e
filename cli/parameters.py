"""Numbers on the command line; what is none is called so in plain words."""

import click
from click.shell_completion import CompletionItem

from cli.formatting import count

#: the greatest that a database counts to
MOST = 2**63 - 1


class Whole(click.IntRange):
    """A whole number, from `min` to `max` where they are given."""

    name = "whole number"


class Real(click.types.FloatParamType):
    """Any number."""

    name = "number"


#: batches that are proposed, the newest
NEWEST = 50


def file(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell propose its files."""
    return [CompletionItem(incomplete, type="file")]


class BatchType(Whole):
    """The number of a batch; those of the database are proposed."""

    name = "number of a batch"

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 # Click's signature
        incomplete: str,
    ) -> list[CompletionItem]:
        """The newest batches, with their names where the shell shows such."""
        from storage.errors import StorageError
        from worker.errors import WorkerError

        try:
            found = _newest(ctx.params.get("database"))
        except (StorageError, WorkerError):
            return []  # in the middle of somebody's line there is no place for a message
        return [
            CompletionItem(number, help=told)
            for number, told in found
            if number.startswith(incomplete)
        ]


def _newest(database: str | None) -> list[tuple[str, str]]:
    from cli.database import opened
    from storage import batches
    from storage.database import read

    with opened(database) as (_, engine), read(engine) as connection:
        return [
            (str(batch.id), f"{batch.name or batch.source}, {count(batch.puzzles, 'puzzle')}")
            for batch in batches.newest(connection, NEWEST)
        ]
