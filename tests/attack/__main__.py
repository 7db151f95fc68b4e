"""Runs all attacks, also those that last minutes: `python -m tests.attack [TEXT]`.

An attack is a test marked `attack`: a fault, a hostile input or a hostile neighbour that once broke
a promise.  It stands in the room of the code that keeps the promise; with TEXT, only the tests run
whose name contains it.  Missing servers are errors here.  The last line has the counts.
"""

import os
import sys
import time
from collections import Counter

import pytest


class Outcomes:
    """A plugin of pytest that counts how the tests ended."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test once: its call, or what went wrong before or after it."""
        if report.when == "call" or not report.passed:
            self.counts[report.outcome] += 1


def main(arguments: list[str]) -> int:
    """Run the attacks and return pytest's exit code."""
    os.environ["CI"] = "true"
    outcomes, start = Outcomes(), time.monotonic()
    # One at a time: some attacks measure how long a command takes to end.
    options = ["-n", "0", "-m", "attack", *(["-k", arguments[0]] if arguments else [])]
    code = pytest.main(options, plugins=[outcomes])
    counts = outcomes.counts
    print(
        f"attacks: {counts['passed']} passed, {counts['failed']} failed, "
        f"{counts['skipped']} skipped, {time.monotonic() - start:.0f} s"
    )
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
