"""The program `bullseye`: finds the command, and turns every error into a sentence and a code.

Commands are imported when they are called, so that help and completion come at once.
"""

import atexit
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

import click
from rich_click import RichCommandPanel, RichGroup

from cli.errors import CliError, Exit
from cli.options import CONTEXT_SETTINGS, Verbosity, verbose_option
from worker.queue import garbage


class Entry(NamedTuple):
    """What help says about a command without importing it."""

    panel: str
    purpose: str


#: in the order of work; each command lives in the file of its name
COMMANDS = {
    "solve": Entry("Solve", "Solve puzzle files here and now, and print the answers."),
    "submit": Entry("Scale out", "Hand puzzle files to the workers, and print the batch's number."),
    "worker": Entry("Scale out", "Work on what was submitted, on all cores of this machine."),
    "status": Entry("Look", "Tell how far the batches are."),
    "results": Entry("Look", "Pick, sort and write the answers in any format."),
    "show": Entry("Look", "Show one puzzle and its solution, big."),
    "stats": Entry("Look", "Tell how long solving took, which puzzles hurt, who did the work."),
    "retry": Entry("Repair", "Solve again what failed, timed out or was left."),
    "cancel": Entry("Repair", "Stop a batch; what is answered stays."),
    "doctor": Entry("Repair", "Check Python, database, Redis and workers; say how to cure."),
}


class LazyGroup(RichGroup):
    """Knows its commands by name, and imports one when it is called."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The real command in place of the line that stands for it in help."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is None or name is None:
            return name, command, rest
        module = importlib.import_module(f"cli.commands.{name}")
        real: click.Command = getattr(module, name)
        return name, real, rest

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - Click's signature
        """In the order of work, not of the alphabet."""
        return list(self.commands)


def _say_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"bullseye {version()}")
        ctx.exit()


def version() -> str:
    """Of this program, for people."""
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
    callback=_say_version,
    help="Show the version and exit.",
)
@verbose_option
def bullseye() -> None:
    """Solve whole files of sudoku, target sudoku and exact-cover puzzles.

    Every answer is kept in a database that can be queried.

    \b
    Examples:
      bullseye solve puzzles.txt
      bullseye solve --target target.txt -f judge
      bullseye COMMAND --help
    """


def _announce_commands(group: LazyGroup) -> None:
    for panel in dict.fromkeys(entry.panel for entry in COMMANDS.values()):
        group.add_panel(RichCommandPanel(panel))
    for name, entry in COMMANDS.items():
        stand_in = click.Command(name, short_help=entry.purpose)
        group.add_command(stand_in, panel=entry.panel)


_announce_commands(bullseye)


def main() -> NoReturn:
    """Run `bullseye` with this process's arguments."""
    garbage.collect_rarely()
    atexit.register(garbage.freeze)  # a last search takes 0.07 s, and all is freed anyway
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run `bullseye` with these arguments and return its exit code; errors are told on stderr."""
    if shell := os.environ.get("_BULLSEYE_COMPLETE"):
        from click.shell_completion import shell_complete

        return shell_complete(bullseye, {}, "bullseye", "_BULLSEYE_COMPLETE", shell)
    talk = Verbosity()
    try:
        _call(arguments, talk)
    except BrokenPipeError:
        _abandon_streams()
        return Exit.CLOSED_PIPE
    except click.exceptions.Exit as wish:
        return wish.exit_code
    except (Exception, KeyboardInterrupt) as error:
        return _told(error, talk)
    return Exit.DONE


def _call(arguments: Sequence[str], talk: Verbosity) -> None:
    try:
        with bullseye.make_context("bullseye", list(arguments), obj=talk) as context:
            bullseye.invoke(context)
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def _told(error: BaseException, talk: Verbosity) -> int:
    """The exit code of `error`, after saying what a person has to know."""
    code = exit_code(error)
    try:
        if talk.verbose and code != Exit.INTERRUPTED:
            click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
        if words := _words(error):
            click.echo(words, err=True)
    except BrokenPipeError:
        _abandon_streams()
    return code


def exit_code(error: BaseException) -> int:
    """Every error has its code here and nowhere else."""
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return Exit.INTERRUPTED
    if isinstance(error, CliError):
        return error.exit
    if isinstance(error, click.ClickException):
        return error.exit_code
    codes = ((code, kind) for code, kinds in _kinds().items() for kind in kinds)
    return next((code for code, kind in codes if isinstance(error, kind)), Exit.SOME_FAILED)


def _kinds() -> dict[Exit, tuple[type[Exception], ...]]:
    import storage.errors as storage
    import worker.errors as worker
    from worker.formats.errors import FormatError

    return {
        Exit.USAGE: (
            storage.NoSuchBatch,
            storage.NoSuchPuzzle,
            storage.BadQuery,
            worker.SettingsError,
        ),
        Exit.BAD_INPUT: (FormatError, worker.BadInput),
        Exit.UNREACHABLE: (
            storage.DatabaseUnreachable,
            storage.DatabaseMissing,
            storage.DatabaseOutdated,
            storage.DatabaseTooNew,
            worker.RedisUnreachable,
        ),
    }


def _words(error: BaseException) -> str:
    """What to print: one sentence, further lines set in under its beginning."""
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return ""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.message
    if isinstance(error, click.UsageError) and error.ctx:
        return _error(f"{error.format_message()}\nsee: {error.ctx.command_path} --help")
    if isinstance(error, click.ClickException):
        return _error(error.format_message())
    return _error(str(error) if _is_ours(error) else _unforeseen(error))


def _is_ours(error: BaseException) -> bool:
    return type(error).__module__.partition(".")[0] in {"cli", "worker", "storage"}


def _unforeseen(error: BaseException) -> str:
    what = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {what}\nthis is a fault of bullseye; -v shows where"


def _error(message: str) -> str:
    return "error: " + message.strip().replace("\n", "\n       ")


def _abandon_streams() -> None:
    """Let what is still buffered go nowhere, so that the interpreter ends without words."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


if __name__ == "__main__":
    main()
