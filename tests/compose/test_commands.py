"""The commands of the servers of compose.yaml, run without Docker."""

import subprocess

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError
from redis.retry import Retry
from sqlalchemy import make_url

from tests.compose.compose_file import Services
from tests.compose.conftest import is_healthy
from tests.services import find_postgresql, free_port

#: by default a client tries a wrong password again for seconds
NO_RETRY = Retry(NoBackoff(), 0)


def test_redis_starts_with_its_arguments_and_is_healthy(
    services: Services, redis_port: int
) -> None:
    expected = {
        "maxmemory-policy": "noeviction",
        "appendonly": "yes",
        "appendfsync": "everysec",
    }
    with Redis(port=redis_port, password="bullseye", decode_responses=True) as client:
        values = [client.config_get(name) for name in expected]  # Redis 6 takes one name at a time
    assert values == [{name: value} for name, value in expected.items()]


def test_redis_requires_the_password(redis_port: int) -> None:
    with Redis(port=redis_port, retry=NO_RETRY) as client, pytest.raises(AuthenticationError):
        client.ping()


def test_the_health_check_fails_without_redis_or_with_a_wrong_password(
    services: Services, redis_port: int
) -> None:
    assert is_healthy(services, redis_port)
    assert not is_healthy(services, redis_port, REDISCLI_AUTH="wrong")
    assert not is_healthy(services, free_port())


def test_the_health_check_of_postgresql_fails_without_a_server(
    services: Services, postgresql_url: str
) -> None:
    _, program, *arguments = services["postgres"]["healthcheck"]["test"]
    programs = find_postgresql()
    assert programs is not None
    check = [str((programs / "initdb").resolve().with_name(program)), *arguments, "-p"]
    there, gone = make_url(postgresql_url).port, free_port()
    assert subprocess.run([*check, str(there)], check=False, capture_output=True).returncode == 0
    assert subprocess.run([*check, str(gone)], check=False, capture_output=True).returncode == 2
