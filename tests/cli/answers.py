"""Sample answers of each kind and status."""

from storage.view import AnswerRow

PUZZLE = "987..25..........7.....736...32..4..4...8....625.....3.5..1..3.1.8376.5....5..19."
BEST = "987632541362451987541897362813265479479183625625749813254918736198376254736524198"

#: a target puzzle, proven
TARGET = AnswerRow(
    id=61,
    batch=7,
    position=1,
    label=None,
    kind="target",
    size=9,
    clues=30,
    puzzle=PUZZLE,
    status="solved",
    solutions=5,
    complete=1,
    solution=BEST,
    score=2870,
    bound=2870,
    nodes=123,
    ms=0.6123,
    worker="box-1",
    attempts=1,
    solved_at="2026-11-20T19:30:00.123Z",
    detail=None,
    batch_name="sunday",
    solutions_text=None,
    option_counts=None,
    extra=None,
)
UNIQUE = TARGET._replace(id=62, kind="sudoku", solutions=1, score=None, bound=None)
MULTIPLE = UNIQUE._replace(id=63, solutions=2, complete=0)
NONE = UNIQUE._replace(id=64, status="none", solutions=0, solution=None, nodes=7)
TIMEOUT = NONE._replace(id=65, status="timeout", complete=0)
INVALID = NONE._replace(
    id=66,
    kind="invalid",
    size=None,
    clues=None,
    puzzle=PUZZLE[:80],
    status="invalid",
    solutions=None,
    complete=0,
    nodes=None,
    ms=None,
    worker=None,
    attempts=0,
    detail="80 cells, expected 81",
)
UNPROVEN = TARGET._replace(
    id=67, status="timeout", complete=0, solutions=None, score=2866, bound=2881
)
COVER = TARGET._replace(
    id=68,
    kind="cover",
    size=4,
    clues=None,
    puzzle='{"items": 4, "secondary": 0, "options": [[1, 2], [3, 4], [1, 3]], '
    '"names": ["a", "b", "c", "d"]}',
    solutions=1,
    solution="1 2",
    score=None,
    bound=None,
)
ALL = (TARGET, UNIQUE, MULTIPLE, NONE, TIMEOUT, INVALID, UNPROVEN, COVER)
