"""One search on 10, 100 and 1,000 processes, simulated."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from storage.database import open_database
from storage.location import database_url
from tests.benchmarks.simulation.model import Machines, Result, Simulation
from tests.benchmarks.simulation.transactions import Costs, measure
from tests.benchmarks.simulation.trees import Enlarged, Tree, record
from tests.services import find_postgresql, postgresql
from tests.worker.exact_cover.problems import langford, pentominoes, queens

#: name -> records the tree
TREES: Mapping[str, Callable[[], Tree]] = {
    "14 queens": lambda: record(queens(14), 1000),
    "Langford's pairs, 13": lambda: record(langford(13), 1500),
    "6x10 pentominoes": lambda: record(pentominoes(6, 10), 200),
}
#: processes -> the database that they use
PROCESSES = {10: "sqlite", 100: "sqlite", 1000: "postgresql"}
#: seconds that each search would take if all processes searched all the time
LEAST_SECONDS = 600.0
#: open parts in the database on which the transactions are measured
OPEN_PARTS = 3000


def tables(_data: Path | None, _rounds: int) -> Iterator[str]:
    """Yield what transactions cost, and a row for each tree and number of processes."""
    costs = dict(_measured())
    yield "| transaction, ms | part leased | turn stored | each further part | parts published |"
    yield "|---|---|---|---|---|"
    for name, one in costs.items():
        times = [one.take, one.end, one.piece, one.publish]
        yield f"| {name} | {' | '.join(f'{seconds * 1e3:.2f}' for seconds in times)} |"
    yield ""
    yield (
        "| tree | processes | efficiency | all busy after | tail | parts made | open at most "
        "| messages/s | transactions/s (at most) | row of the search locked | database |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for name, make in TREES.items():
        tree = make()
        for processes, database in PROCESSES.items():
            if database in costs:
                yield _row(name, Run(tree, processes, costs[database]))


class Run(NamedTuple):
    """A search to be simulated."""

    tree: Tree
    processes: int
    costs: Costs

    def result(self) -> Result:
        """Simulate it."""
        enlarged = Enlarged(self.tree, LEAST_SECONDS * self.processes)
        return Simulation(enlarged, Machines(self.processes, self.costs)).run()


def _row(name: str, run: Run) -> str:
    result = run.result()
    per_second = partial(_rate, seconds=result.seconds)
    megabytes = result.parts * run.costs.part_bytes / 1e6
    cells = [
        name,
        f"{run.processes:,}",
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


def _measured() -> Iterator[tuple[str, Costs]]:
    """Yield the kinds of databases that can be started here, with their costs."""
    with tempfile.TemporaryDirectory() as folder:
        yield "sqlite", _costs(database_url(f"{folder}/bullseye.db"))
    if programs := find_postgresql():
        with postgresql(programs) as server:
            yield "postgresql", _costs(server.url)


def _costs(url: str) -> Costs:
    engine = open_database(url, migrate=True)
    try:
        return measure(engine, OPEN_PARTS)
    finally:
        engine.dispose()
