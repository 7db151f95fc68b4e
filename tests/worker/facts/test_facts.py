"""Facts of puzzles agree with their definitions, and no symmetry changes them."""

import random
from itertools import chain

import numpy as np
import pytest

from bullseye import facts
from storage.values import Facts
from tests.worker.facts.naive import Contradiction, Puzzle
from tests.worker.symmetry.arrangements import equivalent_to
from worker.facts.clues import Limits
from worker.facts.facts import facts_of
from worker.sudoku.solve import values_of
from worker.sudoku.symbols import VALUES

#: the last two are published: the hardest of A. Inkala (2012), and "Loki" (mith, 2022)
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
MIDDLE = ".53..8.......3....4..9....6..6......2...4.3.7.9...14.8.....9......38.2..6....75.."
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
LOKI = "57....9..........8.1.........168..4......28.9..2.9416.....2.....6.9.82.4...41.6.."


def random_puzzle(side: int, clues: int, chance: random.Random) -> str:
    """A solution of which few cells are left, one of them wrong now and then."""
    cells = side * side
    grid = Puzzle(chance.choice(VALUES[:side]) + "." * (cells - 1)).solutions(1)[0]
    grid = equivalent_to(grid, chance)
    kept = set(chance.sample(range(cells), clues))
    text = [symbol if cell in kept else "." for cell, symbol in enumerate(grid)]
    if chance.random() < 0.3:
        text[chance.choice(sorted(kept))] = chance.choice(VALUES[:side])
    return "".join(text)


def wanted(text: str, most_depth: int) -> Facts:
    puzzle = Puzzle(text)
    solutions, redundant = puzzle.solutions(2), puzzle.redundant()
    known = Facts(minimal=int(not redundant), redundant=" ".join(redundant) or None)
    try:
        left = [len(candidates) for candidates in puzzle.after_singles(puzzle.board()).values()]
        known = known._replace(placed=left.count(1), candidates=sum(n for n in left if n > 1))
    except Contradiction:
        pass
    if len(solutions) < 2:
        known = known._replace(depth=puzzle.depth(most_depth))
    if len(solutions) == 1:
        known = known._replace(backdoor=puzzle.backdoor(solutions[0]))
    return known


def found(*texts: str, limits: Limits = Limits()) -> list[Facts]:  # noqa: B008
    return list(chain.from_iterable(facts_of(values_of(texts), limits)))


@pytest.mark.parametrize(("side", "least", "most", "puzzles"), [(4, 2, 9, 150), (6, 8, 20, 60)])
def test_facts_of_small_puzzles_are_what_their_definitions_say(
    side: int, least: int, most: int, puzzles: int
) -> None:
    chance = random.Random(1)
    texts = [random_puzzle(side, chance.randint(least, most), chance) for _ in range(puzzles)]
    kinds = {min(2, len(Puzzle(text).solutions(2))) for text in texts}
    assert kinds == {0, 1, 2}
    assert found(*texts) == [wanted(text, 3) for text in texts]


@pytest.mark.parametrize(("text", "depth"), [(EASY, 0), (MIDDLE, 1)])
def test_facts_of_9x9_sudokus_are_what_their_definitions_say(text: str, depth: int) -> None:
    (one,) = found(text)
    assert one.depth == depth
    assert one == wanted(text, depth)


def test_depth_3_is_found_where_depth_2_does_not_solve() -> None:
    assert [one.depth for one in found(HARD, LOKI)] == [2, 3]


@pytest.mark.soak
@pytest.mark.parametrize(("text", "depth"), [(HARD, 2), (LOKI, 3)])
def test_deep_trials_are_what_their_definition_says(text: str, depth: int) -> None:
    assert Puzzle(text).depth(depth) == depth


def test_no_symmetry_changes_facts() -> None:
    chance = random.Random(2)
    for text in (EASY, MIDDLE, HARD, "1" + "." * 80, EASY[:60] + "5" * 21):
        one, *others = found(text, *(equivalent_to(text, chance) for _ in range(20)))
        number = len((one.redundant or "").split())
        assert {len((other.redundant or "").split()) for other in others} == {number}
        assert {other._replace(redundant=one.redundant) for other in others} == {one}


def test_redundant_clues_are_named_by_row_and_column() -> None:
    one = facts("1234" + "." * 7 + "1" + "." * 4)
    assert one.redundant == "r1c1 r1c2 r1c3 r1c4"
    assert (one.minimal, one.depth, one.canonical) == (0, None, ".......1....1234")


def test_what_time_does_not_allow_is_not_known() -> None:
    (one,) = found(LOKI, limits=Limits(timeout=0.001))
    assert (one.placed, one.depth) == (29, None)
    (one,) = found(HARD, limits=Limits(timeout=1e-9))
    assert (one.placed, one.candidates, one.depth) == (21, 254, None)


def test_work_that_lasts_is_done_in_slices() -> None:
    slices = list(facts_of(values_of([LOKI] * 3), Limits(slice_seconds=1e-6)))
    assert [len(some) for some in slices if some] == [3]
    assert len(slices) > 10


def test_a_million_puzzles_need_memory_for_a_few() -> None:
    given = np.zeros((1500, 16), np.uint8)
    assert [len(some) for some in facts_of(given) if some] == [500, 500, 500]
