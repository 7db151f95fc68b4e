"""Find the least radius within which a few options cover every item: the K-centre problem.

Every item of an option has a distance, and the option covers it within any radius of at least that
distance. A binary search over the distances asks for each radius whether so few options suffice.
"""

from bisect import bisect_left
from collections.abc import Generator, Iterator

from worker.covers.text import Cover, option_numbers
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import TIMED_OUT, Path
from worker.outcome import Outcome, Outcomes, Solution
from worker.set_cover.solve import Covered, within
from worker.stopwatch import Stopwatch


def least_radius(cover: Cover, slice_seconds: float, watch: Stopwatch) -> Iterator[Outcomes]:
    """Yield the outcome of a problem with distances after empty ones, one for each slice of time.

    The score of a cover is the least radius within which it covers every item, negated.
    """
    radii = sorted({distance for distances in cover.distances or () for distance in distances})
    low, high = bisect_left(radii, _lower_bound(cover)), len(radii)
    best: Path | None = None
    nodes, timed_out = 0, watch.is_over
    while low < high and not timed_out:
        middle = high - 1 if best is None else (low + high) // 2
        result = yield from _any_within(cover, radii[middle], slice_seconds, watch)
        nodes, timed_out = nodes + result.nodes, result.status == TIMED_OUT
        if result.kept:
            best = result.kept[0][0]
            high = bisect_left(radii, _radius(cover, best))
        elif not timed_out:
            low = middle + 1
    outcome = Outcome(
        kind="cover",
        size=cover.items,
        clues=None,
        solutions=0 if best is None else None,
        complete=not timed_out,
        timed_out=timed_out,
        kept=() if best is None else (Solution(option_numbers(best), -radii[high]),),
        bound=-radii[low] if low < len(radii) else None,
        nodes=nodes,
        ns=watch.ns,
    )
    yield Outcomes.of([outcome])


def _any_within(
    cover: Cover, radius: int, slice_seconds: float, watch: Stopwatch
) -> Generator[Outcomes, None, Covered]:
    """Look for a cover within a radius: yield after each slice but the last, return the result."""
    problem, most = _within_radius(cover, radius), cover.at_most or 0
    for result in within(problem, most, slice_seconds=slice_seconds, watch=watch):
        if result is not None:
            return result
        yield Outcomes.of([])
    raise AssertionError("the last thing that a search yields is its result")


def _distances(cover: Cover) -> Iterator[tuple[int, int, int]]:
    """Yield every option, with one of its items and their distance."""
    for k, (items, distances) in enumerate(zip(cover.options, cover.distances or (), strict=True)):
        for item, distance in zip(items, distances, strict=True):
            yield k, item, distance


def _least(cover: Cover, chosen: set[int]) -> dict[int, int]:
    """Return, per item, its least distance from one of the options."""
    least: dict[int, int] = {}
    for k, item, distance in _distances(cover):
        if k in chosen:
            least[item] = min(distance, least.get(item, distance))
    return least


def _lower_bound(cover: Cover) -> int:
    """Return a radius that no cover is below."""
    return max(_least(cover, set(range(len(cover.options)))).values(), default=0)


def _radius(cover: Cover, path: Path) -> int:
    """Return the radius within which a cover covers every item."""
    return max(_least(cover, set(path)).values())


def _within_radius(cover: Cover, radius: int) -> Problem:
    """Return the problem in which an option has the items within a radius, and costs 1."""
    options: list[list[int]] = [[] for _ in cover.options]
    for k, item, distance in _distances(cover):
        if distance <= radius:
            options[k].append(item)
    return number(cover.primary, 0, options, [1] * len(options))
