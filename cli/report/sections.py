"""The data of the HTML page, and its sections: facts, charts, tables and pictures of one batch."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection

from cli.drawing import AVERAGE_SCORE, above_average, has_rings
from cli.formatting import count, duration, milliseconds, percent, shorten
from cli.output.answers import FileSymbols
from cli.progress.summary import STATUSES
from cli.report import charts
from cli.report.charts import Chart, Column, HeatMap, Tick, heat_maps, ring_means
from cli.report.statistics import comparison_rows, solved_kinds, title_of
from storage import batches
from storage.batches import Batch
from storage.queries.answers import select_answers
from storage.queries.stats import Distributions, MeanTime, Stats, stats_and_distributions
from storage.summaries.histogram import MAX_ERROR_PERCENT
from storage.view import AnswerRow
from worker.formats.svg import caption, draw_svg

#: puzzles in the table of the hardest, unless another number is wanted
HARDEST_PUZZLES = 20
#: grids from which the heat maps are made
MAX_BEST = 100
#: hard puzzles that are drawn
MAX_PICTURES = 6
#: characters of a label in the table of hard puzzles
LABEL_COLUMNS = 60
#: percentiles that the table of solving times lists
TABLE_PERCENTS = {*range(10, 100, 10), 95, 99, 99.5, 99.9, 100}
#: grids below which a heat map shows the clues of its puzzles rather than a pattern
MIN_MAP_GRIDS = 50
#: width of the strip of statuses, in SVG user units
STRIP_WIDTH = 400

#: a column's title, and whether the column holds numbers
Heads = list[tuple[str, bool]]
TableRows = list[list[Any]]


class Report(NamedTuple):
    """Everything about a batch that the page shows."""

    batch: Batch
    stats: Stats
    distributions: Distributions
    hardest: Sequence[AnswerRow]  #: those with a time: most nodes first, then most ms
    best: Sequence[AnswerRow]  #: those with a score, the highest first, in stored symbols


def read_report(
    connection: Connection, batch_id: int, *, exact: bool = False, hardest: int = HARDEST_PUZZLES
) -> Report:
    """Read the data of a batch, if `exact` with all answers; raise NoSuchBatch."""
    batch, order = batches.find(connection, batch_id), ["-nodes", "-ms"]
    hard = select_answers(connection, batch=batch_id, sort=order, first=hardest)
    in_files = FileSymbols(connection, batch).rows(hard)
    found, spread = stats_and_distributions(connection, batch_id, exact=exact)
    most = 0 if found.best_score is None else MAX_BEST
    best = select_answers(connection, batch=batch_id, sort=["-score"], first=most)
    return Report(
        batch,
        found,
        spread,
        [answer for answer in in_files if answer.ms is not None],
        [answer for answer in best if answer.score is not None],
    )


class Figure(NamedTuple):
    """A chart, its description for screen readers and its data as a table."""

    name: str
    title: str
    description: str
    chart: Chart
    heads: Heads
    rows: TableRows


def facts(report: Report) -> list[tuple[str, str, str]]:
    """Return the headline figures: name, value, remark."""
    stats, answered = report.stats, sum(report.stats.by_status.values())
    size = report.batch.puzzles
    found = [("answered", count(answered), "all" if answered == size else f"of {count(size)}")]
    if kinds := solved_kinds(stats):
        found.append(("solved", count(stats.by_status["solved"]), kinds))
    if stats.best_score is not None:
        remark = above_average(stats.best_score) if has_ring_scores(report) else ""
        found.append(("best score", str(stats.best_score), remark))
    if stats.timed:
        remark = (
            f"99 % within {milliseconds(stats.percentiles[99])}"
            if stats.timed >= 100
            else f"all within {milliseconds(stats.max_ms)}"
        )
        found.append(("median ms", milliseconds(stats.percentiles[50]), remark))
    if stats.max_nodes is not None:
        remark = f"{percent(stats.unguessed, stats.grids)} without a guess" if stats.grids else ""
        found.append(("median nodes", count(stats.nodes[50]), remark))
    if stats.wall_seconds and stats.puzzles_per_second:
        rate = f"{stats.puzzles_per_second:,.0f} puzzles/s"
        found.append(("elapsed", duration(stats.wall_seconds), rate))
    return found


def status_strip(stats: Stats) -> list[tuple[str, int, float, float]]:
    """Return each status, its puzzles, and the position and width of its part of the strip."""
    total = sum(stats.by_status.values())
    strip, x = [], 0.0
    for status in STATUSES:
        if number := stats.by_status.get(status, 0):
            width = STRIP_WIDTH * number / total
            strip.append((status, number, round(x, 2), round(width, 2)))
            x += width
    return strip


def percentile_figure(report: Report) -> Figure:
    """Return the curve of solving times by share of puzzles."""
    stats = report.stats
    named = [(f"p{percent}", float(percent), ms) for percent, ms in stats.percentiles.items()]
    named.append(("max", 100.0, stats.max_ms or 0.0))
    text = ", ".join(f"{share:g} percent within {milliseconds(ms)}" for _, share, ms in named)
    error = "" if stats.exact else f" (times ± {MAX_ERROR_PERCENT} %)"
    return Figure(
        "curve",
        f"Share solved within t ms{error}",
        f"A rising curve: {text} milliseconds.",
        charts.percentile_chart(report.distributions.curve, list(_labels(named))),
        [("percent", True), ("within ms", True)],
        [
            [f"{share:g}", milliseconds(ms)]
            for share, ms in report.distributions.curve
            if share in TABLE_PERCENTS
        ],
    )


def _labels(named: Sequence[tuple[str, float, float]]) -> Iterator[tuple[float, float, str]]:
    """Yield percent, ms and label; percentiles with the same text share the last one's label."""
    for ms, same in groupby(named, lambda one: milliseconds(one[2])):
        names, shares, times = zip(*same, strict=True)
        yield shares[-1], times[-1], f"{', '.join(names)} {ms}"


def histogram_figure(stats: Stats) -> Figure:
    """Return the histogram of solving times; each bin starts at twice the previous one."""
    rows = [
        [milliseconds(one.least_ms), milliseconds(2 * one.least_ms), count(one.puzzles)]
        for one in stats.histogram
    ]
    columns = [
        Column(bucket.puzzles, f"{count(bucket.puzzles, 'puzzle')} from {least} to {most} ms")
        for bucket, (least, most, _) in zip(stats.histogram, rows, strict=True)
    ]
    return Figure(
        "histogram",
        "Puzzles by solving time in ms, logarithmic bins",
        f"{count(len(columns), 'column')}. The highest: {max(columns).tip}.",
        charts.bar_chart(columns, charts.doubling_ticks(stats.histogram[0].least_ms, len(columns))),
        [("from ms", True), ("to ms", True), ("puzzles", True)],
        rows,
    )


def has_ring_scores(report: Report) -> bool:
    """Return whether all scores use the default weights, so that the average applies."""
    ringed = [has_rings(answer, report.batch.options) for answer in report.best]
    return bool(ringed) and all(ringed)


def score_figure(report: Report) -> Figure:
    """Return the chart of best scores, with the average marked."""
    scores = report.distributions.scores
    width, bins = charts.bin_counts(scores, AVERAGE_SCORE)
    names = [f"{least}" if width == 1 else f"{least}–{least + width - 1}" for least, _ in bins]
    columns = [
        Column(puzzles, f"{count(puzzles, 'puzzle')} with {name}")
        for (_, puzzles), name in zip(bins, names, strict=True)
    ]
    first = bins[0][0]
    marker = Tick((AVERAGE_SCORE + 0.5 - first) / width, str(AVERAGE_SCORE))
    above = sum(puzzles for score, puzzles in scores if score > AVERAGE_SCORE)
    return Figure(
        "scores",
        "Puzzles by best score",
        f"{count(above, 'puzzle')} above {AVERAGE_SCORE}. The highest: {max(columns).tip}.",
        charts.bar_chart(columns, charts.value_ticks(first, width, len(bins)), marker),
        [("score", True), ("puzzles", True)],
        [[name, count(puzzles)] for name, (_, puzzles) in zip(names, bins, strict=True) if puzzles],
    )


class GroupTable(NamedTuple):
    """Puzzles grouped by a property, with bars of their number and mean time."""

    title: str
    head: str
    rows: list[tuple[MeanTime, float, float]]  #: the bars' lengths, 0 to 100


def group_tables(found: Distributions) -> list[GroupTable]:
    """Return a table by clues, by size if there are several, and by worker."""
    groups = (
        ("By clues", "clues", found.clues),
        ("By size", "size", found.sizes if len(found.sizes) > 1 else []),
        ("By worker", "worker", found.workers),
    )
    return [_group_table(title, head, some) for title, head, some in groups if some]


def _group_table(title: str, head: str, groups: Sequence[MeanTime]) -> GroupTable:
    most = max(group.puzzles for group in groups)
    longest = max(group.mean_ms for group in groups) or 1.0
    rows = [
        (group, round(100 * group.puzzles / most, 2), round(100 * group.mean_ms / longest, 2))
        for group in groups
    ]
    return GroupTable(title, head, rows)


def pictures(report: Report) -> list[tuple[AnswerRow, str, str]]:
    """Return the hardest grids: the answer, its SVG and its caption."""
    grids = [one for one in report.hardest if one.kind not in {"cover", "invalid"} and one.size]
    found = []
    for answer in grids[:MAX_PICTURES]:
        text = caption(answer)
        rings = has_rings(answer, report.batch.options)
        found.append((answer, draw_svg(answer, text, rings=rings, show_caption=False), text))
    return found


class Table(NamedTuple):
    """A table of text cells."""

    heads: Heads
    rows: TableRows


def hardest_table(answers: Sequence[AnswerRow]) -> Table:
    """Return the hardest puzzles, without columns that are empty."""
    heads = ("puzzle", "label", "clues", "status", "score", "nodes", "ms")
    rows = [
        (
            str(one.id),
            shorten(one.label or "", LABEL_COLUMNS),
            "" if one.clues is None else str(one.clues),
            one.status,
            "" if one.score is None else str(one.score),
            "" if one.nodes is None else count(one.nodes),
            milliseconds(one.ms),
        )
        for one in answers
    ]
    kept = [index for index in range(len(heads)) if any(row[index] for row in rows)]
    return Table(
        [(heads[index], heads[index] not in {"label", "status"}) for index in kept],
        [[row[index] for index in kept] for row in rows],
    )


def comparison_table(one: Stats, other: Stats) -> Table:
    """Return the statistics of two batches side by side."""
    heads = [("", False), *((title_of(stats), True) for stats in (one, other)), ("ratio", True)]
    return Table(heads, [list(row) for row in comparison_rows(one, other)])


class BestGrids(NamedTuple):
    """The heat maps of the grids with the highest scores, and the words above them."""

    words: list[str]  #: sentences
    maps: list[HeatMap]


def best_grid_maps(report: Report) -> BestGrids | None:
    """Return the heat maps of the best grids; None without grids under the default weights."""
    ringed = (one for one in report.best if has_rings(one, report.batch.options))
    grids = [one.solution for one in ringed if one.solution]
    if not grids:
        return None
    means = ", ".join(f"{mean:.1f}" for mean in ring_means(grids))
    number = len(grids)
    words = [
        f"The {number} grids with the highest scores, one per puzzle." if number > 1 else "",
        f"Mean digit of each ring, from the centre (weight 10) to the border (weight 6): {means}.",
        "So few grids differ mostly by their clues." if number < MIN_MAP_GRIDS else "",
        "The stronger the colour of a cell, the higher its value.",
    ]
    return BestGrids([sentence for sentence in words if sentence], heat_maps(grids))
