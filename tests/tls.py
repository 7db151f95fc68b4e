"""Certificates with an authority that signed them, and a real Redis that wants one of clients."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from redis import Redis
from redis.exceptions import ConnectionError as Unreachable

from tests.services import eventually, free_port, missing
from worker.local.process_group import process_group

KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


@dataclass(frozen=True)
class EncryptedRedis:
    """Its port, and the folder of `ca.crt`, and of `.crt` and `.key` of `localhost`, `client`."""

    port: int
    folder: Path

    def url(self, *names: str, **files: str) -> str:
        """Return its URL, with the files of the authority and of a client, or others."""
        ours = {"ca_certs": "ca.crt", "certfile": "client.crt", "keyfile": "client.key"}
        given = {**{name: ours[name] for name in names}, **files}
        query = "&".join(f"ssl_{name}={self.folder / file}" for name, file in given.items())
        return f"rediss://localhost:{self.port}/0?{query}"


def make_certificates(folder: Path) -> None:
    """Make an authority, and certificates signed by it for `localhost` and `client`.

    From Python 3.13 on, an authority must say that it signs, and certificates who signed them.
    """
    ours = ("-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=ca")
    _openssl(folder, "req", "-x509", *KEY, *ours, "-addext", "keyUsage=critical,keyCertSign")
    for name in ("localhost", "client"):
        (folder / "names").write_text(
            f"subjectAltName=DNS:{name}\nauthorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash"
        )
        files = ("-keyout", f"{name}.key", "-out", "request", "-subj", f"/CN={name}")
        _openssl(folder, "req", *KEY, *files)
        by = ("-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names")
        _openssl(folder, "x509", "-req", "-in", "request", *by, "-out", f"{name}.crt")


def _openssl(folder: Path, *arguments: str) -> None:
    if shutil.which("openssl") is None:
        missing("openssl")
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def redis_with_tls() -> str:
    """Return the first Redis program on PATH that was built with TLS; skip the test without one."""
    on_path = (shutil.which("redis-server", path=one) for one in os.environ["PATH"].split(":"))
    found = next((program for program in on_path if program and _has_tls(program)), None)
    if found is None:
        missing("a redis-server with TLS", "apt-get install redis-server")
    return found


def _has_tls(program: str) -> bool:
    """Return whether a program asks for a certificate, and does not reject the option."""
    command = [program, "--port", "0", "--tls-port", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)
    return "tls-cert-file" in done.stdout


@contextmanager
def encrypted_redis(folder: Path) -> Iterator[EncryptedRedis]:
    """Start a server for the block."""
    program, port = redis_with_tls(), free_port()
    make_certificates(folder)
    options = {"cert-file": "localhost.crt", "key-file": "localhost.key", "ca-cert-file": "ca.crt"}
    tls = [part for name, file in options.items() for part in (f"--tls-{name}", str(folder / file))]
    with process_group() as ours:
        command = [program, "--port", "0", "--tls-port", str(port), *tls, "--save", ""]
        process = ours.start(command, "redis.log")
        server = EncryptedRedis(port, folder)
        try:
            eventually(lambda: _pings(server), process)
            yield server
        finally:
            process.kill()
            process.wait()


def _pings(server: EncryptedRedis) -> bool:
    try:
        with Redis.from_url(server.url("ca_certs", "certfile", "keyfile")) as client:
            return bool(client.ping())
    except Unreachable:
        return False
