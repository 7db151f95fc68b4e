"""`--dry-run`: how files are understood; nothing is stored."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain

import click

from cli.errors import Exit
from cli.formatting import count, shorten
from cli.input.source import refuse_what_target_cannot, scored
from cli.options import Request
from cli.verify.given_solutions import nothing_given
from worker.formats.errors import FormatError
from worker.formats.readers.columns import Columns
from worker.formats.source import Source, open_source

#: of a bad line this much is shown
SHOWN = 72
#: puzzles whose repetitions a dry run finds; above it would take too much memory
COMPARED = 2_000_000


@contextmanager
def opened(asked: Request, file: str) -> Iterator[Source]:
    """One file, opened and fit for the options."""
    stdin = sys.stdin.buffer if file == "-" else None
    with open_source(file, asked.format, stdin) as source:
        layout = source.layout
        refuse_what_target_cannot(asked.options, source.name, layout.kind, layout.size)
        yield source


@dataclass(slots=True)
class FileSummary:
    """What a dry run learns about a file."""

    puzzles: int = 0
    repeated: int = 0
    given: int = 0
    costly: int = 0  #: cover problems whose options have costs
    bad: list[str] = field(default_factory=list)


def dry_run(asked: Request, *, verify: bool = False) -> None:
    """Say how each file is understood; exit with 65 if `solve` and `submit` would."""
    trouble = False
    for file in asked.files:
        try:
            with opened(asked, file) as source:
                found = _read(source, asked)
                click.echo(_words(source, found, asked))
                if verify and not found.given:
                    raise nothing_given(source.name)
                if source.columns is not None:
                    click.echo(f"  columns: {_told(source.columns)}")
        except FormatError as error:
            trouble = True
            click.echo(str(error))
            continue
        for line in found.bad:
            click.echo(f"  {line}")
        trouble = trouble or bool(found.bad and not asked.skip_bad)
    if trouble:
        raise click.exceptions.Exit(Exit.BAD_INPUT)


def _read(source: Source, asked: Request) -> FileSummary:
    found = FileSummary()
    seen: set[int] = set()
    blocks = scored(source.blocks(), asked.options, source.name)
    for entry in chain.from_iterable(block.entries() for block in blocks):
        found.puzzles += 1
        found.costly += entry.costs
        found.given += entry.solution is not None
        if entry.error is not None:
            found.bad.append(f"line {entry.line}: {entry.error}: {shorten(entry.text, SHOWN)}")
        elif found.puzzles <= COMPARED:
            before = len(seen)
            seen.add(hash(entry.text))
            found.repeated += len(seen) == before
    return found


def _words(source: Source, found: FileSummary, asked: Request) -> str:
    layout = source.layout
    size = f"{layout.size}x{layout.size}" if layout.size else ""
    empty = layout.alphabet[0] if layout.alphabet else "0"
    good = found.puzzles - len(found.bad)
    parts = [
        f"{source.name}: {layout.format}",
        "exact cover" if layout.kind == "cover" else size,
        f"empty {empty!r}" if layout.kind == "sudoku" else "",
        count(good, "puzzle") + (" (count heads the file)" if layout.counted else ""),
        count(found.repeated, "duplicate") if found.repeated else "",
        f"{count(found.given, 'solution')} given" if found.given else "",
        count(len(found.bad), "bad line"),
        _read_as(layout.kind, layout.size, asked, found),
    ]
    return ", ".join(part for part in parts if part)


def _told(columns: Columns) -> str:
    """Which column is taken for what."""
    solution = () if columns.solution is None else (columns.solution,)
    roles = {
        "puzzle": (columns.puzzle,),
        "solution": solution,
        "label": columns.label,
        "ignored": columns.ignored,
    }
    parts = []
    for role, places in roles.items():
        names = " and ".join(f"`{shorten(columns.names[at], SHOWN)}`" for at in places)
        parts += [f"{role} {names}"] if names else []
    return ", ".join(parts)


def _read_as(kind: str, size: int | None, asked: Request, found: FileSummary) -> str:
    if found.costly:
        least = "the least is sought" if asked.options.target else "passed over without --target"
        return f"with costs ({least})"
    if asked.options.target:
        return "read as target"
    if kind == "sudoku" and size == 9:
        return "read as sudoku (for target sudoku add --target)"
    return ""
