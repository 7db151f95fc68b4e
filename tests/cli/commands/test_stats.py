"""`bullseye stats` as text and JSON."""

import json

import pytest

from storage.database import write
from tests.cli.answers import NONE, TARGET, UNIQUE
from tests.cli.conftest import Bullseye, Database


def test_stats_shows_counts_percentiles_and_the_hardest_puzzles(
    bullseye: Bullseye, database: Database
) -> None:
    batch = database.store(
        [UNIQUE._replace(ms=float(ms), nodes=ms // 50) for ms in range(1, 100)]
        + [NONE._replace(ms=1000.0, nodes=1234)]
    )
    result = bullseye("stats", batch)
    assert result.code == 0
    assert f"batch {batch} · 99 solved (99 unique) · 1 none\n5.95 s solving time" in result.out
    lines = [line.split() for line in result.out.splitlines()]
    assert ["p50", "p90", "p99", "max"] in lines
    assert ["ms", "50.0", "90.0", "99.0", "1,000"] in lines
    assert ["nodes", "1", "1", "1", "1,234"] in lines
    at = lines.index(["hardest", "nodes", "ms"])
    assert lines[at + 1 : at + 4] == [
        ["100", "1,234", "1,000"],
        ["99", "1", "99.0"],
        ["98", "1", "98.0"],
    ]
    assert "worker  puzzles  solving  mean ms\nbox-1       100   5.95 s     59.5\n" in result.out
    assert max(map(len, result.out.splitlines())) <= 80


def test_a_small_batch_has_its_solving_time_in_ms(bullseye: Bullseye, database: Database) -> None:
    database.store([UNIQUE._replace(ms=0.25)] * 2)
    out = bullseye("stats", 1).out
    assert "\n0.500 ms solving time · " in out
    assert "box-1         2  0.500 ms    0.250\n" in out


def test_the_share_of_grids_without_a_guess_is_shown(
    bullseye: Bullseye, database: Database
) -> None:
    database.store([UNIQUE._replace(nodes=0)] * 2 + [UNIQUE._replace(nodes=3), NONE])
    assert " · 66 % without a guess\n" in bullseye("stats", 1).out


def test_bars_are_proportional_and_empty_bins_have_none(
    bullseye: Bullseye, database: Database
) -> None:
    database.store([UNIQUE._replace(ms=1.0)] * 40 + [UNIQUE._replace(ms=4.0)] * 10)
    lines = [line.split() for line in bullseye("stats").out.splitlines()]
    bars = {line[0]: line[1:] for line in lines if line and line[0] in {"1.00", "2.00", "4.00"}}
    assert bars == {"1.00": ["█" * 40, "40"], "2.00": [], "4.00": ["█" * 10, "10"]}


def test_a_small_bin_has_a_visible_bar(bullseye: Bullseye, database: Database) -> None:
    database.store([UNIQUE._replace(ms=1.0)] * 1000 + [UNIQUE._replace(ms=4.0)])
    assert "4.00  ▏ 1\n" in bullseye("stats").out


def test_solved_puzzles_are_unique_multiple_or_capped(
    bullseye: Bullseye, database: Database
) -> None:
    counted = UNIQUE._replace(solutions=5)
    capped = UNIQUE._replace(solutions=2, complete=0)
    first = database.store(
        [UNIQUE, counted, capped, capped, NONE, TARGET._replace(solutions=None)], name="sunday"
    )
    kinds = "5 solved (1 unique, 1 multiple, 2 capped)"
    assert bullseye("stats", first).out.startswith(f"batch {first} sunday · {kinds} · 1 none · ")
    one_each = database.store([UNIQUE._replace(complete=0)])
    assert bullseye("stats").out.startswith("all batches · 6 solved (1 unique, 1 multiple, 3 cap")
    compared = [line.split() for line in bullseye("stats", 1, "--against", 2).out.splitlines()]
    assert compared[0] == ["batch", "1", "sunday", "batch", str(one_each), "ratio"]
    assert compared[1:5] == [
        ["solved", "5", "1"],
        ["unique", "1", "–"],
        ["multiple", "1", "–"],
        ["capped", "2", "1"],
    ]
    values = json.loads(bullseye("stats", first, "--json").out)
    assert (values["batch"], values["name"]) == (first, "sunday")
    assert values["solved"] == {"unique": 1, "multiple": 1, "capped": 2}


def test_a_share_is_rounded_down_wherever_it_is_shown(
    bullseye: Bullseye, database: Database
) -> None:
    batch = database.store([UNIQUE._replace(nodes=0)] * 7 + [UNIQUE] * 2)  # 77.8 %
    assert " · 77 % without a guess" in bullseye("stats", batch).out
    assert "77 % without a guess" in bullseye("stats", batch, "--html", "-").out
    compared = bullseye("stats", batch, "--against", batch).out
    assert ["without", "a", "guess", "77", "%", "77", "%"] in map(str.split, compared.splitlines())


def hardest(bullseye: Bullseye, *arguments: object) -> list[list[str]]:
    lines = bullseye("stats", *arguments).out.partition("hardest")[2].splitlines()
    return [line.split(maxsplit=3) for line in lines[1 : lines.index("")]]


def test_the_hardest_puzzles_are_as_many_as_asked_for_with_their_labels(
    bullseye: Bullseye, database: Database
) -> None:
    batch = database.store([UNIQUE._replace(nodes=nodes) for nodes in range(1, 11)])
    with write(database.engine) as connection:
        connection.exec_driver_sql("UPDATE answer SET label = 'monster ' || id WHERE id > 8")
    assert len(hardest(bullseye, batch)) == 5
    for number in (1, 5, 6, 99):
        found = hardest(bullseye, batch, "--hardest", number)
        assert [int(line[1]) for line in found] == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1][:number]
        assert [line[3] for line in found if len(line) == 4][:2] == [
            "monster 10",
            "monster 9",
        ][:number]
    page = bullseye("stats", batch, "--hardest", 2, "--html", "-").out
    assert page.count("<td>monster ") == 2
    values = json.loads(bullseye("stats", "--json", "--hardest", 6).out)["hardest"]
    assert [one["label"] for one in values] == ["monster 10", "monster 9", *[None] * 4]


def test_a_page_compares_two_batches_by_name(bullseye: Bullseye, database: Database) -> None:
    before, after = database.store([UNIQUE], name="<before>"), database.store([UNIQUE, NONE])
    page = bullseye("stats", after, "--against", before, "--html", "-").out
    heads = f'<th scope="col" class="number">batch {after}</th>'
    assert f'{heads}<th scope="col" class="number">batch {before} &lt;before&gt;</th>' in page
    assert '<tr><td>none</td><td class="number">1</td><td class="number">–</td>' in page
    assert "<h2>Comparison</h2>" not in bullseye("stats", after, "--html", "-").out


def test_the_best_score_is_shown(bullseye: Bullseye, database: Database) -> None:
    database.store([TARGET, TARGET._replace(score=2852)])
    assert "best score 2870" in bullseye("stats").out


def test_a_batch_without_answers_has_no_stats(bullseye: Bullseye, database: Database) -> None:
    batch = database.store([], waiting=3)
    assert bullseye("stats", batch).out == f"batch {batch} · no answers yet\n"


def test_json_has_all_statistics(bullseye: Bullseye, database: Database) -> None:
    database.store([UNIQUE._replace(ms=2.5), NONE])
    values = json.loads(bullseye("stats", "--json").out)
    assert values["by_status"] == {"solved": 1, "none": 1}
    assert values["max_ms"] == 2.5
    assert values["hardest"][0] == {"id": 1, "nodes": UNIQUE.nodes, "ms": 2.5, "label": None}
    assert (values["batch"], values["name"]) == (None, None)
    assert set(values["percentiles"]) == set(values["nodes"]) == {"p50", "p90", "p99"}
    assert (values["grids"], values["unguessed"]) == (1, 0)
    assert values["puzzles_per_second"] is None
    assert json.loads(bullseye("stats", 1, "--json").out)["puzzles_per_second"] > 0


def test_two_batches_are_compared_side_by_side(bullseye: Bullseye, database: Database) -> None:
    slow = database.store([UNIQUE._replace(ms=4.0)] * 4)
    fast = database.store([UNIQUE._replace(ms=1.0)] * 3 + [TARGET._replace(ms=1.0)])
    result = bullseye("stats", fast, "--against", slow)
    assert result.code == 0
    lines = [line.split() for line in result.out.splitlines()]
    assert lines[0] == ["batch", str(fast), "batch", str(slow), "ratio"]
    assert ["solved", "4", "4"] in lines
    assert ["best", "score", "2870", "–"] in lines
    assert ["ms", "p50", "1.00", "4.00", "0.25"] in lines
    assert ["ms", "mean", "1.00", "4.00", "0.25"] in lines
    assert ["nodes", "p50", "123", "123", "1.00"] in lines
    assert not [line for line in lines if line[0] == "failed"]


def test_percentiles_of_many_answers_are_approximate_unless_asked(
    bullseye: Bullseye, database: Database
) -> None:
    database.store([UNIQUE._replace(ms=ms / 1000) for ms in range(1, 10_002)])
    about = json.loads(bullseye("stats", 1, "--json").out)
    exactly = json.loads(bullseye("stats", 1, "--json", "--exact").out)
    assert (about["exact"], exactly["exact"]) == (False, True)
    assert exactly["percentiles"] == {"p50": 5.001, "p90": 9.001, "p99": 9.901}
    for name, ms in exactly["percentiles"].items():
        assert about["percentiles"][name] == pytest.approx(ms, rel=0.01)
    same = {"percentiles": None, "exact": None}
    assert about | same == exactly | same
    note = "percentiles within 1 %; --exact reads all answers\n"
    assert note in bullseye("stats", 1).out
    assert note in bullseye("stats", 1, "--against", 1).out
    assert note not in bullseye("stats", 1, "--exact").out
    page = bullseye("stats", 1, "--html", "-").out
    assert "Share solved within t ms (times ± 1 %)" in page


def test_json_has_both_batches(bullseye: Bullseye, database: Database) -> None:
    first, second = database.store([UNIQUE]), database.store([NONE])
    values = json.loads(bullseye("stats", second, "--against", first, "--json").out)
    assert values["by_status"] == {"none": 1}
    assert values["against"]["by_status"] == {"solved": 1}


def test_a_comparison_needs_two_batches(bullseye: Bullseye) -> None:
    result = bullseye("stats", "--against", 1)
    assert result.code == 2
    assert "--against compares two batches" in result.err


def test_puzzles_are_grouped_by_columns(bullseye: Bullseye, database: Database) -> None:
    given = [TARGET._replace(score=9), UNIQUE._replace(ms=2.0), UNIQUE._replace(ms=4.0), NONE]
    batch = database.store(given, name="sunday")
    with write(database.engine) as connection:
        text = """INSERT INTO extra SELECT id, '{"source":"forum"}' FROM answer WHERE id < 4"""
        connection.exec_driver_sql(text)
    lines = bullseye("stats", batch, "--by", "extra.source,status").out.splitlines()
    assert lines[0].startswith(f"batch {batch} sunday · 3 solved ")
    assert [line.split() for line in lines[3:]] == [
        ["extra.source", "status", "puzzles", "solved", "mean", "ms", "max", "ms", "best", "score"],
        ["forum", "solved", "3", "3", *lines[4].split()[4:6], "9"],
        ["–", "none", "1", "0", *lines[5].split()[4:6], "–"],
    ]
    (group, *_) = json.loads(bullseye("stats", "--by", "clues,ms", "--json").out)["groups"]
    assert list(group) == ["values", "puzzles", "solved", "mean_ms", "max_ms", "best_score"]
    assert list(group["values"]) == ["clues", "ms"]


def test_groups_that_are_left_out_are_counted(
    bullseye: Bullseye, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.store([UNIQUE] * 3 + [NONE])
    for module in ("storage.queries.answers", "cli.report.statistics"):
        monkeypatch.setattr(f"{module}.MAX_GROUPS", 1)
    assert bullseye("stats", "--by", "status").out.endswith(
        "\n1 puzzle in groups smaller than these 1\n"
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--by", "colour"), "there is no column 'colour'; the columns are id, "),
        (("1", "--by", "clues", "--against", "1"), "--by cannot be combined with --against"),
    ],
)
def test_a_column_that_cannot_group_is_refused(
    bullseye: Bullseye, database: Database, arguments: tuple[str, ...], reason: str
) -> None:
    database.store([UNIQUE])
    result = bullseye("stats", *arguments)
    assert (result.code, result.out) == (2, "")
    assert reason in " ".join(result.err.split())
