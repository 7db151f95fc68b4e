"""From many samples of a search tree to ranges of its nodes and solutions."""

import math
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from worker.estimate.ranges import Range, mean
from worker.estimate.sample import MAX_WEIGHT, new_sample, visit_sample
from worker.exact_cover.layout import Links
from worker.exact_cover.state import Search, Terms

#: Knuth's dives, one option at each branch, that find the first targets
DIVES = 256
#: samples; each is taken with targets that all samples before it gave
SAMPLES = 16
#: nodes that a sample should visit, at first and if the range is then too wide
NODES = (20_000, 100_000)
#: larger samples are taken if there is time for 4: fewer tell less than the smaller ones
LEAST_SAMPLES = 4
#: the error of a range that is not too wide
SMALL_ERROR = 0.05
#: a sample of a tree whose size was far underestimated visits at most about 8 times as many
MOST_TIMES = 8
#: a tree with more nodes than a floating-point number can count
BEYOND = Range(MAX_WEIGHT, math.inf, math.inf)


class Size(NamedTuple):
    """The estimated size of a search tree."""

    nodes: Range
    solutions: Range


def size(
    links: Links,
    search: Search,
    terms: Terms,
    *,
    seed: int,
    seconds: float,
    sample_nodes: Sequence[int] = NODES,
) -> Size | None:
    """Return the estimated size of the tree of a search that is at its root.

    The result depends on the seed alone, unless `seconds` of CPU time are over before all samples
    are taken. Return None if fewer than two were taken.
    """
    deadline, found, per_node = time.thread_time() + seconds, None, 0.0
    sampling = _Sampling(links, search, terms, seed, deadline)
    sampling.dive()
    for wanted in sample_nodes:
        began = time.thread_time()
        if LEAST_SAMPLES * wanted * per_node > deadline - began:
            break
        found = sampling.take(wanted) or found
        if found is None or found.nodes.error <= SMALL_ERROR:
            break
        per_node = (time.thread_time() - began) / (SAMPLES * wanted)
    return found


class _Sampling:
    """Samples of one tree, and what they tell of the nodes of each depth."""

    def __init__(
        self, links: Links, search: Search, terms: Terms, seed: int, deadline: float
    ) -> None:
        self._tables = links, search, terms
        self._sample = new_sample(search.chosen.size, seed)
        self._sample.end[0] = int(deadline * 1e9)
        self._entered = np.zeros_like(self._sample.entered)

    def dive(self) -> None:
        """Take DIVES samples without targets."""
        for k in range(DIVES):
            if self._visit(0, k + 1) is None:
                return

    def take(self, wanted: int) -> Size | None:
        """Take SAMPLES samples of about `wanted` nodes, equally many of each depth."""
        results: list[tuple[float, float]] = []
        while len(results) < SAMPLES:
            result = self._visit(wanted, len(results) + 1)
            if result is None:
                break
            if math.isinf(result[0]):
                return Size(BEYOND, BEYOND)
            results.append(result)
        return Size(*map(mean, zip(*results, strict=True))) if len(results) > 1 else None

    def _visit(self, wanted: int, number: int) -> tuple[float, float] | None:
        """Take a sample, the first of its kind or a later one, and return nodes and solutions.

        Return None if the time is over before it is complete.
        """
        sample, entered = self._sample, self._entered
        sample.target[:] = 0.0
        if wanted:
            known = entered > 0
            sample.target[known] = np.maximum(1.0, entered[known] * known.sum() / wanted)
        sample.entered[:] = 0.0
        visit_sample(*self._tables, sample, MOST_TIMES * (wanted or NODES[0]))
        if math.isnan(sample.result[0]):
            return None
        # The mean of the samples of this kind.  Those before it had a larger spread.
        entered += (sample.entered - entered) / number
        return float(sample.result[0]), float(sample.result[1])
