"""What the doctor says of one thing."""

from dataclasses import dataclass
from typing import Any, Literal, Self

from cli.errors import Exit

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found in one place, and what cures it where it is not well."""

    name: str
    state: State
    found: str
    cure: str = ""
    exit: Exit = Exit.DONE

    @classmethod
    def well(cls, name: str, found: str) -> Self:
        """Nothing to do."""
        return cls(name, "ok", found)

    @classmethod
    def doubtful(cls, name: str, found: str, cure: str) -> Self:
        """It works, or soon will; look at it nevertheless."""
        return cls(name, "warn", found, cure)

    @classmethod
    def ill(cls, name: str, found: str, cure: str, code: Exit = Exit.SOME_FAILED) -> Self:
        """It does not work."""
        return cls(name, "fail", found, cure, code)

    @classmethod
    def of_error(cls, name: str, error: Exception, code: Exit) -> Self:
        """Our errors say what is wrong, and after the colon what cures it."""
        found, _, cure = str(error).partition(": ")
        return cls(name, "fail", found, cure, code)

    def line(self) -> str:
        """For people."""
        cure = f" -> {self.cure}" if self.cure else ""
        return f"{self.state:4}  {self.name:9} {self.found}{cure}"

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "check": self.name,
            "state": self.state,
            "found": self.found,
            "cure": self.cure or None,
        }
