"""The database's clock and the arithmetic of stored times."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from storage.clock import earlier, seconds_between, utc
from storage.database import read
from tests.storage.harness import Harness

moments = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1))


def stored(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds") + "Z"


def now(harness: Harness, seconds_ago: float = 0.0) -> str:
    with read(harness.engine) as connection:
        return str(connection.execute(select(utc(seconds_ago))).scalar_one())


def test_the_databases_time_is_utc_with_milliseconds(harness: Harness) -> None:
    time = now(harness)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", time)
    here = stored(datetime.now(UTC).replace(tzinfo=None))
    assert abs(seconds_between(time, here)) < 5


@pytest.mark.parametrize("seconds", [0.25, 60.0, 86400.0])
def test_utc_returns_a_time_some_seconds_ago(harness: Harness, seconds: float) -> None:
    passed = seconds_between(now(harness, seconds), now(harness))
    assert seconds - 0.01 < passed < seconds + 5


@given(moments, moments)
def test_the_text_of_times_sorts_chronologically(one: datetime, other: datetime) -> None:
    first, last = sorted([stored(one), stored(other)])
    assert seconds_between(first, last) >= 0


@given(moments, st.integers(0, 10**6))
def test_earlier_and_seconds_between_are_inverse(moment: datetime, seconds: int) -> None:
    time = stored(moment)
    assert seconds_between(earlier(time, seconds), time) == pytest.approx(seconds)
