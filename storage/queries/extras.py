"""The members of the JSON column `extra`: their names and types."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from sqlalchemy import Connection, select

from storage.archive.catalogue import attach, of_puzzles
from storage.batches import Batch
from storage.tables import extra
from storage.view import MEMBER, is_column

#: the types of no members
NO_MEMBERS: Mapping[str, str] = MappingProxyType({})
#: the newest puzzles in which names of members are looked for
_LOOKED_AT = 100
#: members that `members` finds at most
MAX_MEMBERS = 100
#: the type of each value in `each`, which has id, place, name and value of all members
_TYPE = {
    "sqlite": """CASE WHEN type IN ('true', 'false') THEN 'bool'
                 WHEN type IN ('integer', 'real') THEN typeof(value) ELSE 'text' END""",
    "postgresql": """CASE WHEN type = 'boolean' THEN 'bool' WHEN type <> 'number' THEN 'text'
                     WHEN value::text ~ '^-?[0-9]{1,18}$' THEN 'integer' ELSE 'real' END""",
}
_EACH = {
    "sqlite": """SELECT found.id AS id, each.id AS place, each.key AS name, type, value
                 FROM found, json_each(found.extra) AS each WHERE type <> 'null'""",
    "postgresql": """SELECT id, place, key AS name, json_typeof(value) AS type, value
                     FROM found, json_each(CAST(extra AS json))
                                 WITH ORDINALITY AS each (key, value, place)
                     WHERE json_typeof(value) <> 'null'""",
}


def member_names(connection: Connection) -> list[str]:
    """Return the members that the newest puzzles have, such as `extra.rating`, in their order."""
    newest = select(extra.c.data).order_by(extra.c.answer_id.desc()).limit(_LOOKED_AT)
    found = (MEMBER + name for text in connection.scalars(newest) for name in json.loads(text))
    return [name for name in dict.fromkeys(found) if is_column(name)]


class Member(NamedTuple):
    """A member of `extra` in the answers of a batch, and the type of all its values."""

    name: str  #: as in `extra.rating`
    type: str  #: integer, real or bool; text if there are others, or several


def members(connection: Connection, whole: Batch | None) -> list[Member]:
    """Return the members in the answers of a batch, or of all, the first MAX_MEMBERS of them.

    Reads all values of `extra`.  Raises ArchiveUnreadable.
    """
    ids, dialect = whole.ids if whole else None, connection.dialect.name
    found = "(SELECT answer_id AS id, data AS extra FROM extra) AS stored"
    if of_puzzles(connection, ids):
        attach(connection, ids, conditions=["extra IS NOT NULL"])
        found = "answers"
    condition = f"id BETWEEN {ids[0]} AND {ids[1]}" if ids else "extra IS NOT NULL"
    type_ = _TYPE[dialect]
    query = f"""
        WITH found AS (SELECT id, extra FROM {found} WHERE {condition}), each AS ({_EACH[dialect]})
        SELECT name, min({type_}), max({type_}), min(id * 1000000 + place) AS first
        FROM each GROUP BY name ORDER BY first, name"""  # noqa: S608 # our own names
    rows = connection.exec_driver_sql(query).all()
    each = [Member(MEMBER + name, _type(least, most)) for name, least, most, _ in rows]
    return [one for one in each if is_column(one.name)][:MAX_MEMBERS]


def _type(least: str, most: str) -> str:
    """Return the type of values whose types are from the `least` to the `most` of the alphabet."""
    return {("integer", "real"): "real"}.get((least, most), least if least == most else "text")
