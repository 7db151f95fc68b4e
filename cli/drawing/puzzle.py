"""Everything that is known about one puzzle, as lines of text."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from cli.drawing.grid import AVERAGE, drawn, in_rows, rings, side_by_side
from cli.formatting import align, count, milliseconds
from cli.output.row import AnswerRow
from storage.values import Kept

#: further solutions that are drawn unless all are asked for
FURTHER = 6


def portrait(
    answer: AnswerRow,
    further: Sequence[Kept],
    options: dict[str, Any],
    screen: Console,
    *,
    everything: bool = False,
) -> Iterator[Text]:
    """The lines that `bullseye show` prints; `options` are those of the batch."""
    yield Text(_title(answer), style="bold")
    yield from map(Text, _facts(answer, has_rings(answer, options)))
    shown = further if everything else further[:FURTHER]
    if answer.kind == "cover":
        yield from _cover(answer, shown)
    elif answer.kind != "invalid":
        yield from _grids(answer, options, screen)
        yield from _further_grids(answer, shown, screen)
    else:
        yield Text(answer.puzzle)
    if len(shown) < len(further):
        left = count(len(further) - len(shown), "more kept solution")
        yield Text(f"{left}: bullseye show {answer.id} --all")


def has_rings(answer: AnswerRow, options: dict[str, Any]) -> bool:
    """Whether the score is that of the rings, not of weights from a file."""
    ringed = answer.kind == "target" and answer.size == 9
    return ringed and answer.score is not None and not options.get("weights")


def caption(answer: AnswerRow) -> str:
    """A few words below a picture."""
    scored = answer.score is not None
    what = f"score {_score(answer, answer.score or 0, False)}" if scored else answer.status
    parts = [f"puzzle {answer.id}", what, answer.label]
    return " · ".join(part for part in parts if part)


def _title(answer: AnswerRow) -> str:
    size = "" if answer.size is None else f" {answer.size}x{answer.size}"
    parts = [
        f"puzzle {answer.id}",
        f"batch {answer.batch}, position {answer.position:,}",
        answer.label or "",
        answer.kind if answer.kind in {"cover", "invalid"} else answer.kind + size,
        "" if answer.clues is None else count(answer.clues, "clue"),
    ]
    return " · ".join(part for part in parts if part)


def _facts(answer: AnswerRow, has_rings: bool) -> Iterator[str]:
    yield " · ".join(part for part in (answer.status, answer.detail) if part)
    if answer.score is not None:
        yield f"score {_score(answer, answer.score, has_rings)}"
    if answer.status != "invalid":
        yield _solutions(answer)
    work = [
        f"{milliseconds(answer.ms)} ms" if answer.ms is not None else "",
        count(answer.nodes, "node") if answer.nodes is not None else "",
        answer.worker or "",
        answer.solved_at,
    ]
    yield " · ".join(part for part in work if part)


def _score(answer: AnswerRow, score: int, has_rings: bool) -> str:
    told = str(score)
    if answer.kind == "cover":
        told += f" (cost {-score:,})"
    if has_rings:
        told += f" ({score - AVERAGE:+} against the average {AVERAGE})"
    if answer.complete:
        return f"{told} · optimal"
    bound = "" if answer.bound is None else f", at most {answer.bound}"
    return f"{told} · best so far{bound}"


def _solutions(answer: AnswerRow) -> str:
    if answer.solutions is None:
        return "solutions not counted (--every counts them)"
    if answer.complete:
        known = {0: "no solution", 1: "1 solution: unique"}
        return known.get(answer.solutions, f"{count(answer.solutions)} solutions: all of them")
    if answer.solutions == 0:
        return "no solution found so far"
    return f"{count(answer.solutions, 'solution')} found, there may be more"


def _grids(answer: AnswerRow, options: dict[str, Any], screen: Console) -> Iterator[Text]:
    if answer.solution is None:
        blocks = [drawn(answer.puzzle)]
    elif screen.color_system is None or screen.no_color:
        blocks = [drawn(answer.puzzle), drawn(answer.solution)]
    else:
        coloured = has_rings(answer, options)
        wide = answer.size is not None and answer.size <= 16
        blocks = [drawn(answer.solution, answer.puzzle, wide=wide, coloured_rings=coloured)]
    if answer.solution and has_rings(answer, options):
        blocks.append(_rings(answer.solution))
    for group in in_rows(blocks, screen.width):
        yield Text()
        yield from side_by_side(group)


def _rings(solution: str) -> list[Text]:
    """What each ring brings to the score."""
    lines = [["weight", "cells", "digits", "points"]]
    lines += [[str(part) for part in (*ring, ring.points)] for ring in rings(solution)]
    total = sum(ring.points for ring in rings(solution))
    lines.append(["", "81", "405", str(total)])
    return [Text(line) for line in align(lines, ">>>>")]


def _further_grids(answer: AnswerRow, further: Sequence[Kept], screen: Console) -> Iterator[Text]:
    if not further or answer.solution is None:
        return
    blocks = []
    for kept in further:
        score = "" if kept.score is None else f" · score {kept.score}"
        blocks.append([Text(f" {kept.rank}.{score}"), *drawn(kept.text, answer.puzzle)])
    for group in in_rows(blocks, screen.width):
        yield Text()
        yield from side_by_side(group)


def _cover(answer: AnswerRow, further: Sequence[Kept]) -> Iterator[Text]:
    """The chosen options, by the names of their items, and what they cost if that was asked."""
    if answer.solution is None:
        return
    problem = json.loads(answer.puzzle)
    costs = problem.get("costs") if answer.score is not None else None
    first = Kept(1, answer.score, answer.solution)
    for kept in (first, *further):
        yield Text()
        if further:
            cost = "" if kept.score is None else f" cost {-kept.score:,}"
            yield Text(f"{kept.rank}.{cost}")
        yield from _chosen(problem, [int(number) for number in kept.text.split()], costs)


def _chosen(problem: dict[str, Any], options: list[int], costs: list[int] | None) -> Iterator[Text]:
    """A table of these options."""
    lines = [["option", "cost", "items"]]
    for option in options:
        cost = f"{costs[option - 1]:,}" if costs else ""
        lines.append([str(option), cost, _items(problem, option)])
    if costs is None:
        lines = [[option, items] for option, _, items in lines]
    yield from map(Text, align(lines, "><" if costs is None else ">><"))


def _items(problem: dict[str, Any], option: int) -> str:
    names = problem.get("names")
    items = problem["options"][option - 1]
    return " ".join(names[item - 1] if names else str(item) for item in items)
