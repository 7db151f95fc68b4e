"""Files at addresses, from a server on this machine."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.worker.formats.reading import GRID
from worker.formats.errors import FormatError
from worker.formats.source import open_source


class Quiet(SimpleHTTPRequestHandler):
    """Serves files; the address `/ends` announces more than it has."""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path != "/ends":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        self.wfile.write(f"{GRID}\n".encode())
        return None


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_file_at_an_address_is_read_without_naming_secrets(address: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("".join(f"{GRID} p{n}\n" for n in range(10_000)))
    with open_source(f"http://me:pw@{address}/a.txt?signature=x") as source:
        entries = list(source)
    assert source.name == f"http://{address}/a.txt"
    assert [one.label for one in entries] == [f"p{n}" for n in range(10_000)]
    assert {one.text for one in entries} == {GRID}


@pytest.mark.parametrize(
    ("named", "what"),
    [
        ("http://{}/none.txt", "none.txt: no such file; check the address"),
        ("http://127.0.0.1:1/a.txt", r"a.txt: cannot be read \(.*\); check the address and the"),
        ("http://{}/ends", r"ends: cannot be read \(.*\); check the address and the connection"),
        ("nothing://a/b", r"nothing://a/b: cannot be read \(Protocol not known: nothing\)"),
    ],
)
def test_an_address_that_cannot_be_read_is_one_error(address: str, named: str, what: str) -> None:
    with pytest.raises(FormatError, match=what), open_source(named.format(address)) as source:
        list(source)
