"""Stores answers in bulk, and looks up which puzzles have one."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Table, bindparam, delete, select, union_all

from storage.database import Step, together
from storage.summaries import fingerprints, table
from storage.summaries.summary import SEVERAL, Column, Measured, by_key, is_constant
from storage.tables import answer, extra, fact, origin, search, solution, summary
from storage.values import MAX_INTEGER, NO_FACTS, NS_PER_MS, Answers, Facts, slices

#: columns of integers in which the answers of a chunk usually agree; such a value is a literal of
#: the statement
CONSTANT_COLUMNS = frozenset({"summary_id", "clues", "solutions"})
#: greatest number of parameters of a statement for SQLite, whose older versions allow 999
MAX_PARAMETERS = 900
#: the detail of an answer with more solutions
LARGE_COUNT = "the number of solutions exceeds 64 bits: see solutions_text"
#: ids are looked up as one range if it is less than this many times as long as their list
MAX_RANGE_FACTOR = 4
#: greatest number of ids in one statement
IDS_PER_STATEMENT = 500

# Statements that run for every chunk are built once: building one takes longer than running it.
_places = (answer.c.id, search.c.id)
_ids_between = union_all(
    *(select(id_).where(id_.between(bindparam("least"), bindparam("most"))) for id_ in _places)
)
_ids_among = union_all(
    *(select(id_).where(id_.in_(bindparam("some", expanding=True))) for id_ in _places)
)


def add(
    connection: Connection,
    batch_id: int,
    found: Answers,
    worker: str | None,
    attempts: int,
    now: str,
    new: Sequence[int] = (),
    facts: Mapping[int, Facts] = NO_FACTS,
) -> None:
    """Insert answers that are stored `now`, what belongs to them, and their summaries.

    These are further solutions and, by id, the `facts` of puzzles.  The summaries get the ids
    `new`, from `storage.summaries.table`, or others if these are too few.

    A constraint of the database rejects a second answer to a puzzle.  PostgreSQL checks that the
    batch exists once, for the summaries; the caller has updated its chunk or locked the batch.
    """
    if not found.id:
        return
    columns = {name: getattr(found, name) for name in Measured._fields if name != "solved_at"}
    measured = Measured(**columns, solved_at=(now,) * len(found.id))
    groups = list(by_key(measured))
    ids = new if len(new) >= len(groups) else take_summary_ids(connection, len(groups))
    summaries = table.add(connection, batch_id, measured, groups, ids, worker, attempts)
    insert_columns(connection, answer, _columns(found, summaries))
    if any(found.further):
        each = zip(found.id, found.further, strict=True)
        further = [(id_, *kept) for id_, some in each for kept in some]
        insert_columns(connection, solution, list(zip(*further, strict=True)))
    if facts:
        add_facts(connection, {id_: facts[id_] for id_ in found.id if id_ in facts})
    if attempts:  # copies of reused answers are not found again, since their originals are
        fingerprints.add(connection, batch_id, found.id, found.puzzle, found.status)


def add_extras(connection: Connection, rows: Iterable[tuple[int, str]]) -> None:
    """Insert the further columns or keys of puzzles: the id of each, and a JSON object as text."""
    if columns := list(zip(*rows, strict=True)):
        insert_columns(connection, extra, columns)


def add_facts(connection: Connection, facts: Mapping[int, Facts]) -> None:
    """Insert the facts of puzzles, by id."""
    if facts:
        insert_columns(connection, fact, [list(facts), *zip(*facts.values(), strict=True)])


def add_origins(connection: Connection, rows: Sequence[tuple[int, str | None, int, int]]) -> None:
    """Insert where puzzles are in the input: the first id of each run, input, line and step."""
    insert_columns(connection, origin, list(zip(*rows, strict=True)))


def take_summary_ids(connection: Connection, count: int) -> list[int]:
    """Return ids for new summaries."""
    (rows,) = together(connection, table.new_ids(connection, count))
    return [id_ for (id_,) in rows]


def withdraw(connection: Connection, ids: Sequence[int]) -> None:
    """Delete answers and all that belongs to them; a summary must have no others."""
    theirs = answer.c.id.in_(ids)
    summaries = select(answer.c.summary_id).where(theirs)
    connection.execute(delete(summary).where(summary.c.id.in_(summaries)))
    connection.execute(delete(solution).where(solution.c.answer_id.in_(ids)))
    connection.execute(delete(answer).where(theirs))


def remove_facts(connection: Connection, ids: Sequence[int]) -> None:
    """Delete the facts of puzzles, which will be stored again with their next answers."""
    connection.execute(delete(fact).where(fact.c.answer_id.in_(ids)))


def stored(connection: Connection, ids: Sequence[int]) -> frozenset[int]:
    """Return those of the given puzzle ids that have an answer, or a search of their own."""
    return of_ids(ids, together(connection, *lookups(ids)))


def lookups(ids: Sequence[int]) -> list[Step]:
    """Return the statements of `stored`, whose rows `of_ids` reads."""
    if not ids:
        return []
    least, most = min(ids), max(ids)
    if most - least < MAX_RANGE_FACTOR * len(ids):  # as in most chunks
        return [(_ids_between, {"least": least, "most": most})]
    return [(_ids_among, {"some": list(part)}) for part in slices(ids, IDS_PER_STATEMENT)]


def of_ids(ids: Sequence[int], found: Iterable[Sequence[Any]]) -> frozenset[int]:
    """Return those of the given ids that the rows of `lookups` contain."""
    return frozenset(id_ for rows in found for (id_,) in rows).intersection(ids)


def insert_columns(connection: Connection, into: Table, columns: Sequence[Column]) -> None:
    """Insert rows, given as one sequence of values for each column of the table, in its order.

    Bypasses SQLAlchemy, which takes two to three times as long.  Columns that are None in all rows
    are left out: SQLite's driver takes as long for one None as for five other values.
    """
    named = zip((column.name for column in into.c), columns, strict=True)
    given = {
        name: column for name, column in named if column[0] is not None or not is_constant(column)
    }
    if connection.dialect.name == "sqlite":
        _insert_many(connection, into.name, given)
    else:
        from storage import postgresql  # noqa: PLC0415 # psycopg is optional

        postgresql.insert(connection, into, given)


def _insert_many(connection: Connection, into: str, given: dict[str, Column]) -> None:
    """Insert into SQLite, many rows per statement; a value that all rows share is a literal.

    Executing a statement takes as long as four of its parameters, and the driver executes it once
    for each row that it is given.
    """
    constants = {
        name: str(column[0])
        for name, column in given.items()
        if name in CONSTANT_COLUMNS and is_constant(column)
    }
    varying = {name: column for name, column in given.items() if name not in constants}
    values = list(chain.from_iterable(zip(*varying.values(), strict=True)))
    row = f"({', '.join(constants.get(name, '?') for name in given)})"
    step = MAX_PARAMETERS // len(varying) * len(varying)
    driver: Any = connection.connection.dbapi_connection
    for some in slices(values, step):
        rows = ", ".join([row] * (len(some) // len(varying)))
        statement = f"INSERT INTO {into} ({', '.join(given)}) VALUES {rows}"  # noqa: S608 # our own names
        driver.execute(statement, some)


def _columns(found: Answers, summaries: Column) -> list[Column]:
    """Return the columns of `answer`, in order; summaries have the solutions below SEVERAL."""
    solutions, solutions_text, detail = _several(found)
    ns = [None if ms is None else round(ms * NS_PER_MS) for ms in found.ms]
    # fmt: off
    return [
        found.id, summaries, solutions, found.score, found.bound, found.nodes, ns, found.clues,
        found.label, found.puzzle, found.solution, detail, solutions_text, found.option_counts,
    ]
    # fmt: on


def _several(found: Answers) -> tuple[Column, Column, Column]:
    """Return the numbers of solutions from SEVERAL on, those beyond 64 bits apart, and details."""
    none = (None,) * len(found.id)
    most = max(filter(None, set(found.solutions)), default=0)
    if most < SEVERAL:
        return none, none, found.detail
    numbers = [n if n and SEVERAL <= n <= MAX_INTEGER else None for n in found.solutions]
    if most <= MAX_INTEGER:
        return numbers, none, found.detail
    texts = [str(n) if n and n > MAX_INTEGER else None for n in found.solutions]
    details = [
        "; ".join(filter(None, (detail, LARGE_COUNT))) if text else detail
        for text, detail in zip(texts, found.detail, strict=True)
    ]
    return numbers, texts, details
