"""Copies the answers that were found, inside the database.

Another process may delete originals meanwhile, so the summaries of copies are made from the copies.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import ColumnElement, Connection, delete, func, select, text

from storage import batches
from storage.answers import LARGE_COUNT, insert_columns, take_summary_ids
from storage.batches import Batch
from storage.clock import now
from storage.reuse.finding import KnownAnswers
from storage.reuse.temporary import replaced
from storage.summaries import table
from storage.summaries.summary import Summary, SummaryKey, merge
from storage.tables import answer

_KEYS = text(
    "SELECT s.id, s.status, s.complete, s.solutions, s.max_score IS NOT NULL, s.kind, s.size"
    " FROM summary s WHERE s.id IN"
    " (SELECT k.summary_id FROM reuse_known k WHERE k.position BETWEEN :first AND :last)"
)
# CROSS JOIN sets the order for SQLite.
_COPY_ANSWERS = text(
    "INSERT INTO answer (id, summary_id, solutions, score, bound, clues, label, puzzle, solution,"
    " detail, solutions_text, option_counts)"
    " SELECT CAST(:before AS bigint) + k.position, r.summary_id, a.solutions, a.score, a.bound,"
    " a.clues, k.label, coalesce(k.puzzle, a.puzzle), coalesce(k.solution, a.solution),"
    " 'as puzzle ' || a.id || CASE WHEN a.solutions_text IS NULL THEN '' ELSE :large END,"
    " a.solutions_text, a.option_counts"
    " FROM reuse_known k CROSS JOIN answer a CROSS JOIN reuse_replaced r"
    " WHERE k.position BETWEEN :first AND :last AND a.id = k.answer_id"
    " AND r.original = a.summary_id"
)
_COPY_SOLUTIONS = text(
    "INSERT INTO solution (answer_id, rank, score, text) SELECT a.id, s.rank, s.score, s.text"
    " FROM reuse_known k CROSS JOIN answer a CROSS JOIN solution s"
    " WHERE k.position BETWEEN :first AND :last AND a.id = CAST(:before AS bigint) + k.position"
    " AND s.answer_id = k.answer_id"
)
_COPY_FACTS = (
    "INSERT INTO fact (answer_id, {0}) SELECT CAST(:before AS bigint) + k.position, {0}"
    " FROM reuse_known k CROSS JOIN answer a CROSS JOIN fact f"
    " WHERE k.position BETWEEN :first AND :last AND a.id = CAST(:before AS bigint) + k.position"
    " AND f.answer_id = k.answer_id"
)


def copy(
    known: KnownAnswers,
    batch: Batch,
    first: int,
    last: int,
    *,
    further: bool,
    facts: Sequence[str] = (),
) -> Collection[int]:
    """Copy the known answers for a range of positions of a batch, in one transaction.

    With `further`, kept solutions are copied, too; `facts` are the columns of facts that are.
    Returns the positions that have an answer now.
    """
    places = {"first": first, "last": last}
    values = {**places, "before": batch.first_id - 1}
    connection = known.connection.execution_options(write=True)
    with connection.begin():
        batches.lock(connection, batch.id)
        keys = _replace_summaries(connection, places)
        copied = connection.execute(_COPY_ANSWERS, {**values, "large": f"; {LARGE_COUNT}"}).rowcount
        ids = answer.c.id.between(batch.first_id + first - 1, batch.first_id + last - 1)
        _add_summaries(connection, batch.id, ids, keys)
        if further:
            connection.execute(_COPY_SOLUTIONS, values)
        if facts:
            connection.execute(text(_COPY_FACTS.format(", ".join(facts))), values)
        if copied == last - first + 1:
            return range(first, last + 1)  # saves time and memory
        found = connection.execute(select(answer.c.id).where(ids)).scalars()
        return frozenset(id_ - batch.first_id + 1 for id_ in found)


def _replace_summaries(connection: Connection, places: Mapping[str, int]) -> dict[int, SummaryKey]:
    """Note which new summary replaces each of the originals'; return the keys of the new."""
    rows = connection.execute(_KEYS, places)
    originals = {id_: SummaryKey(*key) for id_, *key in rows}
    connection.execute(delete(replaced))
    if not originals:
        return {}
    keys = list(set(originals.values()))
    ids = dict(zip(keys, take_summary_ids(connection, len(keys)), strict=True))
    columns = [list(originals), [ids[key] for key in originals.values()]]
    insert_columns(connection, replaced, columns)
    return {id_: key for key, id_ in ids.items()}


def _add_summaries(
    connection: Connection,
    batch_id: int,
    copied: ColumnElement[bool],
    keys: Mapping[int, SummaryKey],
) -> None:
    a = answer.c
    numbers = (func.count(), func.min(a.id), func.max(a.id))
    wanted = select(a.summary_id, a.score, *numbers).where(copied).group_by(a.summary_id, a.score)
    time, made = now(connection), defaultdict[int, list[table.New]](list)
    for id_, score, number, first_id, last_id in connection.execute(wanted):
        scores = Counter[int]() if score is None else Counter({score: number})
        some = Summary(answers=number, max_score=score, last_at=time, scores=scores)
        made[id_].append(table.New(id_, keys[id_], first_id, last_id, some))
    each = list(map(_merged, made.values()))
    table.insert(connection, batch_id, each, worker=None, attempts=0)


def _merged(some: Sequence[table.New]) -> table.New:
    """Return the summary of copies with several scores; they have neither times nor nodes."""
    return some[0]._replace(
        first_id=min(one.first_id for one in some),
        last_id=max(one.last_id for one in some),
        summary=merge(one.summary for one in some),
    )
