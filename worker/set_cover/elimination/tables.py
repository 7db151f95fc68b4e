"""The tables of all steps, computed from the first to the last."""

from worker import exact_cover, set_cover
from worker.compiling.clock import now
from worker.compiling.entry import entry
from worker.compiling.jit import compiled
from worker.compiling.numbers import Int, Integers
from worker.set_cover.elimination.plan import NO_COVER, Plan

#: entries between two readings of the clock, a power of two
INTERVAL = 1 << 12


@entry(exact_cover.__file__, set_cover.__file__)
def fill_slice(plan: Plan, clock: Integers, slice_ns: Int) -> Int:
    """Compute entries for `slice_ns` nanoseconds; return 1 if none are left, else 0."""
    pause = now(clock) + slice_ns
    step, at = plan.at[0], plan.at[1]
    while step < plan.cost.size:
        begin, end = plan.begin[step], plan.begin[step + 1]
        while begin + at < end:
            without, with_ = both(plan, step, at)
            plan.values[begin + at] = min(without, with_)
            at += 1
            if (begin + at) % INTERVAL == 0 and now(clock) > pause:
                plan.at[0], plan.at[1] = step, at
                return 0
        step, at = step + 1, 0
    plan.at[0] = step
    return 1


@compiled
def both(plan: Plan, step: Int, at: Int) -> tuple[Int, Int]:
    """Return the least costs without the option of a step, and with it.

    `at` are the options of its scope that are chosen.
    """
    without: Int = 0
    with_: Int = plan.cost[step]
    for k in range(plan.item_begin[step], plan.item_begin[step + 1]):
        if plan.item[k] & at == 0:
            without = NO_COVER
    for k in range(plan.source_begin[step], plan.source_begin[step + 1]):
        index = own = 0
        for place in range(plan.bit_begin[k], plan.bit_begin[k + 1]):
            bit, value = plan.bit[place], 1 << (place - plan.bit_begin[k])
            if bit < 0:
                own = value
            elif at >> bit & 1:
                index |= value
        without = min(NO_COVER, without + int(plan.values[plan.source[k] + index]))
        with_ = min(NO_COVER, with_ + int(plan.values[plan.source[k] + index + own]))
    return without, with_
