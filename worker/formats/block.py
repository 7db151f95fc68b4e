"""Consecutive puzzles of one kind, in columns: the form in which they are read and spooled."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat

from storage.values import Kind
from worker.formats.entry import Entry

#: greatest number of puzzles that `blocks_of` gathers into one block
MAX_GATHERED = 4096
#: greatest number of characters that `blocks_of` gathers, unless a single puzzle has more
MAX_GATHERED_CHARACTERS = 1 << 20


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive puzzles of the same kind and size, all or none with costs; or consecutive errors.

    Every column has one element for each puzzle; a column is None if all its values are.
    """

    kind: Kind | None  #: None if none of the lines is a puzzle; `errors` has the reasons
    cells: int | None  #: cells of each grid; None for cover problems and errors
    places: Sequence[int]  #: from 1: in a source a puzzle's first line, in a spool its position
    text: str  #: the puzzles as in `Entry.text`, each ended by LF
    costs: bool = False  #: the options of the cover problems have costs
    labels: Sequence[str | None] | None = None
    errors: Sequence[str | None] | None = None
    solutions: Sequence[str | None] | None = None

    @property
    def count(self) -> int:
        """The number of puzzles."""
        return len(self.places)

    def texts(self) -> list[str]:
        """Return the text of each puzzle."""
        return self.text.split("\n")[:-1]

    def entries(self) -> Iterator[Entry]:
        """Yield the puzzles as rows."""
        nothing: Iterator[None] = repeat(None)
        columns = (
            self.places,
            self.labels or nothing,
            self.texts(),
            self.errors or nothing,
            self.solutions or nothing,
            repeat(self.kind),
            repeat(self.costs),
        )
        return map(partial(tuple.__new__, Entry), zip(*columns, strict=False))


def blocks_of(entries: Iterable[Entry]) -> Iterator[Block]:
    """Gather entries into blocks, in their order.

    >>> some = [Entry(1, None, "." * 16, kind=Kind.SUDOKU), Entry(2, None, "bad", "no grid")]
    >>> [(block.kind, block.cells, block.errors) for block in blocks_of(some)]
    [(<Kind.SUDOKU: 'sudoku'>, 16, None), (None, None, ['no grid'])]
    """
    gathered: list[Entry] = []
    alike, room = None, 0
    for entry in entries:
        kind, text, costs = entry.kind, entry.text, entry.costs
        key = (kind, costs, kind is Kind.SUDOKU and len(text))
        room -= len(text)
        if key != alike or room < 0 or len(gathered) >= MAX_GATHERED:
            if gathered:
                yield _block(gathered)
            gathered, alike, room = [], key, MAX_GATHERED_CHARACTERS - len(text)
        gathered.append(entry)
    if gathered:
        yield _block(gathered)


def _block(entries: Sequence[Entry]) -> Block:
    places, labels, texts, errors, solutions, _, _ = zip(*entries, strict=True)
    first = entries[0]
    return Block(
        kind=first.kind,
        cells=first.cells,
        places=places,
        text="\n".join(texts) + "\n",
        costs=first.costs,
        labels=_unless_empty(labels),
        errors=_unless_empty(errors),
        solutions=_unless_empty(solutions),
    )


def _unless_empty(column: Sequence[str | None]) -> list[str | None] | None:
    return None if column.count(None) == len(column) else list(column)
