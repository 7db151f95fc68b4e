"""Lines that the database formats, against Python's modules csv and json."""

import csv
import io
import json
from collections.abc import Iterable
from contextlib import closing
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, insert

from storage import answers, batches
from storage.database import read
from storage.queries.answers import select_answers, select_lines
from storage.queries.lines import Form
from storage.tables import answer, summary
from storage.values import MAX_INTEGER
from storage.view import COLUMNS
from tests.storage.harness import Harness, answers_to

#: before Python 3.13, `csv` does not quote a lone CR
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=9)
NUMBER = st.none() | st.integers(0, MAX_INTEGER)
GRID = st.text("123456789.", min_size=81, max_size=81)
#: at least a tenth of a microsecond
NS = st.none() | st.integers(100, 10**14) | st.sampled_from([0, 5_000_000])
ANSWER = st.fixed_dictionaries(
    {
        "label": st.none() | TEXT,
        "kind": st.sampled_from(["sudoku", "target", "cover"]),
        "size": NUMBER.map(lambda size: size and size % 10_000),
        "clues": st.none(),
        "puzzle": TEXT,
        "status": st.sampled_from(["solved", "none", "timeout", "invalid", "failed"]),
        "solutions": NUMBER,
        "complete": st.integers(0, 1),
        "solution": st.none() | TEXT,
        "score": st.none() | st.integers(-MAX_INTEGER, MAX_INTEGER),
        "bound": NUMBER,
        "nodes": NUMBER,
        "ns": NS,
        "worker": st.none() | TEXT,
        "attempts": st.integers(0, 3),
        "detail": st.none() | TEXT,
        "option_counts": st.none() | st.lists(st.integers()).map(json.dumps),
        "extra": st.none() | st.dictionaries(TEXT, TEXT | st.integers()).map(json.dumps),
    }
)
LARGE = st.integers(MAX_INTEGER + 1, 10**30).map(
    lambda number: {"solutions": None, "solutions_text": str(number)}
)
#: what a copy of `--reuse` lacks, and what it has
NOT_COPIED = {"nodes": None, "ns": None, "worker": None, "attempts": 0, "detail": "as puzzle 7"}
#: answers that have what most answers have in common
USUAL = st.fixed_dictionaries(
    {
        "kind": st.just("sudoku"),
        "size": st.just(9),
        "clues": st.integers(0, 81),
        "puzzle": GRID,
        "status": st.just("solved"),
        "solutions": st.integers(1, 2),
        "complete": st.integers(0, 1),
        "solution": GRID,
        "score": st.none() | st.integers(2500, 3300),
        "bound": NUMBER,
        "nodes": st.integers(0, MAX_INTEGER),
        "ns": NS.filter(lambda ns: ns is not None),
        "worker": TEXT,
        "attempts": st.integers(1, 3),
    }
)
COPIED = USUAL.map(lambda one: one | NOT_COPIED)
ANYTHING = ANSWER | USUAL | COPIED | st.builds(dict.__or__, ANSWER, LARGE)
TEXTS = [form for form in Form if form is not Form.ARROW]
EMPTY = dict.fromkeys(("label", "detail", "solutions_text", "option_counts"))
#: what answers have in common
IN_SUMMARY = ("kind", "size", "status", "complete", "worker", "attempts")
#: what a summary has besides
SHARED: dict[str, Any] = dict.fromkeys(("first_id", "last_id", "answers", "timed", "total_ms"), 0)
SHARED |= {"grids": 0, "unguessed": 0, "details": b""}


def store(connection: Connection, name: str, some: Iterable[dict[str, Any]]) -> None:
    batch = batches.create(
        connection, name=name, source="", kind="mixed", options={}, puzzles=9, queue=""
    )
    for position, one in enumerate(some, start=1):
        number = 2 if one.get("solutions_text") else one["solutions"]
        shared = (
            SHARED
            | {name: one[name] for name in IN_SUMMARY}
            | {
                "batch_id": batch.id,
                "solutions": number if number is None else min(number, 2),
                "last_at": f"2026-11-20T19:30:00.{position:03}Z",
            }
        )
        made = connection.execute(insert(summary).values(shared).returning(summary.c.id))
        own = {name: value for name, value in one.items() if name not in IN_SUMMARY}
        if data := own.pop("extra", None):
            answers.add_extras(connection, [(batch.first_id + position - 1, data)])
        own |= {"id": batch.first_id + position - 1, "summary_id": made.scalar_one()}
        connection.execute(insert(answer).values(EMPTY | own))


def expected(form: Form, row: dict[str, Any]) -> str:
    """Return a line as Python writes it."""
    if form is Form.JSON:
        return "{" + ", ".join(f'"{name}": {as_json(name, row[name])}' for name in row) + "}\n"
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", delimiter=form.value).writerow(row.values())
    return out.getvalue()


def as_json(name: str, value: Any) -> str:
    is_json = name in {"option_counts", "extra"} and value is not None
    return str(value) if is_json else json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("form", TEXTS)
@given(
    name=TEXT,
    some=st.lists(ANYTHING, min_size=1, max_size=5),
    columns=st.just(COLUMNS) | st.permutations(COLUMNS),
    number=st.integers(1, len(COLUMNS)),
)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lines_are_those_of_python(
    engine: Engine,
    form: Form,
    name: str,
    some: list[dict[str, Any]],
    columns: tuple[str, ...],
    number: int,
) -> None:
    shown = columns[:number]
    with engine.connect() as connection, connection.begin() as transaction:
        store(connection, name, some)
        with closing(select_answers(connection)) as rows:
            stored = [row.named() for row in rows]
        with closing(select_lines(connection, form, shown)) as rows:
            text = b"".join(rows).decode()
        transaction.rollback()
    assert text == "".join(expected(form, {name: row[name] for name in shown}) for row in stored)


@pytest.mark.parametrize("form", TEXTS)
@pytest.mark.parametrize("name", [None, 'a "b"\'s, %d?', "sunday"])
def test_the_lines_of_one_batch_have_its_name_and_the_names_of_its_workers(
    harness: Harness, form: Form, name: str | None
) -> None:
    batch = harness.submit(1, 1, 1, 1, name=name)
    for chunk, worker in zip(
        harness.claim_new(), ["w-1@vm", 'w, "2"', "w'3", "w-4@vm"], strict=True
    ):
        lease = harness.must_take(chunk.id, worker)
        assert harness.store_answers(lease, answers_to(chunk), worker=worker)
    harness.solve(harness.submit(1, name="another"))
    with read(harness.engine) as connection:
        with closing(select_answers(connection, batch=batch.id)) as rows:
            stored = [row.named() for row in rows]
        with closing(select_lines(connection, form, batch=batch.id)) as rows:
            text = b"".join(rows).decode()
    assert text == "".join(expected(form, row) for row in stored)
