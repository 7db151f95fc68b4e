"""`bullseye prove`: writes the proof of an answer."""

import click

from cli.options import command, database_option
from cli.parameters import OUTPUT_FILE, Integer
from cli.streams import notify
from storage.values import MAX_INTEGER

#: for which the covers of a divided search are counted again before their numbers are written
RECOUNT_SECONDS = 2.0


@command
@click.argument("puzzle_id", metavar="ID", type=Integer(1, MAX_INTEGER))
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=OUTPUT_FILE,
    help="Write the proof to FILE.  [default: stdout]",
)
@database_option
def prove(puzzle_id: int, output: str | None, database: str | None) -> None:
    """Write a proof of an answer, which anybody can check.

    ID is the first column of `bullseye results`. The proof is a short text: the
    puzzle, what is claimed of it, and the branches of a search. It proves how
    many solutions there are, or the best score or lowest cost. The proof is
    checked before it is written, by a program that shares nothing with the
    solver. For a count that was divided it lists the number of solutions in each
    part. Exits with 1 if an answer has no proof, as after a timeout.

    \b
    Examples:
      bullseye prove 61
      bullseye prove 61 -o 61.proof && bullseye check 61.proof
    """
    from cli.database import reading
    from cli.output.destination import open_output
    from cli.proofs import NoProof, proof_of
    from storage import batches
    from storage.queries.answers import find_answer
    from storage.queries.searches import find_counts
    from worker.options import Options
    from worker.proof.branches import count
    from worker.proof.check import WrongProof, check

    with reading(database, archived=True) as connection:
        answer = find_answer(connection, puzzle_id)
        options = Options.from_json(batches.find(connection, answer.batch).options)
        parts = find_counts(connection, puzzle_id)
    proof = proof_of(answer, options, parts)
    try:
        proven = check(proof, counting=RECOUNT_SECONDS, counter=count)
    except WrongProof as error:
        raise NoProof(
            f"the answer to puzzle {puzzle_id} is wrong; do not use it: {error}"
        ) from error
    except ValueError as error:
        raise NoProof(f"puzzle {puzzle_id} has no proof: {error}") from error
    with open_output(output) as out:
        out.write(proof)
    notify(f"puzzle {puzzle_id}, {proven}")
