"""Prints the tables of measurements as Markdown: `python -m tests.benchmarks --data FOLDER`."""

import argparse
import importlib
import os
import platform
from pathlib import Path

#: name on the command line -> module with a function `tables`
TABLES = {
    "sudoku": "tests.benchmarks.sudoku",
    "covers": "tests.benchmarks.covers",
    "peers": "tests.benchmarks.peers",
    "targets": "tests.benchmarks.targets",
    "target-weights": "tests.benchmarks.target_weights",
    "set-covers": "tests.benchmarks.set_covers",
    "league": "tests.benchmarks.league",
    "counts": "tests.benchmarks.counts",
    "estimates": "tests.benchmarks.estimates",
    "proofs": "tests.benchmarks.proofs",
    "start": "tests.benchmarks.start",
    "floor": "tests.benchmarks.floor.tables",
    "checking": "tests.benchmarks.checking",
    "pipeline": "tests.benchmarks.pipeline.tables",
    "fairness": "tests.benchmarks.pipeline.fairness",
    "remote": "tests.benchmarks.pipeline.remote",
    "simulation": "tests.benchmarks.simulation.tables",
    "validation": "tests.benchmarks.simulation.validation",
    "store": "tests.benchmarks.store.tables",
    "upgrade": "tests.benchmarks.store.upgrade",
}


def main(arguments: list[str] | None = None) -> None:
    """Run the named benchmarks, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("tables", nargs="*", choices=[*TABLES, []], help="default: all of them")
    parser.add_argument("--data", type=Path, help="folder with the collections")
    parser.add_argument("--rounds", type=int, default=5, help="repetitions; default: 5")
    parser.add_argument(
        "--answers", type=int, default=1_000_000, help="of store, upgrade; default: 10^6"
    )
    parser.add_argument(
        "--database",
        help="of store and upgrade: postgresql for a temporary server, or the URL of a database",
    )
    parser.add_argument("--record", type=Path, help="of store: append the figures to this file")
    parser.add_argument("--grids", type=int, default=300, help="of target-weights; default: 300")
    parser.add_argument("--seconds", type=float, default=20, help="of league; default: 20")
    asked = parser.parse_args(arguments)
    first = {
        "store": (asked.answers, asked.database, asked.record),
        "upgrade": (asked.answers, asked.database),
        "target-weights": (asked.grids,),
        "league": (asked.data, asked.seconds),
    }
    system = f"{_processor()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
    print(f"{system}; load {os.getloadavg()[0]:.1f}", flush=True)
    for name in asked.tables or TABLES:
        print()
        given = first.get(name, (asked.data,))
        for line in importlib.import_module(TABLES[name]).tables(*given, asked.rounds):
            print(line, flush=True)


def _processor() -> str:
    """Return the processor's model name on Linux, else the machine type."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


if __name__ == "__main__":
    main()
