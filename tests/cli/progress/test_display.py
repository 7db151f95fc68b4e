"""The rate and the time left, with the progress of a real batch on a busy machine."""

import json
from bisect import bisect
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.progress.display import MIN_SECONDS, Rate, TimeLeft
from tests.cli.conftest import ROOT

#: 600,000 puzzles in chunks of up to 8,192: (seconds, answers so far) when answers arrived
RECORDED = json.loads((ROOT / "tests" / "data" / "progress.json").read_text())


def shown() -> list[tuple[float, float]]:
    """Return the times left that the recorded batch shows, once a second: (seconds, left)."""
    rate, time_left = Rate(), TimeLeft()
    arrivals = RECORDED["arrivals"]
    end = arrivals[-1][0]
    lefts = []
    for poll in range(1, int(4 * end)):
        now = poll / 4
        answered = arrivals[bisect(arrivals, [now, 10**9]) - 1][1]
        per_second = rate.update(now, answered)
        if per_second is not None:
            left = time_left.update(now, RECORDED["puzzles"] - answered, per_second)
            if now == int(now):
                lefts.append((now, left))
    return lefts


def test_the_time_left_of_a_recorded_batch_does_not_rise_and_fall_by_turns() -> None:
    settled = [left for now, left in shown() if now >= 10]
    assert len(settled) > 80
    assert max(after - before for before, after in pairwise(settled)) < 1.0


def test_the_time_left_of_a_recorded_batch_is_about_right_and_ends_at_0() -> None:
    end = RECORDED["arrivals"][-1][0]
    for now, left in shown():
        assert left == pytest.approx(end - now, abs=0.25 * end)
    assert shown()[-1][1] < 2


@given(st.floats(0.1, 1e5), st.floats(0.05, 1.0))
def test_the_rate_of_steady_progress_is_exact(per_second: float, interval: float) -> None:
    rate = Rate()
    for poll in range(200):
        measured = rate.update(interval * poll, round(per_second * interval * poll))
    if measured is not None:
        assert measured == pytest.approx(per_second, rel=0.05, abs=2 / MIN_SECONDS)
    else:
        assert per_second * interval * 199 < 2 or interval * 198 < MIN_SECONDS + 1 / per_second


def test_the_rate_follows_a_change_within_a_minute() -> None:
    rate = Rate()
    for second in range(100):
        rate.update(float(second), 100 * second)
    for second in range(60):
        measured = rate.update(100.0 + second, 10_000 + 10 * second)
    assert measured == pytest.approx(10, abs=30)


@pytest.mark.attack
def test_after_hours_a_standstill_is_seen_within_minutes() -> None:
    rate = Rate()
    for second in range(4 * 3600):
        before = rate.update(float(second), 6512 * second)
    for second in range(180):
        measured = rate.update(4.0 * 3600 + second, 6512 * 4 * 3600)
    assert before == pytest.approx(6512)
    assert measured is not None
    assert measured < 65


def test_a_rate_of_answers_that_are_minutes_apart_is_steady() -> None:
    rate = Rate()
    rates = [rate.update(float(second), 1 + second // 300) for second in range(6 * 3600)]
    settled = [one for one in rates[3 * 3600 :] if one]
    assert min(settled) > 0.8 / 300
    assert max(settled) < 1.2 / 300


def test_answers_that_are_deleted_do_not_make_the_rate_negative() -> None:
    rate = Rate()
    for second in range(10):
        rate.update(float(second), 100 * second)
    measured = rate.update(10.0, 0)
    assert measured is not None
    assert 0 < measured <= 100


def test_time_in_the_queue_is_not_measured() -> None:
    rate = Rate()
    for second in range(600):
        assert rate.update(float(second), 0) is None
    for second in range(10):
        measured = rate.update(600.0 + second, 100 + 100 * second)
    assert measured == pytest.approx(100)


def test_a_first_chunk_alone_gives_no_rate() -> None:
    rate = Rate()
    assert [rate.update(*at) for at in ((0.0, 0), (0.5, 8192), (1.0, 8192), (3.0, 8592))] == [
        None
    ] * 4
