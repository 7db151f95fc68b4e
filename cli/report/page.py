"""What `bullseye stats --html` writes: one page about a batch that needs nothing but itself."""

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from cli.drawing.grid import AVERAGE
from cli.drawing.puzzle import caption, has_rings
from cli.drawing.svg import svg
from cli.formatting import count, duration, milliseconds, shorten
from cli.output.row import AnswerRow
from cli.progress.summary import BAD
from cli.report import charts
from cli.report import heat_map as heat
from cli.report.charts import Chart, Column, Tick
from storage.batches import Batch
from storage.queries.distributions import Distributions, Group
from storage.queries.stats import Stats

#: where the page's template, style and script are
PARTS = Path(__file__).parent / "html"
#: puzzles that are drawn, and letters of a label
DRAWN, LABEL = 6, 60
#: percent of the puzzles whose times stand in the table
TOLD = {*range(10, 100, 10), 95, 99, 99.5, 99.9, 100}

Lines = list[list[Any]]


class Found(NamedTuple):
    """All that the page tells of."""

    batch: Batch
    stats: Stats
    survey: Distributions
    slowest: Sequence[AnswerRow]  #: those with a time, the slowest first
    best: Sequence[AnswerRow]  #: those with a score, the highest first


class Figure(NamedTuple):
    """A chart with its words and its figures."""

    name: str
    title: str
    words: str
    chart: Chart
    heads: list[tuple[str, bool]]
    lines: Lines


def page(found: Found, version: str, now: str) -> str:
    """The page as HTML; everything that users wrote is escaped."""
    environment = Environment(
        loader=FileSystemLoader(PARTS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"count": count, "ms": milliseconds, "duration": duration}
    style, script = (_part(name) for name in ("style.css", "script.js"))
    return environment.get_template("page.html").render(
        batch=found.batch,
        stats=found.stats,
        version=version,
        now=now,
        style=style,
        script=script,
        allowed={"style": _digest(style), "script": _digest(script)},
        facts=_facts(found),
        statuses=_statuses(found.stats),
        times=_times(found) if found.stats.timed else [],
        scores=_scores(found) if _ring_scores(found) else None,
        groups=_groups(found.survey),
        drawn=_drawn(found),
        slowest=_slowest(found.slowest),
        maps=_maps(found),
        best=len(_grids(found)),
    )


def _part(name: str) -> str:
    return (PARTS / name).read_text(encoding="utf-8").strip()


def _digest(text: str) -> str:
    """By which the page tells the browser that this style or script is ours, and no other."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _facts(found: Found) -> list[tuple[str, str, str]]:
    """What is written large: a figure, what it is, and a word about it."""
    stats, answered = found.stats, sum(found.stats.by_status.values())
    of = "all of them" if answered == found.batch.puzzles else f"of {count(found.batch.puzzles)}"
    facts = [("answered", count(answered), of)]
    if stats.best_score is not None:
        above = f"{stats.best_score - AVERAGE:+} against {AVERAGE}" if _ring_scores(found) else ""
        facts.append(("best score", str(stats.best_score), above))
    if stats.timed:
        half, most = milliseconds(stats.percentiles[50]), milliseconds(stats.percentiles[99])
        facts.append(("ms for half of them", half, f"99 % within {most}"))
    if stats.wall_seconds:
        speed = f"{answered / stats.wall_seconds:,.0f} puzzles/s"
        facts.append(("on the wall clock", duration(stats.wall_seconds), speed))
    return facts


def _statuses(stats: Stats) -> list[tuple[str, int, float, float]]:
    """Each status, its puzzles, and where its part of the strip begins and how wide it is."""
    total = sum(stats.by_status.values())
    strip, begin = [], 0.0
    for status in ("solved", "none", *BAD):
        if number := stats.by_status.get(status, 0):
            wide = 400 * number / total
            strip.append((status, number, round(begin, 2), round(wide, 2)))
            begin += wide
    return strip


def _times(found: Found) -> list[Figure]:
    return [_percentiles(found), _histogram(found.stats)]


def _percentiles(found: Found) -> Figure:
    stats = found.stats
    named = [*((f"p{share}", share, ms) for share, ms in stats.percentiles.items())]
    named.append(("max", 100, stats.max_ms or 0.0))
    points = [(float(share), ms, f"{name} {milliseconds(ms)}") for name, share, ms in named]
    told = ", ".join(f"{share} percent within {milliseconds(ms)}" for _, share, ms in named)
    return Figure(
        "curve",
        "Milliseconds within which so many percent were solved",
        f"A rising line: {told} milliseconds.",
        charts.curve(found.survey.curve, points),
        [("percent", True), ("within ms", True)],
        [[f"{share:g}", milliseconds(ms)] for share, ms in found.survey.curve if share in TOLD],
    )


def _histogram(stats: Stats) -> Figure:
    shown = [
        Column(
            bucket.puzzles,
            milliseconds(bucket.least_ms),
            f"{count(bucket.puzzles, 'puzzle')} from {milliseconds(bucket.least_ms)} to "
            f"{milliseconds(2 * bucket.least_ms)} ms",
        )
        for bucket in stats.histogram
    ]
    return Figure(
        "histogram",
        "Puzzles by their time; each column begins at twice the ms of the one before",
        f"{count(len(shown), 'column')}. Most: {max(shown).tip}.",
        charts.columns(shown),
        [("from ms", True), ("to ms", True), ("puzzles", True)],
        [
            [milliseconds(least), milliseconds(2 * least), count(puzzles)]
            for least, puzzles in stats.histogram
        ],
    )


def _ring_scores(found: Found) -> bool:
    """Whether scores are those of the rings, so that the average means something."""
    ringed = [has_rings(answer, found.batch.options) for answer in found.best]
    return bool(ringed) and all(ringed)


def _scores(found: Found) -> Figure:
    width, bins = charts.binned(found.survey.scores, AVERAGE)
    names = [f"{least}" if width == 1 else f"{least}–{least + width - 1}" for least, _ in bins]
    shown = [
        Column(puzzles, str(least), f"{count(puzzles, 'puzzle')} with {name}")
        for (least, puzzles), name in zip(bins, names, strict=True)
    ]
    marker = Tick((AVERAGE - bins[0][0] + 0.5) / width, str(AVERAGE))
    above = sum(puzzles for score, puzzles in found.survey.scores if score > AVERAGE)
    return Figure(
        "scores",
        "Puzzles by the score of their best grid",
        f"{count(above, 'puzzle')} above {AVERAGE}. Most: {max(shown).tip}.",
        charts.columns(shown, marker),
        [("score", True), ("puzzles", True)],
        [[name, count(puzzles)] for name, (_, puzzles) in zip(names, bins, strict=True) if puzzles],
    )


class Grouped(NamedTuple):
    """Puzzles by what they have in common: a table with bars in it."""

    title: str
    head: str
    lines: list[tuple[Group, float, float]]  #: bars of the puzzles and of the mean time, to 100


def _groups(survey: Distributions) -> list[Grouped]:
    named = (
        ("By clues", "clues", survey.clues),
        ("By size", "size", survey.sizes if len(survey.sizes) > 1 else []),
        ("By worker", "worker", survey.workers),
    )
    return [_grouped(title, head, groups) for title, head, groups in named if groups]


def _grouped(title: str, head: str, groups: Sequence[Group]) -> Grouped:
    most = max(group.puzzles for group in groups)
    longest = max(group.mean_ms for group in groups) or 1.0
    lines = [
        (group, round(100 * group.puzzles / most, 2), round(100 * group.mean_ms / longest, 2))
        for group in groups
    ]
    return Grouped(title, head, lines)


def _drawn(found: Found) -> list[tuple[AnswerRow, str, str]]:
    """The slowest that are grids: the answer, its picture, and words for it."""
    grids = [one for one in found.slowest if one.kind not in {"cover", "invalid"} and one.size]
    return [
        (one, svg(one, words, rings=has_rings(one, found.batch.options), written=False), words)
        for one, words in ((one, caption(one)) for one in grids[:DRAWN])
    ]


class Listed(NamedTuple):
    """A table."""

    heads: list[tuple[str, bool]]
    lines: Lines


def _slowest(answers: Sequence[AnswerRow]) -> Listed:
    """Without the columns in which nothing stands."""
    heads = ("puzzle", "label", "clues", "status", "score", "ms", "nodes")
    lines = [
        (
            str(one.id),
            shorten(one.label or "", LABEL),
            "" if one.clues is None else str(one.clues),
            one.status,
            "" if one.score is None else str(one.score),
            milliseconds(one.ms),
            "" if one.nodes is None else count(one.nodes),
        )
        for one in answers
    ]
    kept = [index for index in range(len(heads)) if any(line[index] for line in lines)]
    return Listed(
        [(heads[index], heads[index] not in {"label", "status"}) for index in kept],
        [[line[index] for index in kept] for line in lines],
    )


def _grids(found: Found) -> list[str]:
    ringed = (one for one in found.best if has_rings(one, found.batch.options))
    return [one.solution for one in ringed if one.solution]


def _maps(found: Found) -> list[heat.Map]:
    grids = _grids(found)
    return heat.maps(grids) if grids else []
