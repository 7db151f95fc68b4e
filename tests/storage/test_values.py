"""Answers by columns."""

from hypothesis import given
from hypothesis import strategies as st

from storage.values import Answer, Answers, Puzzle
from tests.storage.harness import answer_to

answers = st.lists(st.integers(1, 20), unique=True, max_size=8).map(
    lambda ids: [answer_to(Puzzle(id_, id_ + 1, f"no {id_}", "." * id_)) for id_ in ids]
)


def rows(columns: Answers) -> list[Answer]:
    return list(map(Answer, *columns))


def test_answers_has_a_column_for_each_field_of_an_answer() -> None:
    assert Answers._fields == Answer._fields


@given(answers)
def test_columns_return_the_rows_they_were_made_of(some: list[Answer]) -> None:
    assert rows(Answers.of(some)) == some


@given(st.lists(answers, max_size=4))
def test_joined_columns_contain_all_rows_in_order(parts: list[list[Answer]]) -> None:
    joined = Answers.joined([Answers.of(part) for part in parts])
    assert rows(joined) == [answer for part in parts for answer in part]


@given(answers, st.sets(st.integers(1, 20)))
def test_without_removes_the_answers_to_the_given_puzzles(
    some: list[Answer], ids: set[int]
) -> None:
    assert rows(Answers.of(some).without(ids)) == [one for one in some if one.id not in ids]
