"""`bullseye stats --html`: one self-contained HTML page about a batch."""

import base64
import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlalchemy import Connection

from cli.formatting import count, milliseconds
from cli.main import version
from cli.output.destination import open_output
from cli.report import sections
from cli.report.sections import Report, read_report
from storage.queries.stats import Stats

#: the folder of the templates, the style and the script
TEMPLATES = Path(__file__).parent / "html"


def write_page(
    connection: Connection,
    batch: int,
    file: str,
    *,
    exact: bool,
    hardest: int | None,
    against: Stats | None,
) -> None:
    """Write the page about a batch to a file; raise NoSuchBatch or OutputError.

    It lists as many of the `hardest` puzzles, and compares the batch with another one if given.
    """
    number = hardest or sections.HARDEST_PUZZLES
    report = read_report(connection, batch, exact=exact, hardest=number)
    with open_output(file) as out:
        out.write(_render_page(report, against))


def _render_page(report: Report, against: Stats | None) -> str:
    """Return the page; text from users is escaped."""
    comparison = against and sections.comparison_table(report.stats, against)
    return render("page.html", **of_batch(report), comparison=comparison)


def render(template: str, **values: Any) -> str:
    """Return a page with the style and the script that all pages share.

    Without `forms`, its content security policy allows none.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"count": count, "ms": milliseconds}
    style, script = _read_part("style.css"), _read_part("script.js")
    common: dict[str, Any] = {
        "version": version(),
        "now": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "style": style,
        "script": script,
        "hashes": {"style": _content_hash(style), "script": _content_hash(script)},
        "forms": "none",
    }
    return environment.get_template(template).render(**{**common, **values})


def of_batch(report: Report) -> dict[str, Any]:
    """Return the values of the sections about a batch."""
    stats = report.stats
    return {
        "batch": report.batch,
        "facts": sections.facts(report),
        "statuses": sections.status_strip(stats),
        "times": [sections.percentile_figure(report), sections.histogram_figure(stats)]
        if stats.timed
        else [],
        "scores": sections.score_figure(report) if sections.has_ring_scores(report) else None,
        "groups": sections.group_tables(report.distributions),
        "pictures": sections.pictures(report),
        "hardest": sections.hardest_table(report.hardest),
        "best": sections.best_grid_maps(report),
    }


def _read_part(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8").strip()


def _content_hash(text: str) -> str:
    """Return the hash by which the page's content security policy allows this text only."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
