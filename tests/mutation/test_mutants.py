"""Each mutant of a module has one change, and the module itself is compiled as it is."""

from pathlib import Path

from tests.mutation.mutants import mutants

MODULE = '''
def least(numbers: list[int], most: int = 9) -> int:
    """Return 1 and 2."""
    found = most
    for number in numbers:
        if number < found:
            found -= found - number
    return found
'''


def test_operators_conditions_and_statements_are_changed_one_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "least.py"
    file.write_text(MODULE)
    some = list(mutants(file))
    assert [(one.line, one.change) for one in some] == [
        (6, "if number < found:  ->  if not number < found:"),
        (6, "number < found  ->  number <= found"),
        (6, "number < found  ->  number >= found"),
        (7, "found -= found - number  ->  pass"),
        (7, "found -= found - number  ->  found += found - number"),
        (7, "found - number  ->  found + number"),
    ]
    assert [_least(one.code) for one in some] == [9, 1, 9, 9, 29, -3]


def _least(code: object) -> object:
    names: dict[str, object] = {}
    exec(code, names)  # type: ignore[arg-type]
    return names["least"]([3, 1])  # type: ignore[operator]
