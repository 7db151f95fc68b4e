"""Answers of equivalent puzzles are found by their classes and whole canonical forms."""

from collections.abc import Sequence

from storage.answers import add_facts
from storage.database import read, write
from storage.queries.answers import select_answers
from storage.reuse.classes import Symmetry
from storage.reuse.copying import copy
from storage.reuse.finding import known_answers
from storage.values import Facts, Kind, Puzzles
from storage.view import OF_CLASSES
from tests.storage.harness import Harness
from tests.storage.reuse.harness import ONE, THREE, TWO, created, solved


def forms(texts: Sequence[str]) -> list[Facts | None]:
    """All puzzles have one number; their canonical forms are the texts in lower case."""
    return [None if text == THREE else Facts(7, text.replace("2", "1"), None, 1) for text in texts]


def moved(puzzles: Sequence[str], others: Sequence[str], solutions: Sequence[str]) -> list[str]:
    assert set(others) == {ONE}
    return [f"{solution} of {puzzle}" for puzzle, solution in zip(puzzles, solutions, strict=True)]


def test_the_answer_of_an_equivalent_puzzle_is_copied_with_its_solution_moved(
    harness: Harness,
) -> None:
    first, other = solved(harness, [ONE, "4" * 16])
    with write(harness.engine) as connection:
        numbers = forms([ONE, "4" * 16])
        add_facts(
            connection,
            {one.id: form for one, form in zip((first, other), numbers, strict=True) if form},
        )
    texts = [TWO, ONE, THREE, "5" * 16]
    batch = created(harness, texts)
    submitted = [Puzzles(Kind.SUDOKU, range(1, 5), None, texts)]
    with known_answers(
        harness.engine, submitted, lambda _: True, source="", symmetry=Symmetry(forms, moved)
    ) as known:
        assert known.count == 2
        assert sorted(copy(known, batch, 1, 4, further=False, facts=OF_CLASSES)) == [1, 2]
    with read(harness.engine) as connection:
        found = list(select_answers(connection, batch=batch.id))
    assert [one.puzzle for one in found] == [TWO, ONE]
    assert [one.solution for one in found] == [f"{first.solution} of {TWO}", first.solution]
    assert {one.class_ for one in found} == {7}
    assert {one.detail for one in found} == {f"as puzzle {first.id}"}
