from pathlib import Path

import pytest

from worker.errors import SettingsError
from worker.settings import Settings, default_database


def test_without_variables_the_database_lies_in_the_users_data_folder() -> None:
    assert Settings.from_env({}).database_url == f"sqlite:///{default_database()}"


def test_options_win_over_the_environment() -> None:
    environ = {"BULLSEYE_DATABASE_URL": "env.db", "BULLSEYE_REDIS_URL": "redis://env"}
    settings = Settings.from_env(environ, database="option.db")
    assert settings.database_url.endswith("/option.db")
    assert settings.redis_url == "redis://env"


@pytest.mark.parametrize("place", ["here.db", "sqlite:///here.db"])
def test_a_database_is_where_it_was_named_whatever_folder_a_worker_runs_in(place: str) -> None:
    assert Settings.from_env({}, database=place).database_url == f"sqlite:///{Path.cwd()}/here.db"


def test_an_empty_variable_counts_as_absent() -> None:
    assert Settings.from_env({"BULLSEYE_LEASE": " "}).lease == Settings("x").lease


def test_what_goes_into_an_environment_comes_out_again() -> None:
    settings = Settings("postgresql://h/d", "redis://h/1", "q", "none", 7.5, 2.5, 0.5, 4096)
    assert Settings.from_env(settings.to_env()) == settings


def test_a_number_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(SettingsError, match="BULLSEYE_LEASE must be a number, not 'soon'"):
        Settings.from_env({"BULLSEYE_LEASE": "soon"})


@pytest.mark.parametrize("name", ["LEASE", "RENEWAL", "SWEEP", "ROOM"])
def test_nothing_may_last_no_time_or_have_no_room(name: str) -> None:
    with pytest.raises(SettingsError, match=f"BULLSEYE_{name} must be greater than 0"):
        Settings.from_env({f"BULLSEYE_{name}": "0"})


def test_a_lease_must_outlast_two_renewals() -> None:
    with pytest.raises(SettingsError, match="at most half of"):
        Settings.from_env({"BULLSEYE_LEASE": "10", "BULLSEYE_RENEWAL": "6"})
