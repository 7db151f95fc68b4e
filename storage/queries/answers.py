"""Records of the view `answers`, or lines of them: filtered, sorted, one by its id, in groups."""

import json
from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any, NamedTuple, Unpack

from sqlalchemy import Column, ColumnElement, Connection, func, select

from storage import batches
from storage.archive.catalogue import attach, of_puzzles
from storage.batches import Batch
from storage.database import avoid_sorting, stream
from storage.errors import BadQuery, NoSuchPuzzle
from storage.queries import guard, zones
from storage.queries.lines import Form, Known, Value, joined, line
from storage.queries.selection import Selection, expression, ordering, with_status
from storage.tables import extra, fact, origin, solution, summary
from storage.values import MAX_INTEGER, Kept, Status
from storage.view import COLUMNS, OF_CLASSES, OF_FACTS, TEXTS, AnswerRow

#: groups that are returned at most: those with most puzzles
MAX_GROUPS = 1000
#: the columns of numbers; databases sort texts by different rules
_NUMBERS = frozenset(COLUMNS) - TEXTS


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
    distinct = wanted.get("distinct", False)
    if where is None and least is None and not distinct:
        return zones.count(connection, whole, status)
    attach(connection, whole.ids if whole else None, conditions=conditions)
    if distinct:
        _check_classes(connection, whole)
    query = _query(connection, "count(*)", conditions, where, distinct=distinct)
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
    if not has_values(connection, extra.c.answer_id, whole):
        constants["extra"] = None
    if not has_values(connection, fact.c.answer_id, whole):
        constants |= dict.fromkeys((*OF_CLASSES, *OF_FACTS))
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


def has_values(connection: Connection, column: Column[Any], whole: Batch | None) -> bool:
    """Return whether an answer of a batch, or of all, may have a value in a table beside it."""
    ids = whole.ids if whole else None
    wanted = select(column).where(column.is_not(None)).limit(1)
    if ids:
        wanted = wanted.where(column.table.c.answer_id.between(*ids))
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


def _check_classes(connection: Connection, whole: Batch | None) -> None:
    """Raise BadQuery if no answer of a batch, or of all, has a class."""
    if not has_values(connection, fact.c["class"], whole):
        of = "" if whole is None else f" of batch {whole.id}"
        raise BadQuery(f"no answer{of} has a class", "solve or submit with --classes")


def _query(
    connection: Connection,
    selected: str,
    conditions: Sequence[str],
    where: str | None = None,
    *,
    distinct: bool = False,
) -> str:
    """Return the query for answers that match all conditions, and that of the user."""
    view = "answers"
    if where is not None:
        users, view = guard.condition(connection, where)
        conditions = [*conditions, users]
    query = f"SELECT {selected} FROM {view}"  # noqa: S608 # every part is checked
    if distinct:
        matching = " AND ".join([*conditions, "class IS NOT NULL"])
        firsts = f"SELECT min(id) FROM {view} WHERE {matching} GROUP BY class, canonical"  # noqa: S608
        return f"{query} WHERE id IN ({firsts})"
    return query + " WHERE " + " AND ".join(conditions) if conditions else query


def _rows(connection: Connection, selected: str, wanted: Selection) -> Generator[Sequence[Any]]:
    """Yield rows of expressions over the columns of the wanted answers."""
    status, sort, where = wanted.get("status", ()), wanted.get("sort", ()), wanted.get("where")
    least, first, offset = wanted.get("min_score"), wanted.get("first"), wanted.get("offset", 0)
    whole, distinct = _batch(connection, wanted), wanted.get("distinct", False)
    near: list[str] = []
    if least is not None:
        near = zones.with_least(connection, whole, status, "score", least)
    elif first is not None and where is None and not distinct:
        near = zones.first(connection, whole, status, sort, first + offset)
    if status and not near:
        near = zones.with_status(connection, whole, status)
    conditions = _conditions(whole, status, least, near)
    order = f" ORDER BY {ordering(sort, connection.dialect.name, scan=not near)}"
    enough = ""
    sorts_numbers = {key.removeprefix("-") for key in sort} <= _NUMBERS
    if first is not None and where is None and sorts_numbers and not distinct:
        enough = f"{order} LIMIT {min(first + offset, MAX_INTEGER)}"
    attach(connection, whole.ids if whole else None, conditions=conditions, order=enough)
    if distinct:
        _check_classes(connection, whole)
    query = _query(connection, selected, conditions, where, distinct=distinct) + order
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


class Group(NamedTuple):
    """Answers that share values; the times are in milliseconds."""

    values: tuple[int | float | str | None, ...]  #: lists and objects are JSON
    puzzles: int
    solved: int
    mean_ms: float | None  #: None if none of them has a time
    max_ms: float | None
    best_score: int | None


def groups(connection: Connection, batch_id: int | None, by: Sequence[str]) -> list[Group]:
    """Return the answers of a batch, or of all, by the values of columns or members of `extra`.

    The groups are sorted by their values: numbers, texts, null.  Reads all answers.  Raises
    NoSuchBatch, BadQuery if there is no such column, and ArchiveUnreadable.
    """
    values = [expression(name, connection.dialect.name) for name in by]
    places = ", ".join(str(place) for place in range(1, len(by) + 1))
    batch = None if batch_id is None else batches.find(connection, batch_id)
    attach(connection, batch.ids if batch else None)
    query = f"""
        SELECT {", ".join(values)}, count(*) AS puzzles,
               count(CASE WHEN status = '{Status.SOLVED}' THEN 1 END), avg(ms), max(ms), max(score)
        FROM answers WHERE {" AND ".join(zones.of_batch(batch)) or "1 = 1"}
        GROUP BY {places} ORDER BY puzzles DESC, {places} LIMIT {MAX_GROUPS}"""  # noqa: S608 # our own names
    rows = stream(connection, query)
    found = [Group(tuple(map(_plain, row[: len(by)])), *row[len(by) :]) for row in rows]
    return sorted(found, key=lambda group: [*map(_place, group.values)])


def _plain(value: Any) -> Any:
    """Return a value as SQLite has it, which PostgreSQL returns as that of JSON."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list | dict):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return value


def _place(value: Any) -> tuple[bool, bool, Any]:
    return value is None, isinstance(value, str), 0 if value is None else value
