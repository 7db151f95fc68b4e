"""Valkey's URLs: the server speaks the protocol of Redis, so a Redis stands in for it."""

from dataclasses import replace
from pathlib import Path

from tests.end_to_end.bullseye import Bullseye
from tests.services import redis_server
from worker.local.process_group import ProcessGroup


def test_submit_worker_and_doctor_accept_a_valkey_url(
    bullseye: Bullseye, home: ProcessGroup, redis_program: Path
) -> None:
    with redis_server(redis_program, home, "127.0.0.1") as url:
        valkey = replace(bullseye, redis_url=url.replace("redis://", "valkey://"))
        with valkey.worker():
            valkey.out("submit", "--wait", "-", stdin="." * 16)
            checked = valkey.run("doctor").stdout
    assert "workers" in checked
    assert "unreachable" not in checked
