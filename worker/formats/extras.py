"""Columns and keys of an input that are neither a puzzle nor its solution or label.

Those of a puzzle are kept as the text of a JSON object, in which numbers are numbers.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from json.encoder import encode_basestring
from math import isfinite
from typing import Any

from storage.values import printable

#: a number of JSON that no reader rounds
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?(?:[eE][+-]?[0-9]{1,2})?")
#: several of them, each ended by LF
NUMBERS = re.compile(rf"(?:{NUMBER.pattern}\n)+")


def of_columns(keys: Iterable[str], columns: Iterable[Sequence[str]]) -> list[str | None]:
    """Return the text for each row of a table; empty fields are left out.

    The keys are the names of the columns, from `key`.

    >>> of_columns(map(key, ["rating", "id"]), [["8.30", ""], ["007", ""]])
    ['{"rating":8.30,"id":"007"}', None]
    """
    members = [_members(name, fields) for name, fields in zip(keys, columns, strict=True)]
    if len(members) == 1:
        return [f"{{{member}}}" if member else None for member in members[0]]
    rows = (",".join(filter(None, row)) for row in zip(*members, strict=True))
    return [f"{{{row}}}" if row else None for row in rows]


def key(name: str) -> str:
    """Return the name of a member as it stands before its value."""
    return f"{_text(name)}:"


def _members(name: str, fields: Sequence[str]) -> list[str]:
    """Return the member of this name in each row, empty if its field is."""
    if NUMBERS.fullmatch("\n".join([*fields, ""])):
        return [name + field for field in fields]
    return [
        field and name + (field if NUMBER.fullmatch(field) else _text(field)) for field in fields
    ]


def of_members(members: Mapping[str, Any]) -> str | None:
    """Return the text for members of a JSON object; those that are null are left out.

    >>> of_members({"rating": 8.3, "tags": ["x-wing"], "author": None})
    '{"rating":8.3,"tags":["x-wing"]}'
    """
    pairs = [key(name) + _value(value) for name, value in members.items() if value is not None]
    return f"{{{','.join(pairs)}}}" if pairs else None


def _text(value: str) -> str:
    return encode_basestring(printable(value, keep="\n\t"))


def _value(value: object) -> str:
    """Return a value as JSON, with numbers that JSON does not have as null."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{','.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(key(name) + _value(one) for name, one in value.items())}}}"
    if isinstance(value, float) and not isfinite(value):
        return "null"
    return json.dumps(value, default=_other, ensure_ascii=False)


def _other(value: Any) -> Any:
    """Return a value that JSON does not have, as of a DataFrame: a number of NumPy, or a text."""
    return value.item() if hasattr(value, "item") else printable(str(value))
