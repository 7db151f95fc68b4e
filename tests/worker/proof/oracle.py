"""What proofs claim, by brute force."""

from collections.abc import Iterator

from tests.worker.solving import completions, is_consistent, weighed
from worker.proof.check import Problem, WrongProof, check, cover


def true_of(text: str) -> bool:
    """Whether what a proof claims is true, by brute force."""
    lines = {key: value for key, _, value in (line.partition(" ") for line in text.split("\n"))}
    scores = list(scores_of(lines))
    if "solutions" in lines:
        number, *or_more = lines["solutions"].split()
        return len(scores) >= int(number) if or_more else len(scores) == int(number)
    return max(scores) == int(lines["best"])


def scores_of(lines: dict[str, str]) -> Iterator[int]:
    """The score of each solution of a proof's problem, by brute force."""
    if grid := lines.get("sudoku"):
        weights = list(map(int, lines.get("weights", "0 " * len(grid)).split()))
        for solution in completions(grid) if is_consistent(grid) else ():
            yield weighed(solution, weights)
        return
    problem = cover(lines["cover"])
    for chosen in ways(problem):
        score = sum(problem.scores[option] for option in chosen)
        if "at_most" not in lines or -score <= int(lines["at_most"]):
            yield score


def ways(problem: Problem, number: int = 0, chosen: tuple[int, ...] = ()) -> Iterator[list[int]]:
    """The covers of a problem: each option is chosen or it is not."""
    if number == len(problem.options):
        if all(
            times(problem, item, chosen) >= problem.least[item] for item in problem.primary
        ) and (not problem.is_set_cover or is_minimal(problem, chosen)):
            yield [*chosen]
        return
    yield from ways(problem, number + 1, chosen)
    longer = (*chosen, number)
    is_useful = any(item in problem.primary for item in problem.options[number])
    if is_useful and all(
        times(problem, item, longer) <= problem.most[item] for item in problem.options[number]
    ):
        yield from ways(problem, number + 1, longer)


def times(problem: Problem, item: str, chosen: tuple[int, ...]) -> int:
    """How often an item is covered; options that give it the same colour count as one."""
    having = [k for k in chosen if item in problem.options[k]]
    return len({problem.options[k][item] or k for k in having})


def is_minimal(problem: Problem, chosen: tuple[int, ...]) -> bool:
    """Whether each option has a primary item that no other one has."""
    return all(
        any(
            item in problem.primary and times(problem, item, chosen) == 1
            for item in problem.options[k]
        )
        for k in chosen
    )


def best_of(text: str, weights: list[int] | None = None) -> tuple[int, str]:
    """The best score of a grid, or of a cover problem with costs, and a solution that has it."""
    if weights is not None:
        return max((weighed(solution, weights), solution) for solution in completions(text))
    problem = cover(text)
    return max(
        (sum(problem.scores[k] for k in chosen), " ".join(str(k + 1) for k in chosen))
        for chosen in ways(problem)
    )


def refused(text: str) -> bool:
    try:
        check(text)
    except (WrongProof, ValueError):
        return True
    return False
