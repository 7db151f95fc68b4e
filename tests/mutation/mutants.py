"""Mutants of a module: each differs from it in one operator, constant, condition or statement."""

import ast
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import NamedTuple

#: operator -> what replaces it
OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mult,),
    ast.Div: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
#: name of a constant -> that of another
NAMES = {"ZERO": "ONE", "ONE": "ZERO", "TWO": "THREE", "THREE": "TWO"}
#: parts of a syntax tree that change nothing
IGNORED = {"annotation", "returns", "decorator_list"}


class Place(NamedTuple):
    """A part of a syntax tree that can be replaced."""

    parent: ast.AST
    field: str
    at: int | None  #: its index in the field, if that is a list
    old: ast.AST

    def put(self, new: ast.AST) -> None:
        """Replace what is here."""
        if self.at is None:
            setattr(self.parent, self.field, new)
        else:
            getattr(self.parent, self.field)[self.at] = new


class Mutant(NamedTuple):
    """A module with one change."""

    line: int
    change: str
    code: CodeType


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of the functions of a module."""
    tree = ast.parse(path.read_text(), str(path))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for place in [place for function in functions for place in _places(function)]:
        shown = place.parent if isinstance(place.old, tuple(OPERATORS)) else place.old
        line, before = getattr(shown, "lineno", 0), _first_line(shown)
        for new in _replacements(place.old):
            place.put(ast.copy_location(new, place.old))
            after = _first_line(shown if shown is place.parent else new)
            code = compile(ast.fix_missing_locations(tree), str(path), "exec")
            place.put(place.old)
            yield Mutant(line, f"{before}  ->  {after}", code)


def _places(parent: ast.AST) -> Iterator[Place]:
    """Yield the parts of a syntax tree, and the parts of these."""
    for field, value in ast.iter_fields(parent):
        if field in IGNORED:
            continue
        for at, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(part, ast.AST) and not isinstance(part, ast.arguments):
                yield Place(parent, field, at, part)
                yield from _places(part)


def _replacements(old: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in place of a part of a function."""
    match old:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.Name(id=name) if name in NAMES:
            yield ast.Name(NAMES[name], ast.Load())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.If(test=test, body=body, orelse=orelse):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case _ if type(old) in OPERATORS:
            yield from (new() for new in OPERATORS[type(old)])


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0]
