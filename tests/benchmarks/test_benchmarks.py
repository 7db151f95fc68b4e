"""The benchmark programs count correctly, compare times, and report disagreements."""

import os
import shutil
import socket
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from storage.batches import Batch
from storage.database import open_database, read
from storage.values import Priority, Status
from tests.benchmarks import (
    __main__,
    checking,
    covers,
    league,
    ours,
    peers,
    set_covers,
    sudoku,
    target_weights,
    targets,
    textbook,
)
from tests.benchmarks.collections import EXAMPLES, collections
from tests.benchmarks.floor import answers, row
from tests.benchmarks.floor import tables as floor
from tests.benchmarks.mip import Proof, installed
from tests.benchmarks.pipeline import fairness, remote, stages
from tests.benchmarks.pipeline.latency import Latency
from tests.benchmarks.pipeline.tables import ANSWERS
from tests.benchmarks.race import TURN_PUZZLES, Disagreement, race, turns
from tests.benchmarks.store import filling, plot
from tests.benchmarks.store.figures import Figure, Took
from tests.end_to_end.bullseye import Bullseye
from tests.worker.exact_cover.problems import langford, pentominoes, queens
from worker.exact_cover.problem import number
from worker.set_cover.layout import numbers_of, once

SVG = "{http://www.w3.org/2000/svg}"
needs_compiler = pytest.mark.skipif(
    not shutil.which(textbook.COMPILER) and not os.environ.get("CI"),
    reason="the textbook program needs a C compiler",
)


@needs_compiler
def test_the_textbook_program_finds_the_published_numbers_of_solutions() -> None:
    assert textbook.count(queens(8)) == 92
    assert textbook.count(langford(7)) == 52
    assert textbook.count(pentominoes(3, 20, whole=True)) == 8
    assert textbook.count(queens(8), limit=5) == 5


@needs_compiler
def test_the_textbook_and_the_solver_agree_on_grids() -> None:
    (examples,) = collections(None, 100)
    grids = [*examples.puzzles, "11" + "." * 79, "." * 81]
    for limit in (1, 2, 100):
        assert textbook.sudokus(grids, limit) == ours.solutions(grids, limit)


def test_a_ratio_is_a_solvers_time_relative_to_the_first_solver() -> None:
    def busy(seconds: float, puzzles: Sequence[str]) -> int:
        until = time.thread_time() + seconds
        while time.thread_time() < until:
            pass
        return len(puzzles)

    solvers = {"one": lambda p: busy(0.02, p), "three": lambda p: busy(0.06, p)}
    ratios = race(solvers, ["a"] * 2 * TURN_PUZZLES, 3)
    assert ratios["one"].median == 1
    assert 2.5 < ratios["three"].least <= ratios["three"].median <= ratios["three"].most < 3.5
    assert 0.0005 < ratios["three"].seconds < 0.0008


def test_solvers_with_different_counts_raise_disagreement() -> None:
    with pytest.raises(Disagreement, match="'liar': 3"):
        race({"honest": len, "liar": lambda puzzles: len(puzzles) + 1}, ["a", "b"], 1)


def test_every_puzzle_is_in_exactly_one_turn() -> None:
    puzzles = [str(k) for k in range(2 * TURN_PUZZLES + 1)]
    assert [puzzle for turn in turns(puzzles) for puzzle in turn] == puzzles


def test_the_solvers_of_set_covers_agree_on_a_random_problem() -> None:
    problem = set_covers.scattered(20, 40, 0.1, 9)
    assert set_covers.ours(problem).cost == set_covers.plain(problem).cost
    sizes = [stop - start for start, stop in pairwise(problem.first.tolist())]
    assert min(sizes) >= 1
    assert min(problem.members.tolist().count(item) for item in range(1, 21)) >= 2


@needs_compiler
def test_every_table_of_the_solver_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    __main__.main(["sudoku", "targets", "--rounds", "1"])
    printed = capsys.readouterr().out
    assert "| examples | 20 |" in printed
    assert "as counting alone" in printed


def test_the_same_puzzles_are_stored_checked_and_unchecked() -> None:
    _, _, *rows = checking.tables(None, 1)
    assert [row.count("µs") for row in rows] == [2, 2]


def test_without_collections_the_pipeline_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    __main__.main(["pipeline"])
    *_, printed = capsys.readouterr().out.splitlines()
    assert printed == "Left out: the pipeline needs the collections (--data) and a Redis program."


def test_the_stages_of_all_chunks_are_measured(tmp_path: Path, redis_url: str) -> None:
    (puzzle, *_) = collections(None, 1)[0].puzzles
    collection = tmp_path / "same.txt"
    collection.write_text(f"{puzzle}\n" * 30_000)  # more chunks than Redis holds at a time
    spent = stages.stages(collection, tmp_path, redis_url, os.getpid())
    assert {"taking", "solving", "storing answers"} < spent.keys()
    with closing(sqlite3.connect(tmp_path / "stages.db")) as database:
        assert database.execute("SELECT count(*) FROM answer").fetchone() == (30_000,)


def test_the_league_runs_what_it_finds_and_counts_who_is_first(tmp_path: Path) -> None:
    folders = {kind: tmp_path / "league" / kind for kind in ("scp", "spp")}
    for folder in folders.values():
        folder.mkdir(parents=True)
    (folders["scp"] / "three.txt").write_text("3 3\n1 1 1\n2\n1 3\n2\n1 2\n2\n2 3\n")
    (folders["spp"] / "two.txt").write_text("2 3\n5 2 1 2\n2 1 1\n2 1 2\n")
    (folders["spp"] / "without.txt").write_text("3 2\n1 2 1 2\n1 2 2 3\n")
    _, _, *rows = league.tables(tmp_path, 5.0, 1)
    assert rows[0].startswith("| three | 3 x 3 | 2 | 2 | 0.0")
    assert rows[1].startswith("| two | 2 x 3 | 4 | 4 | 0.0")
    assert rows[2].startswith("| without | 3 x 2 | there is none |  | 0.0")
    assert rows[3].startswith("| proven, of 3 | | | | 3 |")
    won = {"Bullseye": Proof(4, True, 1.0), "HiGHS": Proof(4, True, 2.0)}
    lost = {"Bullseye": Proof(4, False, 9.0), "HiGHS": Proof(4, True, 2.0)}
    *_, first, _ = league.summary([won, lost])
    assert first == "| first, or 5 % later | | | | 1 | 1 |"


def test_a_floor_is_compared_turn_by_turn() -> None:
    one = row.Row("a command, ms", 1e-3, [(0.01, 0.02), (0.02, 0.02), (0.01, 0.04)], 1.5)
    assert str(one) == "| a command, ms | 10 | 20 | 2.00 (1.00–4.00) | 1.50 |"


def test_the_floor_of_storing_writes_the_same_answers(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "some.db")) as database, database:
        database.execute("CREATE TABLE answer (id INTEGER PRIMARY KEY, puzzle TEXT, detail TEXT)")
        database.executemany("INSERT INTO answer VALUES (?, ?, NULL)", [(2, "b"), (1, "a")])
    rows = answers.read(tmp_path / "some.db")
    assert (rows.columns, rows.values) == (["id", "puzzle"], [(1, "a"), (2, "b")])
    assert answers.insert(rows, tmp_path) >= 0
    assert answers.read(tmp_path / "floor.db") == rows


def test_without_collections_only_the_starts_have_floors() -> None:
    *lines, _, printed = floor.tables(None, 1)
    assert [line.count("| `bullseye ") for line in lines] == [0, 0, 1, 1, 1, 1]
    assert printed == "Left out: batches need the collections (--data), Redis and PostgreSQL."


def test_without_collections_waiting_times_are_one_line() -> None:
    assert list(fairness.tables(None, 1)) == [
        "Left out: waiting times need the collections (--data) and a Redis program."
    ]


def test_the_pipeline_counts_the_answers_of_the_last_batch(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path}/bullseye.db", migrate=True)
    for puzzles in (20, 30):
        filling.fill(engine, "sudoku", puzzles, tmp_path)
    with read(engine) as connection:
        assert connection.exec_driver_sql(ANSWERS).scalar_one() == 30
    engine.dispose()


def test_without_collections_remote_workers_are_one_line() -> None:
    assert list(remote.tables(None, 1)) == [
        "Left out: remote workers need the collections (--data), Redis and PostgreSQL."
    ]


@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_each_request_over_a_network_with_latency_takes_its_round_trip(seconds: float) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        closing(Latency(server.getsockname()[1], seconds)) as far,
    ):
        client = socket.create_connection(("127.0.0.1", far.port))
        there, _ = server.accept()
        with client, there:
            began = time.monotonic()
            for _ in range(2):
                client.sendall(b"ask")
                there.sendall(there.recv(3).upper())
                assert client.recv(3) == b"ASK"
            assert time.monotonic() - began >= 2 * seconds
            assert far.round_trips == 2


@pytest.mark.soak
def test_every_question_about_a_large_database_is_measured(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    record = ["--record", "figures.jsonl"]
    __main__.main(["store", "--answers", "1000", "--rounds", "1", *record])
    printed = capsys.readouterr().out
    for question in ("status 2", "stats 2", "results 2 -f csv", "solve --reuse", "question 10"):
        assert f"| {question}" in printed
    plot.main("figures.jsonl", "store.svg")
    assert "question 10" in Path("store.svg").read_text()


def test_a_plot_has_a_line_for_each_database_and_a_point_for_each_number_of_answers() -> None:
    records = [
        Figure("status", Took(seconds, seconds)).record(database, answers)
        for database, seconds in (("sqlite", 0.3), ("postgresql", 0.4))
        for answers in (10_000, 100_000, 100_000, 20_000_000)
    ]
    svg = ElementTree.fromstring(plot.drawn(records))
    (title,) = [text for text in svg.iter(f"{SVG}text") if text.get("class") == "title"]
    assert title.text == "status, s"
    lines = [path for path in svg.iter(f"{SVG}path") if path.get("stroke")]
    assert [path.attrib["d"].count("L") for path in lines] == [2, 2]
    assert len([dot for dot in svg.iter(f"{SVG}circle") if dot.get("r") == "2"]) == 6


def test_random_answers_have_every_status_that_is_counted() -> None:
    batch = Batch(1, None, "", "target", {}, 30_000, 1, "queue", True, "", None, Priority.NORMAL)
    made = filling.sample(batch, 0, 30_000)
    assert set(made.status) == {Status.SOLVED, Status.NONE, Status.TIMEOUT}
    assert made.id[-1] == made.position[-1] == 30_000
    unsolved = [score for score, one in zip(made.score, made.status, strict=True) if one == "none"]
    assert set(unsolved) == {None}


@pytest.mark.soak
def test_the_waits_of_all_small_batches_are_measured(tmp_path: Path, redis_url: str) -> None:
    collection = tmp_path / "17clue.txt"
    collection.write_text("\n".join(collections(None, 100)[0].puzzles))
    ours = Bullseye(tmp_path, redis_url)
    with ours.worker():
        waits = list(fairness.waits(ours, collection, fairness.Case(2, 1, 100_000), "low", 3))
    assert len(waits) == 4
    assert all(wait.seconds > 0 and 0.03 < wait.answered <= 1 for wait in waits)


def test_the_matrix_for_other_packages_has_the_rows_that_agree_with_the_clues() -> None:
    matrix = peers.consistent("5" + "." * 80)
    assert matrix.shape == (721, 324)
    assert set(matrix.sum(axis=1).tolist()) == {4}
    assert peers.with_slack(queens(4)).shape == (16 + 14, 8 + 14)


def test_a_problem_written_as_text_has_the_same_solutions() -> None:
    assert ours.solutions([covers.written(queens(6))], None) == 4


def test_without_a_compiler_each_table_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    for tables in (sudoku.tables, covers.tables):
        assert list(tables(None, 1)) == ["Left out: the textbook needs gcc on PATH."]


def test_a_best_score_other_than_the_known_one_raises_disagreement() -> None:
    (grid, score), *_ = best_of_examples()
    targets._check_known([{"puzzle": grid, "best_score": str(score)}])
    with pytest.raises(Disagreement, match="is known, not"):
        targets._check_known([{"puzzle": grid, "best_score": str(score + 1)}])


@pytest.mark.parametrize("name", installed())
def test_an_item_without_options_has_no_cover(name: str) -> None:
    problem = number(2, 0, [[1]], [1])
    proof = installed()[name](problem, *numbers_of(problem, once(problem)), 10.0)
    assert (proof.cost, proof.proven) == (None, True)


def test_the_best_scores_with_weights_of_every_family_agree_with_cp_sat() -> None:
    pytest.importorskip("ortools")
    _, _, *rows = target_weights.tables(2, 1)
    assert len(rows) == len(target_weights.FAMILIES)


def best_of_examples() -> list[tuple[str, int]]:
    """Return the target sudokus of the examples with the best scores in their labels."""
    lines = (EXAMPLES.parent / "target.txt").read_text().splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return [(words[0], int(words[2])) for words in rows]
