"""Compares random puzzles with independent solvers: `python -m tests.differential --cases 1000`."""

import argparse
import sys

from tests.differential.families import MODULES, installed
from tests.differential.report import report


def main() -> None:
    """Print what differs, and how many puzzles of each family were compared."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000, help="puzzles; default: 1000")
    parser.add_argument("--seed", type=int, default=0, help="number of the first; default: 0")
    asked = parser.parse_args()
    there = installed()
    for missing in sorted(MODULES.keys() - there):
        print(f"Left out: {missing} is not installed (pip install -e '.[bench]').")
    lines = list(report(range(asked.seed, asked.seed + asked.cases), sorted(there)))
    print("\n".join(lines))
    sys.exit(not lines[0].startswith("| puzzles"))


if __name__ == "__main__":
    main()
