"""Rows as a Parquet file with typed columns, and what commands say of such files."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TextIO

from cli.formatting import count
from cli.output.destination import binary
from cli.output.rows import Row
from storage.queries.lines import Form
from storage.values import COLUMNS

if TYPE_CHECKING:
    from storage.export.archiving import Exported


def write_texts(
    texts: Iterable[bytes], out: TextIO, columns: Sequence[str], *, ahead: bool = True
) -> None:
    """Write texts of lines of Form.ARROW with these columns; `ahead` as in `arrow.row_groups`."""
    from storage.archive import arrow

    schema = arrow.of_answers(columns)
    with closing(arrow.row_groups(texts, Form.ARROW.value, schema, ahead=ahead)) as groups:
        _write(groups, out, schema)


def write_parquet(
    rows: Iterable[Row], out: TextIO, columns: Sequence[str] = COLUMNS, *, of_answers: bool = True
) -> None:
    """Write rows with the types of the columns of `answers`; `solved_at` is a timestamp in UTC.

    Columns that are not `of_answers` get the types of their first values; BadQuery is raised if
    later values have other types.
    """
    from storage.archive import arrow

    each = iter(rows)
    first = [] if of_answers else list(islice(each, arrow.ROWS_PER_GROUP))
    schema = arrow.of_answers(columns) if of_answers else arrow.inferred(columns, first)
    _write(arrow.groups(arrow.tables(chain(first, each), schema)), out, schema)


def _write(groups: Iterable[Any], out: TextIO, schema: Any) -> None:
    from storage.archive import arrow

    with binary(out) as file, arrow.writer(file, schema) as writer:
        for group in groups:
            writer.write_table(group)


def described(found: "Exported") -> str:
    """Return one line about the files of a batch."""
    from rich.filesize import decimal as size

    batch = found.batch
    number, total = len(found.files), sum(one.bytes for one in found.files)
    files = f"{count(number, 'file')}, {size(total)}"
    return f"{batch.title} · {count(batch.puzzles, 'answer')} in {found.folder} ({files})"
