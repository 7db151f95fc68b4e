"""One search on 10, 100 and 1,000 processes, simulated."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from storage.database import open_database
from storage.location import database_url
from tests.benchmarks.simulation.model import Machines, Result, Simulation
from tests.benchmarks.simulation.transactions import Costs, Transaction, measure
from tests.benchmarks.simulation.trees import Enlarged, Tree, record
from tests.services import find_postgresql, postgresql
from tests.worker.exact_cover.problems import langford, pentominoes, queens

#: name -> records the tree
TREES: Mapping[str, Callable[[], Tree]] = {
    "14 queens": lambda: record(queens(14), 1000),
    "Langford's pairs, 13": lambda: record(langford(13), 1500),
    "6x10 pentominoes": lambda: record(pentominoes(6, 10), 200),
}
#: the kinds of databases, and the seconds that the network adds to each statement; SQLite is on the
#: same machine
ROUND_TRIPS = {"SQLite": 0.0, "PostgreSQL": 0.0002}
#: numbers of processes, and the databases that they use
SITES = [(10, "SQLite"), (100, "SQLite"), (100, "PostgreSQL"), (1000, "PostgreSQL")]
#: seconds that each search would take if all processes searched all the time
LEAST_SECONDS = 600.0
#: open parts in the database on which the transactions are measured
OPEN_PARTS = 3000


def tables(_data: Path | None, _rounds: int) -> Iterator[str]:
    """Yield what transactions cost, and a row for each tree and number of processes."""
    costs = measured()
    yield (
        "| transaction, ms | part leased | turn stored, part goes on | turn stored, part ended "
        "| each further part | parts published | search locked for | bytes per part |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for name, one in costs.items():
        cells = [
            *map(_times, (one.take, one.go_on, one.end)),
            f"{one.piece * 1e3:.2f}",
            _times(one.publish),
            f"{one.held:.0%}",
            f"{one.part_bytes:.0f}",
        ]
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""
    yield (
        "| tree | processes, database | efficiency | all busy after | tail | parts made "
        "| open at most | messages/s | transactions/s (at most) | search locked | database |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for name, make in TREES.items():
        tree = make()
        for processes, database in SITES:
            if database in costs:
                yield _row(name, Run(tree, processes, costs[database], database))


def measured() -> dict[str, Costs]:
    """Return the costs on each kind of database that can be started here."""
    with tempfile.TemporaryDirectory() as folder:
        costs = {"SQLite": _costs(database_url(f"{folder}/bullseye.db"))}
    if programs := find_postgresql():
        with postgresql(programs, durable=True) as server:
            costs["PostgreSQL"] = _costs(server.url)
    return costs


class Run(NamedTuple):
    """A search to be simulated."""

    tree: Tree
    processes: int
    costs: Costs
    database: str

    def result(self) -> Result:
        """Simulate it."""
        enlarged = Enlarged(self.tree, LEAST_SECONDS * self.processes)
        machines = Machines(self.processes, self.costs, ROUND_TRIPS[self.database])
        return Simulation(enlarged, machines).run()


def _row(name: str, run: Run) -> str:
    result = run.result()
    per_second = partial(_rate, seconds=result.seconds)
    megabytes = result.parts * run.costs.part_bytes / 1e6
    cells = [
        name,
        f"{run.processes:,}, {run.database}",
        f"{result.efficiency:.1%}",
        f"{result.all_busy_at:.0f} s",
        f"{result.tail:.0f} s",
        f"{result.parts:,}",
        f"{result.most_open:,}",
        per_second(result.messages),
        f"{per_second(result.transactions)} ({result.peak:.0f})",
        f"{result.row / result.seconds:.0%}",
        f"{megabytes:.1f} MB",
    ]
    return f"| {' | '.join(cells)} |"


def _rate(number: int, seconds: float) -> str:
    return f"{number / seconds:.0f}"


def _times(one: Transaction) -> str:
    """Return the median and the 95th percentile of the times of a transaction, in ms."""
    return f"{median(one.seconds) * 1e3:.2f} ({quantiles(one.seconds, n=20)[-1] * 1e3:.2f})"


def _costs(url: str) -> Costs:
    engine = open_database(url, migrate=True)
    try:
        return measure(engine, OPEN_PARTS)
    finally:
        engine.dispose()
