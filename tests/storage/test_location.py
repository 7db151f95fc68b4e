"""How a path or URL becomes the URL of a database, and how it is displayed."""

from pathlib import Path

import pytest

from storage.database import display_name, open_database
from storage.location import database_url


def test_a_path_becomes_an_absolute_sqlite_url(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert database_url("~/x.db") == database_url("x.db") == f"sqlite:///{tmp_path}/x.db"


@pytest.mark.parametrize("name", ["a b.db", "100%.db", "a?b.db", "a#b.db", "ä.db", "a@b:c.db"])
def test_a_path_may_contain_any_character(tmp_path: Path, name: str) -> None:
    url = database_url(str(tmp_path / name))
    open_database(url, migrate=True).dispose()
    assert (tmp_path / name).is_file()
    assert display_name(url) == str(tmp_path / name)
    assert database_url(url) == url


def test_a_url_is_unchanged_except_for_the_scheme_postgres() -> None:
    assert database_url("sqlite:////x.db") == "sqlite:////x.db"
    assert database_url("postgres://ada@host/x") == "postgresql://ada@host/x"


def test_a_password_is_never_displayed() -> None:
    url = "postgresql+psycopg://ada:secret@host/x"
    assert display_name(url) == "postgresql+psycopg://ada:***@host/x"
