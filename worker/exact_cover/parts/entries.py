"""The compiled functions of this package that Python calls."""

from typing import Any

from worker.compiling.jit import Int, Record, entry
from worker.exact_cover.entries import SOURCES
from worker.exact_cover.layout import Links
from worker.exact_cover.parts import path
from worker.exact_cover.state import Search, Terms


def _leave(sources: int) -> Any:
    @entry
    def leave(links: Links, search: Search, steps: Record) -> tuple[Int, Int]:
        _ = sources
        return path.leave(links, search, steps)

    return leave


def _follow(sources: int) -> Any:
    @entry
    def follow(links: Links, search: Search, terms: Terms, steps: Record) -> Int:
        _ = sources
        return path.follow(links, search, terms, steps)

    return follow


#: Return to the root of a search that stopped, and write where it was: see `path.leave`.
leave = _leave(SOURCES)
#: Go from the root to where a search stopped: see `path.follow`.
follow = _follow(SOURCES)
