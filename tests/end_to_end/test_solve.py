"""`bullseye solve` without a server or a worker."""

import json
import signal
import subprocess
from itertools import islice

from tests.end_to_end.bullseye import COMMAND, Bullseye, eventually
from tests.end_to_end.load import execute
from tests.sudoku import grids, is_solution, score

P1074_FIRST = """\
7 0 0 9 0 0 0 0 1
1 0 0 0 0 5 9 0 0
0 0 0 2 0 0 0 8 0
0 0 5 0 2 0 0 0 3
0 0 0 0 0 0 6 4 8
4 1 3 0 0 0 0 0 0
0 0 7 0 0 2 0 9 0
2 0 1 0 6 0 8 0 4
0 8 0 5 0 4 0 1 2
"""
P1074_SECOND = """\
0 0 0 7 0 2 4 5 3
9 0 0 0 0 8 0 0 0
7 4 0 0 0 5 0 1 0
1 9 5 0 8 0 0 0 0
0 7 0 0 0 0 0 2 5
0 3 0 5 7 9 1 0 8
0 0 0 6 0 1 0 0 0
0 6 0 9 0 0 0 0 1
0 0 0 0 0 0 0 0 6
"""
CONTRADICTION = "11" + "." * 79
EMPTY_16 = "." * 16


def answered(jsonl: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in jsonl.splitlines()]


def test_the_first_sample_of_the_target_problem_scores_2829(bullseye: Bullseye) -> None:
    assert bullseye.out("solve", "--target", "-f", "judge", "-", stdin=P1074_FIRST) == "2829\n"


def test_the_second_sample_scores_2852_among_85_completions(bullseye: Bullseye) -> None:
    assert bullseye.out("solve", "--target", "-f", "judge", "-", stdin=P1074_SECOND) == "2852\n"
    every = answered(bullseye.out("solve", "--target", "--every", "-", stdin=P1074_SECOND))[0]
    assert (every["solutions"], every["complete"]) == (85, 1)
    assert (every["score"], every["bound"]) == (2852, 2852)
    assert score(str(every["solution"])) == 2852


def test_contradicting_clues_have_no_solution_and_are_not_an_error(bullseye: Bullseye) -> None:
    found = answered(bullseye.out("solve", "-", stdin=CONTRADICTION + "\n"))[0]
    assert (found["status"], found["solutions"], found["complete"]) == ("none", 0, 1)
    assert bullseye.out("solve", "--target", "-f", "judge", CONTRADICTION) == "-1\n"


def test_answers_are_right_and_in_the_order_of_the_input(bullseye: Bullseye) -> None:
    puzzles = list(islice(grids(7, 30), 500))
    lines = "\n".join(puzzles)
    found = answered(bullseye.out("solve", "-", stdin=lines))
    assert [answer["puzzle"] for answer in found] == puzzles
    assert [answer["position"] for answer in found] == list(range(1, 501))
    assert all(is_solution(str(a["puzzle"]), str(a["solution"])) for a in found)


def test_without_a_redis_program_a_process_pool_gives_the_same_answers(bullseye: Bullseye) -> None:
    puzzles = "\n".join(islice(grids(8, 30), 100))
    with_redis = answered(bullseye.out("solve", "-", stdin=puzzles))
    bullseye.settings["BULLSEYE_REDIS_SERVER"] = "none"
    done = bullseye.run("solve", "-j", "2", "-", stdin=puzzles)
    assert done.returncode == 0
    assert "BULLSEYE_REDIS_SERVER is none: solving in a process pool" in done.stderr
    assert [(a["puzzle"], a["solution"], a["solutions"]) for a in answered(done.stdout)] == [
        (a["puzzle"], a["solution"], a["solutions"]) for a in with_redis
    ]


def test_all_288_completions_of_the_empty_4x4_are_counted_and_kept(bullseye: Bullseye) -> None:
    found = answered(bullseye.out("solve", "--limit", "all", "--keep", "300", EMPTY_16))[0]
    assert (found["solutions"], found["complete"]) == (288, 1)
    shown = bullseye.out("show", str(found["id"]))
    assert "288" in shown


def test_a_timeout_is_reported_with_exit_code_1(bullseye: Bullseye) -> None:
    done = bullseye.run("solve", "--limit", "all", "--timeout", "0.5", "-", stdin="." * 81)
    assert done.returncode == 1
    found = answered(done.stdout)[0]
    assert (found["status"], found["complete"]) == ("timeout", 0)
    assert isinstance(found["solutions"], int)
    assert found["solutions"] > 0
    assert is_solution("." * 81, str(found["solution"]))


def test_an_interrupted_solve_keeps_its_answers_and_a_worker_solves_the_rest(
    bullseye: Bullseye,
) -> None:
    easy = "\n".join(islice(grids(9, 30), 40))
    hard = "\n".join(["." * 81] * 4)
    (bullseye.folder / "puzzles.txt").write_text(f"{easy}\n{hard}\n")
    process = subprocess.Popen(
        [*COMMAND, "solve", "--limit", "all", "--timeout", "100", "-j", "1", "puzzles.txt"],
        env=bullseye.env,
        cwd=bullseye.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    eventually(lambda: _count(bullseye) == 40)  # the easy ones
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in errors
    kept = _count(bullseye)
    assert 0 < kept < 44
    with bullseye.worker():
        bullseye.out("retry", "1", "--timeout", "0.2")
        eventually(lambda: _count(bullseye) == 44)


def _count(bullseye: Bullseye) -> int:
    return int(str(execute(bullseye, "SELECT count(*) FROM answer")[0][0]))
