"""Reads the weights of cells that `--weights FILE` gives for target sudokus."""

from pathlib import Path

from worker.formats.errors import FormatError, naming, quoted
from worker.sudoku.symbols import SIDES

#: greatest size of a file of weights in bytes
MAX_BYTES = 64 * 1024


def read_weights(path: str) -> tuple[int, ...]:
    """Return the weights of a grid's cells, row by row: integers separated by spaces or commas.

    Raises FormatError if the file cannot be read, or has not one weight for each cell of a grid.
    """
    with naming(path):
        try:
            with Path(path).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise FormatError(f"the weights cannot be read ({reason})") from error
        if len(data) > MAX_BYTES:
            raise FormatError(f"more than {MAX_BYTES:,} bytes, too long for weights")
        words = data.decode("utf-8-sig", "replace").replace(",", " ").split()
        if len(words) not in SIDES:
            sizes = ", ".join(f"{cells} ({side}x{side})" for cells, side in SIDES.items())
            raise FormatError(f"{len(words)} weights, expected one for each cell: {sizes}")
        return tuple(map(_weight, words))


def _weight(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise FormatError(f"the weight {quoted(word)} is not a whole number") from None
