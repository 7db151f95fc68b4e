"""The tables of all steps, computed from the first to the last."""

from worker import exact_cover, set_cover
from worker.compiling.clock import now
from worker.compiling.entry import entry
from worker.compiling.jit import bit_count, compiled, lowest_bit
from worker.compiling.numbers import Int, Integers, Unsigned
from worker.set_cover.elimination.plan import NO_COVER, Plan

#: entries between two readings of the clock, a power of two
INTERVAL = 1 << 12


@entry(exact_cover.__file__, set_cover.__file__)
def fill_slice(plan: Plan, clock: Integers, slice_ns: Int) -> Int:
    """Compute entries for `slice_ns` nanoseconds; return 1 if none are left, else 0."""
    pause = now(clock) + slice_ns
    step, at = plan.at[0], plan.at[1]
    while step < plan.cost.size:
        while at < 1 << plan.width[step]:
            _fill(plan, step, at)
            at += 1
            if at % INTERVAL == 0 and now(clock) > pause:
                plan.at[0], plan.at[1] = step, at
                return 0
        step, at = step + 1, 0
    plan.at[0] = step
    return 1


@compiled
def _fill(plan: Plan, step: Int, at: Int) -> None:
    """Compute an entry of a step: the least cost if the options `at` of its scope are chosen."""
    without: Int = plan.profit[step]
    with_: Int = plan.cost[step]
    for k in range(plan.item_begin[step], plan.item_begin[step + 1]):
        others = int(bit_count(plan.item[k] & at))
        if others < plan.least[k] or others > plan.most[k]:
            without = NO_COVER
        if others + 1 < plan.least[k] or others + 1 > plan.most[k]:
            with_ = NO_COVER
    next_bit = lowest_bit(~at)
    for k in range(plan.source_begin[step], plan.source_begin[step + 1]):
        place = plan.entry[k]
        without = min(NO_COVER, without + int(plan.values[place]))
        with_ = min(NO_COVER, with_ + int(plan.values[place + plan.own[k]]))
        if next_bit < plan.width[step]:
            plan.entry[k] = place + plan.move[plan.move_begin[k] + next_bit]
    plan.values[plan.begin[step] + at] = min(without, with_)
    if with_ < without:
        choice = plan.choice_begin[step] + at
        plan.choices[choice >> 3] |= Unsigned(1 << (choice & 7))
