"""All input files are read into one spool before anything is stored; `--dry-run` describes them."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain

import click

from cli.errors import Exit
from cli.formatting import count, shorten
from cli.input.request import Request
from cli.options import flag
from cli.streams import echo
from cli.verify import GivenSolutions, no_solutions
from storage.values import Kind
from worker.covers.text import has_multiplicities, is_set_cover
from worker.errors import BadInput
from worker.formats.entry import Entry
from worker.formats.errors import FormatError
from worker.formats.readers.columns import Columns
from worker.formats.source import Source, open_source
from worker.intake.spool import Spool, suited
from worker.sudoku.symbols import BOXES

#: columns of an invalid line that a message quotes
QUOTED_COLUMNS = 72
#: puzzles of a file that are compared for duplicates; their hashes are held in memory
MAX_COMPARED_PUZZLES = 2_000_000


@contextmanager
def spooled(request: Request, command: str, given: GivenSolutions | None = None) -> Iterator[Spool]:
    """Yield a spool of all puzzles in the request's files.

    Solutions that the files give are recorded in `given`.  Raises BadInput, naming the first
    invalid line and a dry run of `command`, unless `--skip-bad` was given.
    """
    if request.files.count("-") > 1:
        raise click.UsageError("stdin (-) can be read only once.")
    with Spool() as spool:
        for file in request.files:
            with open_source(file, request.format, roles=request.roles) as source:
                blocks = suited(source.blocks(), request.options, source.name, flag)
                if given:
                    blocks = given.record(blocks, source.name, source.layout)
                spool.add(source, blocks)
        if spool.first_fault is not None and not request.skip_bad:
            raise BadInput(_bad_lines(*spool.first_fault, spool, request, command))
        yield spool


def _bad_lines(name: str, first: Entry, spool: Spool, request: Request, command: str) -> str:
    verb, them = ("is", "it") if spool.fault_count == 1 else ("are", "them")
    lines = "line" if spool.puzzles == 1 else "lines"
    dry_run = shlex.join(["bullseye", command, "--dry-run", *request.files])
    return (
        f"{name} line {first.line}: {first.error}\n"
        f"{shorten(first.text, QUOTED_COLUMNS)}\n"
        f"{count(spool.fault_count)} of {count(spool.puzzles)} {lines} {verb} invalid. "
        f"Skip {them} with --skip-bad, or list {them}: {dry_run}"
    )


@dataclass(slots=True)
class FileSummary:
    """Counts of what a file holds."""

    puzzles: int = 0  #: lines, the invalid ones included
    duplicates: int = 0
    solutions: int = 0  #: puzzles whose solution the file gives
    with_costs: int = 0  #: cover problems whose options have costs
    set_covers: int = 0  #: cover problems that are marked as set covers
    multiplicities: int = 0  #: cover problems whose items may be covered more or less than once
    invalid: list[str] = field(default_factory=list)  #: a message for each invalid line


def dry_run(request: Request) -> None:
    """Print a description of each file; exit with 65 where `solve` and `submit` would.

    With `--verify`, raises BadUsage for a file that gives no solutions.
    """
    results = [_describe_file(request, file) for file in request.files]
    if not all(results):
        raise click.exceptions.Exit(Exit.BAD_INPUT)


def _describe_file(request: Request, file: str) -> bool:
    """Print the description of one file; return whether it would be accepted."""
    try:
        with open_source(file, request.format, roles=request.roles) as source:
            summary = _summarize(source, request)
            echo(_description(source, summary, request), indent=2)
            if request.verify and not summary.solutions:
                raise no_solutions(source.name)
            if source.columns is not None:
                echo(f"  columns: {_columns(source.columns)}", indent=4)
    except FormatError as error:
        echo(str(error), indent=2)
        return False
    for line in summary.invalid:
        echo(f"  {line}", indent=4)
    return request.skip_bad or not summary.invalid


def _summarize(source: Source, request: Request) -> FileSummary:
    summary = FileSummary()
    hashes: set[int] = set()
    blocks = suited(source.blocks(), request.options, source.name, flag)
    for entry in chain.from_iterable(block.entries() for block in blocks):
        summary.puzzles += 1
        summary.solutions += entry.solution is not None
        if entry.error is not None:
            text = shorten(entry.text, QUOTED_COLUMNS)
            summary.invalid.append(f"line {entry.line}: {entry.error}: {text}")
            continue
        summary.with_costs += entry.costs
        if entry.kind is Kind.COVER:
            summary.set_covers += is_set_cover(entry.text)
            summary.multiplicities += has_multiplicities(entry.text)
        if summary.puzzles <= MAX_COMPARED_PUZZLES:
            summary.duplicates += hash(entry.text) in hashes
            hashes.add(hash(entry.text))
    return summary


def _description(source: Source, summary: FileSummary, request: Request) -> str:
    layout = source.layout
    size = _size(layout.size) if layout.size else ""
    valid = summary.puzzles - len(summary.invalid)
    parts = [
        f"{source.name}: {layout.format}",
        "exact cover" if layout.kind == "cover" else size,
        f"empty {source.empty!r}" if layout.kind == "sudoku" else "",
        "with multiplicities" if summary.multiplicities else "",
        count(valid, "puzzle") + (" (count in the first line)" if layout.counted else ""),
        count(summary.duplicates, "duplicate") if summary.duplicates else "",
        f"{count(summary.solutions, 'solution')} given" if summary.solutions else "",
        count(len(summary.invalid), "invalid line"),
        _interpretation(layout.kind, layout.size, request, summary),
    ]
    return ", ".join(part for part in parts if part)


def _size(side: int) -> str:
    """Describe the size of grids, and their boxes unless these are square.

    >>> _size(9), _size(6)
    ('9x9', '6x6 with 2x3 boxes')
    """
    height, width = BOXES[side]
    return f"{side}x{side}" + ("" if height == width else f" with {height}x{width} boxes")


def _interpretation(kind: str, size: int | None, request: Request, summary: FileSummary) -> str:
    if summary.set_covers or (request.options.set_cover and kind == Kind.COVER):
        return "read as set cover"
    if summary.with_costs:
        if request.options.target:
            return "with costs (searched for the lowest)"
        return "with costs (ignored without --target)"
    if request.options.target:
        return "read as target sudoku"
    if kind == "sudoku" and size == 9:
        return "read as sudoku (for target sudoku add --target)"
    return ""


def _columns(columns: Columns) -> str:
    """Return which columns of a CSV file are read as what."""
    roles = {
        "puzzle": (columns.puzzle,),
        "solution": () if columns.solution is None else (columns.solution,),
        "label": columns.label,
        "extra": tuple(at for at in columns.extra if at not in columns.label),
    }
    names = [f"`{shorten(name, QUOTED_COLUMNS)}`" for name in columns.names]
    return ", ".join(
        f"{role} {' and '.join(names[at] for at in places)}"
        for role, places in roles.items()
        if places
    )
