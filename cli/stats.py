"""`bullseye stats`: how long solving took, which puzzles hurt, who did the work."""

import click

from cli.options import batch_type, command, database_option, json_option


@command
@click.argument("batch", type=batch_type, required=False)
@json_option
@database_option
def stats(batch: int | None, as_json: bool, database: str | None) -> None:
    """Tell how long solving took, which puzzles hurt and who did the work.

    Times are those of the solver, puzzle by puzzle, in milliseconds; the
    histogram doubles from line to line.

    \b
    Examples:
      bullseye stats 7
      bullseye stats --json
    """
    import json

    from cli import figures
    from cli.session import opened
    from storage.database import read
    from storage.stats import stats as measure

    with opened(database) as (_, engine), read(engine) as connection:
        found = measure(connection, batch)
    if as_json:
        click.echo(json.dumps(figures.as_json(found), indent=2))
        return
    for line in figures.told(found, batch):
        click.echo(line)
