"""Numbers on the command line; what is none is called so in plain words."""

import click

#: the greatest that a database counts to
MOST = 2**63 - 1


class Whole(click.IntRange):
    """A whole number, from `min` to `max` where they are given."""

    name = "whole number"


class Real(click.types.FloatParamType):
    """Any number."""

    name = "number"
