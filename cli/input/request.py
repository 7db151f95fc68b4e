"""The files and options that `solve`, `submit` and `estimate` have in common."""

import functools
import math
import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from glob import escape, glob, has_magic
from itertools import chain
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from cli.options import flag, switch
from cli.parameters import SIZE, InputFile, Integer, Timeout, batch_name, solution_limit
from storage.values import MAX_INTEGER
from worker.formats.errors import FormatError, naming, quoted
from worker.formats.files.address import is_address
from worker.formats.layout import FORMATS
from worker.formats.names import NO_ROLES, Roles
from worker.options import MAX_KEPT, MAX_SEED, OPTIONS, Options, conflict, with_limit
from worker.sudoku.symbols import SIDES

#: bytes of all inputs together: 100,000 easy sudokus, which one process solves in a second
SMALL_BYTES = 1 << 23

#: greatest size of a file of weights in bytes
MAX_WEIGHTS_BYTES = 64 * 1024


@dataclass(frozen=True)
class Request:
    """Which puzzles to read, how to read them and how to solve them."""

    files: tuple[str, ...]
    format: str | None  #: of `--from`; None detects it
    dry_run: bool
    skip_bad: bool
    reuse: bool
    name: str | None
    options: Options
    expect: str | None = None  #: `unique`, with `--expect`
    verify: bool = False
    roles: Roles = NO_ROLES

    @property
    def is_small(self) -> bool:
        """Whether the files are solved before a worker would be ready; `-` and pipes are not."""
        return sum(map(_size, self.files)) <= SMALL_BYTES


def _size(file: str) -> float:
    """Return the bytes of an input; more than any number if that is not known."""
    if file == "-" or is_address(file):
        return math.inf
    try:
        status = Path(file).stat()
    except OSError:  # a puzzle as one line
        return len(file)
    return status.st_size if stat.S_ISREG(status.st_mode) else math.inf


def files_of(named: str) -> list[str]:
    """Return the files in a folder, or those that match a pattern, sorted; else what was named."""
    pattern = named
    if os.path.isdir(named):  # noqa: PTH112 # false for any text, as a puzzle
        pattern = str(Path(escape(named), "*"))
    elif not has_magic(named) or len(named) in SIDES or os.path.exists(named):  # noqa: PTH110
        return [named]
    found = glob(pattern, recursive=True)  # noqa: PTH207 # Path does not take absolute patterns
    return sorted(filter(os.path.isfile, found)) or [named]


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

files_argument = click.argument(
    "files", nargs=-1, required=True, type=InputFile(), metavar="FILE..."
)
from_option = click.option(
    "--from",
    "input_format",
    metavar="FORMAT",
    type=click.Choice(tuple(FORMATS)),
    help="Read the files as lines, rows, letters, hex, spaced, matrix, dlx, jsonl, json "
    "or opensudoku, as judge problems: domination, windows, radar, airports, rectangles or "
    "sparse, or as published covers: scp, rail, spp, pace, ec or mps.  [default: detected from "
    "the content]",
)
#: the files, and which solutions are wanted
_SEARCHED: tuple[Decorator, ...] = (
    files_argument,
    click.option(
        "--limit",
        callback=solution_limit,
        metavar="N|all",
        default="2",
        show_default=True,
        help="Stop after N solutions; 2 tells unique from multiple.",
    ),
    switch(
        "--target",
        help="Find the solution with the highest score, or the cover with the lowest cost.",
    ),
    click.option(
        "--weights",
        type=InputFile(),
        metavar="FILE",
        help="With --target: a weight for each cell.  "
        "[default for 9x9: 6 at the border to 10 in the centre]",
    ),
    switch("--every", help="With --target: visit every solution, so that they are counted."),
    click.option(
        "--keep",
        type=Integer(1, MAX_KEPT),
        metavar="K",
        default=1,
        show_default=True,
        help="Store up to K solutions per puzzle; with --target the K best.",
    ),
)
#: further options of the search
_SOLVED: tuple[Decorator, ...] = (
    switch(
        "--set-cover",
        help="Cover items once or more, not exactly once, with the fewest or cheapest options.",
    ),
    click.option(
        "--at-most",
        type=Integer(0, MAX_INTEGER),
        metavar="K",
        help="With --set-cover: find any cover of K options, or of cost K, or less.",
    ),
    switch("--count", help="Count all solutions without visiting each, and store one of them."),
    click.option(
        "--sample",
        type=Integer(1, MAX_KEPT),
        metavar="N",
        help="With --count: store N solutions drawn at random, each from all of them.",
    ),
    click.option(
        "--seed",
        type=Integer(0, MAX_SEED),
        metavar="N",
        help="With --sample: another seed draws other solutions.  [default: 0]",
    ),
    switch(
        "--per-option",
        help="With --count: also count the solutions that have each option, or each symbol "
        "in each cell.",
    ),
    click.option(
        "--memory",
        type=SIZE,
        metavar="SIZE",
        help="Memory per process for a table of counts or of the cheapest covers, such as 500M or "
        "2G.  [default: a quarter of the machine's, divided by its cores]",
    ),
    click.option(
        "--timeout",
        type=Timeout(),
        metavar="S",
        default="30",
        show_default=True,
        help="Time limit per puzzle, in seconds; what was found by then is stored.",
    ),
)
#: how to read the files
_READING: tuple[Decorator, ...] = (
    from_option,
    click.option("--puzzle-column", metavar="NAME", help="The column of the puzzles in a table."),
    click.option("--solution-column", metavar="NAME", help="The column of known solutions."),
    click.option("--label-column", metavar="NAME", help="The column that names the puzzles."),
    switch("-n", "--dry-run", help="Show how the files would be read; store nothing."),
    switch("--skip-bad", help="Store lines that are not puzzles as `invalid` and continue."),
)
#: what to store
_STORED: tuple[Decorator, ...] = (
    switch(
        "--reuse",
        help="Copy answers that this database already has for the same puzzle and options.",
    ),
    switch("--classes", help="Also store the canonical form of each sudoku, and its class."),
    switch("--facts", help="Also store redundant clues, what singles fill, and depth of trials."),
    click.option(
        "--name",
        callback=batch_name,
        metavar="TEXT",
        help="Name of the batch, which other commands take in place of its number.",
    ),
)


def input_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add FILE... and the reading and solving options; the command gets them as `request`."""
    return _with_request(function, (*_SEARCHED, *_SOLVED, *_READING, *_STORED))


def puzzle_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add FILE... and the options that do not need a database; the command gets a `request`."""
    return _with_request(function, (*_SEARCHED, *_READING))


def _with_request(
    function: Callable[..., Any], decorators: Sequence[Decorator]
) -> Callable[..., Any]:
    @functools.wraps(function)
    def with_request(**values: Any) -> Any:
        request = _take_request(values)
        return function(request=request, **values)

    decorated: Callable[..., Any] = with_request
    for decorate in reversed(decorators):
        decorated = decorate(decorated)
    return decorated


def _take_request(values: dict[str, Any]) -> Request:
    """Remove the values of the options above from `values` and return them as a request."""
    given = _given(values)
    if why := conflict(given, flag):
        raise click.UsageError(f"{why}.")
    chosen = {name: values.pop(name) for name in OPTIONS if name in values}
    request = Request(
        files=tuple(chain.from_iterable(map(files_of, values.pop("files")))),
        format=values.pop("input_format"),
        dry_run=values.pop("dry_run"),
        skip_bad=values.pop("skip_bad"),
        reuse=values.pop("reuse", False),
        name=values.pop("name", None),
        options=_options(chosen, given),
        expect=values.pop("expect", None),
        verify=values.pop("verify", False),
        roles=Roles(*(values.pop(f"{role}_column") for role in Roles._fields)),
    )
    if request.expect:
        _check_expectation(request.options)
    return request


def _given(values: dict[str, Any]) -> set[str]:
    """Return the solver options on the command line, apart from values that exclude nothing."""
    source = click.get_current_context().get_parameter_source
    given = {name for name in OPTIONS if source(name) is ParameterSource.COMMANDLINE}
    if values["keep"] == 1:
        given.discard("keep")
    if values["limit"] is None and values.get("count"):
        given.discard("limit")
    return given


def _options(values: dict[str, Any], given: set[str]) -> Options:
    """Return the options of a search; where `--limit` is not given, others determine it."""
    file, limit = values.pop("weights"), values.pop("limit")
    weights = None if file is None else read_weights(file)
    known = {name: value for name, value in values.items() if value is not None}
    return with_limit(Options(limit=limit, weights=weights, **known), given)


def read_weights(path: str) -> tuple[int, ...]:
    """Return the integers of a file, one for each cell of a grid, row by row; raise FormatError."""
    with naming(path):
        try:
            with Path(path).open("rb") as stream:
                data = stream.read(MAX_WEIGHTS_BYTES + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise FormatError(f"the weights cannot be read ({reason})") from error
        if len(data) > MAX_WEIGHTS_BYTES:
            raise FormatError(f"more than {MAX_WEIGHTS_BYTES:,} bytes, too long for weights")
        words = data.decode("utf-8-sig", "replace").replace(",", " ").split()
        if len(words) not in SIDES:
            sizes = ", ".join(f"{cells} ({side}x{side})" for cells, side in SIDES.items())
            raise FormatError(f"{len(words)} weights, expected one for each cell: {sizes}")
        return tuple(map(_weight, words))


def _weight(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise FormatError(f"the weight {quoted(word)} is not a whole number") from None


def _check_expectation(options: Options) -> None:
    """Raise UsageError if the solving options cannot show that a solution is unique."""
    if options.target or (options.set_cover and options.at_most is None):
        best = "--target" if options.target else "--set-cover"
        raise click.UsageError(
            f"--expect unique cannot be combined with {best}, which does not count solutions."
        )
    if options.limit == 1:
        raise click.UsageError(
            "--expect unique needs --limit 2 or more, to search for a second solution."
        )
