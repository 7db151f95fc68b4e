"""SQL that users write: parsed, compared with lists of what is allowed, and written again.

The database gets what is written from the checked tree, so a text that it would read differently
than this parser never reaches it.  sqlglot's dialects know hundreds of functions and rewrite them;
here all are names with arguments, which are written as they were read.
"""

import logging
import re
import string
import sys
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.postgres import Postgres
from sqlglot.dialects.sqlite import SQLite
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.generator import Generator
from sqlglot.generators.sqlite import SQLiteGenerator
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.parsers.sqlite import SQLiteParser
from sqlglot.tokenizer_core import TokenType

from storage.queries.allowed import FUNCTIONS, NODES, TYPES
from storage.queries.members import written_out

logging.getLogger("sqlglot").setLevel(logging.CRITICAL)  # what it warns of is refused
#: Python's limit of nested calls while a text is parsed: for some 150 nested brackets
_NESTED_CALLS = 3000
#: letters of a text that a message cites
_MOST_CITED = 60
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_NAME = re.compile(r"[^\W\d][\w$]*")
#: what a node that is not a name or a literal may contain as text: keywords
_KEYWORDS = re.compile(r"[A-Za-z_ ]*")
#: nodes with a text of the user, which is written in quotes; unquoted names and numbers are checked
_QUOTED = (exp.Identifier, exp.Literal, exp.RawString)
#: PostgreSQL's own schema, which is the only one that is searched for functions and types
_CATALOG = "pg_catalog"
_CATALOG_NAME = exp.to_identifier(_CATALOG)
#: names that only the databases give to tables
_SYSTEM = ("pg_", "sqlite_", "pragma_")
#: PostgreSQL's, not Python's: it leaves other letters as they are
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class Refused(Exception):
    """The text is not what it may be: `str()` says why, after the name of the text."""


class OutOfScope(Refused):
    """The text is not one query or condition, or reads other tables than it may."""


#: the operators -> and ->>
_ARROWS: dict[TokenType, Any] = {
    TokenType.ARROW: lambda _, this, key: exp.JSONExtract(this=this, expression=key),
    TokenType.DARROW: lambda _, this, key: exp.JSONExtractScalar(this=this, expression=key),
}


class _Postgres(Postgres):
    class Parser(PostgresParser):
        FUNCTIONS: ClassVar[dict[str, Any]] = {}
        FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
            name: PostgresParser.FUNCTION_PARSERS[name]
            for name in ("CAST", "EXTRACT", "OVERLAY", "POSITION", "SUBSTRING", "TRIM")
        }
        JSON_OPERATORS: ClassVar[dict[TokenType, Any]] = PostgresParser.JSON_OPERATORS | _ARROWS


class _SQLite(SQLite):
    class Parser(SQLiteParser):
        FUNCTIONS: ClassVar[dict[str, Any]] = {}
        FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {"CAST": SQLiteParser.FUNCTION_PARSERS["CAST"]}
        CONCAT_OPERATORS: ClassVar[dict[TokenType, Any]] = SQLiteParser.CONCAT_OPERATORS | _ARROWS
        JOINS_HAVE_EQUAL_PRECEDENCE = False  # else a comma becomes CROSS JOIN: it fixes the order

    class Generator(SQLiteGenerator):
        TYPE_MAPPING: ClassVar[Any] = {**Generator.TYPE_MAPPING, exp.DType.DECIMAL: "NUMERIC"}
        cast_sql = Generator.cast_sql


_DIALECTS = {"postgresql": _Postgres(), "sqlite": _SQLite()}


class Checker:
    """Checks texts in the SQL of one database, which may read some tables.

    `tables` has the schema of each: where PostgreSQL finds it, empty in SQLite.
    """

    def __init__(self, dialect: str, tables: Mapping[str, str]):
        self._dialect = _DIALECTS[dialect]
        self._postgresql = dialect == "postgresql"
        self._tables = tables

    def checked(self, text: str, *, condition: bool = False) -> str:
        """Return a query, or a `condition`, that reads these tables and only computes.

        Raises Refused.
        """
        if text != text.encode(errors="replace").decode():
            raise Refused("is not valid UTF-8 text")
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, _NESTED_CALLS))
        try:
            tree = self._parsed(text, exp.Condition if condition else None)
            if condition:
                tree = written_out(tree, postgresql=self._postgresql)
            self._check(tree)
            return self._dialect.generate(
                tree, normalize_functions=False, comments=False, unsupported_level=ErrorLevel.RAISE
            )
        except ParseError as error:
            raise Refused(_place(error)) from error
        except SqlglotError as error:
            raise Refused(f"is not valid ({str(error).splitlines()[0]})") from error
        except RecursionError as error:
            raise Refused("is nested too deeply") from error
        finally:
            sys.setrecursionlimit(before)

    def _parsed(self, text: str, into: type[exp.Condition] | None) -> exp.Expr:
        parser = self._dialect.parser(error_level=ErrorLevel.IMMEDIATE)
        tokens = self._dialect.tokenize(text)
        try:
            trees = parser.parse_into(into, tokens, text) if into else parser.parse(tokens, text)
        except (AttributeError, TypeError, ValueError) as error:  # of sqlglot itself
            raise Refused("is not valid SQL") from error
        if len(trees) > 1:
            raise OutOfScope("must be one statement")
        if not trees or trees[0] is None:
            raise OutOfScope("is empty")
        if into is None and not isinstance(trees[0], exp.Query | exp.Values):
            raise OutOfScope("is not a query")
        return trees[0]

    def _check(self, tree: exp.Expr) -> None:
        for dot in list(tree.find_all(exp.Dot)):
            if dot.this == _CATALOG_NAME and isinstance(dot.expression, exp.Anonymous):
                dot.replace(dot.expression)
        for node in list(tree.walk()):
            kind = type(node).__name__
            if kind not in NODES or not all(map(_KEYWORDS.fullmatch, _texts(node))):
                self._refuse(node)
            if check := getattr(self, f"_check_{kind.lower()}", None):
                check(node)

    def _refuse(self, node: exp.Expr, error: type[Refused] = Refused) -> None:
        cited = " ".join(node.sql(dialect=self._dialect, comments=False).split())
        raise error(f"must not use {cited[:_MOST_CITED] or type(node).__name__!r}")

    # --- a check for each kind of node that needs one ---

    def _check_anonymous(self, node: exp.Anonymous) -> None:
        if node.name.lower() not in FUNCTIONS:
            raise Refused(f"must not use the function {node.name[:_MOST_CITED]!r}")
        node.set("this", node.name)  # without quotes

    def _check_column(self, node: exp.Column) -> None:
        if node.args.get("db"):
            self._refuse(node)

    def _check_in(self, node: exp.In) -> None:
        if node.args.get("field"):  # to SQLite, it is the name of a table
            self._refuse(node)

    def _check_datatype(self, node: exp.DataType) -> None:
        if node.this.name not in TYPES:
            self._refuse(node)

    def _check_literal(self, node: exp.Literal) -> None:
        if not node.is_string and not _NUMBER.fullmatch(node.name):
            self._refuse(node)

    def _check_identifier(self, node: exp.Identifier) -> None:
        if node.quoted:
            return
        if not _NAME.fullmatch(node.name):
            self._refuse(node)
        if self._postgresql:
            node.set("this", node.name.translate(_LOWER))
            node.set("quoted", True)

    def _check_cte(self, node: exp.CTE) -> None:
        name = node.alias.translate(_LOWER)
        if name in self._tables or name.startswith(_SYSTEM):
            raise Refused(f"must not give the name {name!r} to a table of its own")

    def _check_table(self, node: exp.Table) -> None:
        name = node.name.translate(_LOWER)
        if isinstance(node.this, exp.Anonymous) and node.db in ("", _CATALOG):
            node.set("db", None)
        elif node.args.get("rows_from") or (not node.db and name in _of_with(node)):
            pass
        elif name not in self._tables or node.catalog or node.db not in ("", self._tables[name]):
            self._refuse(node, OutOfScope)
        elif self._postgresql:
            if not node.alias:
                node.set("alias", exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
            node.set("this", exp.to_identifier(name, quoted=True))
            node.set("db", exp.to_identifier(self._tables[name], quoted=True))


def _of_with(node: exp.Expr) -> Iterator[str]:
    """Yield the names of the tables that WITH defines around a node."""
    above = node.parent
    while above is not None:
        if written := above.args.get("with_"):
            yield from (one.alias.translate(_LOWER) for one in written.expressions)
        above = above.parent


def _texts(node: exp.Expr) -> Iterator[str]:
    """Yield the texts in a node itself that are written as they are."""
    if isinstance(node, _QUOTED):
        return
    for key, value in node.args.items():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and not (isinstance(node, exp.Anonymous) and key == "this"):
                yield one


def _place(error: ParseError) -> str:
    found = error.errors[0]
    what = str(found["description"]).rstrip(".")
    if "<" in what:  # it names a class or a token of sqlglot
        what = "something is missing or misplaced"
    return f"is not valid ({what}; line {found['line']}, column {found['col']})"
