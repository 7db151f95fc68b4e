"""The league: published covers, proven to be the cheapest by Bullseye and by others.

`FOLDER/league` has a folder for each form, as `--from` names it, and others whose files tell their
form. Bullseye's time begins with the text of the problem, that of the others with their model.
"""

import math
import statistics
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks import ours
from tests.benchmarks.mip import Proof, Solver, installed
from tests.benchmarks.race import Disagreement
from worker.compiling.numbers import Integers
from worker.covers.decoding import decode
from worker.covers.solve import problem_of
from worker.covers.text import Cover
from worker.exact_cover.problem import Problem
from worker.formats.layout import FORMATS
from worker.formats.source import open_source
from worker.options import Options
from worker.set_cover.layout import numbers_of, once
from worker.solve import warm_up_all

#: the folders, in the order of the table
FOLDERS = ("scp", "rail", "spp", "mps", "slow", "pace")
#: what takes at most so many times the least time counts as first, too
NEARLY = 1.05


def tables(data: Path | None, seconds: float, _rounds: int) -> Iterator[str]:
    """Yield a row for each problem, and how often each solver is first; raise Disagreement."""
    if data is None or not (data / "league").is_dir():
        yield "Left out: the league needs its problems (--data)."
        return
    warm_up_all()
    others = installed()
    yield f"| problem | items x options | cost | bound | Bullseye | {' | '.join(others)} |"
    yield "|---" * (len(others) + 5) + "|"
    races = []
    for name, text in problems(data / "league"):
        races.append(race(text, others, seconds))
        yield row(name, text, races[-1])
    yield from summary(races)


def problems(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each problem with costs, and of each set cover."""
    for kind in FOLDERS:
        for path in sorted((folder / kind).glob("*")):
            with open_source(str(path), kind if kind in FORMATS else None) as source:
                for entry in source:
                    if entry.error is None and (entry.costs or decode(entry.text).set_cover):
                        yield path.name.partition(".")[0], entry.text


def race(text: str, others: dict[str, Solver], seconds: float) -> dict[str, Proof]:
    """Return what each solver proves; raise Disagreement if two prove different costs."""
    problem, least, most = model(decode(text))
    proofs = {"Bullseye": mine(text, seconds)}
    for name, solve in others.items():
        proofs[name] = solve(problem, least, most, seconds)
    costs = {proof.cost for proof in proofs.values() if proof.proven}
    if len(costs) > 1:
        raise Disagreement(f"the costs of a cheapest cover: {proofs}")
    return proofs


def mine(text: str, seconds: float) -> Proof:
    """Our search, from the text to the proof."""
    (outcome,) = ours.outcomes([text], Options(target=True, timeout=seconds))
    score = outcome.kept[0].score if outcome.kept else None
    bound = None if outcome.bound is None else -outcome.bound
    return Proof(
        None if score is None else -score, outcome.complete, outcome.ns / 1e9, outcome.nodes, bound
    )


def model(cover: Cover) -> tuple[Problem, Integers, Integers]:
    """Return the problem of a cover with costs, and the two numbers of each item."""
    problem = problem_of(cover)
    if cover.costs is None:
        problem = problem._replace(cost=0 * problem.cost + 1)
    if cover.set_cover:
        return problem, *numbers_of(problem, None)
    return problem, *numbers_of(problem, cover.multiplicities or once(problem))


def row(name: str, text: str, race: dict[str, Proof]) -> str:
    """Return a row of the table."""
    cover, best = decode(text), race["Bullseye"]
    size = f"{cover.items:,} x {len(cover.options):,}"
    cost = ("there is none" if best.proven else "none") if best.cost is None else best.cost
    known = best.cost if best.proven else best.bound
    bound = "" if known is None else known
    return f"| {name} | {size} | {cost} | {bound} | {' | '.join(map(str, race.values()))} |"


def summary(races: list[dict[str, Proof]]) -> Iterator[str]:
    """Yield how many of all each solver proves, on how many it is first, and its mean time."""
    names = list(races[0]) if races else []
    proven = [sum(race[name].proven for race in races) for name in names]
    first = [sum(is_first(race, name) for race in races) for name in names]
    means = [
        math.exp(statistics.mean(math.log(max(1e-3, race[name].seconds)) for race in races))
        for name in names
    ]
    for what, figures in (
        (f"proven, of {len(races)}", map(str, proven)),
        ("first, or 5 % later", map(str, first)),
        ("geometric mean, s", (f"{mean:.2f}" for mean in means)),
    ):
        yield f"| {what} | | | | {' | '.join(figures)} |"


def is_first(race: dict[str, Proof], name: str) -> bool:
    """Return whether no solver proves the cost in less time, or not much less."""
    least = min((proof.seconds for proof in race.values() if proof.proven), default=0.0)
    return race[name].proven and race[name].seconds <= NEARLY * least
