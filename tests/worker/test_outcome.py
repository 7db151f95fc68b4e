from hypothesis import given
from hypothesis import strategies as st

from worker.outcome import Outcome, Outcomes, Solution, malformed

found = st.integers(0, 9)
#: all of one puzzle's solutions have a score, or none has
kept = st.lists(st.builds(Solution, st.text(), found)) | st.lists(
    st.builds(Solution, st.text(), st.none())
)
outcomes = st.builds(
    Outcome,
    kind=st.sampled_from(["sudoku", "cover"]),
    size=found,
    clues=found | st.none(),
    solutions=found | st.none(),
    complete=st.booleans(),
    timed_out=st.booleans(),
    kept=kept.map(tuple),
    bound=found | st.none(),
    nodes=found,
    ns=found,
) | st.builds(malformed, st.just("sudoku"), st.text())


@given(st.lists(outcomes, max_size=8))
def test_columns_give_back_the_rows_they_were_made_of(some: list[Outcome]) -> None:
    columns = Outcomes.of(some)
    assert list(columns.rows()) == some
    assert {len(column) for column in columns} == {len(some)}
