"""Puzzles whose search is divided into parts: how far each is, and the time left as a range."""

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from cli.formatting import count, duration, percent, span, wrap
from storage.batches import Batch
from storage.queries.progress import Progress
from storage.queries.searches import OpenSearch
from storage.searches.totals import Goal
from worker.estimate.ranges import Range
from worker.estimate.remaining import remaining

#: seconds over which nodes per second are measured
RATE_SECONDS = 60.0
#: seconds that must be measured; before, the mean since the search began is taken
MIN_SECONDS = 10.0
#: seconds without a process after which a search is shown as waiting: it has none for some
#: milliseconds between two turns
WAITING_SECONDS = 3.0
#: searches that are shown below a progress bar
MAX_DRAWN = 5
#: columns by which the further lines of a search are indented
INDENT = 4
#: relative error of the rate, which is not the same everywhere in the tree, nor at all times on a
#: machine that does other things as well
RATE_ERROR = 0.15


class SearchTimes:
    """Predicts the time left of each search, from its nodes per second in the last minute."""

    def __init__(self) -> None:
        self._samples: dict[int, deque[tuple[float, int]]] = {}

    def update(self, now: float, progress: Progress) -> dict[int, Range]:
        """Return the seconds left of each open search at the time `now`, where they are known.

        They are not while a search for the best score goes on: it has an unknown number of rounds.
        """
        searches, goal = progress.open_searches, Goal.of(progress.batch.options)
        if goal.pruned:
            return {}
        self._samples = {one.id: self._samples.get(one.id, deque()) for one in searches}
        found = {}
        for one in searches:
            samples = self._samples[one.id]
            samples.append((now, one.nodes))
            while now - samples[0][0] > RATE_SECONDS:
                samples.popleft()
            whole = None if one.estimate is None else Range.decode(one.estimate)
            rate, left = _rate(samples, one), remaining(one.nodes, one.share, whole)
            if rate > 0 and not math.isinf(left.high):
                seconds = left.times(1 / rate, RATE_ERROR)
                limit = max(0.0, goal.timeout - one.elapsed)
                found[one.id] = Range(*(min(limit, end) for end in seconds))
        return found


class SearchProcesses:
    """Bridges the moments between two turns of a search, in which no process has a part of it."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[float, int]] = {}

    def update(self, now: float, progress: Progress) -> Progress:
        """Return the progress at the time `now`, with the processes that were seen last."""
        searches, never = progress.open_searches, (-math.inf, 0)
        self._seen = {
            one.id: (now, one.processes) if one.processes else self._seen.get(one.id, never)
            for one in searches
        }
        bridged = [
            one._replace(processes=processes if now - then < WAITING_SECONDS else 0)
            for one, (then, processes) in zip(searches, self._seen.values(), strict=True)
        ]
        return progress._replace(open_searches=bridged)


def of_batch(progress: Progress, left: Mapping[int, Range]) -> Range | None:
    """Return the seconds until a batch is complete of which only searches in parts are left.

    They share the processes, so these take between the longest of their times and the sum of all.
    Returns None if a time is not known or other puzzles are left.
    """
    if not left or len(left) < progress.batch.puzzles - progress.answered:
        return None
    lows, likely, highs = zip(*left.values(), strict=True)
    return Range(max(lows), max(likely), math.fsum(highs))


def left_text(seconds: Range, options: Mapping[str, object]) -> str:
    """Return a range of seconds left as text; a limit of solutions may end the search before.

    >>> left_text(Range(130, 150, 180), {"limit": None})
    '2.1–3.0 min left'
    """
    at_most = "at most " if options.get("limit") is not None else ""
    return f"{at_most}{span(seconds)} left"


def _rate(samples: Sequence[tuple[float, int]], search: OpenSearch) -> float:
    """Return nodes per second."""
    (then, before), (now, nodes) = samples[0], samples[-1]
    if now - then >= MIN_SECONDS:
        return max(0, nodes - before) / (now - then)
    return search.nodes / search.elapsed if search.elapsed > 0 else 0.0


def search_lines(
    progress: Progress, left: Mapping[int, Range], columns: int | None = None
) -> Iterator[str]:
    """Yield each open search of a batch, with its seconds left if they are known.

    It has one line, or several of at most this number of columns; of many searches, the first
    MAX_DRAWN are then shown, which leaves room for the workers.
    """
    searches = progress.open_searches[: None if columns is None else MAX_DRAWN]
    for search in searches:
        facts = list(_facts(search, progress.batch))
        if search.id in left:
            facts.append(left_text(left[search.id], progress.batch.options))
        line = "  " + " · ".join(part for part in facts if part)
        yield from [line] if columns is None else wrap(line, columns, INDENT)
    if more := progress.searches - len(searches):
        yield f"  and {count(more, 'more puzzle')} in parts"


def _facts(search: OpenSearch, batch: Batch) -> Iterator[str]:
    yield f"puzzle {search.id}"
    yield search.label or ""
    if Goal.of(batch.options).pruned:  # it has rounds
        yield f"{percent(search.share, 1, 1)} of this round"
    else:
        yield percent(search.progress, 1, 1)
    yield f"{count(search.open)} of {count(search.parts, 'part')} left"
    if search.processes:
        yield count(search.processes, "process", "processes")
    else:
        yield "paused" if batch.paused else "waiting for a turn"
    yield count(search.nodes, "node")
    yield _found(search)
    yield duration(search.elapsed)


def _found(search: OpenSearch) -> str:
    if search.best is None:
        return count(search.solutions, "solution")
    bound = "" if search.bound is None else f", at most {max(search.bound, search.best)}"
    return f"best {search.best}{bound}"
