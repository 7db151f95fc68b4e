"""What a file can say about its grids that makes them no ordinary sudokus: a table of names.

A key says so (`"cages": [...]`), a header (`Type=Sudoku X`), a section (`[Regions]`), a title above
a grid (`Killer Sudoku 3`), or a map of regions beside it.  Such a grid is refused: solved as an
ordinary sudoku, it would get a wrong answer.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from worker.formats.errors import FormatError, quoted
from worker.sudoku.symbols import SIDES

#: kinds of puzzles with further rules: what each is; the words that name it, in headers and titles
#: and as keys; and further keys of the data that it needs.  Words are in letters only, without
#: `sudoku` and a plural's `s`; two words that name it are written as one.
VARIANTS = (
    ("a killer sudoku", "killer killercage sumcage", "cage killersum killerclue"),
    ("a jigsaw sudoku", "jigsaw nonomino squiggly irregular regionmap", "region"),
    ("a Sudoku X", "sudokux xsudoku diagonal", "maindiagonal antidiagonal"),
    ("a windoku", "windoku hypersudoku", "hyper window extraregion"),
    ("a thermo sudoku", "thermo thermometer", "slowthermometer"),
    ("an arrow sudoku", "arrow", ""),
    ("a sandwich sudoku", "sandwich sandwichsum", ""),
    ("a skyscraper sudoku", "skyscraper", ""),
    ("a little killer", "littlekiller", "littlekillersum"),
    ("a kropki sudoku", "kropki", "whitedot blackdot"),
    ("an XV sudoku", "xvsudoku sudokuxv", "xv"),
    ("a palindrome sudoku", "palindrome", ""),
    ("a renban sudoku", "renban", ""),
    ("a sudoku with whispers", "whisper germanwhisper dutchwhisper", ""),
    ("a sudoku with lines", "betweenline regionsumline lockout zipper entropic nabner", ""),
    ("an even-odd sudoku", "evenodd oddeven", "even odd"),
    ("an anti-chess sudoku", "antiknight antiking antiqueen antichess", ""),
    ("a nonconsecutive sudoku", "nonconsecutive consecutive", ""),
    ("a sudoku with disjoint groups", "disjointgroup", ""),
    ("a clone sudoku", "", "clone quadruple"),
    ("a sudoku with sums at its edges", "xsum framesum", "outsideclue"),
    ("a greater-than sudoku", "greaterthan futoshiki inequality", "inequalitie"),
    ("a fog-of-war sudoku", "fogofwar", "foglight"),
    ("a group of overlapping grids", "samurai gattai", ""),
    ("a puzzle with sums", "kakuro kenken calcudoku mathdoku", ""),
    ("a sudoku with constraints", "", "constraint extraconstraint restriction"),
)
_NAMES = {name: what for what, names, _ in VARIANTS for name in names.split()}
_KEYS = _NAMES | {key: what for what, _, keys in VARIANTS for key in keys.split()}
#: keys whose text names the kind of puzzle
_TYPE_KEYS = frozenset(
    ("type", "puzzletype", "gametype", "game", "kind", "variant", "variation", "rule", "ruleset")
)
#: keys of what is around the grid, which is looked into
_ENVELOPES = frozenset({"metadata", "meta", "setting", "option", "extra", "global"})
#: keys of a chat: the texts in it have puzzles and solutions that nothing tells apart
_CHAT_KEYS = frozenset(
    ("prompt", "completion", "message", "conversation", "instruction", "response", "role")
)
#: texts with which a key says that the puzzle is not of its kind
_NOTHING = frozenset({"", "0", "-", "no", "none", "false", "null", "[]", "{}"})
#: a header: a key and a value, perhaps in a comment
_HEADER = re.compile(r"[#;/\[ ]*([\w +-]{1,40}?) ?[=:](.*)")
_SECTION = re.compile(r"\[([\w ]+)\]")
_WORD = re.compile("[a-z]+")
#: words of a line that may be a title; a longer one is prose
_MAX_TITLE_WORDS = 5
#: characters of a text in which names are looked for
_MAX_TEXT = 2_000

#: cells of a map of regions that may be wrong: it is one, even if it cannot be used
MAX_MISTAKES = 2
#: ends the sentence that refuses a puzzle
NOT_SOLVED = "which Bullseye does not solve"


def of_members(members: Iterable[tuple[str, object]]) -> str | None:
    """Return why an object or a row of columns is no ordinary sudoku, or None.

    >>> print(of_members([("title", "Killer"), ("Cages", [[1, 2]])]))
    this is a killer sudoku, which Bullseye does not solve; remove `Cages` if it is an ordinary one
    >>> of_members([("cages", []), ("diagonal", False), ("type", "classic")])
    """
    for key, value in members:
        name = _letters(key)
        what = _KEYS.get(name) if _says(value) else None
        if name in _TYPE_KEYS or (name in _KEYS and isinstance(value, str)):
            what = _named(value) or what
        if what is not None:
            return f"this is {what}, {NOT_SOLVED}; remove {quoted(key)} if it is an ordinary one"
        if name in _ENVELOPES and isinstance(value, dict) and (why := of_members(value.items())):
            return why
    return None


def refuse(number: int, line: str) -> None:
    """Raise FormatError if a line says that the grids of the input are no ordinary sudokus.

    To be called for each line that is skipped.
    """
    if (what := _of_line(line)) is not None:
        raise FormatError(
            f"{quoted(line.strip())} says that this is {what}, {NOT_SOLVED}",
            line=number,
            remedy="remove this line if it is an ordinary one",
        )


def with_map(number: int) -> FormatError:
    """Return the error for a map of regions that begins in this line."""
    return FormatError(
        f"here is a map of regions, so these are jigsaw or killer sudokus, {NOT_SOLVED}",
        line=number,
        remedy="remove the map if its regions are the ordinary boxes",
    )


def _of_line(line: str) -> str | None:
    """Return the variant that a header, a section or a title names, or None.

    >>> _of_line("Type=Sudoku X")
    'a Sudoku X'
    >>> [_of_line(text) for text in ("Easy 3", "# no jigsaw", "a killer of time, by Anna and Bob")]
    [None, None, None]
    """
    text = " ".join(line[:_MAX_TEXT].split())  # the pattern would try each blank of many
    header, section = _HEADER.match(text), _SECTION.fullmatch(text)
    if header is not None and _letters(header[1]) in _TYPE_KEYS:
        return _named(header[2])
    if section is not None:
        return _KEYS.get(_letters(section[1]))
    return None if text.startswith("#") else _titled(text)


def is_key(key: str) -> bool:
    """Return whether the value of this key can say that a puzzle is no ordinary sudoku."""
    return (name := _letters(key)) in _KEYS or name in _TYPE_KEYS


def is_chat(keys: Iterable[str]) -> bool:
    """Return whether these are keys of a chat with a language model."""
    return not _CHAT_KEYS.isdisjoint(map(_letters, keys))


def is_region_map(cells: str) -> bool:
    """Return whether n x n cells are a map of n regions: each symbol n times, equal ones together.

    MAX_MISTAKES cells of it may be wrong.  A sudoku is none, since its equal values are never
    neighbours, and has too many or too few empty cells.

    >>> is_region_map("1122112233443344"), is_region_map("1122112233443345")
    (True, True)
    >>> is_region_map("1234341221434321")
    False
    """
    side = SIDES.get(len(cells))
    if side is None or abs(cells.count(cells[0]) - side) > MAX_MISTAKES:  # most grids; this is fast
        return False
    if cells == cells[:side] * side:
        return False
    counts = [count for _, count in Counter(cells).most_common()]
    amiss = sum(abs(count - side) for count in counts[:side]) + sum(counts[side:])
    return (
        len(counts) >= side and amiss <= 2 * MAX_MISTAKES and _alone(cells, side) <= side // 2 + 1
    )


def _alone(cells: str, side: int) -> int:
    """Return the number of cells without an equal neighbour in their row or column."""
    together = set()
    for cell, value in enumerate(cells):
        for other in (cell + 1, cell + side):
            is_neighbour = other < len(cells) and (other == cell + side or other % side)
            if is_neighbour and cells[other] == value:
                together |= {cell, other}
    return len(cells) - len(together)


@lru_cache(maxsize=1024)
def _letters(text: str) -> str:
    return "".join(_WORD.findall(text.lower())).removesuffix("s")


def _says(value: object) -> bool:
    """Return whether the value of a key says more than that there is nothing of its kind."""
    return value.strip().lower() not in _NOTHING if isinstance(value, str) else bool(value)


def _named(value: object) -> str | None:
    """Return the variant that a text, or a list of texts, names."""
    if isinstance(value, list):
        return next((what for one in value if (what := _named(one))), None)
    if not isinstance(value, str):
        return None
    words = _WORD.findall(value[:_MAX_TEXT].lower())
    pairs = map("".join, pairwise(words))
    return next((_NAMES[name] for name in _singular([*pairs, *words]) if name in _NAMES), None)


def _singular(words: Iterable[str]) -> list[str]:
    return [word.removesuffix("s") for word in words]


def _titled(text: str) -> str | None:
    """Return the variant in a title, or in prose beside the word `sudoku`."""
    words = _singular(_WORD.findall(text.lower()))
    if len(words) <= _MAX_TITLE_WORDS:
        long = [word for word in words if len(word) > 1]  # those of `Cage 10: A1 B1` are one
        return _named(text) or (_KEYS.get(long[0]) if len(long) == 1 else None)
    beside = pairwise(words)
    pairs = (" ".join(pair) for pair in beside if "sudoku" in pair)
    return next((what for pair in pairs if (what := _named(pair))), None)
