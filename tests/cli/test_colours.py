"""Colours: readable on light and dark backgrounds; `NO_COLOR` and `FORCE_COLOR` are honoured."""

import sys
from pathlib import Path

import pytest
from rich.color import Color, ColorSystem

from cli.drawing import RING_CLUE_COLOUR, RING_FOUND_COLOUR
from cli.streams import Colour, coloured, has_colour
from worker.formats.svg import RING_COLOURS

WHITE, BLACK = "#ffffff", "#000000"


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2."""
    parts = (value / 255 for value in Color.parse(colour).get_truecolor())
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2.2, from 1 to 21."""
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("colour", Colour)
@pytest.mark.parametrize("background", [WHITE, BLACK])
def test_every_colour_is_readable_on_white_and_on_black(colour: Colour, background: str) -> None:
    assert contrast(f"color({int(colour)})", background) >= 3.8


@pytest.mark.parametrize("ring", RING_COLOURS.values())
@pytest.mark.parametrize("text", [RING_CLUE_COLOUR, RING_FOUND_COLOUR])
def test_symbols_are_readable_on_every_ring(ring: str, text: str) -> None:
    nearest = Color.parse(ring).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex
    assert contrast(text, ring) >= 4.5
    assert contrast(text, nearest) >= 4.5


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_a_pipe_has_colours_only_if_they_are_forced(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert has_colour(sys.stdout) is expected


def test_a_file_never_has_colours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with (tmp_path / "out.txt").open("w") as file:
        assert not has_colour(file)


def test_text_without_a_colour_is_unchanged() -> None:
    assert coloured("none", None) == "none"
    assert coloured("failed", Colour.RED) == "\x1b[38;5;160mfailed\x1b[0m"
