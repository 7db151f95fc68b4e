"""Options that several commands share, and what they mean once they are read."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from rich_click import RichCommand

from cli.parameters import MOST, BatchType, Real, Whole, file
from worker.options import Options

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: for the group and every command
CONTEXT_SETTINGS: dict[str, Any] = {
    "help_option_names": ["-h", "--help"],
    "rich_help_config": {
        "theme": "default-slim",
        "width": 80,
        "text_paragraph_linebreaks": "\n\n",
        "padding_helptext_first_line": (0, 0, 1, 0),
        "options_table_help_sections": ["help", "required", "default"],
    },
}


@dataclass
class Verbosity:
    """How much the user wants to be told."""

    verbose: bool = False


def _listen(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    talk = ctx.find_object(Verbosity)
    if value and talk is not None:
        talk.verbose = True


verbose_option = click.option(
    "-v",
    "--verbose",
    is_flag=True,
    expose_value=False,
    callback=_listen,
    help="Show where an error comes from.",
)


def command(function: Callable[..., Any]) -> click.Command:
    """Make `function` a command with our manner of help; its docstring is what help says."""
    make = click.command(cls=RichCommand, context_settings=CONTEXT_SETTINGS)
    made: click.Command = make(function)
    verbose_option(made)
    return made


database_option = click.option(
    "--db",
    "database",
    metavar="PATH|URL",
    help="Database.  [default: $BULLSEYE_DATABASE_URL, else bullseye.db in your data folder]",
)
redis_option = click.option(
    "--redis",
    "redis",
    metavar="URL",
    help="Redis.  [default: $BULLSEYE_REDIS_URL, else redis://localhost:6379/0]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs.")
batch_type = BatchType(min=1, max=MOST)


def seconds(_ctx: click.Context, _param: click.Parameter, value: float | None) -> float | None:
    """A time span that makes sense for one puzzle; `nan` does not."""
    if value is not None and not 0 < value <= 10**6:
        raise click.BadParameter(f"{value:g} is no number of seconds from 0 to 1,000,000.")
    return value


def _limit(_ctx: click.Context, _param: click.Parameter, value: str) -> int | None:
    """A number of solutions from 1; None for `all`."""
    if value == "all":
        return None
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:20]) < 2**62):
        raise click.BadParameter(f"{value!r} is neither a number from 1 nor 'all'.")
    return int(value)


def _input_format(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """The name of a format that files can have."""
    from worker.formats.layout import FORMATS

    if value is not None and value not in FORMATS:
        raise click.BadParameter(f"{value!r} is none of: {', '.join(FORMATS)}.")
    return value


def _complete_format(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> "list[CompletionItem | str]":
    from worker.formats.layout import FORMATS

    return [name for name in FORMATS if name.startswith(incomplete)]


@dataclass(frozen=True)
class Request:
    """What `solve` and `submit` are asked to do with which files."""

    files: tuple[str, ...]
    format: str | None
    dry_run: bool
    skip_bad: bool
    reuse: bool
    name: str | None
    options: Options


_INPUT = (
    click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=file),
    click.option(
        "--limit",
        callback=_limit,
        metavar="N|all",
        default="2",
        show_default=True,
        help="Stop after N solutions; 2 tells unique from multiple.",
    ),
    click.option(
        "--target",
        is_flag=True,
        help="Find the solution with the highest score, or the cover that costs least.",
    ),
    click.option(
        "--weights",
        "weights_file",
        metavar="FILE",
        shell_complete=file,
        help="With --target: a weight for each cell.  [default for 9x9: 6 at the border to 10]",
    ),
    click.option(
        "--every",
        is_flag=True,
        help="With --target: visit every solution, so that they are counted.",
    ),
    click.option(
        "--keep",
        type=Whole(1, 10**6),
        metavar="K",
        default=1,
        show_default=True,
        help="Keep K solutions of a puzzle, with --target the K best.",
    ),
    click.option(
        "--timeout",
        type=Real(),
        callback=seconds,
        metavar="S",
        default="30",
        show_default=True,
        help="Seconds for each puzzle; what was found so far is kept.",
    ),
    click.option(
        "--from",
        "input_format",
        metavar="FORMAT",
        callback=_input_format,
        shell_complete=_complete_format,
        help="Read the files as lines, rows, letters, hex, spaced, matrix, dlx, jsonl or "
        "opensudoku.",
    ),
    click.option(
        "-n",
        "--dry-run",
        is_flag=True,
        help="Say how the files and their columns are understood; store nothing.",
    ),
    click.option(
        "--skip-bad", is_flag=True, help="Store lines that are no puzzle as `invalid` and go on."
    ),
    click.option(
        "--reuse",
        is_flag=True,
        help="Copy the answers of puzzles that this database has solved under the same options.",
    ),
    click.option("--name", metavar="TEXT", help="A name for the batch."),
)


#: what the options above become, and `_asked` takes
_NAMES = (
    *("files", "limit", "target", "weights_file", "every", "keep", "timeout"),
    *("input_format", "dry_run", "skip_bad", "reuse", "name"),
)


def input_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The files, how to read them, how to solve them: handed over as one `asked`."""

    @functools.wraps(function)
    def with_asked(**given: Any) -> Any:
        asked = _asked(**{name: given.pop(name) for name in _NAMES})
        return function(asked=asked, **given)

    for decorate in reversed(_INPUT):
        with_asked = decorate(with_asked)
    return with_asked


def _asked(
    *,
    files: tuple[str, ...],
    limit: int | None,
    target: bool,
    weights_file: str | None,
    every: bool,
    keep: int,
    timeout: float,
    input_format: str | None,
    dry_run: bool,
    skip_bad: bool,
    reuse: bool,
    name: str | None,
) -> Request:
    _refuse_contradictions(target, weights_file, every)
    weights = _weights(weights_file)
    options = Options(limit, target, weights, every, keep, timeout)
    return Request(files, input_format, dry_run, skip_bad, reuse, name, options)


def _refuse_contradictions(target: bool, weights_file: str | None, every: bool) -> None:
    given = click.get_current_context().get_parameter_source("limit")
    if target and given is ParameterSource.COMMANDLINE:
        raise click.UsageError("--limit does not go with --target, which has to look at them all.")
    if weights_file and not target:
        raise click.UsageError("--weights needs --target.")
    if every and not target:
        raise click.UsageError("--every needs --target.")


def _weights(file: str | None) -> tuple[int, ...] | None:
    if file is None:
        return None
    from worker.formats.weights import read_weights

    return read_weights(file)
