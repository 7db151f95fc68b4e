"""A random sample of a search tree.

The sample is a tree that is visited depth first, as the search itself visits the whole one, except
that at each branch only some options are tried, drawn at random. A node counts for as many nodes as
its *weight* says: the reciprocal of the probability with which it is visited. So the sum of the
weights is an estimate of the size of the whole tree, free of bias however the numbers of options
are chosen, as long as they depend on nothing that is still to be visited.

With one option at each branch this is Knuth's estimate (*Estimating the efficiency of backtrack
programs*, 1975). Its spread is large for trees in which most branches die early: a few deep dives
count for almost everything. Here, all nodes of one depth get about the same weight, their *target*:
where a node weighs more, several options are tried, and where it weighs less, the search may turn
back (Chen, *Heuristic sampling*, 1992; Grassberger, *Pruned-enriched Rosenbluth method*, 1997).
The depth is the number of branches above a node.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker import exact_cover
from worker.compiling.clock import cpu_time
from worker.compiling.entry import entry
from worker.compiling.jit import inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Integers
from worker.exact_cover.cover import Counts, choose, first_word_left, size_of
from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import OPTION_BITS
from worker.exact_cover.search import enter_root, go_back, next_item, save
from worker.exact_cover.state import Search, Terms

Floats = NDArray[np.float64]

#: the generator of random numbers by Lehmer, with the constants of Park and Miller (1993)
MODULUS, MULTIPLIER = 2**31 - 1, 48271
#: nodes of a greater weight are not entered, and make the estimate infinite
MAX_WEIGHT = 1e200
#: when a sample has visited as many nodes as it should, it goes on with targets 4 times as
#: high, and again after each further such number of nodes
COARSER = 4.0


class Sample(NamedTuple):
    """The memory of a sample."""

    target: Floats  #: per depth: the weight that nodes should have; 0 if it is not known yet
    entered: Floats  #: per depth: the estimated number of nodes that a branch leads to
    weight: Floats  #: per open level: the weight of the nodes that its branch leads to
    left: Integers  #: per open level: options not yet drawn or passed over
    take: Integers  #: per open level: how many of these are to be drawn
    depth: Integers  #: per open level: branches down to this one
    chance: Integers  #: the state of the generator of random numbers, one number
    result: Floats  #: the estimated numbers of nodes and solutions, and the nodes visited; the
    #: first two are NaN if the sample was ended
    end: Integers  #: when a sample is ended, one CPU time of the thread in nanoseconds


def new_sample(depth: int, seed: int) -> Sample:
    """Return memory for samples of a tree with at most `depth` chosen options on a path."""
    return Sample(
        target=np.zeros(depth + 2),
        entered=np.zeros(depth + 2),
        weight=np.zeros(depth + 2),
        left=np.zeros(depth + 2, np.int64),
        take=np.zeros(depth + 2, np.int64),
        depth=np.zeros(depth + 2, np.int64),
        chance=np.random.default_rng(seed).integers(1, MODULUS, 1),
        result=np.zeros(3),
        end=np.full(1, np.iinfo(np.int64).max),
    )


@inlined
def draw(chance: Integers) -> float:
    """Return a random number above 0 and below 1."""
    chance[0] = chance[0] * MULTIPLIER % MODULUS
    return float(chance[0] / MODULUS)


@inlined
def next_option(links: Links, word: Int, rest: Int) -> tuple[Int, Int]:
    """Return the first word from this one on that has an option left, and its options."""
    while rest == ZERO:
        word += links.nodes.lanes
        rest = links.mask[word] & OPTION_BITS
    return word, rest


@inlined
def branch(
    sample: Sample, level: Int, depth: Int, weight: float, options: Int, coarse: float
) -> Int:
    """Decide how many of the options of an item are tried, and set up their level."""
    expected = 1.0
    if sample.target[depth] > 0.0:
        expected = weight * options / (sample.target[depth] * coarse)
    take: Int = options
    if expected >= options:
        expected = float(options)
    else:
        take = np.int64(expected)
        if draw(sample.chance) < expected - take:
            take += 1
    sample.weight[level], sample.depth[level] = weight * options / expected, depth
    sample.left[level], sample.take[level] = options, take
    return take


@entry(exact_cover.__file__, __file__)
def visit_sample(  # noqa: PLR0912, PLR0915 # the steps of the algorithm, in one place, as in `search.run`
    links: Links, search: Search, terms: Terms, sample: Sample, allowance: Int
) -> None:
    """Visit a random sample of a problem's search tree, with the targets that are set.

    It should visit at most `allowance` nodes. At `sample.end` it is ended. The estimates are
    written to `sample.entered` and `sample.result`; every link is as before afterwards.
    """
    enter_root(links, search)
    state, guesses, chosen, nodes = search.state, search.guesses, search.chosen, links.nodes
    length, spent, dead = np.int64(0), np.int64(0), state.dead != 0
    counts = Counts(state.forced, state.single, state.pairs, state.trail, state.open)
    all_primary = links.right.size == nodes.primary + 1
    weight, estimate, solutions, coarse = 1.0, 0.0, 0.0, 1.0
    level = depth = visited = np.int64(0)
    next_coarser, next_check = allowance, np.int64(0)
    while True:
        if visited >= next_check:
            next_check = visited + state.clock_interval
            if cpu_time(search.clock) > sample.end[0]:
                go_back(links, search, ZERO, length, counts.trail)
                estimate = solutions = np.nan
                break
        solved = not dead and counts.open == (counts.single if all_primary else ZERO)
        is_branch = False
        if solved:
            solutions += weight
        elif not dead:
            compared = state.pairs_compared
            counts, item, is_forced, dead = next_item(links, counts, compared, terms.prune)
            if item == ZERO:
                continue
            if not is_forced:
                options = np.int64(size_of(links, item))
                dead = branch(sample, level + 1, depth + 1, weight, options, coarse) == 0
                if sample.weight[level + 1] > MAX_WEIGHT:
                    dead, estimate = True, np.inf
                if not dead:
                    is_branch = True
                    level += 1
                    save(links, search, level, length, spent, counts)
            if not dead:
                word = first_word_left(links, item)
                rest = links.mask[word] & OPTION_BITS
        if dead or solved:
            length = go_back(links, search, level, length, counts.trail)
            if level == 0:
                break
            is_branch = True
            guess = guesses[level]
            spent, dead = guess.spent, False
            counts = Counts(ZERO, ZERO, guess.pairs, guess.trail, guess.open)
            word, rest = guess.word, guess.rest
        if is_branch:
            weight, depth = sample.weight[level], sample.depth[level]
            # Draw `take` of the options that are left, each with equal probability (Knuth, TAOCP
            # 3.4.2, algorithm S).
            while draw(sample.chance) * sample.left[level] >= sample.take[level]:
                word, rest = next_option(links, word, rest & (rest - ONE))
                sample.left[level] -= 1
        node = nodes.first_node[word] + lowest_bit(rest)
        if is_branch:
            sample.left[level] -= 1
            sample.take[level] -= 1
            if sample.take[level] == 0:
                level -= 1
            else:
                word, rest = next_option(links, word, rest & (rest - ONE))
                guesses[level].word, guesses[level].rest = word, rest
        spent += links.cost[nodes.option[node]]
        if spent > state.budget:
            dead = True
            continue
        if is_branch:
            sample.entered[depth] += weight
        estimate += weight
        chosen[length] = node
        length += 1
        visited += 1
        if visited >= next_coarser:
            next_coarser += allowance
            coarse *= COARSER
        counts, dead = choose(links, node, counts)
    sample.result[0], sample.result[1], sample.result[2] = estimate, solutions, float(visited)
