"""`bullseye stats`: how long solving took, which puzzles hurt, who did the work."""

import click

from cli.options import batch_type, command, database_option, json_option


@command
@click.argument("batch", type=batch_type, required=False)
@click.option(
    "--against", type=batch_type, metavar="BATCH", help="Beside another batch, line by line."
)
@json_option
@database_option
def stats(batch: int | None, against: int | None, as_json: bool, database: str | None) -> None:
    """Tell how long solving took, which puzzles hurt and who did the work.

    Times are those of the solver, puzzle by puzzle, in milliseconds; the
    histogram doubles from line to line.

    \b
    Examples:
      bullseye stats 7
      bullseye stats 7 --against 6
      bullseye stats --json
    """
    if against is not None and batch is None:
        raise click.UsageError("--against compares two batches: bullseye stats BATCH --against B.")
    import json

    from cli import comparison, figures
    from cli.session import opened
    from storage.database import read
    from storage.stats import stats as measure

    with opened(database) as (_, engine), read(engine) as connection:
        found = measure(connection, batch)
        other = measure(connection, against) if against is not None else None
    if as_json:
        both = {"against": figures.as_json(other)} if other else {}
        click.echo(json.dumps(figures.as_json(found) | both, indent=2))
    elif other:
        click.echo("\n".join(comparison.told(found, other, (str(batch), str(against)))))
    else:
        click.echo("\n".join(figures.told(found, batch)))
