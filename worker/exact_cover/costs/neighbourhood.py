"""The options that a search near a known cover may choose from."""

import math
import random

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Integers
from worker.exact_cover.problem import Problem

Flags = NDArray[np.bool_]


def neighbourhood(
    problem: Problem, option: Integers, chosen: Integers, freed: int, chance: random.Random
) -> Flags:
    """Return which options fit a cover of which `freed` options are set free.

    `chosen` holds the options of the cover, in order, and `option` that of each node of the
    problem.  Those set free are related (Shaw, *Using constraint programming and local search
    methods to solve vehicle routing problems*, 1998): one is drawn at random, and the others by
    the number of its rivals, options with an item of both; options without rivals come last.
    """
    place = _places(problem, option, chosen)
    is_fixed = np.ones(chosen.size + 1, np.bool_)
    first = chance.randrange(chosen.size)
    rivals = np.maximum(_rivals(option, place, first, chosen.size), 1e-9)
    rivals[first] = math.inf
    is_fixed[drawn(rivals, freed, chance)] = False
    is_fixed[chosen.size] = False
    fits = np.ones(problem.cost.size, np.bool_)
    fits[option[is_fixed[place]]] = False
    fits[chosen[is_fixed[: chosen.size]]] = True
    return fits


def _places(problem: Problem, option: Integers, chosen: Integers) -> Integers:
    """Return for each node which option of the cover has its item, `chosen.size` if none has."""
    place = np.full(problem.items + 1, chosen.size)
    in_chosen = np.isin(option, chosen)
    place[problem.members[in_chosen]] = np.searchsorted(chosen, option[in_chosen])
    return place[problem.members]


def _rivals(option: Integers, place: Integers, first: int, count: int) -> Integers:
    """Return how many nodes of each option of the cover are in options that rival the first."""
    is_rival = np.zeros(int(option.max(initial=-1)) + 1, np.bool_)
    is_rival[option[place == first]] = True
    return np.bincount(place[is_rival[option]], minlength=count + 1)[:count]


def drawn(weights: NDArray[np.float64], count: int, chance: random.Random) -> Integers:
    """Return the places of `count` weights, drawn at random, the heavy ones more often.

    The greatest of u ** (1 / weight) are drawn, with u from 0 to 1 (Efraimidis and Spirakis,
    *Weighted random sampling with a reservoir*, 2006).
    """
    keys = [math.log(1.0 - chance.random()) / weight for weight in weights.tolist()]
    return np.argsort(keys)[-count:]
