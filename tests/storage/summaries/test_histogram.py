"""Approximate distributions."""

from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from storage.summaries import histogram
from storage.summaries.histogram import MAX_ERROR_PERCENT, count, least, middle, percentiles

values = st.floats(1e-6, 1e12)


@given(st.lists(values, min_size=1, max_size=80), st.integers(0, 100))
def test_a_percentile_is_within_the_stated_error_of_the_nearest_rank(
    some: list[float], percent: int
) -> None:
    exact = sorted(some)[max(0, ceil(len(some) * percent / 100) - 1)]
    found = percentiles(count(some), [percent])[percent]
    assert abs(found - exact) <= exact * MAX_ERROR_PERCENT / 100


@given(values)
def test_the_middle_of_a_bucket_is_half_a_percent_from_its_values(value: float) -> None:
    (bucket,) = count([value])
    assert least(bucket) <= value * (1 + 1e-7)
    assert abs(middle(bucket) - value) <= value / 250


@given(st.integers(0, 255))
def test_small_integers_have_a_bucket_of_their_own(number: int) -> None:
    (bucket,) = count([number])
    assert int(middle(bucket)) == number
    assert bucket not in count([number + 1])


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_doublings_count_every_value_once(some: list[float]) -> None:
    smallest = 2.0**-10
    some = [float(f"{value:.6f}") for value in some]
    found = histogram.doublings(count(some), smallest)
    assert sum(number for _, number in found) == len(some)
    assert found[0][1]
    assert found[-1][1]
    for start, number in found:
        from_zero = 0.0 if start == smallest else start
        assert number == sum(from_zero <= value < 2 * start for value in some)


def test_no_values_have_no_histogram() -> None:
    assert histogram.doublings(count([]), 1.0) == []
