"""`bullseye check`: checks proofs."""

import click

from cli.options import command
from cli.parameters import InputFile, complete_file


@command
@click.argument(
    "files",
    metavar="FILE...",
    type=InputFile(),
    nargs=-1,
    required=True,
    shell_complete=complete_file,
)
def check(files: tuple[str, ...]) -> None:
    """Check proofs that `prove` or `solve --prove` wrote.

    Prints what each file proves. Exits with 1 if a proof is wrong, and with 65
    if a file is not a proof. Needs neither the database nor the solver;
    examples/check.py is the same program in a file of its own.

    \b
    Examples:
      bullseye check 61.proof
      bullseye check proofs/*.proof
    """
    from worker.proof.check import main

    if code := main(files):
        raise click.exceptions.Exit(code)
