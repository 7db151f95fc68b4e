"""Real searches on one and two processes, and the simulation of the same search trees."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.benchmarks.simulation import real
from tests.benchmarks.simulation.model import Machines, Result, Simulation
from tests.benchmarks.simulation.real import Real
from tests.benchmarks.simulation.tables import measured
from tests.benchmarks.simulation.transactions import Costs
from tests.benchmarks.simulation.trees import Enlarged, record
from tests.services import find_postgresql, postgresql
from tests.worker.exact_cover.problems import langford, queens
from worker.exact_cover.problem import Problem
from worker.local.backend import SWEEP_INTERVAL_SECONDS


class Example(NamedTuple):
    """A search of some seconds or minutes."""

    problem: Problem
    leaf_nodes: int  #: of the recorded tree


#: name -> search
EXAMPLES: Mapping[str, Example] = {
    "16 queens": Example(queens(16), 20_000),
    "Langford's pairs, 15": Example(langford(15), 60_000),
}


class Way(NamedTuple):
    """A way to run a search on processes of this machine."""

    name: str
    processes: int
    database: str
    sweep: float  #: seconds between two sweeps
    run: Callable[[str], Real]  #: searches for the covers of a line of JSON


def tables(_data: Path | None, rounds: int) -> Iterator[str]:
    """Yield a row for each search and each way to run it."""
    costs = measured()
    yield "| search | run by | real | simulated | ratio | turns | simulated turns |"
    yield "|---|---|---|---|---|---|---|"
    with ExitStack() as stack:
        ways = [*_ways(stack)]
        for name, (problem, leaf_nodes) in EXAMPLES.items():
            line, tree = real.cover(problem), record(problem, leaf_nodes)
            for way in ways:
                runs = [way.run(line) for _ in range(rounds)]
                enlarged = Enlarged(tree, median(one.cpu for one in runs))
                yield _row(name, way, runs, simulated(way, enlarged, costs[way.database]))


def _ways(stack: ExitStack) -> Iterator[Way]:
    sweep = Machines.sweep
    for processes in (1, 2):

        def solve(line: str, processes: int = processes) -> Real:
            return real.solve(line, processes)

        yield Way(f"solve -j {processes}", processes, "SQLite", SWEEP_INTERVAL_SECONDS, solve)
    yield Way("worker -c 2", 2, "SQLite", sweep, lambda line: real.submit(line, 2))
    if programs := find_postgresql():
        server = stack.enter_context(postgresql(programs, durable=True))

        def submit(line: str) -> Real:
            return real.submit(line, 2, server.url)

        yield Way("worker -c 2", 2, "PostgreSQL", sweep, submit)


def simulated(way: Way, tree: Enlarged, costs: Costs) -> Result:
    """Simulate a search."""
    machines = Machines(way.processes, costs, processes_per_worker=way.processes, sweep=way.sweep)
    return Simulation(tree, machines).run()


def _row(name: str, way: Way, runs: list[Real], simulated: Result) -> str:
    seconds = [one.seconds for one in runs]
    cells = [
        name,
        f"{way.name}, {way.database}",
        f"{median(seconds):.2f} s ({min(seconds):.2f}–{max(seconds):.2f})",
        f"{simulated.seconds:.2f} s",
        f"{simulated.seconds / median(seconds):.3f}",
        f"{median(one.turns for one in runs):.0f}",
        f"{simulated.turns}",
    ]
    return f"| {' | '.join(cells)} |"
