"""The answers to puzzles as typed rows, with numbers, pictures and tables made of them."""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import mul
from typing import Any, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from storage import values
from storage.values import MAX_INTEGER, Kept
from storage.view import COLUMNS, AnswerRow
from worker.sudoku.symbols import SYMBOLS, ring_weights


class _Row(Protocol):
    """The columns of an answer that `Derived` reads."""

    @property
    def kind(self) -> str: ...
    @property
    def size(self) -> int | None: ...
    @property
    def solutions(self) -> int | None: ...
    @property
    def complete(self) -> int: ...
    @property
    def solution(self) -> str | None: ...
    @property
    def score(self) -> int | None: ...


class Derived:
    """What follows from the columns of an answer."""

    __slots__ = ()

    @property
    def unique(self: _Row) -> bool:
        """Whether the puzzle is proven to have exactly one solution."""
        return self.solutions == 1 and bool(self.complete)

    @property
    def grid(self: _Row) -> NDArray[np.uint8] | None:
        """The numbers of the solved grid, n x n; None without a solution, and for covers."""
        if self.solution is None or self.kind == "cover" or self.size is None:
            return None
        numbers = np.array([SYMBOLS.index(symbol) for symbol in self.solution], np.uint8)
        return numbers.reshape(self.size, self.size)

    @property
    def chosen(self: _Row) -> tuple[int, ...]:
        """The chosen options of an exact cover, by their indices from 0; else empty."""
        if self.solution is None or self.kind != "cover":
            return ()
        return tuple(int(number) - 1 for number in self.solution.split())

    def _repr_svg_(self: _Row) -> str | None:
        """Return the grid as a picture, which notebooks show; None for covers."""
        if self.kind not in {"sudoku", "target"} or self.size is None:
            return None
        from worker.formats.svg import caption, draw_svg  # noqa: PLC0415 # needs rich

        row = AnswerRow._make(getattr(self, name, None) for name in COLUMNS)
        return draw_svg(row, caption(row), rings=_has_ring_weights(self))


def _has_ring_weights(answer: _Row) -> bool:
    """Return whether the score is that of the default weights."""
    if answer.kind != "target" or answer.size != 9 or answer.solution is None:
        return False
    digits = map(SYMBOLS.index, answer.solution)
    return bool(answer.score == sum(map(mul, ring_weights(9), digits)))


class Answer(Derived, values.Answer):
    """The answer to a puzzle that was solved in this process.

    Fields have the meaning of the columns of the view `answers`; `id` and `position` both are the
    number of the puzzle in the input, from 1.  Cells of grids are `.`, 1 to 9, then A to P.
    """

    __slots__ = ()

    @property
    def kept(self) -> tuple[Kept, ...]:
        """All kept solutions, the best first with `target`."""
        first = () if self.solution is None else (Kept(1, self.score, self.solution),)
        return first + self.further


class StoredAnswer(Derived, AnswerRow):
    """A row of the view `answers` of a database; grids have the symbols of the database."""

    __slots__ = ()


class Table(ABC):
    """Answers that can become tables."""

    __slots__ = ()

    @abstractmethod
    def named_columns(self) -> dict[str, Sequence[Any]]:
        """Return the columns of the tables by their names."""

    def to_arrow(self) -> Any:
        """Return a `pyarrow.Table` with a row for each answer; raise ImportError without pyarrow.

        `solved_at` is a timestamp in UTC.  Numbers of solutions are decimals if one of them exceeds
        64 bits.
        """
        pyarrow = _imported("pyarrow", "parquet")
        from storage.archive import arrow  # noqa: PLC0415 # needs pyarrow

        columns = self.named_columns()
        schema = arrow.of_answers(list(columns))
        if max(filter(None, columns["solutions"]), default=0) > MAX_INTEGER:
            place = schema.get_field_index("solutions")
            schema = schema.set(place, pyarrow.field("solutions", pyarrow.decimal256(76)))
        return arrow.table(columns.values(), schema)

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame` like the table of `to_arrow`; raise ImportError without it.

        Whole numbers have the types of pandas that allow missing values.
        """
        pandas = _imported("pandas", "pandas")
        columns = self.named_columns()
        if times := columns.get("solved_at"):
            columns["solved_at"] = list(map(datetime.fromisoformat, times))
        return pandas.DataFrame(columns).convert_dtypes()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Let Polars, DuckDB and others read the answers, by the Arrow PyCapsule interface."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


class Answers(Table, Sequence[Answer]):
    """The answers to puzzles, in the order of the puzzles.

    They are kept in columns, and each becomes an `Answer` only when it is looked at.
    """

    def __init__(self, columns: values.Answers, extras: Sequence[str | None] | None = None) -> None:
        self._columns = columns
        self._extras = extras

    def __len__(self) -> int:
        return len(self._columns.id)

    @overload
    def __getitem__(self, index: int) -> Answer: ...
    @overload
    def __getitem__(self, index: slice) -> "Answers": ...
    def __getitem__(self, index: int | slice) -> "Answer | Answers":
        if isinstance(index, slice):
            columns = values.Answers._make(column[index] for column in self._columns)
            return Answers(columns, self._extras and self._extras[index])
        return Answer._make(column[index] for column in self._columns)

    def __iter__(self) -> Iterator[Answer]:
        return map(Answer, *self._columns)

    def __repr__(self) -> str:
        counts = {status: self._columns.status.count(status) for status in values.Status}
        parts = [f"{count:,} {status}" for status, count in counts.items() if count]
        return f"<Answers: {' · '.join(parts) or 'none'}>"

    def _repr_svg_(self) -> str | None:
        """Return the picture of a single answer, which notebooks show; else None."""
        return self[0]._repr_svg_() if len(self) == 1 else None

    def named_columns(self) -> dict[str, Sequence[Any]]:
        """Return the fields of `Answer` without further solutions, which are not a single value.

        The last one is `extra`, if the input has further columns or keys.
        """
        columns = dict(zip(values.Answer._fields[:-1], self._columns[:-1], strict=True))
        columns["complete"] = list(map(int, self._columns.complete))
        return {**columns, "extra": self._extras} if self._extras else columns


def _imported(package: str, extra: str) -> Any:
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(f"this needs {package}: pip install 'bullseye[{extra}]'") from error
