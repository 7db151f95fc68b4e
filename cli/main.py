"""The program `bullseye`: finds the command, runs it, and reports errors.

A command's module is imported when the command is called, so that help and completion are fast.
"""

import atexit
import gc
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

import click
from rich_click import RichCommandPanel, RichGroup

from cli import signals, streams
from cli.errors import PREFIX, Exit, OutputError, exit_code, message
from cli.options import CONTEXT_SETTINGS, Verbosity, verbose_option
from cli.streams import notify
from storage.location import without_urls_secrets
from worker import garbage


class Entry(NamedTuple):
    """How a command is listed in `bullseye --help`."""

    panel: str
    purpose: str


#: in the order of `--help`; `cli/commands/` has a file for each name
COMMANDS = {
    "solve": Entry("Solve", "Solve puzzle files on this machine and print the answers."),
    "estimate": Entry("Solve", "Predict how long puzzles will take, without solving them."),
    "canon": Entry("Solve", "Write the canonical forms of sudokus, without solving them."),
    "submit": Entry("Scale out", "Queue puzzle files for the workers; print the batch number."),
    "worker": Entry("Scale out", "Solve queued puzzles on all cores of this machine."),
    "status": Entry("Inspect", "Show the progress of batches."),
    "workers": Entry("Inspect", "List the workers, their chunks and their rates."),
    "results": Entry("Inspect", "Filter, sort and export answers."),
    "query": Entry("Inspect", "Run one SQL query that only reads."),
    "show": Entry("Inspect", "Draw one puzzle and its solution."),
    "prove": Entry("Inspect", "Write a proof of an answer, which anybody can check."),
    "check": Entry("Inspect", "Check proofs."),
    "stats": Entry("Inspect", "Show solving times, hardest puzzles and work per worker."),
    "serve": Entry("Inspect", "Show batches and answers in a browser on this machine."),
    "retry": Entry("Maintain", "Re-run puzzles that failed, timed out or were not answered."),
    "pause": Entry("Maintain", "Stop solving a batch until resume; keep its answers."),
    "resume": Entry("Maintain", "Go on solving a batch that was paused."),
    "priority": Entry("Maintain", "Change a batch's share of the workers."),
    "cancel": Entry("Maintain", "Stop a batch; keep its answers."),
    "export": Entry("Maintain", "Write a finished batch to Parquet files."),
    "archive": Entry("Maintain", "Move the answers of a finished batch to Parquet files."),
    "delete": Entry("Maintain", "Delete a batch with its answers."),
    "prune": Entry("Maintain", "Delete old batches."),
    "metrics": Entry("Maintain", "Print or serve metrics for Prometheus."),
    "doctor": Entry("Maintain", "Check Python, database, Redis and workers; suggest fixes."),
}


class LazyGroup(RichGroup):
    """A group that lists its commands by name and imports one when it is called."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Replace the placeholder that `--help` lists by the imported command."""
        name, placeholder, rest = super().resolve_command(ctx, args)
        if placeholder is None or name is None:
            return name, placeholder, rest
        module = importlib.import_module(f"cli.commands.{name}")
        command: click.Command = getattr(module, name)
        return name, command, rest

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - Click's signature
        """Return the command names in the order of COMMANDS; Click would sort them."""
        return list(self.commands)


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"bullseye {version()}")
        ctx.exit()


def version() -> str:
    """Return the version of the installed program."""
    from importlib import metadata

    try:
        return metadata.version("bullseye")
    except metadata.PackageNotFoundError:
        return "from its source folder, not installed"


@click.group(cls=LazyGroup, context_settings=CONTEXT_SETTINGS)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@verbose_option
def bullseye() -> None:
    """Solve files of sudoku, target-sudoku and exact-cover puzzles.

    Every answer is stored in a database that you can query.

    \b
    Examples:
      bullseye solve puzzles.txt
      bullseye solve --target target.txt -f judge
      bullseye COMMAND --help
    """


for _panel in dict.fromkeys(entry.panel for entry in COMMANDS.values()):
    bullseye.add_panel(RichCommandPanel(_panel))
for _name, _entry in COMMANDS.items():
    bullseye.add_command(click.Command(_name, short_help=_entry.purpose), panel=_entry.panel)


def main() -> NoReturn:
    """Run `bullseye` with this process's arguments and exit."""
    streams.prepare()  # first, or what is opened takes the place of a stream that is closed
    signals.handle()
    garbage.collect_rarely()
    # NumPy starts threads for products of matrices, of which there are none, in 0.07 s.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    atexit.register(gc.freeze)  # the interpreter's last collection would take 0.07 s
    code = run(sys.argv[1:])
    signals.end_at_once()
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run `bullseye` with these arguments; report errors on stderr and return the exit code."""
    if shell := os.environ.get("_BULLSEYE_COMPLETE"):
        from click.shell_completion import shell_complete

        return shell_complete(bullseye, {}, "bullseye", "_BULLSEYE_COMPLETE", shell)
    verbosity = Verbosity()
    try:
        _invoke(arguments, verbosity)
    except BrokenPipeError:
        streams.discard(1, 2)
        return Exit.CLOSED_PIPE
    except click.exceptions.Exit as request:
        return request.exit_code
    except (Exception, KeyboardInterrupt) as error:
        return _report(error, verbosity)
    return Exit.DONE


def _invoke(arguments: Sequence[str], verbosity: Verbosity) -> None:
    try:
        with bullseye.make_context("bullseye", list(arguments), obj=verbosity) as context:
            bullseye.invoke(context)
    finally:
        _flush_output()


def _flush_output() -> None:
    """Write what is still in the buffer of stdout; raise OutputError if the disk is full."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        streams.discard(1)
        raise OutputError(f"cannot write to stdout: {error.strerror}") from error


def _report(error: BaseException, verbosity: Verbosity) -> int:
    code = exit_code(error)
    try:
        if verbosity.verbose and code != Exit.INTERRUPTED:
            text = without_urls_secrets("".join(traceback.format_exception(error)))
            click.echo(streams.visible(text), err=True, nl=False)
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            click.echo(error.message, err=True)  # in the styles of rich
        elif text := message(error):
            notify(without_urls_secrets(text), indent=len(PREFIX))
    except OSError:
        streams.discard(1, 2)
    return code


if __name__ == "__main__":
    main()
