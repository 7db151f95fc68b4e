"""Why Redis cannot be reached by TLS is named, with what cures it: tried with a real server."""

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.end_to_end.bullseye import Bullseye
from tests.tls import EncryptedRedis, encrypted_redis
from worker.errors import WorkerError
from worker.queue.carrier import Carrier


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EncryptedRedis]:
    with encrypted_redis(tmp_path_factory.mktemp("tls")) as one:
        yield one


def why(url: str) -> str:
    with closing(Carrier.connect(url, "queue")) as carrier, pytest.raises(WorkerError) as raised:
        carrier.ping()
    return str(raised.value)


def test_a_batch_is_solved_by_a_worker_with_a_certificate(server: EncryptedRedis) -> None:
    url = server.url("ca_certs", "certfile", "keyfile")
    bullseye = Bullseye(server.folder, url)
    with bullseye.worker():
        assert bullseye.out("submit", "--wait", "-", stdin="1...............\n") == "1\n"
        assert '"status": "solved"' in bullseye.out("results", "1")


def test_a_certificate_that_is_not_trusted_is_named_as_the_cause(server: EncryptedRedis) -> None:
    found = why(server.url())
    assert f"the certificate of Redis at localhost:{server.port} is not trusted (self-s" in found
    assert "ssl_ca_certs=FILE" in found
    by_address = server.url("ca_certs", "certfile", "keyfile").replace("localhost", "127.0.0.1")
    assert "(IP address mismatch" in why(by_address)


def test_a_server_that_wants_a_certificate_says_so(server: EncryptedRedis) -> None:
    assert why(server.url("ca_certs")) == (
        f"Redis at localhost:{server.port} wants a certificate of the client, or another one: "
        "give it: rediss://...?ssl_certfile=FILE&ssl_keyfile=FILE"
    )


def test_a_url_without_tls_for_a_server_with_it_is_named(server: EncryptedRedis) -> None:
    found = why(f"redis://localhost:{server.port}/0")
    assert found.endswith("if it expects TLS, write rediss:// in its URL")


def test_a_url_with_tls_for_a_server_without_it_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # as Redis is before the end of a line
        found = why(f"rediss://127.0.0.1:{silent.getsockname()[1]}/0")
    assert found.endswith("if it runs without TLS, write redis:// in its URL")


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"ca_certs": "ca.key"}, "no certificate or crl found"),
        ({"certfile": "client.crt"}, "a certificate or a key is missing or damaged"),
        ({"certfile": "client.crt", "keyfile": "ca.key"}, "key values mismatch"),
    ],
)
def test_files_that_do_not_suit_are_named(
    files: dict[str, str], reason: str, server: EncryptedRedis
) -> None:
    assert why(server.url(**files)) == (
        f"no TLS connection with Redis at localhost:{server.port} ({reason}): "
        "check the files ssl_ca_certs, ssl_certfile, ssl_keyfile in its URL"
    )


@pytest.mark.parametrize("name", ["ssl_ca_certs", "ssl_certfile", "ssl_keyfile"])
def test_a_missing_file_is_named(name: str) -> None:
    found = why(f"rediss://localhost:1/0?{name}=/none.pem")
    assert found.startswith(f"cannot read /none.pem, the {name} of Redis")
