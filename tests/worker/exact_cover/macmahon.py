"""MacMahon's coloured tiles, whose touching edges agree: colours on secondary items.

P. A. MacMahon, *New Mathematical Pastimes* (1921).
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import permutations, product

from worker.exact_cover.problem import Problem, number

Point = tuple[int, ...]
#: the colours of the sides of a tile, in a fixed order
Tile = tuple[int, ...]


def squares(rows: int, columns: int) -> Problem:
    """24 squares of three colours in a rectangle; the border has colour 0."""
    places = [
        [(2 * r, 2 * c + 1), (2 * r + 1, 2 * c + 2), (2 * r + 2, 2 * c + 1), (2 * r + 1, 2 * c)]
        for r, c in product(range(rows), range(columns))
    ]
    return _fitted(_tiles(4, 3), places)


def triangles() -> Problem:
    """24 triangles of four colours in a regular hexagon; the border has colour 0.

    A triangle with the apex on top has a corner at x, y; below it hangs one that shares its right
    corner.
    """
    corners = [
        *([(x, y), (x + 1, y), (x, y + 1)] for x, y in _square(4) if 2 <= x + y <= 5),
        *([(x + 1, y), (x + 1, y + 1), (x, y + 1)] for x, y in _square(4) if 1 <= x + y <= 4),
    ]
    places = [
        [frozenset({a, b}) for a, b in zip(of, of[1:] + of[:1], strict=True)] for of in corners
    ]
    return _fitted(_tiles(3, 4), places)


def cubes(model: int) -> Problem:
    """Eight of 30 cubes of six colours make another of them, of twice its size."""
    faces = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    turns = [turn for turn in permutations(range(6)) if _is_turn([faces[k] for k in turn])]
    kinds = sorted({_turned(cube, turns)[0] for cube in permutations(range(6))})
    wanted = kinds.pop(model)
    inner: dict[Point, int] = {}  # by place: twice the corner's coordinates, and one towards a face
    options, colours = [], []
    for (k, kind), (n, corner) in product(enumerate(kinds), enumerate(product((0, 1), repeat=3))):
        places = [tuple(2 * a + b for a, b in zip(corner, face, strict=True)) for face in faces]
        is_inner = [min(place) >= 0 and max(place) <= 2 for place in places]
        for cube in _turned(kind, turns):
            if any(cube[f] != wanted[f] for f in range(6) if not is_inner[f]):
                continue
            sides = [(places[f], cube[f]) for f in range(6) if is_inner[f]]
            pairs = [(inner.setdefault(at, 38 + len(inner)), str(hue)) for at, hue in sides]
            options.append([1 + n, 9 + k, *(item for item, _ in pairs)])
            colours.append(pairs)
    return number(8, 29 + len(inner), options, colours=colours)


def _square(side: int) -> list[tuple[int, int]]:
    return [(x, y) for x in range(side) for y in range(side)]


def _tiles(sides: int, hues: int) -> list[Tile]:
    """All tiles, each in one of its turns."""
    return sorted({min(_turns(tile)) for tile in product(range(hues), repeat=sides)})


def _turns(tile: Tile) -> set[Tile]:
    return {tile[k:] + tile[:k] for k in range(len(tile))}


def _fitted(tiles: Sequence[Tile], places: Sequence[Sequence[Hashable]]) -> Problem:
    """Each tile lies on a place, turned; sides of two places have one colour, others colour 0."""
    times = Counter(side for place in places for side in place)
    primary = len(tiles) + len(places)
    shared = (side for side, count in times.items() if count == 2)
    item = {side: primary + n for n, side in enumerate(shared, start=1)}
    options, colours = [], []
    for (k, tile), (n, place) in product(enumerate(tiles, 1), enumerate(places, 1)):
        for turned in _turns(tile):
            pairs = _coloured(dict(zip(place, turned, strict=True)), item)
            if pairs is not None:
                options.append([k, len(tiles) + n, *(side for side, _ in pairs)])
                colours.append(pairs)
    return number(primary, len(item), options, colours=colours)


def _coloured(
    sides: Mapping[Hashable, int], item: Mapping[Hashable, int]
) -> list[tuple[int, str]] | None:
    """The items of the sides with their colours; None if a side on the border is not 0."""
    if any(hue for side, hue in sides.items() if side not in item):
        return None
    return [(item[side], str(hue)) for side, hue in sides.items() if side in item]


def _is_turn(images: Sequence[Point]) -> bool:
    """Whether the faces +x, -x, +y, -y, +z, -z go to these by a turn, without a reflection."""
    x, opposite_x, y, opposite_y, z, opposite_z = images
    cross = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
    opposites = ((x, opposite_x), (y, opposite_y), (z, opposite_z))
    return cross == z and all(a[k] == -b[k] for a, b in opposites for k in range(3))


def _turned(cube: Tile, turns: Iterable[tuple[int, ...]]) -> list[Tile]:
    return sorted({tuple(cube[k] for k in turn) for turn in turns})
