"""Nothing that comes from outside controls a terminal; closed streams and other encodings."""

import io
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from cli import streams
from cli.main import run
from cli.streams import Colour, coloured, visible
from storage.database import write
from tests.cli.answers import COVER, INVALID, UNIQUE
from tests.cli.conftest import EASY, ROOT, Bullseye, Database
from tests.cli.terminal import run_in_terminal, run_on_screen

#: clears the screen, sets its title, changes colours by a C1 control, reverses text, goes back to
#: the beginning of the line, and deletes a character
HOSTILE = "\x1b[2J\x1b]0;title\x07\x9b31m\u202e\u2066[red]evil[/red]\rproven:\x08\x7f\x00"
QUERY = "SELECT char(27) || '[2J' AS \"a\x1b[2Jb\", label, char(155) || char(8238) FROM answers"
COMMANDS = (
    "status",
    "status 1",
    "status 1 --json",
    "status 1 --watch",
    "results",
    "results 1 -o -",
    *(f"results 1 -f {one}" for one in ("csv", "tsv", "json", "jsonl", "md", "lines", "grid")),
    "results 1 -f csv -o -",
    "results 1 -f jsonl -o -",
    "results 1 --template {label}",
    "show 1",
    "show 2",
    "show 3",
    "show 1 --svg -",
    "stats 1",
    "stats 1 --json",
    "workers",
    "doctor",
    "cancel 1",
    "export 1 --parquet .",
    "delete 1 --yes",
)


def harmless(output: str) -> bool:
    """Return whether an output has only visible text, and styles as rich writes them."""
    return re.sub(r"\x1b\[[0-9;]*m|[\n\t]", "", output).isprintable()


@pytest.fixture
def hostile(database: Database) -> Database:
    """A database of an earlier release, which has stored hostile texts as they were."""
    cover = COVER._replace(puzzle=json.dumps({**json.loads(COVER.puzzle), "names": [HOSTILE] * 9}))
    database.store([UNIQUE, cover, INVALID], kind="mixed")
    with write(database.engine) as connection:
        connection.execute(text("UPDATE batch SET name = :x, source = :x"), {"x": HOSTILE[:-1]})
        connection.execute(text("UPDATE answer SET label = :x, detail = :x"), {"x": HOSTILE[:-1]})
        connection.execute(text("UPDATE answer SET puzzle = :x WHERE id = 3"), {"x": HOSTILE[:-1]})
    return database


@pytest.mark.attack
@pytest.mark.parametrize("command", COMMANDS)
def test_what_was_stored_does_not_control_a_terminal(
    hostile: Database, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    _, output = run_on_screen(monkeypatch, *command.split())
    assert output
    assert harmless(output), repr(output)
    assert "[red]evil" in output or HOSTILE not in output


@pytest.mark.attack
@pytest.mark.parametrize("output_format", ["table", "csv", "tsv", "json", "jsonl", "md"])
def test_values_and_names_of_columns_of_a_query_do_not_control_a_terminal(
    hostile: Database, monkeypatch: pytest.MonkeyPatch, output_format: str
) -> None:
    code, output = run_on_screen(monkeypatch, "query", QUERY, "-f", output_format)
    assert code == 0
    assert "[2J" in output
    assert harmless(output), repr(output)
    monkeypatch.setenv("PAGER", "cat")
    code, output = run_on_screen(monkeypatch, "query", f"{QUERY}, generate_series(1, 99)")
    assert harmless(output), repr(output)


@pytest.mark.attack
def test_names_and_content_of_files_do_not_control_a_terminal(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does an argument that a command rejects."""
    name = f"{HOSTILE[:-1]}.csv".replace("/", "")
    Path(name).write_text(
        f"id,puzzle,{HOSTILE[:-1]}\n1,{EASY},x\n2,{HOSTILE},x\n".replace("\r", "")
    )
    Path("proof").write_text(f"bullseye proof 1\n{HOSTILE}\n")
    for arguments in (
        ("solve", "--dry-run", name),
        ("solve", name),
        ("solve", "--skip-bad", name),
        ("solve", "--from", "jsonl", name),
        ("solve", "--weights", "proof", "--target", EASY),
        ("solve", HOSTILE[:-1]),
        ("check", name, "proof", HOSTILE[:-1]),
        ("status", HOSTILE[:-1]),
        (HOSTILE[:-1],),
        ("results", "-o", HOSTILE[:-1]),
        ("results", "--where", HOSTILE[:-1], "-v"),
        ("solve", EASY, "--name", HOSTILE[:-1]),
        ("status",),
        ("status", "--db", HOSTILE[:-1]),
        ("doctor", "--redis", HOSTILE[:-1]),
    ):
        _, output = run_on_screen(monkeypatch, *arguments)
        assert harmless(output), (arguments, output)


def test_a_proof_cannot_rewrite_its_verdict(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "x\nproven: 1 solution"
    Path(name).write_text("bullseye proof 1\nsudoku 1\nsolutions 2\r\x1b[2K\nsolution 1\n")
    code, output = run_on_screen(monkeypatch, "check", name)
    assert code == 65
    assert output.count("\n") == 1
    assert not output.startswith("proven:")


def test_a_name_is_cleaned_when_it_is_stored(bullseye: Bullseye) -> None:
    assert bullseye("solve", "." * 16, "--name", "a\x1b[2J\nb\u3000数").code == 0
    listed = bullseye("status", "--json")
    assert json.loads(listed.out)["batches"][0]["name"] == "a\ufffd[2J\ufffdb\u3000数"
    assert bullseye("status", "a\x1b[2J\nb\u3000数").code == 0  # what was given finds it


def test_data_in_a_pipe_is_as_it_was_stored(hostile: Database, bullseye: Bullseye) -> None:
    rows = json.loads(bullseye("results", "1", "-f", "json").out)
    assert {row["label"] for row in rows} == {HOSTILE[:-1]}
    assert HOSTILE[:-1].encode() in bullseye("query", QUERY, "-f", "csv").out.encode()


def test_our_own_styles_pass() -> None:
    styled = "".join(coloured("x", one) for one in Colour) + "\x1b[1mbold\x1b[0m\n"
    assert visible(styled) == styled
    assert "\x1b[1;36m" in run_in_terminal("status", "--help", FORCE_COLOR="1")[1]


def in_shell(command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell command, in which `bullseye` is the program."""
    program = f'bullseye() {{ "{sys.executable}" -m cli.main "$@"; }}; '
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["sh", "-c", program + command], capture_output=True, check=False, env=environment
    )


@pytest.mark.attack
@pytest.mark.parametrize("command", ["results", "status", "query 'SELECT 1'", "--version"])
def test_output_to_a_closed_stdout_is_an_error(database: Database, command: str) -> None:
    database.store([UNIQUE])
    done = in_shell(f"bullseye {command} >&-")
    assert done.returncode == 74
    assert done.stderr == b"error: cannot write to stdout: Bad file descriptor\n"


@pytest.mark.attack
def test_with_closed_streams_answers_get_no_notices_and_no_file_takes_their_place(
    database: Database,
) -> None:
    database.store([UNIQUE])
    done = in_shell("bullseye cancel 1 0<&- 2>&-")  # it prints a notice
    assert (done.returncode, done.stdout) == (0, b"")
    done = in_shell("bullseye results -f lines -o answers.txt 0<&- >&- 2>&-")
    assert done.returncode == 0
    assert len(Path("answers.txt").read_text()) == 82
    done = in_shell("bullseye solve --dry-run - 0<&-")
    assert (done.returncode, done.stdout.count(b"\n")) == (65, 1)


@pytest.mark.attack
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_no_encoding_makes_text_an_error(
    database: Database, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    database.store([UNIQUE], name="数独")
    Path("数独.txt").write_text(f"{EASY}\n")
    Path(os.fsdecode(b"\xff\xfe.txt")).write_text(f"{EASY}\n")
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for name in locale if encoding == "ascii" else ():
        monkeypatch.setenv(name, locale[name])
    if encoding != "ascii":
        monkeypatch.setenv("PYTHONIOENCODING", encoding)
    done = in_shell("bullseye solve --dry-run *.txt && bullseye status 1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("数独".encode()) == 2
    assert done.stderr == b""
    assert run_in_terminal("status", "1")[0] == 0


@pytest.mark.attack
@pytest.mark.parametrize("command", ["status", "show 1", "results 1 -f csv", "doctor", "stats 1"])
def test_files_and_pipes_get_utf_8(
    database: Database, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    database.store([UNIQUE._replace(label="数")], name="数")
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, "ascii")
    monkeypatch.setattr("sys.stdout", stream)
    streams.prepare()
    assert run(command.split()) in {0, 69}
    assert written.getvalue().decode()
    assert stream.errors == "backslashreplace"  # a lone surrogate, which UTF-8 does not have


@pytest.mark.attack
@pytest.mark.parametrize("stream", ["/dev/full", "&-"])
def test_notices_that_cannot_be_written_change_nothing_else(
    database: Database, stream: str
) -> None:
    database.store([UNIQUE], waiting=1)
    done = in_shell(f"bullseye cancel 1 2>{stream}")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    done = in_shell(f"bullseye status 7 -v 2>{stream}")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


@pytest.mark.attack
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("status", "x" * 1_000_000), 2),
        (("status", "--", "--5"), 2),
        (("status", "9" * 5000), 2),
        (("results", "--columns", "x" * 1_000_000), 2),
        (("solve", "--name", "x" * 1_000_000, EASY), 2),
        (("solve", "9" * 1_000_000), 65),
        (("export", "1", "--parquet", os.fsdecode(b"\xff")), 74),
        (("status", "--db", os.fsdecode(b"\xff")), 2),
    ],
    ids=itertools.count(),
)
def test_an_argument_of_any_length_or_encoding_is_rejected_by_a_sentence(
    database: Database, bullseye: Bullseye, arguments: tuple[str, ...], code: int
) -> None:
    database.store([UNIQUE])
    result = bullseye(*arguments)
    assert (result.code, result.out) == (code, "")
    assert len(result.err) < 5000
    assert "a bug" not in result.err
