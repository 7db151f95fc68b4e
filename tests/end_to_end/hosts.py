"""Several hosts on one machine: network namespaces on a bridge, whose links can be taken down."""

import os
import random
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import pytest


def ip(*arguments: str) -> None:
    """Run iproute2."""
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@dataclass(frozen=True)
class Host:
    """A network namespace with one link to the bridge."""

    name: str
    address: str

    @property
    def inside(self) -> tuple[str, ...]:
        """The command prefix that runs a program on this host."""
        named = 'echo "$0" > /proc/sys/kernel/hostname; exec "$@"'
        network = ("ip", "netns", "exec", self.name)
        return (*network, "unshare", "--uts", "sh", "-c", named, self.name)

    @property
    def link(self) -> str:
        """The bridge's end of the link."""
        return f"v{self.name}"

    def cut(self) -> None:
        """Take the link down: packets are dropped, and no connection is reset."""
        ip("link", "set", self.link, "down")

    def restore(self) -> None:
        """Take the link up again."""
        ip("link", "set", self.link, "up")


@dataclass(frozen=True)
class Network:
    """A bridge; this machine itself is at `address`."""

    name: str
    subnet: str

    @property
    def address(self) -> str:
        return f"{self.subnet}.1"

    @contextmanager
    def host(self, number: int) -> Iterator[Host]:
        host = Host(f"{self.name}h{number}", f"{self.subnet}.{10 + number}")
        inner = f"e{host.name}"
        with ExitStack() as stack:
            ip("netns", "add", host.name)
            stack.callback(ip, "netns", "delete", host.name)
            ip("link", "add", host.link, "type", "veth", "peer", "name", inner)
            # The kernel keeps a namespace, and its link, until its last connection has timed out.
            stack.callback(ip, "link", "delete", host.link)
            ip("link", "set", host.link, "master", self.name, "up")
            ip("link", "set", inner, "netns", host.name)
            ip("-n", host.name, "address", "add", f"{host.address}/24", "dev", inner)
            ip("-n", host.name, "link", "set", inner, "up")
            ip("-n", host.name, "link", "set", "lo", "up")
            yield host


@contextmanager
def network() -> Iterator[Network]:
    """A new bridge; skips the test where this user may not make one."""
    chance = random.SystemRandom()
    subnet = f"10.{chance.randrange(200, 250)}.{chance.randrange(256)}"
    made = Network(f"by{os.getpid() % 10**6}", subnet)
    with ExitStack() as stack:
        try:
            ip("link", "add", made.name, "type", "bridge")
            stack.callback(ip, "link", "delete", made.name)
            ip("address", "add", f"{made.address}/24", "dev", made.name)
            ip("link", "set", made.name, "up")
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("making network namespaces is not permitted")
        yield made
