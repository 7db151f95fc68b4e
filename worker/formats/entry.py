"""The puzzles of an input: one by one, and in the blocks in which they are read and spooled."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import NamedTuple, Self

from storage.values import Kind
from worker.formats.errors import excerpt

#: greatest number of puzzles that `blocks_of` gathers into one block
MAX_GATHERED = 4096
#: greatest number of characters that `blocks_of` gathers, unless a single puzzle has more
MAX_GATHERED_CHARACTERS = 1 << 20


class Entry(NamedTuple):
    """A puzzle of an input, or a place where a puzzle was expected but not found."""

    line: int  #: the first line that it occupies, from 1
    label: str | None  #: its name in the input
    text: str  #: a grid as `.1-9A-P`, or a cover problem as JSON; of an error the line, shortened
    error: str | None = None  #: why this is not a puzzle, and what would be accepted
    solution: str | None = None  #: its solution in the input, in the symbols of `text`
    kind: Kind | None = None  #: None if and only if there is an `error`
    costs: bool = False  #: it is a cover problem whose options have costs
    extra: str | None = None  #: its further columns or keys in the input, as a JSON object

    @classmethod
    def wrong(cls, line: int, text: str, why: object, label: str | None = None) -> Self:
        """Return the entry for a place that has no puzzle; of `text`, an excerpt is kept."""
        return cls(line, label, excerpt(text), str(why))

    @property
    def cells(self) -> int | None:
        """The number of cells of a grid; None for anything else."""
        return len(self.text) if self.kind is Kind.SUDOKU else None


class Origin(NamedTuple):
    """A run of puzzles, each of which stands the same number of lines after the one before."""

    position: int  #: of the first one in the batch, from 1
    input: int  #: the number of its input, from 0
    line: int  #: its first line there, or its row in a table or array
    step: int  #: lines from one puzzle to the next


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
    extras: Sequence[str | None] | None = None
    origins: Sequence[Origin] = ()  #: in a spool, the runs that begin in this block

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
            self.extras or nothing,
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
    places, labels, texts, errors, solutions, _, _, extras = zip(*entries, strict=True)
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
        extras=_unless_empty(extras),
    )


def _unless_empty(column: Sequence[str | None]) -> list[str | None] | None:
    return None if column.count(None) == len(column) else list(column)
