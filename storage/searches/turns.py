"""Turns: the periods of work on a search, each stored once with what it found.

The first turn is that of the puzzle in its chunk: if it does not finish the puzzle, `cut` makes it
a search.  Each further one is a turn of a part.  The transaction that ends it adds what it found to
the totals of the search, and makes what is left of the part new again, perhaps with further parts
cut from it.
"""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, update

from storage import answers
from storage.outbox import leases
from storage.outbox.leases import Lease
from storage.searches import candidates, ending, parts, totals
from storage.searches.parts import PartLease
from storage.searches.totals import Goal, Totals
from storage.tables import chunk, search
from storage.values import Gain, PartRow, Puzzle, Searched

#: Returns what is to be searched when all parts of a search for the best score have ended: a new
#: setup and a part; None if nothing better can be found.  It is given the setup, and the score that
#: a solution must exceed to be kept, None if any is kept.
Following = Callable[[str, int | None], tuple[str, PartRow] | None]

#: Predicts which share of a search's nodes are visited, given their number, the share of the tree
#: that is done, and the estimate that was stored.
Prediction = Callable[[int, float, str | None], float]


def cut(
    connection: Connection,
    lease: Lease,
    puzzle: Puzzle,
    searched: Searched,
    found: Gain,
    rest: Sequence[PartRow],
    *,
    worker: str,
    seconds: float,
    prediction: Prediction,
) -> bool:
    """Make a puzzle of a leased chunk a search, with `rest` as its parts.

    `found` is what its first `seconds` found.  The puzzle leaves its chunk, which stays leased.
    Returns False, and stores nothing, if the lease was taken over; a puzzle that has an answer or
    is a search already is left as it is.
    """
    if not leases.renew(connection, lease):
        return False
    if answers.stored(connection, [puzzle.id]):
        return True
    begun = Totals(
        elapsed=seconds,
        parts=len(rest),
        open=len(rest),
        share=max(0.0, 1.0 - sum(share for _, share, *_ in rest)),
        solutions=found.solutions,
        nodes=found.nodes,
        ns=found.ns,
    )
    goal = Goal.of(lease.options, searched.setup)
    if not goal.pruned:  # how many rounds a search for the best score has is not known
        predicted = prediction(begun.nodes, begun.share, searched.estimate)
        begun = begun._replace(progress=predicted)
    totals.add(connection, lease.batch_id, puzzle, searched, begun)
    one_less = update(chunk).values(count=chunk.c.count - 1)
    connection.execute(one_less.where(chunk.c.id == lease.chunk_id))
    parts.add(connection, lease, puzzle.id, rest)
    _add_found(connection, puzzle.id, found, goal, worker)
    return True


def end(
    connection: Connection,
    taken: PartLease,
    found: Gain,
    rest: Sequence[PartRow],
    *,
    worker: str,
    seconds: float,
    following: Following,
    prediction: Prediction,
) -> bool:
    """Store what a turn of `seconds` found; its part goes on as the first of `rest`, or has ended.

    The others of `rest` become further parts.  When all parts of a search for the best score have
    ended, it goes on with what `following` returns.  The search is ended, and its answer written,
    if this is due.  Returns False, and stores nothing, if the lease was taken over, the turn was
    stored before, or the search has ended.
    """
    search_id, lease = taken.puzzle.id, taken.lease
    sums = totals.lock(connection, search_id, seconds)
    if sums is None:
        return False
    if rest:
        ours = parts.go_on(connection, taken, rest[0][0])
    else:
        ours = parts.end(connection, taken, worker)
    if not ours:
        return False
    rest = [(text, share, _least(taken.bound, bound), path) for text, share, bound, path in rest]
    parts.add_turn(connection, taken, found, rest[0] if rest else None)
    parts.add(connection, lease, search_id, rest[1:])
    goal = Goal.of(lease.options, taken.setup)
    _add_found(connection, search_id, found, goal, worker)
    done = taken.share - sum(share for _, share, *_ in rest)
    after = sums._replace(
        parts=sums.parts + len(rest[1:]),
        open=sums.open + len(rest) - 1,
        share=min(1.0, sums.share + max(0.0, done)),
        solutions=sums.solutions + found.solutions,
        nodes=sums.nodes + found.nodes,
        ns=sums.ns + found.ns,
    )
    if not goal.pruned:
        predicted = prediction(after.nodes, after.share, taken.estimate)
        after = after._replace(progress=max(after.progress, predicted))
    elif after.open == 0:
        after = _next_round(connection, taken, after, goal, following)
    totals.save(connection, search_id, after)
    ending.end_if_due(connection, search_id, after, goal, worker, lease.attempt)
    return True


def _next_round(
    connection: Connection, taken: PartLease, before: Totals, goal: Goal, following: Following
) -> Totals:
    """Begin the next round of a search whose parts have all ended, if there is one."""
    search_id = taken.puzzle.id
    if ending.failure(connection, search_id) is not None:
        return before
    best = candidates.worst_score(connection, search_id, goal.keep)
    if (round_ := following(taken.setup, best)) is None:
        return before
    setup, row = round_
    connection.execute(update(search).where(search.c.id == search_id).values(setup=setup))
    parts.add(connection, taken.lease, search_id, [row])
    totals.update_bound(connection, search_id)
    return before._replace(parts=before.parts + 1, open=1, share=0.0)


def fail(
    connection: Connection, taken: PartLease, detail: str, *, worker: str, seconds: float
) -> bool:
    """Give up a part that cannot be searched, because of `detail`; `retry` tries it again.

    The answer of its search will be `failed`.  Returns False as `end` does.
    """
    search_id, lease = taken.puzzle.id, taken.lease
    before = totals.lock(connection, search_id, seconds)
    if before is None or not parts.end(connection, taken, worker, detail):
        return False
    after = before._replace(open=before.open - 1)
    totals.save(connection, search_id, after)
    goal = Goal.of(lease.options, taken.setup)
    ending.end_if_due(connection, search_id, after, goal, worker, lease.attempt)
    return True


def _add_found(
    connection: Connection, search_id: int, found: Gain, goal: Goal, worker: str
) -> None:
    """Store a turn's candidates and worker, and the bound that its search has now."""
    totals.count_turn(connection, search_id, worker, found.nodes)
    if found.candidates:
        candidates.add(connection, search_id, found.candidates, goal.keep)
    if goal.scored:
        totals.update_bound(connection, search_id)


def _least(before: int | None, bound: int | None) -> int | None:
    """Return the lower of two bounds: that of a part never rises."""
    return min((one for one in (before, bound) if one is not None), default=None)
