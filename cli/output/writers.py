"""The functions that read and write answers, or any rows, in each output format."""

import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple, TextIO

from sqlalchemy import Connection

from cli.output import rows, table, text
from cli.output.answers import FileSymbols, find_solutions
from cli.output.excel import write_excel
from cli.output.rows import FORMS, Row
from cli.output.shapes import AS_STORED, Shape, Whole, shaped, with_solutions
from storage.batches import Batch
from storage.queries.answers import select_answers, select_lines
from storage.queries.extras import members
from storage.queries.searches import find_work
from storage.view import COLUMNS, MEMBER, AnswerRow, member
from worker.errors import BadUsage
from worker.formats.layout import Layout
from worker.formats.readers.judge import judge

#: writes rows, given the names of their columns
ColumnWriter = Callable[[Iterable[Row], TextIO, Sequence[str]], None]


class Writer(NamedTuple):
    """How answers are read and written."""

    #: yields those of a `Selection`, given as keywords; to be closed before the connection
    read: Callable[..., Generator[Any]]
    write: Callable[[Iterable[Any], TextIO], None]  #: writes what was read


#: the writers of COLUMN_FORMATS
COLUMN_WRITERS: dict[str, ColumnWriter] = {
    "table": table.write_listing,
    "csv": rows.write_csv,
    "tsv": partial(rows.write_csv, separator="\t"),
    "json": rows.write_json,
    "jsonl": rows.write_jsonl,
    "md": rows.write_markdown,
    "parquet": rows.write_parquet,
    "xlsx": write_excel,
}
#: formats in which no value has members
_FLAT = {"csv", "tsv", "parquet", "xlsx"}
_WRITERS: dict[str, Callable[..., None]] = {
    **COLUMN_WRITERS,
    "table": table.write_table,
    "lines": text.write_lines,
    "grid": text.write_grid,
}


def find_writer(
    connection: Connection,
    output_format: str,
    batch: Batch | None,
    *,
    template: str | None = None,
    columns: Sequence[str] | None = None,
    as_rows: bool = False,
    ahead: bool = True,
    shape: Shape = AS_STORED,
) -> Writer:
    """Return how the answers of a batch, or of all batches, are read and written in a format.

    `judge` needs a batch, and `drawing` one of a single puzzle.  With `columns`, only these are
    written, in this order; the format must be one of COLUMN_FORMATS.  Without, members of `extra`
    are columns of their own where a value cannot have members.  For FORMS storage makes the
    lines, unless answers must be read `as_rows`, or have grids in the symbols of their files.  A
    thread may read `ahead`, unless Ctrl-C must interrupt a long search.  A `shape` adds columns;
    its grids have the symbols of the database.
    """
    symbols = FileSymbols(connection, batch)
    types: Mapping[str, str] = {}
    if output_format in _FLAT and (columns is None or _have_members(columns)):
        types = dict(members(connection, batch))
    if columns is None and types:
        columns = (*COLUMNS, *types)
    names = columns or COLUMNS
    if shape != AS_STORED:
        ids = batch.ids if batch else None
        return Writer(
            lambda **wanted: with_solutions(connection, select_answers(connection, **wanted), ids),
            partial(
                _write_shaped,
                write=_column_writer(output_format, {**types, **shape.types}),
                row_of=_row_maker(names, types),
                columns=names,
                shape=shape,
            ),
        )
    as_rows = as_rows or symbols.are_needed or _have_members(names)
    if output_format in FORMS and not as_rows:
        return Writer(
            partial(select_lines, connection, FORMS[output_format], names),
            partial(rows.write_texts, output_format=output_format, columns=names, ahead=ahead),
        )
    return Writer(
        lambda **selection: symbols.rows(select_answers(connection, **selection)),
        _find_answer_writer(connection, output_format, batch, template, columns, types),
    )


def _find_answer_writer(
    connection: Connection,
    output_format: str,
    batch: Batch | None,
    template: str | None,
    columns: Sequence[str] | None,
    types: Mapping[str, str],
) -> Callable[[Iterable[AnswerRow], TextIO], None]:
    if columns is not None:
        write = _column_writer(output_format, types)
        return partial(_write_columns, write=write, columns=columns, types=types)
    if template is not None:
        return partial(text.write_template, template=template)
    if output_format == "judge" and batch is not None:
        return partial(write_judge, options=batch.options)
    if output_format == "drawing" and batch is not None:
        return partial(_draw, connection=connection, batch=batch)
    return _WRITERS[output_format]


def _have_members(columns: Sequence[str]) -> bool:
    """Return whether some of these are members of `extra`, whose values may have any type."""
    return not set(columns) <= set(COLUMNS)


def find_row_writer(output_format: str) -> ColumnWriter:
    """Return the writer of one of COLUMN_FORMATS for rows whose columns may have any type."""
    if output_format == "parquet":
        return partial(rows.write_parquet, members=None)
    return COLUMN_WRITERS[output_format]


def _column_writer(output_format: str, types: Mapping[str, str]) -> ColumnWriter:
    """Return the writer of one of COLUMN_FORMATS for columns of answers; some have these types."""
    if output_format == "parquet":
        return partial(rows.write_parquet, members=types)
    return COLUMN_WRITERS[output_format]


def _write_shaped(
    wholes: Iterable[Whole],
    out: TextIO,
    write: ColumnWriter,
    row_of: Callable[[AnswerRow], Row],
    columns: Sequence[str],
    shape: Shape,
) -> None:
    each = ([*row_of(answer), *values] for answer, values in shaped(wholes, shape))
    write(each, out, (*columns, *shape.columns))


def _write_columns(
    answers: Iterable[AnswerRow],
    out: TextIO,
    write: ColumnWriter,
    columns: Sequence[str],
    types: Mapping[str, str],
) -> None:
    write(map(_row_maker(columns, types), answers), out, columns)


def _row_maker(columns: Sequence[str], types: Mapping[str, str]) -> Callable[[AnswerRow], Row]:
    """Return what makes a row of columns and members of `extra`; texts are those of type text."""
    names = [name for name in columns if name.startswith(MEMBER)]
    is_text = (types.get(name) == "text" for name in names)
    of_types = [_as_text if text else member for text in is_text]
    each = [(name.removeprefix(MEMBER), of) for name, of in zip(names, of_types, strict=True)]
    places = [(*COLUMNS, *names).index(name) for name in columns]
    chosen = itemgetter(*places) if len(places) > 1 else lambda row: (row[places[0]],)

    def values(answer: AnswerRow) -> Row:
        found = json.loads(answer.extra) if answer.extra and each else {}
        of_members = (of(found.get(name)) for name, of in each)
        values: Row = chosen((*answer, *of_members))
        return values

    return values


def _as_text(value: Any) -> Any:
    """Return the value of a member of type text; null stays as it is."""
    return json.dumps(value) if isinstance(value, bool | int | float) else member(value)


def write_judge(answers: Iterable[AnswerRow], out: TextIO, *, options: dict[str, Any]) -> None:
    """Write all answers of a batch in the output format of the judge problem of each input.

    The `options` of the batch hold the layout of each; raises BadUsage if there are none.
    """
    inputs, each = options.get("inputs"), iter(answers)
    if not inputs:
        raise BadUsage("the layout of this batch's input is not stored; use -f lines.")
    for source in inputs:
        layout, some = Layout.from_json(source["layout"]), islice(each, source["count"])
        out.writelines(f"{line}\n" for line in judge(layout, some, bool(options.get("target"))))


def _draw(
    answers: Iterable[AnswerRow], out: TextIO, *, connection: Connection, batch: Batch
) -> None:
    """Draw the only puzzle of a batch, as `show` does."""
    from cli.drawing import print_puzzle

    _, further = find_solutions(connection, batch.first_id)
    work = find_work(connection, batch.first_id)
    for answer in answers:
        print_puzzle(answer, further, batch.options, work)
    out.write("\n")  # before the summary
