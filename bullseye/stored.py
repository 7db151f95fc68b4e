"""The answers stored in a database, filtered and sorted as by `bullseye results`."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from bullseye.answers import StoredAnswer, arrow_table, pandas_frame
from storage import batches
from storage.database import opened, read
from storage.queries.answers import select_answers
from storage.values import COLUMNS, BatchKey
from worker.settings import Settings


@dataclass(frozen=True)
class Results:
    """Stored answers; the database is read anew by each iteration and each table made of them."""

    database: str | None = field(repr=False)  #: a path, or a URL, which may contain a password
    batch: BatchKey | None
    status: Sequence[str]
    min_score: int | None
    where: str | None
    sort: Sequence[str]
    first: int | None
    offset: int

    def __iter__(self) -> Iterator[StoredAnswer]:
        """Yield the rows one by one.

        Raises BadQuery if a filter is not valid, NoSuchBatch, DatabaseMissing or another
        StorageError.
        """
        settings = Settings.from_env(database=self.database)
        with opened(settings.database_url) as engine, read(engine, archived=True) as connection:
            batch = None if self.batch is None else batches.find(connection, self.batch).id
            rows = select_answers(
                connection,
                batch=batch,
                status=self.status,
                min_score=self.min_score,
                where=self.where,
                sort=self.sort,
                first=self.first,
                offset=self.offset,
            )
            with closing(rows):
                yield from map(StoredAnswer._make, rows)

    def to_arrow(self) -> Any:
        """Return a `pyarrow.Table` with the columns of the view `answers`."""
        return arrow_table(COLUMNS, self._columns())

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame` with the columns of the view `answers`."""
        return pandas_frame(COLUMNS, self._columns())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Let Polars, DuckDB and others read the answers, by the Arrow PyCapsule interface."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _columns(self) -> Sequence[Sequence[Any]]:
        return list(zip(*self, strict=True)) or [()] * len(COLUMNS)


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
    statuses = (status,) if isinstance(status, str) else tuple(status)
    keys = (sort,) if isinstance(sort, str) else tuple(sort)
    least = None if min_score is None else int(min_score)
    most = None if first is None else int(first)
    return Results(database, batch, statuses, least, where, keys, most, int(offset))
