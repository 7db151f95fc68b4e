"""A row of the table: turns of a floor and of a command, and the ratio that is asked for."""

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """What was measured in turn, in seconds, for one line of the table."""

    what: str
    unit: float  #: seconds of the unit in which both are shown
    turns: Sequence[tuple[float, float]]  #: the floor, and what Bullseye took
    mark: float  #: the ratio that is asked for

    def __str__(self) -> str:
        floor, ours = (statistics.median(one) / self.unit for one in zip(*self.turns, strict=True))
        ratios = [ours / floor for floor, ours in self.turns]
        ratio = f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
        return f"| {self.what} | {floor:.3g} | {ours:.3g} | {ratio} | {self.mark:.2f} |"


def in_turn(
    rounds: int, floor: Callable[[], float], ours: Callable[[], float]
) -> list[tuple[float, float]]:
    """Return what two functions return, called in turn."""
    return [(floor(), ours()) for _ in range(rounds)]


def timed(command: Sequence[str], env: Mapping[str, str] = os.environ) -> float:
    """Return the seconds of a program, from start to end; CalledProcessError if it fails."""
    began = time.perf_counter()
    subprocess.run(command, env=env, capture_output=True, check=True)
    return time.perf_counter() - began
