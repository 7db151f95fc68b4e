"""The form of compose.yaml, its defaults, and the isolation of its services."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.compose.compose_file import FILE, Services, Steps, filled_in
from worker.app import Bullseye
from worker.settings import Settings


def test_the_file_fits_the_compose_specification() -> None:
    command = [sys.executable, "-m", "check_jsonschema"]
    command += ["--builtin-schema", "vendor.compose-spec", str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_misspelled_key_does_not_fit_the_specification(tmp_path: Path) -> None:
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(FILE.read_text().replace("healthcheck:", "healthchek:"))
    command = [sys.executable, "-m", "check_jsonschema"]
    command += ["--builtin-schema", "vendor.compose-spec", str(wrong)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "healthchek" in done.stdout


def test_every_variable_has_a_default_and_is_explained_at_the_top() -> None:
    text = FILE.read_text()
    head, body = text.split("name: bullseye\n")
    used = set(re.findall(r"\$\{(\w+)", body))
    assert used == set(re.findall(r"\$\{(\w+):-[^}]+\}", body))
    assert all(name in head for name in used - {"PWD"})


def test_nothing_is_published_to_the_network(services: Services) -> None:
    assert not any({"ports", "network_mode"} & service.keys() for service in services.values())


def test_services_wait_until_the_servers_they_need_are_healthy(
    services: Services,
) -> None:
    for server in ("redis", "postgres"):
        assert services[server]["healthcheck"]["test"][0] == "CMD"
        for user in ("worker", "cli"):
            needed = services[user]["depends_on"][server]
            assert needed["condition"] == "service_healthy"
            # A service behind a profile must not be required by one that is not.
            assert needed.get("required", True) is ("profiles" not in services[server])


def test_redis_keeps_an_append_only_log_and_evicts_nothing(services: Services) -> None:
    command = services["redis"]["command"]
    given = dict(zip(command[1::2], command[2::2], strict=True))
    assert given == {
        "--appendonly": "yes",
        "--appendfsync": "everysec",
        "--maxmemory-policy": "noeviction",
        "--requirepass": "bullseye",
    }
    assert "redis:/data" in services["redis"]["volumes"]


@pytest.mark.parametrize("name", ["worker", "cli"])
def test_our_image_runs_with_least_privilege(services: Services, recipe: Steps, name: str) -> None:
    service = services[name]
    assert service["user"] == "10001:0"
    assert recipe[0] == ("FROM", "python:3.12-slim")
    assert recipe[-1] == ("USER", "bullseye")
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.get("privileged")
    assert service["tmpfs"] == ["/tmp"]
    assert service["init"] is True


def test_the_grace_period_of_a_worker_is_longer_than_its_soft_shutdown(
    services: Services,
) -> None:
    soft = Bullseye(Settings("unused"), "queue").conf.worker_soft_shutdown_timeout
    assert services["worker"]["environment"]["REMAP_SIGTERM"] == "SIGQUIT"
    assert int(services["worker"]["stop_grace_period"].removesuffix("s")) >= 2 * soft


def test_worker_and_cli_share_database_and_redis(services: Services) -> None:
    worker, cli = services["worker"], services["cli"]
    for name in ("BULLSEYE_DATABASE_URL", "BULLSEYE_REDIS_URL"):
        assert worker["environment"][name] == cli["environment"][name]
    assert worker["volumes"][0] == cli["volumes"][0] == "data:/data"
    assert cli["volumes"][1] == ".:/puzzles"
    assert cli["working_dir"] == "/puzzles"


def test_variables_are_substituted_in_commands_and_urls() -> None:
    compose = yaml.safe_load(FILE.read_text())
    given = {"BULLSEYE_REDIS_PASSWORD": "secret", "BULLSEYE_DATABASE_URL": "postgresql://x"}
    services = filled_in(compose, given)["services"]
    assert services["redis"]["command"][-1] == "secret"
    assert services["redis"]["environment"]["REDISCLI_AUTH"] == "secret"
    assert services["worker"]["environment"]["BULLSEYE_DATABASE_URL"] == "postgresql://x"
    assert ":secret@redis:" in services["cli"]["environment"]["BULLSEYE_REDIS_URL"]
