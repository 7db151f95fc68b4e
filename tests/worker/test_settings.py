from pathlib import Path

import pytest

from worker.errors import SettingsError
from worker.settings import Settings, default_database


def test_the_default_database_is_in_the_users_data_folder() -> None:
    assert Settings.from_env({}).database_url == f"sqlite:///{default_database()}"


def test_options_override_the_environment() -> None:
    environ = {"BULLSEYE_DATABASE_URL": "env.db", "BULLSEYE_REDIS_URL": "redis://env"}
    settings = Settings.from_env(environ, database="option.db")
    assert settings.database_url.endswith("/option.db")
    assert settings.redis_url == "redis://env"


@pytest.mark.parametrize("place", ["here.db", "sqlite:///here.db"])
def test_a_relative_path_of_a_database_becomes_absolute(place: str) -> None:
    assert Settings.from_env({}, database=place).database_url == f"sqlite:///{Path.cwd()}/here.db"


def test_an_empty_variable_means_the_default() -> None:
    assert Settings.from_env({"BULLSEYE_LEASE": " "}).lease == Settings("x").lease


def test_settings_survive_a_round_trip_through_the_environment() -> None:
    settings = Settings("postgresql://h/d", "redis://h/1", "q", "none", 7.5, 2.5, 0.5, 4096)
    assert Settings.from_env(settings.to_env()) == settings


def test_a_value_that_is_not_a_number_is_rejected_with_its_variable() -> None:
    with pytest.raises(SettingsError, match="BULLSEYE_LEASE must be a number, not 'soon'"):
        Settings.from_env({"BULLSEYE_LEASE": "soon"})


@pytest.mark.parametrize("name", ["LEASE", "RENEWAL", "SILENCE", "SWEEP", "ROOM"])
def test_zero_is_rejected(name: str) -> None:
    with pytest.raises(SettingsError, match=f"BULLSEYE_{name} must be greater than 0"):
        Settings.from_env({f"BULLSEYE_{name}": "0"})


@pytest.mark.parametrize("name", ["LEASE", "RENEWAL", "SILENCE", "SWEEP"])
@pytest.mark.parametrize("value", ["nan", "inf", "1e999"])
def test_a_number_of_seconds_that_is_not_finite_is_rejected(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"BULLSEYE_{name} must be greater than 0 and finite"):
        Settings.from_env({f"BULLSEYE_{name}": value})


def test_a_url_that_is_not_utf_8_is_rejected() -> None:
    with pytest.raises(SettingsError, match="is not valid UTF-8"):
        Settings.from_env({"BULLSEYE_REDIS_URL": "redis://host\udcff"})


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("valkey://:secret@host:6380/2", "redis://:secret@host:6380/2"),
        ("VALKEYS://host", "rediss://host"),
        ("rediss://host", "rediss://host"),
        ("unix:///run/valkey.sock", "unix:///run/valkey.sock"),
        ("redis://host/0?password=a%2Fb&db=1", "redis://:a%2Fb@host/0?db=1"),
        ("redis://ada:old@host?pass%77ord=new", "redis://ada:new@host"),
        ("valkey.example:6379", "valkey.example:6379"),
    ],
)
def test_a_valkey_url_names_the_same_server_as_its_redis_url(given: str, read: str) -> None:
    assert Settings.from_env({"BULLSEYE_REDIS_URL": given}).redis_url == read
    assert Settings.from_env({}, redis=given).redis_url == read


def test_a_lease_shorter_than_two_renewals_is_rejected() -> None:
    with pytest.raises(SettingsError, match="at most half of"):
        Settings.from_env({"BULLSEYE_LEASE": "10", "BULLSEYE_RENEWAL": "6"})


def test_a_value_may_stand_in_a_file_that_a_variable_names(tmp_path: Path) -> None:
    (tmp_path / "redis").write_text("redis://:secret@host:6379/0\n")
    environ = {"BULLSEYE_REDIS_URL_FILE": str(tmp_path / "redis")}
    assert Settings.from_env(environ).redis_url == "redis://:secret@host:6379/0"
    environ["BULLSEYE_REDIS_URL"] = "redis://other"
    assert Settings.from_env(environ).redis_url == "redis://other"


def test_a_file_that_cannot_be_read_is_named_without_its_content(tmp_path: Path) -> None:
    missing = tmp_path / "none"
    with pytest.raises(SettingsError, match=f"LEASE_FILE: cannot read {missing} .No such file"):
        Settings.from_env({"BULLSEYE_LEASE_FILE": str(missing)})
    (tmp_path / "binary").write_bytes(b"\xff")
    with pytest.raises(SettingsError, match="not in UTF-8"):
        Settings.from_env({"BULLSEYE_QUEUE_FILE": str(tmp_path / "binary")})


@pytest.mark.parametrize("name", ["CONTROL", "LOG_FORMAT"])
def test_a_word_that_is_none_of_those_allowed_is_rejected(name: str) -> None:
    with pytest.raises(SettingsError, match=f"BULLSEYE_{name} must be one of .*, not 'xml'"):
        Settings.from_env({f"BULLSEYE_{name}": "xml"})
