"""Which options of a search can be combined, on the command line and in Python.

A sentence names options by placeholders, which a `Spelling` fills: `--limit` or `limit`.
"""

from collections.abc import Callable, Set
from dataclasses import fields
from typing import NamedTuple

import click

from cli.options import Flag
from worker.options import Options

#: how the user writes the name of an option
Spelling = Callable[[str], str]


class Exclusion(NamedTuple):
    """Two options that exclude each other, and what to tell the user."""

    option: str
    other: str
    sentence: str
    unless: str | None = None  #: an option with which they can be combined


#: all options of a search
OPTIONS = tuple(field.name for field in fields(Options))
#: options, and the one without which they have no effect
NEEDS = {
    "weights": "target",
    "every": "target",
    "at_most": "set_cover",
    "sample": "count",
    "per_option": "count",
    "seed": "sample",
}
#: of several that apply, the first is reported
EXCLUSIONS = (
    Exclusion("sample", "target", "{sample} cannot be combined with {target}"),
    Exclusion("sample", "set_cover", "{sample} cannot be combined with {set_cover}"),
    Exclusion("sample", "keep", "{sample} says how many solutions to store; leave out {keep}"),
    Exclusion("per_option", "target", "{per_option} cannot be combined with {target}"),
    Exclusion("per_option", "set_cover", "{per_option} cannot be combined with {set_cover}"),
    Exclusion("count", "target", "{count} cannot be combined with {target}"),
    Exclusion("count", "limit", "{count} counts all solutions; leave out {limit}"),
    Exclusion("count", "keep", "{count} stores one solution; use {limit} all to keep more"),
    Exclusion(
        "count",
        "set_cover",
        "{set_cover} cannot be combined with {count}; {at_most} K {limit} all counts its covers",
    ),
    Exclusion(
        "target",
        "set_cover",
        "{set_cover} cannot be combined with {target}; it finds the lowest cost",
    ),
    Exclusion(
        "target",
        "limit",
        "{limit} cannot be combined with {target}, which has to consider every solution",
    ),
    Exclusion(
        "set_cover",
        "limit",
        "{limit} with {set_cover} needs {at_most}; "
        "to find the best cover, every cover has to be considered",
        unless="at_most",
    ),
)


def flag(option: str) -> str:
    """Return an option as it is written on the command line.

    >>> flag("set_cover")
    '--set-cover'
    """
    return Flag[option.upper()]


def conflict(given: Set[str], spelling: Spelling) -> str | None:
    """Return why these options cannot be given together, without a full stop; None if they can.

    >>> conflict({"target", "limit"}, flag)
    '--limit cannot be combined with --target, which has to consider every solution'
    """
    for option, needed in NEEDS.items():
        if option in given and needed not in given:
            return f"{spelling(option)} needs {spelling(needed)}"
    for one in EXCLUSIONS:
        if {one.option, one.other} <= given and one.unless not in given:
            return one.sentence.format_map({name: spelling(name) for name in OPTIONS})
    return None


def check_expectation(expect: str | None, options: Options) -> None:
    """Raise UsageError if the solving options cannot show that a solution is unique."""
    best = Flag.TARGET if options.target else Flag.SET_COVER
    if expect and (options.target or (options.set_cover and options.at_most is None)):
        raise click.UsageError(
            f"{Flag.EXPECT} unique cannot be combined with {best}, which does not count solutions."
        )
    if expect and options.limit == 1:
        raise click.UsageError(
            f"{Flag.EXPECT} unique needs {Flag.LIMIT} 2 or more, to search for a second solution."
        )
