"""`bullseye show --tree` draws the search tree of Algorithm X."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from cli.tree import Kind, Row, Search, tree_of
from storage.view import AnswerRow
from tests.cli.answers import BEST, COVER, INVALID, MULTIPLE, UNIQUE
from tests.cli.conftest import Bullseye, Database
from tests.worker.exact_cover.oracle import covers, problems
from worker.covers.text import Cover, encode
from worker.exact_cover.problem import number
from worker.exact_cover.solve import solve
from worker.options import Options

KNUTH = Cover(
    7, 0, [[3, 5], [1, 4, 7], [2, 3, 6], [1, 4, 6], [2, 7], [4, 5, 7]], names=[*"abcdefg"]
)
TREE = """\
a has 2 options
├─ a d g (option 2)
│  b has 1 option: b c f (option 3)
│  e has no option: dead end
└─ a d f (option 4)
   b has 1 option: b g (option 5)
   c has 1 option: c e (option 1)
   solution 1: options 1, 4, 5
"""


def rows_of(cover: Cover) -> list[Row]:
    return [*Search(COVER._replace(puzzle=encode(cover))).rows()]


def nodes(rows: Sequence[Row]) -> int:
    return sum(row.kind in {Kind.OPTION, Kind.FORCED} for row in rows)


def textbook(options: list[set[int]], open_items: list[int]) -> Iterator[int]:
    """Yield the options of each node that Algorithm X visits, and 0 for each solution."""
    if not open_items:
        yield 0
        return
    item = min(open_items, key=lambda one: sum(one in option for option in options))
    for option in [option for option in options if item in option]:
        yield len(option)
        rest = [other for other in options if not other & option]
        yield from textbook(rest, [one for one in open_items if one not in option])


def test_the_tree_of_the_example_of_knuth_has_one_dead_end_and_one_solution(
    bullseye: Bullseye, database: Database
) -> None:
    database.store([COVER._replace(puzzle=encode(KNUTH))])
    assert bullseye("show", 1, "--tree") == (0, TREE, "")


@settings(max_examples=100)
@given(problems())
def test_a_tree_has_the_solutions_of_brute_force_and_the_nodes_of_the_book(
    problem: tuple[int, int, list[list[int]], list[int]],
) -> None:
    primary, secondary, options, _ = problem
    rows = rows_of(Cover(primary, secondary, options))
    found = [re.findall(r"\d+", row.text)[1:] for row in rows if row.kind is Kind.SOLUTION]
    expected = covers(primary, secondary, options)
    assert sorted(tuple(int(k) - 1 for k in one) for one in found) == sorted(expected)
    useful = [set(option) for option in options if min(option, default=primary + 1) <= primary]
    visited = [*textbook(useful, [*range(1, primary + 1)])]
    assert (nodes(rows), len(found)) == (len(visited) - visited.count(0), visited.count(0))


def test_the_compiled_search_visits_the_same_branches_where_no_choice_matters() -> None:
    squares = [[rank, 3 + file] for rank in range(1, 4) for file in range(1, 4)]  # for three rooks
    rows, compiled = rows_of(Cover(6, 0, squares)), solve(number(6, 0, squares))
    kinds = Counter(row.kind for row in rows)
    assert kinds[Kind.SOLUTION] == compiled.found == 6
    assert kinds[Kind.OPTION] == compiled.nodes == 9
    assert kinds[Kind.FORCED] == 6  # the last option of each solution, which it need not choose


def test_options_that_give_an_item_the_same_colour_are_chosen_together() -> None:
    colours = [[(3, "A")], [(3, "A")], [(3, "B")]]
    *_, last = rows_of(Cover(2, 1, [[1, 3], [2, 3], [2, 3]], colours=colours))
    assert last.text == "solution 1: options 1, 2"


def test_the_tree_of_a_sudoku_begins_where_its_clues_end(
    bullseye: Bullseye, database: Database
) -> None:
    puzzle = "." * 9 + BEST[9:]
    database.store([UNIQUE._replace(puzzle=puzzle)])
    result = bullseye("show", 1, "--tree")
    lines = result.out.splitlines()
    assert lines[-1].strip() == "solution 1"
    assert len(lines) == 1 + puzzle.count(".")
    assert all(re.fullmatch(r".+ has 1 option: r\dc\d = \d", line) for line in lines[:-1])


def test_two_clues_that_clash_are_a_dead_end() -> None:
    grid = "11" + "." * 14
    assert [*Search(MULTIPLE._replace(puzzle=grid)).rows()] == [
        Row(Kind.DEAD_END, (), "r1c2 has no option: dead end")
    ]


def test_at_most_200_nodes_are_drawn_and_the_others_counted() -> None:
    empty = MULTIPLE._replace(puzzle="." * 16)  # it has 288 solutions
    every = [*tree_of(empty, Options(), every_node=True)]
    *some, last = tree_of(empty, Options(), every_node=False)
    assert some == every[: len(some)]
    drawn, all_of_them = (
        nodes([row for row in rows if isinstance(row, Row)]) for rows in (some, every)
    )
    assert drawn == 200
    assert last == f"{all_of_them - 200:,} further nodes left out; --all draws up to 10,000"


def test_a_search_without_end_is_counted_up_to_10_000_nodes() -> None:
    *_, last = tree_of(MULTIPLE._replace(puzzle="." * 36), Options(), every_node=True)
    assert last == "more nodes follow: the search was ended after 10,000"


def test_the_picture_has_the_same_rows(bullseye: Bullseye, database: Database, home: Path) -> None:
    database.store([COVER._replace(puzzle=encode(KNUTH._replace(names=[*"<bcdefg"])))])
    assert bullseye("show", 1, "--tree", "--svg", "tree.svg") == (0, "", "")
    root = ElementTree.parse(home / "tree.svg").getroot()
    drawn = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
    lines = [re.sub("^[│├└─ ]+", "", line) for line in TREE.splitlines()]
    assert drawn == [re.sub(r"\ba\b", "<", line) for line in lines]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (INVALID, "is an invalid line"),
        (UNIQUE._replace(puzzle="." * 625, size=25), "has 15,625 options"),
        (COVER._replace(puzzle=encode(Cover(1, 6000, [[1]]))), "has 6,001 items"),
        (COVER._replace(puzzle=encode(KNUTH._replace(set_cover=True))), "is no exact cover"),
    ],
)
def test_what_algorithm_x_does_not_search_is_refused(
    answer: AnswerRow, reason: str, bullseye: Bullseye, database: Database
) -> None:
    database.store([answer])
    code, out, err = bullseye("show", 1, "--tree")
    assert (code, out) == (2, "")
    assert err.startswith(f"error: puzzle 1 {reason}")
