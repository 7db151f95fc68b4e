"""All solutions of classic exact-cover problems, compared with the textbook program."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from tests.benchmarks import ours, textbook
from tests.benchmarks.race import Solver, race
from tests.worker.exact_cover.problems import langford, pentominoes, queens, soma
from worker.exact_cover.problem import Problem

PROBLEMS: Mapping[str, Problem] = {
    "12 queens": queens(12),
    "Langford's pairs, 11": langford(11),
    "6x10 pentominoes": pentominoes(6, 10, whole=True),
    "Soma cube": soma(),
}


def tables(_data: Path | None, rounds: int) -> Iterator[str]:
    """Yield a table with the time per problem, and its ratio to the textbook's."""
    if why := textbook.missing():
        yield why
        return
    yield "| exact cover, all solutions | solutions | s | nodes | ratio to the textbook in C |"
    yield "|---|---|---|---|---|"
    for name, problem in PROBLEMS.items():
        text = written(problem)
        solvers: dict[str, Solver] = {
            "textbook": partial(_textbook, problem),
            "ours": partial(ours.solutions, limit=None),
        }
        ratio = race(solvers, [text], rounds)["ours"]
        nodes, found = ours.nodes([text], None), ours.solutions([text], None)
        yield f"| {name} | {found:,} | {ratio.seconds:.4f} | {nodes:,.0f} | {ratio} |"


def _textbook(problem: Problem, _texts: Sequence[str]) -> int:
    return textbook.count(problem)


def written(problem: Problem) -> str:
    """A problem as the text that users hand in."""
    bounds = zip(problem.first[:-1].tolist(), problem.first[1:].tolist(), strict=True)
    options = [problem.members[start:stop].tolist() for start, stop in bounds]
    secondary = problem.items - problem.primary
    return json.dumps({"items": problem.primary, "secondary": secondary, "options": options})
