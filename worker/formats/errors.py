"""The error of an input as a whole."""

from worker.errors import PuzzleError


class FormatError(PuzzleError):
    """An input cannot be read, or its format is unknown or ambiguous.

    `str()` is one sentence: the place, what is wrong, and what to do about it.
    """

    def __init__(
        self,
        name: str,
        what: str,
        *,
        line: int | None = None,
        cure: str | None = None,
        candidates: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.what = what
        self.line = line
        self.cure = cure
        self.candidates = candidates  #: values of --from that read the input
        super().__init__(name, what, line, cure, candidates)

    def __str__(self) -> str:
        where = "standard input" if self.name == "-" else self.name
        if self.line is not None:
            where += f" line {self.line}"
        cure = f"; {self.cure}" if self.cure else ""
        return f"{where}: {self.what}{cure}"

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.name, self.what, self.line, self.cure, self.candidates)


def _restored(
    name: str, what: str, line: int | None, cure: str | None, candidates: tuple[str, ...]
) -> FormatError:
    return FormatError(name, what, line=line, cure=cure, candidates=candidates)
