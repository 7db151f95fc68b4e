"""Proofs of stored answers."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import Row

from cli.errors import CliError, OutputError
from worker.covers.text import has_multiplicities, is_set_cover
from worker.options import Options
from worker.proof.branches import ProofTooLong
from worker.proof.write import proof_of_best, proof_of_number
from worker.sudoku.symbols import SIDES
from worker.sudoku.weights import ring_weights


class NoProof(CliError):
    """An answer has no proof."""


def proof_of(answer: Row[Any], options: Options) -> str:
    """Return the proof of an answer, as text; raise NoProof.

    The answer is a row of the view `answers`, with its grid in the symbols of the database.
    """
    if reason := _no_proof(answer, options):
        raise NoProof(f"puzzle {answer.id} has no proof: {reason}")
    try:
        if answer.score is None:
            return proof_of_number(answer.puzzle, int(answer.solutions_text or answer.solutions))
        weights = None
        if answer.kind != "cover":
            weights = options.weights or ring_weights(SIDES[len(answer.puzzle)])
        return proof_of_best(answer.puzzle, weights, answer.score, answer.solution)
    except (ProofTooLong, ValueError) as error:
        raise NoProof(f"puzzle {answer.id} has no proof: {error}") from error


def write_proofs(answers: Iterable[Row[Any]], options: Options, folder: str) -> tuple[int, int]:
    """Write the proof of each answer to a file `ID.proof` in a folder, which is made.

    Return the number of proofs, and that of answers without one; raise OutputError.
    """
    written = without = 0
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for answer in answers:
            try:
                proof = proof_of(answer, options)
            except NoProof:
                without += 1
                continue
            (Path(folder) / f"{answer.id}.proof").write_text(proof, "utf-8")
            written += 1
    except OSError as error:
        raise OutputError(f"cannot write proofs to {folder}: {error.strerror}") from error
    return written, without


def _no_proof(answer: Row[Any], options: Options) -> str | None:
    """Return why an answer has no proof; None if it has one."""
    if answer.status not in {"solved", "none"}:
        return f"its status is {answer.status}"
    if not answer.complete:
        return "its search stopped early; solve it with --limit all, --count or a longer --timeout"
    if answer.kind == "cover" and (options.set_cover or is_set_cover(answer.puzzle)):
        return "it is a set cover; only exact covers have proofs"
    if answer.kind == "cover" and has_multiplicities(answer.puzzle):
        return "its items have multiplicities; only exact covers have proofs"
    if answer.solutions is None and answer.solutions_text is None and answer.score is None:
        return "the number of its solutions is not known"
    return None
