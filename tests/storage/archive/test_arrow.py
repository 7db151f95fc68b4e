"""Texts of Arrow arrays."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from storage.archive.arrow import text_of


@given(st.lists(st.text(max_size=3), max_size=5), st.integers(0, 5), st.integers(0, 5))
def test_the_text_of_a_part_of_an_array_is_that_of_its_values(
    values: list[str], first: int, number: int
) -> None:
    part = pa.array(values, pa.string()).slice(first, number)
    assert text_of(part).to_pybytes().decode() == "".join(values[first:][:number])
