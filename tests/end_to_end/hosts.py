"""Several hosts on one machine: network namespaces on a bridge, with cables that can be cut."""

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
    """A namespace with one cable to the bridge."""

    name: str
    address: str

    @property
    def inside(self) -> tuple[str, ...]:
        """What stands before a command that is to run on this host."""
        named = 'echo "$0" > /proc/sys/kernel/hostname; exec "$@"'
        network = ("ip", "netns", "exec", self.name)
        return (*network, "unshare", "--uts", "sh", "-c", named, self.name)

    @property
    def cable(self) -> str:
        """The bridge's end of it."""
        return f"v{self.name}"

    def cut(self) -> None:
        """Pull the cable: nothing arrives, and nobody is told."""
        ip("link", "set", self.cable, "down")

    def heal(self) -> None:
        ip("link", "set", self.cable, "up")


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
            ip("link", "add", host.cable, "type", "veth", "peer", "name", inner)
            # The namespace lives on until its last connection is forgotten, and its end with it.
            stack.callback(ip, "link", "delete", host.cable)
            ip("link", "set", host.cable, "master", self.name, "up")
            ip("link", "set", inner, "netns", host.name)
            ip("-n", host.name, "address", "add", f"{host.address}/24", "dev", inner)
            ip("-n", host.name, "link", "set", inner, "up")
            ip("-n", host.name, "link", "set", "lo", "up")
            yield host


@contextmanager
def network() -> Iterator[Network]:
    """A network of our own; skips the test where none may be made."""
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
            pytest.skip("only who may make networks can have several hosts")
        yield made
