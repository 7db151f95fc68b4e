"""Write the larger examples in Knuth's notation: `python examples/make.py`.

A line is an option, the names of the items that it covers; the first line names all items.
"""

from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path

FOLDER = Path(__file__).parent
Cell = tuple[int, ...]
#: the seven pieces of the Soma cube, and the twelve pentominoes; each cell is a digit per dimension
SOMA = {
    "V": "000 010 100",
    "L": "000 010 020 100",
    "T": "000 010 020 110",
    "Z": "000 010 110 120",
    "A": "000 010 100 011",
    "B": "000 010 100 101",
    "P": "000 010 100 001",
}
PENTOMINOES = {
    "F": "01 02 10 11 21",
    "I": "00 10 20 30 40",
    "L": "00 10 20 30 31",
    "N": "01 11 20 21 30",
    "P": "00 01 10 11 20",
    "T": "00 01 02 11 21",
    "U": "00 02 10 11 12",
    "V": "00 10 20 21 22",
    "W": "00 10 11 21 22",
    "X": "01 10 11 12 21",
    "Y": "01 10 11 21 31",
    "Z": "00 01 11 21 22",
}


def turned(cells: set[Cell], *, over: bool) -> set[frozenset[Cell]]:
    """Return a piece in every direction, and turned `over`, each moved to the origin."""
    found = set()
    for axes in permutations(range(len(min(cells)))):
        inversions = sum(a > b for k, a in enumerate(axes) for b in axes[k + 1 :])
        for signs in product((1, -1), repeat=len(axes)):
            if over or (inversions + signs.count(-1)) % 2 == 0:
                pairs = list(zip(axes, signs, strict=True))
                moved = [tuple(sign * cell[axis] for axis, sign in pairs) for cell in cells]
                least = tuple(-min(column) for column in zip(*moved, strict=True))
                found.add(frozenset(added(cell, least) for cell in moved))
    return found


def added(cell: Cell, by: Cell) -> Cell:
    """Return a cell moved by a vector."""
    return tuple(map(sum, zip(cell, by, strict=True)))


def packing(title: str, pieces: dict[str, str], size: Cell, *, over: bool) -> Iterator[str]:
    """Yield a box that is to be filled, with each piece once."""
    box = list(product(*map(range, size)))
    name = {cell: "".join("abcdefghijklmnopqrstuvwxyz"[x] for x in cell) for cell in box}
    yield f"| {title}"
    yield " ".join([*pieces, *name.values()])
    for piece, text in pieces.items():
        cells = {tuple(map(int, word)) for word in text.split()}
        for shape in sorted(map(sorted, turned(cells, over=over))):
            for corner in box:
                places = [added(cell, corner) for cell in shape]
                if all(place in name for place in places):
                    yield " ".join([piece, *(name[place] for place in places)])


def queens(side: int) -> Iterator[str]:
    """Yield the problem of the queens; diagonals are secondary items."""
    lines, diagonals = range(1, side + 1), range(2, 2 * side + 1)
    primary = [f"r{k}" for k in lines] + [f"c{k}" for k in lines]
    secondary = [f"a{k}" for k in diagonals] + [f"b{k - side - 1}" for k in diagonals]
    yield f"| {side} queens: one in each row and column, at most one on each diagonal."
    yield " ".join([*primary, "|", *secondary])
    for row, column in product(lines, repeat=2):
        yield f"r{row} c{column} a{row + column} b{row - column}"


def langford(order: int) -> Iterator[str]:
    """Yield Langford's problem: 1 1 2 2 ... with k numbers between the two k."""
    yield f"| Langford's problem: the numbers 1 to {order} twice, with k others between the two k."
    places = range(1, 2 * order + 1)
    yield " ".join([*map(str, range(1, order + 1)), *(f"s{place}" for place in places)])
    for number in range(1, order + 1):
        for place in places[: 2 * order - number - 1]:
            yield f"{number} s{place} s{place + number + 1}"


FILES = {
    "soma.dlx": packing("The Soma cube: seven pieces fill 3x3x3.", SOMA, (3, 3, 3), over=False),
    "pentominoes.dlx": packing("Twelve pentominoes, 3x20.", PENTOMINOES, (3, 20), over=True),
    "queens8.dlx": queens(8),
    "langford.dlx": langford(8),
}

if __name__ == "__main__":
    for file, lines in FILES.items():
        (FOLDER / file).write_text("".join(f"{line}\n" for line in lines))
