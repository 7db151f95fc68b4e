"""A network with latency: a proxy on this machine that delays what it passes on."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

#: bytes that one call reads
MOST_BYTES = 1 << 18
#: seconds in which the connections must end after their clients
END_SECONDS = 10.0


class Latency:
    """Passes bytes between clients and a server, half of `seconds` later, and counts round trips.

    Linux's netem does the same for whole networks, but many kernels are built without it.
    """

    def __init__(self, port: int, seconds: float) -> None:
        self.round_trips = 0  #: requests that followed a reply, or began a connection
        self._server, self._delay = port, seconds / 2
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])  #: where clients connect
        self._threads = [_started(self._accept)]

    def close(self) -> None:
        """Accept no further connections, and wait until all have ended."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(END_SECONDS)

    def _accept(self) -> None:
        with suppress(OSError):  # the listener is closed
            while True:
                client, _ = self._listener.accept()
                self._threads.append(_started(self._connect, client))

    def _connect(self, client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", self._server)) as server:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            replied = threading.Event()
            replied.set()

            def count() -> None:
                self.round_trips += replied.is_set()
                replied.clear()

            ways = ((client, server, count), (server, client, replied.set))
            for thread in [_started(self._pass_on, *way) for way in ways]:
                thread.join()

    def _pass_on(
        self, source: socket.socket, target: socket.socket, note: Callable[[], object]
    ) -> None:
        """Pass on what is read until the source is closed; call `note` for each piece."""
        due = SimpleQueue[tuple[float, bytes]]()
        sender = _started(_send, target, due)
        data = b"?"
        while data:
            data = b""
            with suppress(OSError):  # as at the end
                data = source.recv(MOST_BYTES)
            if data:
                note()
            due.put((time.monotonic() + self._delay, data))
        sender.join()


def _send(target: socket.socket, due: "SimpleQueue[tuple[float, bytes]]") -> None:
    with suppress(OSError):  # the target is closed
        while True:
            moment, data = due.get()
            time.sleep(max(0.0, moment - time.monotonic()))
            if not data:
                target.shutdown(socket.SHUT_WR)
                return
            target.sendall(data)


def _started(run: Callable[..., object], *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=run, args=arguments, daemon=True)
    thread.start()
    return thread
