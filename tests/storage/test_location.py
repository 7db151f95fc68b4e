"""How a path or URL becomes the URL of a database, and how it is displayed."""

from pathlib import Path

import pytest

from storage.database import display_name, open_database
from storage.location import database_url, without_secrets, without_urls_secrets


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


#: URLs with the password `sesame`, and what is displayed of them
SECRETS = {
    "postgresql+psycopg://ada:sesame@host/x": "postgresql+psycopg://ada:***@host/x",
    "postgresql://ada@host/x?password=sesame": "postgresql://ada@host/x?password=***",
    "postgresql://host/x?p%61ssword=sesame": "postgresql://host/x?p%61ssword=***",
    "postgresql:///x?host=/tmp&sslpassword=sesame&passfile=/home/sesame": (
        "postgresql:///x?host=/tmp&sslpassword=***&passfile=***"
    ),
    "postgresql://host:5432/x?password=open@sesame": "postgresql://***",
    "redis://me:sesame@host:6379/0": "redis://me:***@host:6379/0",
    "redis://:se/sesame@t@host/0": "redis://:***@host/0",
    "redis://:open?sesame@host/0": "redis://***",
    "redis://sesame@host/0": "redis://***@host/0",
    "rediss://host/0?db=2&password=sesame": "rediss://host/0?db=2&password=***",
    "unix:///redis.sock?db=2&password=sesame": "unix:///redis.sock?db=2&password=***",
    "redis:sesame@host": "***",
}


@pytest.mark.attack
@pytest.mark.parametrize(("url", "shown"), SECRETS.items())
def test_a_password_is_never_displayed_wherever_it_is_in_a_url(url: str, shown: str) -> None:
    assert without_secrets(url) == without_secrets(shown) == shown
    text = without_urls_secrets(f"cannot open '{url}' (in {url} at 7)") if "://" in url else shown
    assert "sesame" not in text


def test_a_url_without_a_password_is_displayed_as_it_is() -> None:
    for url in (
        "redis://host:6379/0",
        "unix:///run/redis.sock?db=2",
        "postgresql://ada@host/x?sslmode=require",
        "localhost:6379",
    ):
        assert without_secrets(url) == url


def test_a_name_of_a_database_has_no_password() -> None:
    url = "postgresql+psycopg://ada:secret@host/x?sslpassword=secret"
    assert display_name(url) == "postgresql+psycopg://ada:***@host/x?sslpassword=***"
