"""Rows as lines of CSV, TSV or JSON, formatted by the database.

A line is an SQL expression.  The driver converts each value that it reads, so one text takes a
third of the time of all columns of the view `answers`.
"""

import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from enum import Enum
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, NamedTuple

from storage.view import INTEGERS, TEXTS

#: lines that are joined at a time
LINES_AT_A_TIME = 1000
#: the least characters of a text, apart from the last
TEXT_SIZE = 4 << 20


class Form(Enum):
    """How rows are written, with the value between their columns.

    ARROW is CSV in which null differs from an empty text, and `solutions` beyond 64 bits are null.
    """

    CSV = ","
    TSV = "\t"
    JSON = ", "
    ARROW = "\x1f"


Value = str | int | None

#: columns in which any character may occur, that of further solutions among them
_TEXTS = TEXTS | {"text"}
#: those whose text is JSON
_JSONS = frozenset({"option_counts", "extra"})
#: columns that are never null, and have no special characters
_KNOWN = frozenset(
    {"id", "batch", "position", "kind", "status", "complete", "attempts", "solved_at"}
)
#: text without special characters
_PLAIN = re.compile(r"[\w@.:-]+", re.ASCII)


class _Common(NamedTuple):
    """What many answers have in common: some columns are null, and some are not.

    These include the clues, so the puzzle and its solution are grids.
    """

    null: frozenset[str]
    known: frozenset[str]


_SOLVED_GRIDS = _Common(
    frozenset({"label", "detail", "solutions_text", "option_counts"}),
    frozenset({"size", "clues", "solutions", "nodes", "ms", "solution"}),
)
#: those of `--reuse`, whose detail is `as puzzle N`
_COPIED_GRIDS = _Common(
    frozenset({"label", "nodes", "ms", "worker", "solutions_text", "option_counts"}),
    frozenset({"size", "clues", "solutions", "solution", "detail"}),
)


class _Dialect(NamedTuple):
    """How a database writes text."""

    fill: str  #: the function that fills a format; null becomes empty
    integer: str  #: the conversion of an integer
    contains: str  #: whether text contains one of some characters
    json: str  #: text, or null, as JSON
    columns: dict[str, str]  #: columns that it writes unlike Python, as expressions that do not


_SQLITE = _Dialect("printf", "%d", "{} GLOB '*[{}]*'", "json_quote({})", {})
_POSTGRESQL = _Dialect(
    "format",
    "%s",
    "{} ~ '[{}]'",
    "coalesce(to_json({}::text)::text, 'null')",
    {
        "ms": "CASE WHEN ms = trunc(ms) THEN ms::text || '.0' ELSE ms::text END",
        "solved_at": 'to_char(solved_at, \'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\')',
    },
)


class Known(NamedTuple):
    """What is known of answers before they are read."""

    #: columns that have one value in all of them
    constants: Mapping[str, Value] = MappingProxyType({})
    #: columns that have one value, a number or a word, in most of them
    usual: Mapping[str, Value] = MappingProxyType({})
    #: expressions of columns that take less time than the view's
    expressions: Mapping[str, str] = MappingProxyType({})
    #: names that most of their workers have
    workers: Sequence[str] = ()


class _Line(NamedTuple):
    """How a line is written."""

    database: _Dialect
    form: Form
    columns: Mapping[str, str]  #: expressions of columns that are not their names
    constants: Mapping[str, Value]  #: columns with one value
    null: frozenset[str]  #: columns that are null
    plain: frozenset[str]  #: columns that are not null, and have no special characters


def line(dialect: str, form: Form, columns: Sequence[str], known: Known | None = None) -> str:
    """Return the SQL expression of a line with these columns, which ends with LF.

    The dialect is `sqlite` or `postgresql`.  With what is `known` of answers, those that have what
    many have in common are written by an expression of their own, in half to two thirds of the
    time.

    >>> print(line("sqlite", Form.JSON, ["id", "status"]))
    printf('{"id": %d, "status": "%s"}
    ', id, status)
    """
    database = _SQLITE if dialect == "sqlite" else _POSTGRESQL
    constants = known.constants if known else {}
    written = {**database.columns, **(known.expressions if known else {})}
    general = _Line(database, form, written, constants, frozenset(), _KNOWN)
    as_any = _filled(general, columns)
    common = (_SOLVED_GRIDS, _COPIED_GRIDS)
    cases = [_case(general, columns, of, known) for of in common] if known else []
    shorter = [f"WHEN {when} THEN {filled}" for when, filled in cases if filled != as_any]
    return f"CASE {' '.join(shorter)} ELSE {as_any} END" if shorter else as_any


def _case(general: _Line, columns: Sequence[str], of: _Common, known: Known) -> tuple[str, str]:
    """Return the condition of answers with this in common, and the call that fills a line."""
    usual = known.usual if of is _SOLVED_GRIDS else {}
    how = general._replace(null=of.null, plain=_KNOWN | of.known | {"puzzle"})
    how = how._replace(constants={**general.constants, **usual})
    conditions = [f"{name} IS NULL" for name in columns if name in of.null]
    conditions += [f"{name} = {_literal(usual[name])}" for name in columns if name in usual]
    not_null = of.known - usual.keys()
    conditions += [
        f"{name} IS NOT NULL" for name in dict.fromkeys(("clues", *columns)) if name in not_null
    ]
    named = [_literal(name) for name in known.workers if _PLAIN.fullmatch(name)]
    if named and "worker" in columns and "worker" not in of.null:
        how = how._replace(plain=how.plain | {"worker"})
        conditions.append(f"worker IN ({', '.join(named)})")
    return " AND ".join(conditions), _filled(how, columns)


def _filled(how: _Line, columns: Sequence[str]) -> str:
    """Return the call that fills the format of a line with values."""
    form = how.form
    formats, values = [], []
    for name in columns:
        format_, value = _column(how, name)
        formats.append(f'"{name}": {format_}' if form is Form.JSON else format_)
        values += [value] if value else []
    text = form.value.join(formats)
    if form is Form.JSON:
        text = "{" + text + "}"
    arguments = ", ".join([f"'{text}\n'", *values])
    filled = f"{how.database.fill}({arguments})"
    if form in {Form.CSV, Form.TSV} and len(columns) == 1:  # an empty line would be no record
        return f"coalesce(nullif({filled}, '\n'), '\"\"\n')"
    return filled


def _column(how: _Line, name: str) -> tuple[str, str]:
    """Return the format of a column, and the expression of its value unless that is null."""
    database, form = how.database, how.form
    value = how.columns.get(name, name)
    if name in how.null or how.constants.get(name, "") is None:
        return "null" if form is Form.JSON else "", ""
    constant = how.constants.get(name)
    if isinstance(constant, int):
        return str(constant), ""
    if constant is not None and _PLAIN.fullmatch(constant):
        return f'"{constant}"' if form is Form.JSON else constant, ""
    if name in how.plain:
        if name in INTEGERS and form is not Form.ARROW:  # a text, which Arrow rejects, is 0 in %d
            return database.integer, value
        return "%s" if name == "ms" or form is not Form.JSON else '"%s"', value
    if name == "solutions" and form is not Form.ARROW:
        value = "coalesce(solutions_text, CAST(solutions AS text))"
    if name in how.constants:
        value = _literal(how.constants[name])
    write = _json if form is Form.JSON else _separated
    return "%s", write(database, form, name, value)


def _literal(value: Value) -> str:
    if isinstance(value, int):
        return str(value)
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def _json(database: _Dialect, _: Form, name: str, value: str) -> str:
    if name in _TEXTS - _JSONS:
        return database.json.format(value)
    return f"coalesce(CAST({value} AS text), 'null')"


def _separated(database: _Dialect, form: Form, name: str, value: str) -> str:
    """Return the value, in quotes if it contains a special character of the form."""
    if name not in _TEXTS:
        return value
    special = database.contains.format(value, f'"{form.value}\r\n')
    if form is Form.ARROW:
        special += f" OR {value} = ''"
    quoted = f"'\"' || replace({value}, '\"', '\"\"') || '\"'"
    return f"CASE WHEN {special} THEN {quoted} ELSE {value} END"


def joined(rows: Generator[Sequence[Any]]) -> Generator[bytes]:
    """Yield the lines of rows that have one each, many of them as one text; close the rows."""
    with closing(rows):
        each = chain.from_iterable(rows)
        found, size = list[str](), 0
        while text := "".join(islice(each, LINES_AT_A_TIME)):
            found.append(text)
            size += len(text)
            if size > TEXT_SIZE:
                yield "".join(found).encode()
                found, size = [], 0
        if found:
            yield "".join(found).encode()
