"""What can be wrong with the file puzzles come in."""

from worker.errors import PuzzleError


class FormatError(PuzzleError):
    """The input as a whole is not understood, so no puzzle of it can be trusted.

    `str()` is one sentence: where, what, and how to cure it.
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
        self.candidates = candidates  #: names for --from, where two readings fit
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
