"""Lines about puzzles whose search is divided into parts."""

from collections.abc import Iterator, Mapping

from cli.formatting import count, duration
from cli.progress.time_left import left_text
from storage.queries.progress import Progress
from storage.queries.searches import OpenSearch
from storage.searches.totals import Terms
from worker.estimate.ranges import Range


def search_lines(progress: Progress, left: Mapping[int, Range]) -> Iterator[str]:
    """Yield a line for each open search of a batch, and the number of those left out.

    `left` has the seconds left of each search for which they are known.
    """
    has_rounds = Terms.of(progress.batch.options).pruned
    for search in progress.open_searches:
        facts = list(_facts(search, has_rounds=has_rounds))
        if search.id in left:
            facts.append(left_text(left[search.id], progress.batch.options))
        yield "  " + " · ".join(part for part in facts if part)
    if more := progress.searches - len(progress.open_searches):
        yield f"  and {count(more, 'more puzzle')} in parts"


def _facts(search: OpenSearch, *, has_rounds: bool) -> Iterator[str]:
    yield f"puzzle {search.id}"
    yield search.label or ""
    if has_rounds:
        yield f"{100 * search.share:.1f} % of this round"
    else:
        yield f"{100 * search.progress:.1f} %"
    yield f"{count(search.open)} of {count(search.parts, 'part')} left"
    yield count(search.processes, "process", "processes")
    yield count(search.nodes, "node")
    yield _found(search)
    yield duration(search.elapsed)


def _found(search: OpenSearch) -> str:
    if search.best is None:
        return count(search.solutions, "solution")
    bound = "" if search.bound is None else f", at most {max(search.bound, search.best)}"
    return f"best {search.best}{bound}"
