import pytest

from worker.exact_cover.problem import number


def test_the_items_of_options_are_concatenated() -> None:
    problem = number(2, 1, [[1, 3], [], [2]], [5, 0, 7])
    assert problem.members.tolist() == [1, 3, 2]
    assert problem.first.tolist() == [0, 2, 2, 3]
    assert problem.cost.tolist() == [5, 0, 7]


@pytest.mark.parametrize("option", [[1, 1], [0], [4], [-1]])
def test_an_option_with_an_unknown_or_repeated_item_is_rejected(option: list[int]) -> None:
    with pytest.raises(ValueError, match="option 2"):
        number(2, 1, [[1], option])
