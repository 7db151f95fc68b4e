"""`bullseye stats --html`: one self-contained HTML page about a batch."""

import base64
import hashlib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from cli.formatting import count, milliseconds
from cli.report import sections
from cli.report.sections import Report

#: the folder of the templates, the style and the script
TEMPLATES = Path(__file__).parent / "html"


def render_page(report: Report, version: str, now: str) -> str:
    """Return the page; text from users is escaped.  `now` is the time shown in the footer."""
    style, script = _read_part("style.css"), _read_part("script.js")
    stats = report.stats
    return (
        _environment()
        .get_template("page.html")
        .render(
            batch=report.batch,
            version=version,
            now=now,
            style=style,
            script=script,
            hashes={"style": _content_hash(style), "script": _content_hash(script)},
            facts=sections.facts(report),
            statuses=sections.status_strip(stats),
            times=[sections.percentile_figure(report), sections.histogram_figure(stats)]
            if stats.timed
            else [],
            scores=sections.score_figure(report) if sections.has_ring_scores(report) else None,
            groups=sections.group_tables(report.distributions),
            pictures=sections.pictures(report),
            hardest=sections.hardest_table(report.hardest),
            best=sections.best_grid_maps(report),
        )
    )


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"count": count, "ms": milliseconds}
    return environment


def _read_part(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8").strip()


def _content_hash(text: str) -> str:
    """Return the hash by which the page's content security policy allows this text only."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
