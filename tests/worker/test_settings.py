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
