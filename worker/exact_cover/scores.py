"""Scores of covers as reduced costs, in which the search counts; and what all parts must share."""

import json
from typing import Any, NamedTuple

from worker.compiling.numbers import Integers
from worker.exact_cover.parts.frontier import Levels
from worker.exact_cover.state import UNBOUNDED


class Scores(NamedTuple):
    """How scores and reduced costs are converted.

    A score is offset + factor (base - reduced cost) / unit.
    """

    base: int = 0  #: the sum of all multipliers
    unit: int = 1  #: reduced cost per `factor` of the score
    factor: int = 1
    offset: int = 0

    def of(self, reduced: int) -> int:
        """Return the score of covers of this reduced cost."""
        return self.offset + (self.base - reduced) // self.unit * self.factor

    def reduced(self, score: int) -> int:
        """Return the reduced cost of covers with this score, or the next lower one that exists."""
        return self.base - (score - self.offset) // self.factor * self.unit

    def above(self, score: int | None) -> int:
        """Return the highest reduced cost of a cover that scores more; UNBOUNDED for None."""
        return UNBOUNDED if score is None else self.reduced(score) - self.unit

    def wider(self, reach: int) -> int:
        """Return about twice a reach, a reduced cost that some score has."""
        return self.base % self.unit + reach // self.unit * 2 * self.unit

    def bounded(self, levels: Levels, cost: Integers, bound: int) -> Levels:
        """Return levels whose options have bounds, none above `bound`, the cheapest options first.

        `cost` holds the reduced cost of each option.  The first option of each level but the last
        is on the path, and stays the first.
        """
        spent, bounded = 0, []
        for depth, level in enumerate(levels, start=1):
            on_path = level.options[: depth < len(levels)]
            untried = sorted(level.options[len(on_path) :], key=lambda option: int(cost[option]))
            options = (*on_path, *untried)
            bounds = (min(bound, self.of(spent + int(cost[option]))) for option in options)
            bounded.append(level._replace(options=options, bounds=tuple(bounds)))
            spent += int(cost[options[0]])
        return tuple(bounded)


class Setup(NamedTuple):
    """What the parts of one search share, apart from the puzzle and its options.

    A search for the best score goes round by round, as `rounds` does: its parts find the covers
    within `reach` of the bound, and when all of them have ended, `following` tells what is left.
    """

    pairs_compared: int  #: 0 if each node of its parts has a bound instead: see `set_cover.part`
    multipliers: tuple[int, ...] = ()  #: per item, the first for no item; empty without scores
    scores: Scores = Scores()
    reach: int = UNBOUNDED  #: covers of a higher reduced cost are left out
    highest: int = 0  #: the highest reduced cost of an option
    bound: int = 0  #: no cover that was not visited scores more
    is_pruned: bool = False  #: covers that cannot be among the best are not visited

    @property
    def has_bounds(self) -> bool:
        """Whether each node of its parts has a bound."""
        return self.pairs_compared == 0

    def within(self, best: int | None) -> "Setup":
        """Return this round without the covers that score no more than `best`."""
        reach = UNBOUNDED if self.reach >= self.highest else self.reach
        return self._replace(reach=min(reach, self.scores.above(best)))

    def following(self, best: int | None) -> "Setup | None":
        """Return the round after this one; None if no cover scores more than `best`.

        `best` is the score that a cover must exceed to be wanted, None if any is wanted.
        """
        if self.reach >= UNBOUNDED:
            return None
        bound = min(self.bound, self.scores.of(self.reach + 1))
        if best is not None and bound <= best:
            return None
        return self._replace(reach=self.scores.wider(self.reach), bound=bound).within(best)

    def encode(self) -> str:
        """Return the setup as text."""
        return json.dumps(self._asdict(), separators=(",", ":"))

    @classmethod
    def decode(cls, text: str) -> "Setup":
        """Return the setup that `encode` wrote."""
        given: dict[str, Any] = json.loads(text)
        scores, multipliers = Scores(*given.pop("scores", ())), tuple(given.pop("multipliers", ()))
        return cls(**given, scores=scores, multipliers=multipliers)
