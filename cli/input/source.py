"""What `--target` can be asked of: puzzles that have a score."""

from collections.abc import Iterable, Iterator

from cli.errors import BadUsage
from storage.values import Kind
from worker.formats.block import Block
from worker.options import Options


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


def scored(blocks: Iterable[Block], options: Options, source: str) -> Iterator[Block]:
    """Yield the same blocks; with `--target`, BadUsage at a cover problem without costs."""
    for block in blocks:
        if options.target and block.kind is Kind.COVER and not block.costs:
            raise BadUsage(
                f"{source} line {block.places[0]}: --target is for grids, and for cover problems "
                "whose options have costs; this one has none."
            )
        yield block
