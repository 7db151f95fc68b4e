"""The certificate of a PostgreSQL server is checked, and what is wrong with it is named."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.database import open_database
from storage.errors import DatabaseUnreachable
from tests import services
from tests.tls import make_certificates


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tls")
    make_certificates(folder)
    return folder


@pytest.fixture(scope="module")
def url(certificates: Path) -> Iterator[str]:
    """The URL of a server that has the certificate of `localhost`."""
    programs = services.find_postgresql() or services.missing("postgresql")
    with services.postgresql(programs) as server:
        server.stop()
        for ending in ("crt", "key"):
            file = server.data / f"server.{ending}"
            shutil.copy(certificates / f"localhost.{ending}", file)
            shutil.copystat(server.data / "postgresql.conf", file)  # readable for its owner only
            if user := services.unprivileged():
                shutil.chown(file, user)
        with (server.data / "postgresql.conf").open("a") as settings:
            settings.write("ssl = on\n")
        server.start()
        yield server.url.replace("127.0.0.1", "localhost") + "?sslmode=verify-full&sslrootcert="


def test_a_server_whose_certificate_is_trusted_is_used(url: str, certificates: Path) -> None:
    open_database(f"{url}{certificates}/ca.crt", migrate=True).dispose()


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("client.crt", "certificate verify failed"),
        ("none.crt", 'none.crt" does not exist'),
    ],
)
def test_what_is_wrong_with_a_certificate_is_named(
    file: str, reason: str, url: str, certificates: Path
) -> None:
    with pytest.raises(DatabaseUnreachable, match=reason):
        open_database(f"{url}{certificates}/{file}")


def test_a_certificate_for_another_host_is_named(url: str, certificates: Path) -> None:
    with pytest.raises(DatabaseUnreachable, match="does not match host name"):
        open_database(f"{url.replace('localhost', '127.0.0.1')}{certificates}/ca.crt")
