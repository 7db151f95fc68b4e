"""Answers in the shapes of data sets: grids as lists of numbers, all kept solutions, and cells."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from storage.archive.catalogue import attach
from storage.database import read
from storage.tables import solution
from storage.view import AnswerRow
from worker.sudoku.symbols import EMPTY, SYMBOLS

#: answers whose further solutions are read at a time; SQLite allows 999 parameters
ANSWERS_AT_A_TIME = 500
#: the types of columns with lists, as `storage.archive.arrow` names them
LIST_TYPES = {"puzzle": "cells", "solution": "cells", "kept": "grids"}
#: a cell with a clue, one with the same value in all solutions, and any other
GIVEN, DETERMINED, AMBIGUOUS = "gda"


class Shape(NamedTuple):
    """What is wanted besides the columns of the answers."""

    lists: bool = False  #: grids as lists of numbers, and a column `kept` with all kept solutions
    cells: bool = False  #: a column `cells` with a letter for each cell

    @property
    def columns(self) -> tuple[str, ...]:
        """The further columns."""
        return ("kept",) * self.lists + ("cells",) * self.cells

    @property
    def types(self) -> dict[str, str]:
        """The types of the columns that it has or changes."""
        return {**(LIST_TYPES if self.lists else {}), **({"cells": "text"} if self.cells else {})}


#: nothing else
AS_STORED = Shape()
#: an answer and its further solutions
Whole = tuple[AnswerRow, list[str]]


def with_solutions(
    connection: Connection, answers: Generator[AnswerRow], ids: tuple[int, int] | None
) -> Generator[Whole]:
    """Yield answers with their further solutions, by rank; close their generator.

    These are read on a connection of its own, since the query of a user hides their table.  `ids`
    is the range of all answers.
    """
    with closing(answers), read(connection.engine, archived=True) as own:
        attach(own, ids, conditions=["1 = 0"], solutions=True)
        while some := list(islice(answers, ANSWERS_AT_A_TIME)):
            further: dict[int, list[str]] = {answer.id: [] for answer in some}
            c = solution.c
            wanted = select(c.answer_id, c.text).where(c.answer_id.in_(list(further)))
            for id_, text in own.execute(wanted.order_by(c.answer_id, c.rank)):
                further[id_].append(text)
            yield from ((answer, further[answer.id]) for answer in some)


def shaped(wholes: Iterable[Whole], shape: Shape) -> Iterator[tuple[AnswerRow, list[Any]]]:
    """Yield answers with grids in the wanted shape, and the values of the further columns."""
    for answer, further in wholes:
        own = [answer.solution] if answer.solution else []
        kept = [*own, *further] if _is_grid(answer) else []
        values: list[Any] = []
        row = answer
        if shape.lists:
            values.append([numbers(text) for text in kept] or None)
            grids: dict[str, Any] = {
                "puzzle": numbers(answer.puzzle) if _is_grid(answer) else None,
                "solution": numbers(kept[0]) if own and kept else None,
            }
            row = answer._replace(**grids)
        if shape.cells:
            values.append(cells(answer, kept))
        yield row, values


def _is_grid(answer: AnswerRow) -> bool:
    return answer.size is not None and answer.kind != "cover"


def numbers(grid: str) -> list[int]:
    """Return the values of a stored grid; 0 is an empty cell.

    >>> numbers(".1A4")
    [0, 1, 10, 4]
    """
    return list(map(SYMBOLS.index, grid))


def cells(answer: AnswerRow, kept: Sequence[str]) -> str | None:
    """Return what is known of each cell: GIVEN, DETERMINED or AMBIGUOUS.

    Returns None unless all solutions are kept.
    """
    if not answer.complete or not kept or len(kept) != answer.solutions:
        return None
    columns = zip(answer.puzzle, *kept, strict=True)
    return "".join(
        GIVEN if clue != EMPTY else DETERMINED if len(set(values)) == 1 else AMBIGUOUS
        for clue, *values in columns
    )
