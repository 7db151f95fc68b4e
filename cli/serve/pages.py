"""What each page shows.  Everything is read from the database; nothing needs Redis."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple
from urllib.parse import urlencode

from sqlalchemy import Connection, func, select

from cli.drawing import has_rings
from cli.formatting import count, milliseconds, percent, shorten
from cli.output.answers import FileSymbols, find_solutions
from cli.progress.display import per_second
from cli.progress.status import describe_batch, pace, state
from cli.report.page import of_batch, render
from cli.report.sections import read_report
from storage import batches
from storage.batches import Batch
from storage.errors import BadQuery
from storage.queries.answers import select_answers
from storage.queries.progress import Progress, active_leases, read_progress, work
from storage.queries.selection import STATUSES
from storage.tables import summary
from storage.view import AnswerRow
from worker.formats.svg import caption, draw_svg

#: batches on the first page, and answers on one of a batch
MAX_BATCHES = 50
ANSWERS = 50
#: batches whose statistics are kept in memory
MAX_REPORTS = 20
#: seconds after which a page of something that goes on is read again
REFRESH_SECONDS = 5
#: characters of a label in a table
LABEL_COLUMNS = 60
#: columns of the table of answers after the number of the puzzle, and whether they are numbers
COLUMNS = {
    **{"label": False, "clues": True, "status": False, "solutions": True, "score": True},
    **{"nodes": True, "ms": True, "worker": False},
}
#: facts of a puzzle in the order in which its page lists them
FACTS = (
    *("status", "solutions", "clues", "score", "bound", "nodes", "ms", "worker", "attempts"),
    *("solved_at", "detail"),
)
#: what can be done with a batch, and what it means
ACTIONS = {
    "pause": "The workers leave the batch within 2 s. Its answers are kept.",
    "resume": "The workers go on with the batch.",
    "cancel": "The batch stops within 2 s. Its answers are kept, and retry goes on with the rest.",
    "retry": "Puzzles that failed, timed out or were not answered are solved again.",
}


class Filters(NamedTuple):
    """Which answers of a batch are shown."""

    status: str = ""
    where: str = ""
    sort: str = ""
    offset: int = 0


def index(connection: Connection, queue: str, location: str) -> str:
    """Return the page with the newest batches, and the workers."""
    newest = batches.newest(connection, MAX_BATCHES, being_stored=True)
    rows = [_row(read_progress(connection, one.id)) for one in newest]
    workers = list(_workers(connection, queue))
    values = {"rows": rows, "workers": workers, "location": location, "refresh": REFRESH_SECONDS}
    return render("batches.html", **values)


def _row(progress: Progress) -> dict[str, Any]:
    batch = progress.batch
    return {
        "id": batch.id,
        "title": batch.title,
        "state": state(progress),
        "done": percent(progress.done, batch.puzzles),
        "share": round(100 * progress.done / batch.puzzles, 1) if batch.puzzles else 100,
        "answered": progress.answered,
        "puzzles": batch.puzzles,
        "pace": pace(progress).strip(),
        "created": f"{batch.created_at[:10]} {batch.created_at[11:16]}",
    }


def _workers(connection: Connection, queue: str) -> Iterator[dict[str, Any]]:
    chunks = {one.worker: one for one in active_leases(connection, queue)}
    for one in work(connection, queue):
        lease = chunks.get(one.worker)
        yield {
            "name": one.worker,
            "chunk": f"batch {lease.batch} chunk {lease.chunk}" if lease else "",
            "answered": one.puzzles,
            "rate": per_second(one.rate) if one.rate else "",
            "seen": f"{one.last_seen[:19].replace('T', ' ')} UTC",
        }


class Reports:
    """The statistics of the batches that were shown last, which are read again if they change."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, dict[str, Any]]] = {}

    def read(self, connection: Connection, number: int) -> dict[str, Any]:
        """Return the values of the sections about a batch; raise NoSuchBatch."""
        batch, s = batches.find(connection, number), summary.c
        wanted = select(func.count(), func.max(s.id)).where(s.batch_id == number)
        now = (batch, tuple(connection.execute(wanted).one()))
        then, found = self._known.pop(number, (None, {}))
        if then != now:
            found = of_batch(read_report(connection, number))
        self._known[number] = now, found  # the last one in their order
        for oldest in list(self._known)[:-MAX_REPORTS]:
            self._known.pop(oldest, None)
        return found


def of_one_batch(connection: Connection, number: int, filters: Filters, reports: Reports) -> str:
    """Return the page about a batch; raise NoSuchBatch."""
    progress = read_progress(connection, number, tally=True)
    report = reports.read(connection, number)
    rows, problem = list[AnswerRow](), ""
    try:
        rows = _selected(connection, progress.batch, filters)
    except BadQuery as error:
        problem = str(error)
    goes_on = state(progress) in {"running", "waiting", "being stored"}
    last = filters.offset + ANSWERS if len(rows) > ANSWERS else None
    return render(
        "served.html",
        **report,
        comparison=None,
        lines=list(describe_batch(progress)),
        actions=actions(progress),
        choices=[*STATUSES],
        filters=filters,
        problem=problem,
        heads=[("puzzle", True), *COLUMNS.items()],
        answers=[(one.id, [_cell(one, name) for name in COLUMNS]) for one in rows[:ANSWERS]],
        before=_address(number, filters, filters.offset - ANSWERS) if filters.offset else None,
        after=None if last is None else _address(number, filters, last),
        refresh=REFRESH_SECONDS if goes_on and filters == Filters() else 0,
        forms="self",
    )


def _selected(connection: Connection, batch: Batch, filters: Filters) -> list[AnswerRow]:
    """Return the answers of a page, and one more if there are further ones."""
    wanted: dict[str, Any] = {"batch": batch.id, "first": ANSWERS + 1, "offset": filters.offset}
    if filters.status:
        wanted["status"] = (filters.status,)
    if filters.where:
        wanted["where"] = filters.where
    if filters.sort:
        wanted["sort"] = tuple(filters.sort.replace(",", " ").split())
    with closing(select_answers(connection, **wanted)) as rows:
        return list(FileSymbols(connection, batch).rows(rows))


def _cell(answer: AnswerRow, name: str) -> str:
    value = answer.value(name)
    if name == "ms":
        return milliseconds(value)
    if isinstance(value, int) and name != "score":
        return count(value)
    return "" if value is None else shorten(str(value), LABEL_COLUMNS)


def _address(number: int, filters: Filters, offset: int) -> str:
    given = {name: value for name, value in filters._asdict().items() if value}
    return f"/batch/{number}?{urlencode({**given, 'offset': max(0, offset)})}#answers"


def actions(progress: Progress) -> list[str]:
    """Return what can be done with a batch in its state."""
    now = state(progress)
    if now in {"running", "waiting"}:
        return ["pause", "cancel"]
    if now == "paused":
        return ["resume", "cancel"]
    failed = any(progress.by_status.get(status) for status in ("failed", "timeout"))
    return ["retry"] if now == "cancelled" or (now == "complete" and failed) else []


def of_one_puzzle(connection: Connection, number: int) -> str:
    """Return the page about a puzzle; raise NoSuchPuzzle."""
    answer, further = find_solutions(connection, number)
    batch = batches.find(connection, answer.batch)
    has_grid = answer.kind in {"sudoku", "target"} and bool(answer.size)
    text = caption(answer)
    rings = has_rings(answer, batch.options)
    picture = draw_svg(answer, text, rings=rings, show_caption=False) if has_grid else ""
    facts = [(name, answer.value(name)) for name in FACTS]
    facts += json.loads(answer.extra or "{}").items()
    return render(
        "puzzle.html",
        answer=answer,
        further=further,
        picture=picture,
        caption=text,
        facts=[(name, value) for name, value in facts if value is not None],
    )


def confirmation(batch: Batch, action: str, token: str | None) -> str:
    """Return the page that asks before a batch is changed, for the token unless it is known."""
    meaning = ACTIONS[action]
    return render(
        "confirm.html", batch=batch, action=action, meaning=meaning, token=token, forms="self"
    )


def error(problem: str, remedy: str) -> str:
    """Return the page about an error."""
    return render("problem.html", problem=problem, remedy=remedy)
