"""Lines about puzzles whose search is divided into parts."""

from collections.abc import Iterator

from cli.formatting import count, duration
from storage.queries.progress import Progress
from storage.queries.searches import OpenSearch


def search_lines(progress: Progress) -> Iterator[str]:
    """Yield a line for each open search of a batch, and the number of those left out."""
    for search in progress.open_searches:
        yield "  " + " · ".join(part for part in _facts(search) if part)
    if left := progress.searches - len(progress.open_searches):
        yield f"  and {count(left, 'more puzzle')} in parts"


def _facts(search: OpenSearch) -> Iterator[str]:
    yield f"puzzle {search.id}"
    yield search.label or ""
    yield f"{100 * search.share:.1f} %"
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
