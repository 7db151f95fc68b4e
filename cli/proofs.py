"""Proofs of stored answers."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection

from cli.errors import CliError, OutputError
from cli.formatting import count
from cli.output.destination import replacing
from storage.batches import Batch
from storage.queries.answers import select_answers
from storage.queries.searches import Counted, divided, find_counts
from storage.values import Kind
from storage.view import AnswerRow
from worker.covers.text import has_distances, has_multiplicities, is_set_cover, marked_as_set_cover
from worker.options import Options
from worker.proof.branches import ProofTooLong
from worker.proof.write import proof_of_best, proof_of_number, proof_of_parts, proof_of_several
from worker.solve import search
from worker.sudoku.solve import read
from worker.sudoku.symbols import SIDES, ring_weights


class NoProof(CliError):
    """An answer has no proof."""


def proof_of(answer: AnswerRow, options: Options, parts: Sequence[Counted] = ()) -> str:
    """Return the proof of an answer in stored symbols; `parts` are those of a divided search.

    Raises NoProof.
    """
    if reason := _no_proof(answer):
        raise NoProof(f"puzzle {answer.id} has no proof: {reason}")
    text, at_most = answer.puzzle, None
    if answer.kind == "cover" and (options.set_cover or is_set_cover(text)):
        text, at_most = marked_as_set_cover(text), options.at_most
    try:
        if not answer.complete:
            return proof_of_several(text, _two_solutions(answer, options), at_most)
        if answer.score is None or answer.solution is None:
            number = answer.solutions or 0
            if not parts or has_multiplicities(text) or is_set_cover(text):
                return proof_of_number(text, number, at_most)
            if answer.kind != "cover":
                parts = _in_the_grid(answer.puzzle, parts)
            return proof_of_parts(answer.puzzle, number, parts)
        weights = None
        if answer.kind != "cover":
            weights = options.weights or ring_weights(SIDES[len(answer.puzzle)])
        return proof_of_best(text, weights, answer.score, answer.solution)
    except (ProofTooLong, ValueError, MemoryError) as error:
        raise NoProof(f"puzzle {answer.id} has no proof: {error}") from error


def write_proofs(connection: Connection, batch: Batch, folder: str) -> str:
    """Write the proof of each answer of a batch to a file `ID.proof` in a folder, which is made.

    Return how many have one, as text; raise OutputError.
    """
    options = Options.from_json(batch.options)
    parts = {one: find_counts(connection, one) for one in divided(connection, batch.id)}
    written = without = 0
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with closing(select_answers(connection, batch=batch.id)) as answers:
            for answer in answers:
                try:
                    proof = proof_of(answer, options, parts.get(answer.id, ()))
                except NoProof:
                    without += 1
                    continue
                with replacing(Path(folder) / f"{answer.id}.proof") as file:
                    file.write(proof)
                written += 1
    except OSError as error:
        raise OutputError(f"cannot write proofs to {folder}: {error.strerror}") from error
    why = " · bullseye prove ID says why an answer has none" if without else ""
    return f"{count(written, 'proof')} in {folder} · {count(without, 'answer')} without one{why}"


def _two_solutions(answer: AnswerRow, options: Options) -> tuple[str, str]:
    """Return two solutions of a puzzle that has several; raise NoProof if the search lasts."""
    kind = Kind.COVER if answer.kind == "cover" else Kind.SUDOKU
    wanted = Options(limit=2, keep=2, set_cover=options.set_cover, at_most=options.at_most)
    slices = search(kind, [answer.puzzle], wanted)
    (found,) = (row for outcomes in slices for row in outcomes.rows())
    if len(found.kept) < 2:
        raise NoProof(f"puzzle {answer.id} has no proof: finding two solutions took too long")
    one, other = found.kept
    return one.text, other.text


def _in_the_grid(grid: str, parts: Sequence[Counted]) -> list[Counted]:
    """Return parts with the options of the empty grid: the search numbers only those left open."""
    numbers = read(grid, Options()).cells.options
    return [part._replace(path=tuple(numbers[list(part.path)].tolist())) for part in parts]


def _no_proof(answer: AnswerRow) -> str | None:
    """Return why an answer has no proof; None if it has one."""
    if answer.status not in {"solved", "none"}:
        return f"its status is {answer.status}"
    if not answer.complete and (answer.score is not None or (answer.solutions or 0) < 2):
        return "its search stopped early; solve it with --limit all, --count or a longer --timeout"
    if answer.kind == "cover" and has_distances(answer.puzzle):
        return "the answer is a least radius; only covers have proofs"
    if answer.solutions is None and answer.score is None:
        return "the number of its solutions is not known"
    return None
