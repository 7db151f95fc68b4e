"""The options of a batch, how its puzzles are to be solved, and which can be combined.

A sentence names options by placeholders, which a `Spelling` fills: `--limit` or `limit`.
"""

from collections.abc import Callable, Set
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, Self

#: the largest `keep`, and the largest `sample`
MAX_KEPT = 10**6
#: the largest `seed`
MAX_SEED = 2**63 - 1
#: the longest time limit of a puzzle, in seconds
MAX_TIMEOUT_SECONDS = 10**6
#: the most cells of a grid that has `facts`
MAX_FACTS_CELLS = 81


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
    classes: bool = False  #: also store what each puzzle is up to symmetry
    facts: bool = False  #: also store how each puzzle can be solved, and which clues it needs

    @property
    def only_counts(self) -> bool:
        """Whether only the number of solutions is wanted, and one of them."""
        return self.count or (self.limit is None and self.keep == 1 and not self.target)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Return the options for the values that `asdict` gave; other keys are ignored."""
        known = {name: values[name] for name in cls.__slots__ if name in values}
        weights = known.get("weights")
        return cls(**{**known, "weights": tuple(weights) if weights else None})


#: how the user writes the name of an option
Spelling = Callable[[str], str]


class Exclusion(NamedTuple):
    """Two options that exclude each other, and what to tell the user."""

    option: str
    other: str
    sentence: str
    unless: str | None = None  #: an option with which they can be combined


#: the names of all options
OPTIONS = tuple(field.name for field in fields(Options))
#: options, and the one without which they have no effect
NEEDS = {
    "weights": "target",
    "every": "target",
    "at_most": "set_cover",
    "sample": "count",
    "per_option": "count",
    "seed": "sample",
}
#: of several that apply, the first is reported
EXCLUSIONS = (
    Exclusion("sample", "target", "{sample} cannot be combined with {target}"),
    Exclusion("sample", "set_cover", "{sample} cannot be combined with {set_cover}"),
    Exclusion("sample", "keep", "{sample} says how many solutions to store; leave out {keep}"),
    Exclusion("per_option", "target", "{per_option} cannot be combined with {target}"),
    Exclusion("per_option", "set_cover", "{per_option} cannot be combined with {set_cover}"),
    Exclusion("count", "target", "{count} cannot be combined with {target}"),
    Exclusion("count", "limit", "{count} counts all solutions; leave out {limit}"),
    Exclusion("count", "keep", "{count} stores one solution; use {limit} all to keep more"),
    Exclusion(
        "count",
        "set_cover",
        "{set_cover} cannot be combined with {count}; {at_most} K {limit} all counts its covers",
    ),
    Exclusion(
        "target",
        "set_cover",
        "{set_cover} cannot be combined with {target}; it finds the lowest cost",
    ),
    Exclusion(
        "target",
        "limit",
        "{limit} cannot be combined with {target}, which has to consider every solution",
    ),
    Exclusion(
        "set_cover",
        "limit",
        "{limit} with {set_cover} needs {at_most}; "
        "to find the best cover, every cover has to be considered",
        unless="at_most",
    ),
)


def conflict(given: Set[str], spelling: Spelling) -> str | None:
    """Return why these options cannot be given together, without a full stop; None if they can.

    >>> conflict({"target", "limit"}, str.upper)
    'LIMIT cannot be combined with TARGET, which has to consider every solution'
    """
    for option, needed in NEEDS.items():
        if option in given and needed not in given:
            return f"{spelling(option)} needs {spelling(needed)}"
    for one in EXCLUSIONS:
        if {one.option, one.other} <= given and one.unless not in given:
            return one.sentence.format_map({name: spelling(name) for name in OPTIONS})
    return None


def with_limit(options: Options, given: Set[str]) -> Options:
    """Return options in which others determine the limit, if it is not given."""
    if options.count:
        return replace(options, limit=None)
    if options.at_most is not None and "limit" not in given:
        return replace(options, limit=1)
    return options
