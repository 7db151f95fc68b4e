"""What `--target` can be asked of: puzzles that have a score."""

from collections.abc import Iterator
from typing import TypeVar

from cli.errors import BadUsage
from worker.formats.cover import has_costs
from worker.formats.entry import Entry, Run
from worker.options import Options

Part = TypeVar("Part", bound=Entry | Run)


def refuse_what_target_cannot(options: Options, source: str, kind: str, size: int | None) -> None:
    """Raise Misused where `--target` makes no sense for puzzles of this kind and size."""
    if not options.target:
        return
    if kind == "cover":
        if options.weights:
            raise BadUsage(f"{source}: --weights is for grids; a cover's options have their costs.")
        return
    if options.weights is None and size not in {9, None}:
        raise BadUsage(
            f"{source}: {size}x{size} grids have no weights of their own; "
            "--target needs --weights FILE here."
        )
    if options.weights and size and len(options.weights) != size * size:
        raise BadUsage(
            f"{source}: {len(options.weights)} weights do not fit {size}x{size} grids, "
            f"which need {size * size}."
        )


def scored(parts: Iterator[Part], options: Options, source: str) -> Iterator[Part]:
    """The same parts; with `--target`, Misused at the first cover problem without costs."""
    for part in parts:
        if options.target and isinstance(part, Entry):
            _refuse_a_cover_without_costs(part, source)
        yield part


def _refuse_a_cover_without_costs(entry: Entry, source: str) -> None:
    if entry.error is None and entry.text.startswith("{") and not has_costs(entry.text):
        raise BadUsage(
            f"{source} line {entry.line}: --target is for grids, and for cover problems whose "
            "options have costs; this one has none."
        )
