import pytest

from worker.errors import SettingsError
from worker.settings import Settings, default_database


def test_without_variables_the_database_lies_in_the_users_data_folder() -> None:
    assert Settings.from_env({}).database_url == str(default_database())


def test_options_win_over_the_environment() -> None:
    environ = {"BULLSEYE_DATABASE_URL": "env.db", "BULLSEYE_REDIS_URL": "redis://env"}
    settings = Settings.from_env(environ, database="option.db")
    assert (settings.database_url, settings.redis_url) == ("option.db", "redis://env")


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
