"""Checks which options of `solve`, `submit` and `estimate` can be combined."""

from dataclasses import replace

import click
from click.core import ParameterSource

from cli.options import Flag
from worker.options import Options


def check_target(options: Options, weights_file: str | None) -> None:
    """Raise UsageError if an option does not suit `--target`, or needs it."""
    if options.target and _is_given("limit"):
        raise click.UsageError(
            f"{Flag.LIMIT} cannot be combined with {Flag.TARGET}, "
            "which has to consider every solution."
        )
    if weights_file and not options.target:
        raise click.UsageError(f"{Flag.WEIGHTS} needs {Flag.TARGET}.")
    if options.every and not options.target:
        raise click.UsageError(f"{Flag.EVERY} needs {Flag.TARGET}.")


def check_count(options: Options, limit: int | None, seed: int | None) -> None:
    """Raise UsageError if an option does not suit `--count`, or needs it."""
    for flag, value in ((Flag.SAMPLE, options.sample), (Flag.MEMORY, options.memory)):
        if value and not options.count:
            raise click.UsageError(f"{flag} needs {Flag.COUNT}.")
    if seed is not None and not options.sample:
        raise click.UsageError(f"{Flag.SEED} needs {Flag.SAMPLE}.")
    if not options.count:
        return
    if options.target:
        raise click.UsageError(f"{Flag.COUNT} cannot be combined with {Flag.TARGET}.")
    if limit is not None and _is_given("limit"):
        raise click.UsageError(f"{Flag.COUNT} counts all solutions; leave out {Flag.LIMIT}.")
    if options.keep > 1:
        raise click.UsageError(
            f"{Flag.COUNT} stores one solution; use {Flag.LIMIT} all to keep more."
        )


def checked_cover(options: Options) -> Options:
    """Check the options for set covers; with `--at-most` a search stops at the first cover."""
    limited = _is_given("limit")
    if options.at_most is not None and not options.set_cover:
        raise click.UsageError(f"{Flag.AT_MOST} needs {Flag.SET_COVER}.")
    if options.set_cover and options.target:
        raise click.UsageError(
            f"{Flag.SET_COVER} cannot be combined with {Flag.TARGET}; it finds the lowest cost."
        )
    if options.set_cover and options.count:
        raise click.UsageError(
            f"{Flag.SET_COVER} cannot be combined with {Flag.COUNT}; "
            f"{Flag.AT_MOST} K {Flag.LIMIT} all counts its covers."
        )
    if not options.set_cover or (limited and options.at_most is not None):
        return options
    if limited:
        raise click.UsageError(
            f"{Flag.LIMIT} with {Flag.SET_COVER} needs {Flag.AT_MOST}; "
            "to find the best cover, every cover has to be considered."
        )
    return options if options.at_most is None else replace(options, limit=1)


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


def _is_given(name: str) -> bool:
    """Return whether an option is on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE
