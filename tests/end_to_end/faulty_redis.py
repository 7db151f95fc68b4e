"""A real Redis that can be full, refuse commands, freeze, be replaced, or cut its replies."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import redis

from worker.local.backend import private_redis
from worker.local.process_group import ProcessGroup

#: the user as whom faults are caused and repaired; workers are the default user
ADMIN = "admin"


class Proxy:
    """Passes bytes between clients and a server on Unix sockets."""

    def __init__(self, path: Path, server: Path) -> None:
        self.cuts_replies = False  #: whether a reply is cut in the middle, with its connection
        self._server = server
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # the listener is closed
            while True:
                self._connect(self._listener.accept()[0])

    def _connect(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(str(self._server))
        except OSError:
            client.close()
            server.close()
            return
        for ends in ((client, server), (server, client)):
            threading.Thread(target=self._pass_on, args=(*ends, server), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, server: socket.socket) -> None:
        with suppress(OSError), source, target:
            while data := source.recv(65536):
                if self.cuts_replies and source is server:
                    target.sendall(data[: len(data) // 2])
                    break
                target.sendall(data)
            for end in (source, target):
                end.shutdown(socket.SHUT_RDWR)


class FaultyRedis:
    """A server behind a proxy.  Each fault lasts as long as its block."""

    def __init__(self, home: ProcessGroup, program: Path) -> None:
        self._home, self._program = home, program
        self._servers = ExitStack()
        self._start()
        path = home.folder / "proxy.sock"
        self._proxy = Proxy(path, home.folder / "redis.sock")
        self.url = f"unix://{path}"

    def close(self) -> None:
        self._proxy.close()
        self._servers.close()

    def _start(self) -> None:
        url = self._servers.enter_context(private_redis(self._home, self._program))
        with closing(redis.Redis.from_url(url)) as client:
            client.execute_command(f"ACL SETUSER {ADMIN} on nopass ~* &* +@all")
            self._process = int(client.info()["process_id"])
        self._admin = redis.Redis.from_url(url, username=ADMIN, password="any")
        self._servers.callback(self._admin.close)

    @contextmanager
    def full(self) -> Iterator[None]:
        self._admin.config_set("maxmemory", "1")
        yield
        self._admin.config_set("maxmemory", "0")

    @contextmanager
    def refusing(self, commands: str = "-brpop -set") -> Iterator[None]:
        self._admin.execute_command(f"ACL SETUSER default {commands}")
        yield
        self._admin.execute_command("ACL SETUSER default +@all")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        os.kill(self._process, signal.SIGSTOP)
        yield
        os.kill(self._process, signal.SIGCONT)

    @contextmanager
    def replaced(self) -> Iterator[None]:
        """Kill the server; start an empty one at the end of the block."""
        os.kill(self._process, signal.SIGKILL)
        yield
        self._start()

    @contextmanager
    def cutting(self) -> Iterator[None]:
        self._proxy.cuts_replies = True
        yield
        self._proxy.cuts_replies = False
