"""Records of the view `answers`, or lines made of them: filtered and sorted, or one by its id."""

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any, TypedDict, Unpack

from sqlalchemy import ColumnElement, Connection, func, select

from storage import batches
from storage.archive.catalogue import attach, of_puzzles
from storage.batches import Batch
from storage.database import avoid_sorting, stream
from storage.errors import BadQuery, NoSuchPuzzle
from storage.queries import guard, zones
from storage.queries.lines import Form, Known, Value, joined, line
from storage.tables import extra, origin, solution, summary
from storage.values import (
    COLUMNS,
    MAX_INTEGER,
    MEMBER,
    AnswerRow,
    Kept,
    Status,
    is_column,
)

#: the condition of each status; two are names for answers with exactly one solution, and several
STATUSES = {
    **{str(status): f"status = '{status}'" for status in Status},
    "unique": "(status = 'solved' AND solutions = 1 AND complete = 1)",
    "multiple": "(status = 'solved' AND (solutions > 1 OR solutions_text IS NOT NULL))",
}
#: the columns of numbers; databases sort texts by different rules
_NUMBERS = frozenset(COLUMNS) - {
    *("label", "kind", "puzzle", "status", "solution", "worker", "solved_at", "detail"),
    *("batch_name", "solutions_text", "option_counts", "extra", "source"),
}


class Selection(TypedDict, total=False):
    """Which answers are wanted, by default all, and their order, by default that of the input."""

    batch: int | None
    status: Sequence[str]  #: stored ones, and the shorthands `unique` and `multiple`
    min_score: int | None
    where: str | None  #: an SQL expression over the columns of the view
    sort: Sequence[str]  #: columns; `-` before one means descending
    first: int | None  #: the greatest number of answers
    offset: int  #: answers that are skipped


def select_answers(connection: Connection, **wanted: Unpack[Selection]) -> Generator[AnswerRow]:
    """Yield answers; close the generator before the connection.

    Raises BadQuery, now or with the first answer, if the selection is not valid, and NoSuchBatch.
    """
    return _records(_rows(connection, ", ".join(COLUMNS), wanted))


def select_lines(
    connection: Connection,
    form: Form,
    columns: Sequence[str] = COLUMNS,
    **wanted: Unpack[Selection],
) -> Generator[bytes]:
    """Yield texts of lines, each of which has some columns of an answer; as `select_answers`.

    They take a third of the time of records.
    """
    known = _known(connection, _batch(connection, wanted))
    selected = line(connection.dialect.name, form, columns, known)
    return joined(_rows(connection, selected, wanted))


def count_answers(connection: Connection, **wanted: Unpack[Selection]) -> int:
    """Return the number of answers of a selection without `first` and `offset`.

    By statuses alone, they are counted from the summaries.
    """
    status, where, least = wanted.get("status", ()), wanted.get("where"), wanted.get("min_score")
    whole = _batch(connection, wanted)
    near: list[str] = []
    if least is not None:
        near = zones.with_least(connection, whole, status, "score", least)
    conditions = _conditions(whole, status, least, near)
    if where is None and least is None:
        return zones.count(connection, whole, status)
    attach(connection, whole.ids if whole else None, conditions=conditions)
    query = _query(connection, "count(*)", conditions, where)
    with closing(_run(connection, query, guarded=where is not None)) as rows:
        ((number,),) = rows
    return int(number)


def find_answer(connection: Connection, puzzle_id: int) -> AnswerRow:
    """Return the answer to one puzzle, or raise NoSuchPuzzle."""
    condition = f"id = {puzzle_id}"
    query = _query(connection, ", ".join(COLUMNS), [condition])
    row = connection.exec_driver_sql(query).first()
    if row is None:
        attach(connection, (puzzle_id, puzzle_id), conditions=[condition], solutions=True)
        row = connection.exec_driver_sql(query).first()
    if row is None:
        raise NoSuchPuzzle(
            f"puzzle {puzzle_id} has no answer", "bullseye results lists the answered puzzles"
        )
    return AnswerRow.of(row)


def further_solutions(connection: Connection, puzzle_id: int) -> list[Kept]:
    """Return the kept solutions of a puzzle after the first, by rank."""
    wanted = (
        select(solution.c.rank, solution.c.score, solution.c.text)
        .where(solution.c.answer_id == puzzle_id)
        .order_by(solution.c.rank)
    )
    return [Kept(*line) for line in connection.execute(wanted)]


def _conditions(
    whole: Batch | None, status: Sequence[str], min_score: int | None, near: Sequence[str]
) -> list[str]:
    """Return the conditions that select answers, without that of the user; raise BadQuery.

    `near` are those of zones that contain them.  Where zones narrow the search, the range of the
    whole batch is not stated as well: SQLite would read all of it.
    """
    conditions = []
    if status:
        conditions.append(with_status(status))
    if min_score is not None:
        conditions.append(f"score >= {min_score}")
    return [*(near or zones.of_batch(whole)), *conditions]


def _known(connection: Connection, whole: Batch | None) -> Known:
    """Return what is known of the answers of a batch, or of all batches."""
    constants: dict[str, Value] = {"batch": whole.id, "batch_name": whole.name} if whole else {}
    if not _has_extras(connection, whole):
        constants["extra"] = None
    line = ""
    if whole and (one := _only_origin(connection, whole)):
        constants["source"], line = one
    s = summary.c
    workers = select(s.worker).where(s.worker.is_not(None), *_of_batch(whole)).distinct()
    names = connection.execute(workers).scalars().all()
    return Known(constants, _usual(connection, whole), {"line": line} if line else {}, names)


def _only_origin(connection: Connection, whole: Batch) -> tuple[str, str] | None:
    """Return input and line of all answers of a batch, the line as an expression; None if unknown.

    It is known if the batch is not archived and has one input whose puzzles stand at equal steps.
    """
    o = origin.c
    wanted = select(o.source, o.line, o.step).where(o.first_id.between(*whole.ids)).limit(2)
    found = connection.execute(wanted).all()
    if len(found) != 1 or found[0].line is None:
        return None
    ((source, line, step),) = found
    return source or whole.source, f"({line - whole.first_id * step} + id * {step})"


def _has_extras(connection: Connection, whole: Batch | None) -> bool:
    """Return whether an answer of a batch, or of all, may have a value in `extra`."""
    ids = whole.ids if whole else None
    wanted = select(extra.c.answer_id).limit(1)
    if ids:
        wanted = wanted.where(extra.c.answer_id.between(*ids))
    return connection.execute(wanted).first() is not None or bool(of_puzzles(connection, ids))


def _usual(connection: Connection, whole: Batch | None) -> dict[str, Any]:
    """Return what most answers with one solution have in common."""
    s = summary.c
    shared = (s.kind, s.size, s.status, s.complete, s.solutions, s.attempts)
    wanted = select(*shared).where(s.solutions == 1, s.size.is_not(None), *_of_batch(whole))
    most = wanted.group_by(*shared).order_by(func.sum(s.answers).desc()).limit(1)
    found = connection.execute(most).mappings().first()
    return dict(found) if found else {}


def _of_batch(whole: Batch | None) -> list[ColumnElement[bool]]:
    return [summary.c.batch_id == whole.id] if whole else []


def _query(
    connection: Connection, selected: str, conditions: Sequence[str], where: str | None = None
) -> str:
    """Return the query for answers that match all conditions, and that of the user."""
    view = "answers"
    if where is not None:
        users, view = guard.condition(connection, where)
        conditions = [*conditions, users]
    query = f"SELECT {selected} FROM {view}"  # noqa: S608 # every part is checked
    return query + " WHERE " + " AND ".join(conditions) if conditions else query


def _rows(connection: Connection, selected: str, wanted: Selection) -> Generator[Sequence[Any]]:
    """Yield rows of expressions over the columns of the wanted answers."""
    status, sort, where = wanted.get("status", ()), wanted.get("sort", ()), wanted.get("where")
    least, first, offset = wanted.get("min_score"), wanted.get("first"), wanted.get("offset", 0)
    whole = _batch(connection, wanted)
    near: list[str] = []
    if least is not None:
        near = zones.with_least(connection, whole, status, "score", least)
    elif first is not None and where is None:
        near = zones.first(connection, whole, status, sort, first + offset)
    if status and not near:
        near = zones.with_status(connection, whole, status)
    conditions = _conditions(whole, status, least, near)
    order = f" ORDER BY {ordering(sort, connection.dialect.name, scan=not near)}"
    enough = ""
    sorts_numbers = {key.removeprefix("-") for key in sort} <= _NUMBERS
    if first is not None and where is None and sorts_numbers:
        enough = f"{order} LIMIT {min(first + offset, MAX_INTEGER)}"
    attach(connection, whole.ids if whole else None, conditions=conditions, order=enough)
    query = _query(connection, selected, conditions, where) + order
    if first is not None or offset:
        most = MAX_INTEGER if first is None else min(first, MAX_INTEGER)
        query += f" LIMIT {most} OFFSET {min(offset, MAX_INTEGER)}"
    if not (status or sort or where or least is not None):
        avoid_sorting(connection)
    return _run(connection, query, guarded=where is not None)


def _run(connection: Connection, query: str, *, guarded: bool) -> Generator[Sequence[Any]]:
    return guard.execute(connection, query).rows if guarded else stream(connection, query)


def _records(rows: Generator[Sequence[Any]]) -> Generator[AnswerRow]:
    with closing(rows):
        yield from map(AnswerRow.of, rows)


def _batch(connection: Connection, wanted: Selection) -> Batch | None:
    """Return the batch of a selection, None for all batches; raise NoSuchBatch."""
    number = wanted.get("batch")
    return None if number is None else batches.find(connection, number)


# --- SQL of the options of `bullseye results` ---


def with_status(names: Sequence[str]) -> str:
    """Return the condition that an answer has one of these statuses, or raise BadQuery.

    >>> with_status(["none", "multiple"])
    "(status = 'none' OR (status = 'solved' AND (solutions > 1 OR solutions_text IS NOT NULL)))"
    """
    for name in names:
        if name not in STATUSES:
            raise BadQuery(f"there is no status {name!r}", f"use {', '.join(STATUSES)}")
    return "(" + " OR ".join(map(STATUSES.__getitem__, names)) + ")"


def ordering(sort: Sequence[str], dialect: str, *, scan: bool = True) -> str:
    """Return the terms of ORDER BY for these sort keys, the first of which counts most.

    `-` before a column means descending; nulls come last, and ids decide between equal answers.
    Without `scan`, SQLite sorts the answers that it finds instead of scanning the whole table in
    the order of ids.  Raises BadQuery if there is no such column.

    >>> ordering(["-clues", "ms"], "sqlite")
    'clues IS NULL, clues DESC, ms IS NULL, ms, id'
    >>> ordering([], "sqlite", scan=False)
    '+id'
    """
    terms: list[str] = []
    id_ = "id" if scan else "+id"
    for key in sort:
        value = expression(key.removeprefix("-"), dialect)
        direction = " DESC" if key.startswith("-") else ""
        if value == "id":  # further keys have no effect
            return ", ".join([*terms, f"{id_}{direction}"])
        terms += [f"{value} IS NULL", f"{value}{direction}"]
    return ", ".join([*terms, id_])


def expression(column: str, dialect: str) -> str:
    """Return a column, or a member of `extra`, as a value for ORDER BY and GROUP BY.

    Raises BadQuery if there is no such column.

    >>> expression("ms", "sqlite"), expression("extra.rating", "postgresql")
    ('ms', "nullif(CAST(extra AS jsonb) -> 'rating', 'null')")
    """
    if not is_column(column):
        raise BadQuery(f"there is no column {column!r}", f"the columns are {', '.join(COLUMNS)}")
    if not column.startswith(MEMBER):
        return column
    name = column.removeprefix(MEMBER)
    if dialect == "sqlite":
        return f"json_extract(extra, '$.\"{name}\"')"
    return f"nullif(CAST(extra AS jsonb) -> '{name}', 'null')"
