"""Answers as records of CSV, TSV or JSON, formatted by the database.

A record is an SQL expression over the columns of the view `answers`.  The driver converts each
value that it reads, so one text takes a third of the time of all columns.
"""

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple


class Form(Enum):
    """How a record is written; the value separates its columns."""

    CSV = ","
    TSV = "\t"
    JSON = ", "


_INTEGERS = frozenset(
    {"id", "batch", "position", "size", "clues", "solutions", "complete", "nodes", "attempts"}
)
#: columns of text in which any character may occur
_TEXTS = frozenset({"label", "puzzle", "solution", "worker", "detail", "batch_name"})
#: columns that are never null, and have no special characters
_KNOWN = frozenset(
    {"id", "batch", "position", "kind", "status", "complete", "attempts", "solved_at"}
)
#: text without special characters
_PLAIN = re.compile(r"[\w@.:-]+", re.ASCII)
#: what most answers have in common: these columns are null
_USUALLY_NULL = frozenset({"label", "detail", "solutions_text", "option_counts"})
#: and these are not; since there are clues, the puzzle and its solution are grids
_USUALLY_KNOWN = frozenset({"size", "clues", "solutions", "nodes", "ms", "solution"})


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

    #: columns of text that have one value in all of them
    constants: Mapping[str, str | None] = MappingProxyType({})
    #: names that most of their workers have
    workers: Sequence[str] = ()


class _Record(NamedTuple):
    """How a record is written."""

    database: _Dialect
    form: Form
    constants: Mapping[str, str | None]  #: columns with one value
    null: frozenset[str]  #: columns that are null
    plain: frozenset[str]  #: columns that are not null, and have no special characters


def record(dialect: str, form: Form, columns: Sequence[str], known: Known = Known()) -> str:  # noqa: B008 # it is immutable
    """Return the SQL expression of a record with these columns, without a line end.

    The dialect is `sqlite` or `postgresql`.  Answers that have what most have in common are written
    by an expression of their own, in two thirds of the time.

    >>> record("sqlite", Form.JSON, ["id", "status"])
    'printf(\\'{"id": %d, "status": "%s"}\\', id, status)'
    """
    database = _SQLITE if dialect == "sqlite" else _POSTGRESQL
    general = _Record(database, form, known.constants, frozenset(), _KNOWN)
    usual = general._replace(null=_USUALLY_NULL, plain=_KNOWN | _USUALLY_KNOWN | {"puzzle"})
    conditions = [f"{name} IS NULL" for name in columns if name in _USUALLY_NULL]
    conditions += [f"{name} IS NOT NULL" for name in ("clues", *columns) if name in _USUALLY_KNOWN]
    workers = [_literal(name) for name in known.workers if _PLAIN.fullmatch(name)]
    if workers and "worker" in columns:
        usual = usual._replace(plain=usual.plain | {"worker"})
        conditions.append(f"worker IN ({', '.join(workers)})")
    as_usual, as_any = _filled(usual, columns), _filled(general, columns)
    if as_usual == as_any:
        return as_any
    return f"CASE WHEN {' AND '.join(conditions)} THEN {as_usual} ELSE {as_any} END"


def _filled(how: _Record, columns: Sequence[str]) -> str:
    """Return the call that fills the format of a record with values."""
    form = how.form
    formats, values = [], []
    for name in columns:
        format_, value = _column(how, name)
        formats.append(f'"{name}": {format_}' if form is Form.JSON else format_)
        values += [value] if value else []
    text = form.value.join(formats)
    if form is Form.JSON:
        text = "{" + text + "}"
    arguments = ", ".join([f"'{text}'", *values])
    filled = f"{how.database.fill}({arguments})"
    if form is not Form.JSON and len(columns) == 1:  # an empty line would be no record
        return f"coalesce(nullif({filled}, ''), '\"\"')"
    return filled


def _column(how: _Record, name: str) -> tuple[str, str]:
    """Return the format of a column, and the expression of its value unless that is null."""
    database, form = how.database, how.form
    value = database.columns.get(name, name)
    if name in how.null:
        return "null" if form is Form.JSON else "", ""
    if name in how.plain:
        if name in _INTEGERS:
            return database.integer, value
        return "%s" if name == "ms" or form is not Form.JSON else '"%s"', value
    if name == "solutions":
        value = "coalesce(solutions_text, CAST(solutions AS text))"
    if name in how.constants:
        value = _literal(how.constants[name])
    write = _json if form is Form.JSON else _separated
    return "%s", write(database, form, name, value)


def _literal(value: str | None) -> str:
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def _json(database: _Dialect, _: Form, name: str, value: str) -> str:
    if name in {*_TEXTS, "solutions_text"}:
        return database.json.format(value)
    return f"coalesce(CAST({value} AS text), 'null')"


def _separated(database: _Dialect, form: Form, name: str, value: str) -> str:
    """Return the value, in quotes if it contains a special character of CSV or TSV."""
    if name not in {*_TEXTS, "option_counts"}:
        return value
    special = database.contains.format(value, f'"{form.value}\r\n')
    quoted = f"'\"' || replace({value}, '\"', '\"\"') || '\"'"
    return f"CASE WHEN {special} THEN {quoted} ELSE {value} END"
