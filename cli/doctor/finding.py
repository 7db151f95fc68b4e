"""The result of one check."""

from dataclasses import dataclass
from typing import Any, Literal, Self

from cli.errors import Exit
from cli.streams import Colour, coloured
from storage.errors import ActionableError

State = Literal["ok", "warn", "fail"]

#: the states that stand out
STATE_COLOURS = {"warn": Colour.ORANGE, "fail": Colour.RED}
#: terminal columns before the text of a finding
TEXT_COLUMN = 16


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found, and how to fix it unless the state is `ok`."""

    name: str
    state: State
    found: str
    fix: str = ""
    exit: Exit = Exit.DONE  #: the exit code that it asks for

    @classmethod
    def ok(cls, name: str, found: str) -> Self:
        """Return a finding that needs no action."""
        return cls(name, "ok", found)

    @classmethod
    def warn(cls, name: str, found: str, fix: str) -> Self:
        """Return a finding that does not prevent work."""
        return cls(name, "warn", found, fix)

    @classmethod
    def fail(cls, name: str, found: str, fix: str, code: Exit = Exit.SOME_FAILED) -> Self:
        """Return a finding that prevents work."""
        return cls(name, "fail", found, fix, code)

    @classmethod
    def of_error(cls, name: str, error: ActionableError, code: Exit) -> Self:
        """Return the finding for an error that ended a check."""
        return cls.fail(name, error.problem, error.remedy, code)

    def line(self, *, in_colour: bool = False) -> str:
        """Return the finding as a line of text."""
        state = f"{self.state:4}"
        if in_colour:
            state = coloured(state, STATE_COLOURS.get(self.state))
        fix = f" -> {self.fix}" if self.fix else ""
        return f"{state}  {self.name:9} {self.found}{fix}"

    def as_json(self) -> dict[str, Any]:
        """Return the finding as JSON values."""
        return {
            "check": self.name,
            "state": self.state,
            "found": self.found,
            "cure": self.fix or None,  # the name that programs know
        }
