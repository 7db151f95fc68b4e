"""The options of a batch: how its puzzles are to be solved."""

from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Options:
    """The solver options of a batch, the same for each of its puzzles."""

    limit: int | None = 2  #: stop a search after this many solutions; None: find all
    target: bool = False  #: find the solution with the highest score
    weights: tuple[int, ...] | None = None  #: one per cell, row by row; None: ring weights
    every: bool = False  #: with `target`: visit every solution instead of pruning
    keep: int = 1  #: solutions to store per puzzle; with `target` the best ones
    timeout: float = 30.0  #: seconds per puzzle
    count: bool = False  #: count all solutions without visiting each; `limit` is None then
    sample: int = 0  #: with `count`: solutions to store, drawn at random; 0: the first one found
    seed: int = 0  #: of these
    per_option: bool = False  #: with `count`: also count the solutions that have each option
    memory: int | None = None  #: most bytes of a table of states; None: a share of the machine
    set_cover: bool = False  #: cover items once or more, with the fewest or cheapest options
    at_most: int | None = None  #: with `set_cover`: find covers that cost no more than this

    @property
    def only_counts(self) -> bool:
        """Whether only the number of solutions is wanted, and one of them."""
        return self.count or (self.limit is None and self.keep == 1 and not self.target)

    def to_json(self) -> dict[str, Any]:
        """Return the options as JSON values, for the row of the batch."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Return the options for the values that `to_json` returned; other keys are ignored."""
        known = {name: values[name] for name in cls.__slots__ if name in values}
        weights = known.get("weights")
        return cls(**{**known, "weights": tuple(weights) if weights else None})
