"""What `bullseye show` prints: one puzzle, its answer and its kept solutions; grids as text.

In a grid boxes are set apart, clues are bold, found cells and rings have colours.  The picture is
drawn by `worker.formats.svg`, for Python programs, too.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from math import isqrt
from typing import Any, NamedTuple

from rich.console import Console
from rich.style import Style
from rich.text import Text

from cli.formatting import align, count, duration, milliseconds, wrap
from cli.output.destination import open_output
from cli.streams import Colour, console, visible
from storage.queries.searches import SearchWork
from storage.values import Kept
from storage.view import AnswerRow
from worker.errors import BadUsage
from worker.formats.svg import RING_COLOURS, RING_WEIGHTS, caption, draw_svg, outcome
from worker.sudoku.symbols import BOXES

#: further solutions that are drawn without `--all`
MAX_FURTHER = 6
#: clues and found cells on the background of a ring, also with the 256 colours of xterm
RING_CLUE_COLOUR, RING_FOUND_COLOUR = "#121212", "#0000af"
#: columns between two blocks
GAP_COLUMNS = 3
#: mean score of a full 9x9 grid: digits sum to 405 and weights to 570, over 81 cells
AVERAGE_SCORE = 2850


def draw_puzzle(
    answer: AnswerRow,
    further: Sequence[Kept],
    options: dict[str, Any],
    screen: Console,
    *,
    work: SearchWork | None = None,
    all_solutions: bool = False,
) -> Iterator[Text]:
    """Yield the lines about a puzzle; `options` are those of its batch, `work` of its parts."""
    for text in _wrapped(_title(answer), screen):
        yield Text(text, style="bold")
    for fact in _facts(answer, work, has_rings(answer, options)):
        yield from map(Text, _wrapped(fact, screen))
    drawn = further if all_solutions else further[:MAX_FURTHER]
    if answer.kind == "cover":
        yield from _draw_cover(answer, drawn)
    elif answer.kind != "invalid":
        for blocks in (_grids(answer, options, screen), _further_grids(answer, drawn)):
            for group in wrap_blocks(blocks, screen.width):
                yield Text()
                yield from side_by_side(group)
    else:
        yield Text(answer.puzzle)
    if len(drawn) < len(further):
        left = count(len(further) - len(drawn), "more kept solution")
        yield Text(f"{left}: bullseye show {answer.id} --all")


def has_rings(answer: AnswerRow, options: dict[str, Any]) -> bool:
    """Return whether the score was computed with the default weights, the rings."""
    ringed = answer.kind == "target" and answer.size == 9
    return ringed and answer.score is not None and not options.get("weights")


def print_puzzle(
    answer: AnswerRow,
    further: Sequence[Kept],
    options: dict[str, Any],
    work: SearchWork | None,
    *,
    all_solutions: bool = False,
) -> None:
    """Print the lines about a puzzle; see `draw_puzzle`."""
    screen = console()
    for line in draw_puzzle(
        answer, further, options, screen, work=work, all_solutions=all_solutions
    ):
        line.plain = visible(line.plain)  # of the same length, so that its styles remain
        screen.print(line, soft_wrap=True)


def write_picture(answer: AnswerRow, options: dict[str, Any], file: str) -> None:
    """Write the grid of an answer as SVG; raise BadUsage if it has none."""
    if answer.kind == "cover" or answer.status == "invalid":
        kind = "an exact cover" if answer.kind == "cover" else "an invalid line"
        raise BadUsage(f"puzzle {answer.id} is {kind}; --svg draws grids, or with --tree a search.")
    with open_output(file) as out:
        out.write(draw_svg(answer, caption(answer), rings=has_rings(answer, options)))


def _wrapped(text: str, screen: Console) -> list[str]:
    """Return the lines of a text, broken between words on a terminal."""
    return wrap(text, screen.width) if screen.is_terminal else [text]


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


def _facts(answer: AnswerRow, work: SearchWork | None, ringed: bool) -> Iterator[str]:
    yield " · ".join(part for part in (answer.status, answer.detail) if part)
    if answer.score is not None:
        remark = f" ({above_average(answer.score)})" if ringed else ""
        yield outcome(answer, remark)
    if answer.status != "invalid":
        yield _solutions(answer)
    took = [
        f"{milliseconds(answer.ms)} ms" if answer.ms is not None else "",
        count(answer.nodes, "node") if answer.nodes is not None else "",
        answer.worker or "",
        answer.solved_at,
    ]
    yield " · ".join(part for part in took if part)
    if work is not None:
        workers = count(work.workers, "worker process", "worker processes")
        made = f"divided into {count(work.parts, 'part')} · {count(work.turns, 'turn')}"
        times = f"{duration(work.elapsed)} elapsed · {duration(work.cpu)} on 1 process"
        yield f"{made} · {workers} · {times}"


def above_average(score: int) -> str:
    """Compare a score under the default weights with the average.

    >>> above_average(2878), above_average(2850)
    ('28 above the average, 2850', 'the average')
    """
    if score == AVERAGE_SCORE:
        return "the average"
    side = "above" if score > AVERAGE_SCORE else "below"
    return f"{abs(score - AVERAGE_SCORE)} {side} the average, {AVERAGE_SCORE}"


def _solutions(answer: AnswerRow) -> str:
    if answer.solutions is None:
        return "solutions not counted (--every counts them)"
    if answer.complete:
        known = {0: "no solution", 1: "1 solution (unique)"}
        return known.get(answer.solutions, f"{count(answer.solutions)} solutions in total")
    if answer.solutions == 0:
        return "no solution found so far"
    return f"{count(answer.solutions, 'solution')} found, there may be more"


def _grids(answer: AnswerRow, options: dict[str, Any], screen: Console) -> list[list[Text]]:
    ringed = has_rings(answer, options)
    if answer.solution is None:
        blocks = [draw_grid(answer.puzzle)]
    elif screen.color_system is None or screen.no_color:
        blocks = [draw_grid(answer.puzzle), draw_grid(answer.solution)]
    else:
        wide = answer.size is not None and answer.size <= 16
        blocks = [draw_grid(answer.solution, answer.puzzle, wide=wide, coloured_rings=ringed)]
    if answer.solution and ringed:
        blocks.append(_ring_table(answer.solution))
    return blocks


def _ring_table(solution: str) -> list[Text]:
    """Return a table of each ring's points and their total."""
    found = rings(solution)
    rows = [["weight", "cells", "digits", "points"]]
    rows += [[str(value) for value in (*ring, ring.points)] for ring in found]
    rows.append(["", "81", "405", str(sum(ring.points for ring in found))])
    return [Text(line) for line in align(rows, ">>>>")]


def _further_grids(answer: AnswerRow, further: Sequence[Kept]) -> Iterator[list[Text]]:
    for kept in further:
        score = "" if kept.score is None else f" · score {kept.score}"
        yield [Text(f" {kept.rank}.{score}"), *draw_grid(kept.text, answer.puzzle)]


def _draw_cover(answer: AnswerRow, further: Sequence[Kept]) -> Iterator[Text]:
    """Yield a table of the chosen options for each kept solution."""
    if answer.solution is None:
        return
    problem = json.loads(answer.puzzle)
    costs = problem.get("costs") if answer.score is not None else None
    for kept in (Kept(1, answer.score, answer.solution), *further):
        yield Text()
        if further:
            cost = "" if kept.score is None else f" cost {-kept.score:,}"
            yield Text(f"{kept.rank}.{cost}")
        yield from _option_table(problem, [int(number) for number in kept.text.split()], costs)


def _option_table(
    problem: dict[str, Any], options: list[int], costs: list[int] | None
) -> Iterator[Text]:
    rows = [["option", "cost", "items"]]
    for option in options:
        cost = f"{costs[option - 1]:,}" if costs else ""
        rows.append([str(option), cost, _items(problem, option)])
    if costs is None:
        rows = [[option, items] for option, _, items in rows]
    yield from map(Text, align(rows, "><" if costs is None else ">><"))


def _items(problem: dict[str, Any], option: int) -> str:
    names = problem.get("names")
    items = problem["options"][option - 1]
    return " ".join(names[item - 1] if names else str(item) for item in items)


class Ring(NamedTuple):
    """The cells of one weight in a full 9x9 grid."""

    weight: int
    cells: int
    digits: int  #: the sum of the digits

    @property
    def points(self) -> int:
        """The ring's part of the score."""
        return self.weight * self.digits


def rings(solution: str) -> list[Ring]:
    """Return the rings of a full 9x9 grid, from the centre to the border."""
    values = sorted(set(solution))  # the symbols of every alphabet ascend
    cells: dict[int, list[int]] = {}
    for cell, symbol in enumerate(solution):
        cells.setdefault(RING_WEIGHTS[cell], []).append(values.index(symbol) + 1)
    return [Ring(weight, len(cells[weight]), sum(cells[weight])) for weight in range(10, 5, -1)]


def draw_grid(
    grid: str, clues: str | None = None, *, wide: bool = False, coloured_rings: bool = False
) -> list[Text]:
    """Return the lines of a grid: clues are bold, the others coloured; without `clues`, plain."""
    size = isqrt(len(grid))
    box, padding = BOXES[size], " " if wide else ""
    lines: list[Text] = []
    for cell, symbol in enumerate(grid):
        row, column = divmod(cell, size)
        if column == 0:
            lines += [Text(), Text()] if row and row % box.height == 0 else [Text()]
        elif column % box.width == 0:
            lines[-1].append("  ")
        lines[-1].append(f" {symbol}{padding}", _style(cell, clues, coloured_rings))
    return lines


def _style(cell: int, clues: str | None, coloured_rings: bool) -> Style:
    if clues is None:
        return Style()
    is_clue = clues[cell] != "."
    if coloured_rings:
        colour = RING_CLUE_COLOUR if is_clue else RING_FOUND_COLOUR
        return Style(bold=is_clue, color=colour, bgcolor=RING_COLOURS[RING_WEIGHTS[cell]])
    return Style(bold=True) if is_clue else Style(color=f"color({Colour.BLUE})")


def side_by_side(blocks: Sequence[Sequence[Text]]) -> list[Text]:
    """Return lines that show the blocks next to each other."""
    widths = [max((line.cell_len for line in block), default=0) for block in blocks]
    lines: list[Text] = []
    for parts in zip_longest(*blocks, fillvalue=Text()):
        text = Text()
        start = 0
        for part, width in zip(parts, widths, strict=True):
            if part:
                text.pad_right(start - text.cell_len)
                text.append_text(part)
            start += width + GAP_COLUMNS
        lines.append(text)
    return lines


def wrap_blocks(blocks: Iterable[Sequence[Text]], columns: int) -> list[list[Sequence[Text]]]:
    """Group blocks into rows of at most `columns` terminal columns, at least one block a row."""
    rows: list[list[Sequence[Text]]] = []
    used = 0
    for block in blocks:
        width = max((line.cell_len for line in block), default=0)
        if not rows or used + GAP_COLUMNS + width > columns:
            rows.append([])
            used = -GAP_COLUMNS
        used += GAP_COLUMNS + width
        rows[-1].append(block)
    return rows
