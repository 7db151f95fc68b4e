"""Multipliers that improve the bound: coordinate ascent on a softened linear relaxation.

A sweep goes over the items. It gives each the multiplier with which its options are used as often
as the item needs, if an option of reduced cost r is used exp(-r / T) times at temperature T. As T
falls from sweep to sweep, this becomes complementary slackness, and the multipliers those of the
linear relaxation. (At T = 0, coordinate ascent stops where no single multiplier can improve the
bound.) Where items may be covered several times, an option is used 1 / (1 + exp(r / T)) times,
which is never more than once.
"""

import math

import numpy as np

from worker.compiling.clock import now
from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.costs.dual import decay
from worker.exact_cover.state import Search
from worker.set_cover.layout import FREE, Tables

#: steps of Newton's method for one multiplier, at most; how near to the number of times they end;
#: and by what factor they may be longer than a step that never goes too far
STEPS, NEAR_ENOUGH, LONGEST = 8, 0.001, 4.0
#: options that cost more, in temperatures, are as good as never used
TOO_DEAR = 40.0
#: below this number of times, options are used as good as never
RARELY = 0.01
#: no number of times is nearer than this to 0, or to the number of options
LEAST_TIMES = 1e-9


@compiled
def sweep_on(
    tables: Tables, search: Search, sweeps: Int, first: float, last: float, least: Int
) -> Int:
    """Improve the multipliers by sweeps at temperatures that fall from `first` to `last`.

    Return how many there were until the time `state.until`, or `least` if that is more.
    """
    done = 0
    temperature = max(1.0, first)
    list_free(tables, search, temperature * TOO_DEAR)
    cooling = (max(1.0, last) / temperature) ** (1.0 / max(1, sweeps - 1))
    while done < sweeps and (done < least or now(search.clock) < search.state.until):
        for item in range(ONE, Unsigned(tables.active_begin.size - 1)):
            if tables.active_begin[item] != tables.active_begin[item + ONE]:
                balance(tables, item, temperature, search.state.most)
        temperature *= cooling
        done += 1
    for item in range(tables.live.size):
        tables.multiplier[item] = tables.live[item]
    return done


@compiled
def list_free(tables: Tables, search: Search, most: float) -> None:
    """List the free options of the items whose numbers bind, of reduced costs up to `most`."""
    begin, options, fate = tables.begin, tables.options, tables.fate
    end = ZERO
    for item in range(ONE, Unsigned(begin.size - 1)):
        tables.active_begin[item] = end
        is_open = tables.times[item] < tables.least[item]
        if is_open or tables.size[item] > tables.most[item]:
            for at in range(begin[item], begin[item + ONE]):
                if fate[options[at]] == FREE and tables.reduced[options[at]] <= most:
                    tables.active[end] = options[at]
                    end += ONE
    tables.active_begin[begin.size - 1] = end
    for k in range(search.state.free):
        tables.slack[tables.order[k]] = tables.reduced[tables.order[k]]


@inlined
def balance(tables: Tables, item: Int, temperature: float, most: float) -> None:
    """Give an item the multiplier with which it is covered as often as it must be, or may be.

    It is not negative because of the former and not positive because of the latter, and 0 if it is
    covered neither too seldom nor too often then. Where there is no cover, not even of parts of
    options, multipliers would grow beyond all limits; `most` is theirs.
    """
    first, end = tables.active_begin[item], tables.active_begin[item + ONE]
    old = float(tables.live[item])
    need = np.int64(tables.least[item]) - np.int64(tables.times[item])
    room = np.int64(tables.most[item]) - np.int64(tables.times[item])
    new = 0.0
    if need > 0:
        new = old + rise(tables, first, end, temperature, need)
        if need != room:
            new = max(0.0, new)
    left = np.int64(tables.size[item]) - np.int64(tables.times[item])
    if new == 0.0 and need != room and room < left:
        new = min(0.0, old + rise(tables, first, end, temperature, room))
    tables.live[item] = np.int64(math.floor(max(-most, min(most, new)) + 0.5))
    change = float(tables.live[item]) - old
    if change != 0.0:
        for k in range(first, end):
            tables.slack[tables.active[k]] -= change


@inlined
def rise(tables: Tables, first: Int, end: Int, temperature: float, goal: Int) -> float:
    """Return by how much a multiplier must rise so that its options are used `goal` times."""
    if tables.several.size != 0:
        return limited_rise(tables, first, end, temperature, float(goal))
    return soft_least(tables, first, end, temperature, 1.0)


@inlined
def soft_least(tables: Tables, first: Int, end: Int, temperature: float, sign: float) -> float:
    """Return the soft minimum of the slacks, each times `sign`: -T log(sum(exp(-x / T)))."""
    slack, active = tables.slack, tables.active
    least = sign * slack[active[first]]
    for k in range(first, end):
        least = min(least, sign * slack[active[k]])
    total = 0.0
    for k in range(first, end):
        total += decay((sign * slack[active[k]] - least) / temperature)
    return float(least - temperature * math.log(total))


@compiled
def limited_rise(tables: Tables, first: Int, end: Int, temperature: float, goal: float) -> float:
    """Return the same where no option is used more than once.

    It is the root of log(s / (n - s)) - log(goal / (n - goal)), where s is how often all n options
    are used, by Newton's method. As the slope is at most 1 / T, a step of T never goes too far. If
    all these options are needed, the multiplier depends on others, and stays.
    """
    slack, active, count = tables.slack, tables.active, float(end - first)
    if goal >= count:
        return 0.0
    unused_goal = max(count - goal, LEAST_TIMES)
    found = 0.0
    for step in range(STEPS):
        used, spread = 0.0, 0.0
        for k in range(first, end):
            power = (slack[active[k]] - found) / temperature
            share = 1.0 / (1.0 + math.exp(max(-500.0, min(500.0, power))))
            used += share
            spread += share * (1.0 - share)
        if abs(used - goal) < NEAR_ENOUGH:
            break
        if step == 0 and used < RARELY:
            found = soft_least(tables, first, end, temperature, 1.0)
            found += temperature * math.log(goal)
        elif step == 0 and count - used < RARELY:
            found = -soft_least(tables, first, end, temperature, -1.0)
            found -= temperature * math.log(unused_goal)
        else:
            used = min(max(used, LEAST_TIMES), count - LEAST_TIMES)
            longer = used * (count - used) / max(LEAST_TIMES, spread * count)
            distance = math.log(goal * (count - used) / (used * unused_goal))
            found += temperature * distance * min(LONGEST, longer)
    return found
