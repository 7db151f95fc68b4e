"""The answers stored in a database, filtered and sorted as by `bullseye results`."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from bullseye.answers import StoredAnswer, Table
from storage import batches
from storage.database import opened, read
from storage.queries.answers import select_answers
from storage.queries.selection import Selection
from storage.values import BatchKey
from storage.view import COLUMNS
from worker.settings import Settings


@dataclass(frozen=True)
class Results(Table):
    """Stored answers; the database is read anew by each iteration and each table made of them."""

    database: str | None = field(repr=False)  #: a path, or a URL, which may contain a password
    batch: BatchKey | None
    selection: Selection  #: of the rows of the batch

    def __iter__(self) -> Iterator[StoredAnswer]:
        """Yield the rows; raise BadQuery, NoSuchBatch, DatabaseMissing or another StorageError."""
        settings = Settings.from_env(database=self.database)
        with opened(settings.database_url) as engine, read(engine, archived=True) as connection:
            batch = None if self.batch is None else batches.find(connection, self.batch).id
            wanted: Selection = {**self.selection, "batch": batch}
            with closing(select_answers(connection, **wanted)) as rows:
                yield from map(StoredAnswer._make, rows)

    def named_columns(self) -> dict[str, Sequence[Any]]:
        """Return the columns of the view `answers`."""
        columns = list(zip(*self, strict=True)) or [()] * len(COLUMNS)
        return dict(zip(COLUMNS, columns, strict=True))


def results(
    batch: BatchKey | None = None,
    *,
    status: str | Sequence[str] = (),
    min_score: int | None = None,
    where: str | None = None,
    sort: str | Sequence[str] = (),
    first: int | None = None,
    offset: int = 0,
    database: str | None = None,
) -> Results:
    """Return the stored answers of a batch, or of all batches, as an iterable of rows.

    - `batch`: the number or the name of a batch, or `last`
    - `status`: only `solved`, `unique`, `multiple`, `none`, `timeout`, `invalid` or `failed`
    - `min_score`: only scores of this and more
    - `where`: only rows that match an SQL condition over the columns of the view `answers`
    - `sort`: a column, or several, of which the first counts most; `-` sorts in descending order
    - `first`: at most this many rows
    - `offset`: skip this many rows
    - `database`: a path or URL; by default `BULLSEYE_DATABASE_URL`, else the user's database

    Nothing is read before the first row is asked for.
    """
    selection: Selection = {
        "status": (status,) if isinstance(status, str) else tuple(status),
        "min_score": None if min_score is None else int(min_score),
        "where": where,
        "sort": (sort,) if isinstance(sort, str) else tuple(sort),
        "first": None if first is None else int(first),
        "offset": int(offset),
    }
    return Results(database, batch, selection)
