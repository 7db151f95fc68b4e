"""The pages of `bullseye serve`, asked for as a browser does."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from cli.serve.app import create_app
from cli.serve.pages import ANSWERS
from storage.database import database_id, read, write
from storage.outbox import leases, publishing
from storage.packing import unpack
from storage.queries.progress import read_progress
from storage.values import Answers
from tests.cli.answers import UNIQUE
from tests.cli.conftest import Bullseye, Database, answer_to
from tests.storage.harness import take_chunk

TOKEN = "secret"
PUZZLES = "puzzle,id,rating\n12...4.....3..2.,<b>one</b>,8.5\n1...............,two,\n"


@pytest.fixture
def client(database: Database) -> FlaskClient:
    with read(database.engine) as connection:
        queue = f"bullseye-{database_id(connection)}"
    return create_app(database.engine, queue, TOKEN).test_client()


def text(client: FlaskClient, address: str, code: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == code, answer.text
    return answer.text


def state_of(database: Database, number: int) -> tuple[bool, bool]:
    """Return whether a batch is paused, and whether it is cancelled."""
    with read(database.engine) as connection:
        batch = read_progress(connection, number).batch
    return batch.paused, batch.cancelled_at is not None


def test_the_first_page_lists_batches_and_workers(client: FlaskClient, database: Database) -> None:
    assert "No batches yet." in text(client, "/")
    database.store([UNIQUE] * 3, waiting=1, name="<i>sunday</i>")
    page = text(client, "/")
    assert '<a href="/batch/1">batch 1 &lt;i&gt;sunday&lt;/i&gt;</a>' in page
    assert "running" in page
    assert "75 %" in page
    assert ">box-1<" in page
    assert 'http-equiv="refresh"' in page


def test_a_batch_has_its_state_statistics_and_answers(
    client: FlaskClient, bullseye: Bullseye, tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.csv"
    file.write_text(PUZZLES)
    assert bullseye("solve", file).code == 0
    page = text(client, "/batch/1")
    assert "complete" in page
    assert "Solving times" in page
    assert 'http-equiv="refresh"' not in page
    assert page.count('href="/puzzle/') == 2
    assert "&lt;b&gt;one&lt;/b&gt;" in page
    assert "<b>one" not in page


def test_answers_are_filtered_sorted_and_turned_over(
    client: FlaskClient, database: Database
) -> None:
    database.store([UNIQUE._replace(nodes=nodes) for nodes in range(ANSWERS + 10)])
    first = text(client, "/batch/1?sort=-nodes")
    assert 'href="/puzzle/60"' in first
    assert 'href="/puzzle/10"' not in first
    assert "Earlier" not in first
    later = text(client, f"/batch/1?sort=-nodes&offset={ANSWERS}")
    assert 'href="/puzzle/10"' in later
    assert "Later" not in later
    assert text(client, "/batch/1?where=nodes+%3D+7").count('href="/puzzle/') == 1
    assert "No answers." in text(client, "/batch/1?status=none")


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("where=nothing+%3D+1", "nothing"),
        ("where=1%3B+DELETE+FROM+answer", "must"),
        ("sort=colour", "there is no column &#39;colour&#39;"),
        ("status=odd", "there is no status &#39;odd&#39;"),
    ],
)
def test_a_bad_filter_is_an_error_on_the_page(
    client: FlaskClient, database: Database, query: str, problem: str
) -> None:
    database.store([UNIQUE])
    page = text(client, f"/batch/1?{query}")
    assert 'role="alert"' in page
    assert problem in page or problem == "must"


def test_a_puzzle_is_drawn_with_its_facts(
    client: FlaskClient, bullseye: Bullseye, tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.csv"
    file.write_text(PUZZLES)
    assert bullseye("solve", file, "--keep", 3).code == 0
    page = text(client, "/puzzle/1")
    assert "<svg" in page
    assert "1234341221434321" in page
    assert "<dt>rating</dt><dd>8.5</dd>" in page
    assert f"{file}, line 2" in page


@pytest.mark.parametrize("address", ["/batch/9", "/puzzle/9", "/batch/9/cancel", "/nothing"])
def test_what_is_not_there_is_404(client: FlaskClient, database: Database, address: str) -> None:
    assert "All batches" in text(client, address, 404)


def test_changes_ask_first_and_need_the_token(client: FlaskClient, database: Database) -> None:
    database.store([UNIQUE], waiting=1)
    page = text(client, "/batch/1")
    assert 'href="/batch/1/pause"' in page
    assert 'type="password"' in text(client, "/batch/1/pause")
    assert state_of(database, 1) == (False, False)
    for wrong in ({}, {"token": "wrong"}):
        assert client.post("/batch/1/pause", data=wrong).status_code == 403
    assert state_of(database, 1) == (False, False)
    assert client.post("/batch/1/pause", data={"token": TOKEN}).status_code == 303
    assert state_of(database, 1) == (True, False)
    assert 'href="/batch/1/resume"' in text(client, "/batch/1")
    client.post("/batch/1/resume", data={"token": TOKEN})
    client.post("/batch/1/cancel", data={"token": TOKEN})
    assert state_of(database, 1) == (False, True)
    client.post("/batch/1/retry", data={"token": TOKEN})
    assert state_of(database, 1) == (False, False)


def test_the_printed_address_stores_the_token_in_a_cookie(
    client: FlaskClient, database: Database
) -> None:
    database.store([UNIQUE], waiting=1)
    assert client.get("/?token=wrong").headers.get("Set-Cookie") is None
    answer = client.get(f"/?token={TOKEN}")
    assert (answer.status_code, answer.location) == (302, "/")
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    page = text(client, "/batch/1/pause")
    assert f'type="hidden" name="token" value="{TOKEN}"' in page


def test_a_page_elsewhere_cannot_read_by_a_name_of_its_own(
    client: FlaskClient, database: Database
) -> None:
    answer = client.get("/", headers={"Host": "evil.example:8000"})
    assert answer.status_code == 403
    for host in ("localhost:8000", "127.0.0.1:8000", "[::1]:8000"):
        assert client.get("/", headers={"Host": host}).status_code == 200


def test_pages_run_no_foreign_code(client: FlaskClient, database: Database) -> None:
    answer = client.get("/")
    assert "default-src &#39;none&#39;" in answer.text or "default-src 'none'" in answer.text
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Cache-Control"] == "no-store"


def test_statistics_are_read_again_when_the_batch_has_changed(
    client: FlaskClient, database: Database
) -> None:
    database.store([UNIQUE] * 2, waiting=1)
    assert "<dd>2<small>of 3" in text(client, "/batch/1")
    with write(database.engine) as connection:
        (sent,) = publishing.claim_new(connection, f"bullseye-{database_id(connection)}", 1 << 20)
        taken = take_chunk(connection, sent.id, "box-2")
        assert taken is not None
        answered = Answers.of([answer_to(UNIQUE, puzzle) for puzzle in unpack(sent.puzzles)])
        leases.store_answers(connection, taken, answered, "box-2", done=True)
    assert "<dd>3<small>all" in text(client, "/batch/1")
