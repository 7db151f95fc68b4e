"""The error for an input as a whole; an error in one puzzle is an `Entry`."""

from worker.errors import PuzzleError


class FormatError(PuzzleError):
    """An input cannot be read, or its format is unknown or ambiguous.

    `str()` is one sentence: the place, what is wrong, and what to do about it.
    """

    def __init__(
        self,
        name: str,
        problem: str,
        *,
        line: int | None = None,
        remedy: str | None = None,
        candidates: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.problem = problem
        self.line = line
        self.remedy = remedy
        self.candidates = candidates  #: values of --from that read the input
        super().__init__(name, problem, line, remedy, candidates)

    def __str__(self) -> str:
        where = "standard input" if self.name == "-" else self.name
        if self.line is not None:
            where += f" line {self.line}"
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{where}: {self.problem}{remedy}"

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.name, self.problem, self.line, self.remedy, self.candidates)


def _restored(
    name: str, problem: str, line: int | None, remedy: str | None, candidates: tuple[str, ...]
) -> FormatError:
    return FormatError(name, problem, line=line, remedy=remedy, candidates=candidates)
