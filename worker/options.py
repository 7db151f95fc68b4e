"""How a batch is to be solved."""

from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked of the solver, for every puzzle of a batch."""

    limit: int | None = 2  #: stop after this many solutions; None finds all
    target: bool = False  #: find the solution with the highest score
    weights: tuple[int, ...] | None = None  #: a weight for each cell, row by row; None: the rings
    every: bool = False  #: with `target`: visit every solution instead of pruning
    keep: int = 1  #: how many solutions to keep; with `target` the best ones
    timeout: float = 30.0  #: seconds for each puzzle

    def to_json(self) -> dict[str, Any]:
        """As plain values, for the batch's row."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Back from `to_json`; keys of other rooms are passed over."""
        known = {name: values[name] for name in cls.__slots__ if name in values}
        weights = known.get("weights")
        return cls(**{**known, "weights": tuple(weights) if weights else None})
