"""What else an input says of a puzzle: columns and keys that are neither it nor its name.

It is kept as the text of a JSON object, in which numbers are numbers.
"""

import json
import re
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

from storage.values import printable

#: a number of JSON that no reader rounds
NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?([eE][+-]?[0-9]{1,2})?")


def of_fields(fields: Iterable[tuple[str, str]]) -> str | None:
    """Return the text for named fields of a table; empty ones are left out.

    >>> of_fields([("rating", "8.30"), ("id", "007"), ("author", "")])
    '{"rating":8.30,"id":"007"}'
    """
    pairs = (f"{_text(name)}:{_field(value)}" for name, value in fields if value)
    return _object(",".join(pairs))


def of_members(members: Mapping[str, Any]) -> str | None:
    """Return the text for members of a JSON object; those that are null are left out.

    >>> of_members({"rating": 8.3, "tags": ["x-wing"], "author": None})
    '{"rating":8.3,"tags":["x-wing"]}'
    """
    pairs = (f"{_text(k)}:{_value(v)}" for k, v in members.items() if v is not None)
    return _object(",".join(pairs))


def _object(members: str) -> str | None:
    return f"{{{members}}}" if members else None


def _field(value: str) -> str:
    return value if NUMBER.fullmatch(value) else _text(value)


def _text(value: str) -> str:
    return json.dumps(printable(value, keep="\n\t"), ensure_ascii=False)


def _value(value: object) -> str:
    """Return a value as JSON, with numbers that JSON does not have as null."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{','.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{_text(k)}:{_value(v)}' for k, v in value.items())}}}"
    if isinstance(value, float) and not isfinite(value):
        return "null"
    return json.dumps(value, default=_other, ensure_ascii=False)


def _other(value: Any) -> Any:
    """Return a value that JSON does not have, as of a DataFrame: a number of NumPy, or a text."""
    return value.item() if hasattr(value, "item") else printable(str(value))
