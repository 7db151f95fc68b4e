"""Members of the JSON column `extra` in conditions of users, as in `extra.rating > 5`."""

from sqlglot import exp

from storage.view import TEXTS

_EXTRA = exp.column("extra")
_COMPARING = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In)
_COMPUTING = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)


def written_out(tree: exp.Expr, *, postgresql: bool) -> exp.Expr:
    """Return a condition in which each `extra.NAME` is the value of that member.

    It is a number, or null if it is none, where it is compared or computed with anything but text;
    elsewhere it is what the database makes of it: text in PostgreSQL.
    """
    of = _of_jsonb if postgresql else _of_json

    def member(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column) or node.table != "extra" or node.db or node.is_star:
            return node
        type_, value = of(node)
        if not _is_number(node):
            return value
        number = exp.cast(value, "numeric") if postgresql else value
        numbers = [exp.Literal.string(name) for name in ("number", "integer", "real")]
        return exp.Paren(this=exp.Case().when(exp.In(this=type_, expressions=numbers), number))

    return tree.transform(member)


def _of_json(node: exp.Column) -> tuple[exp.Expr, exp.Expr]:
    """Return the type and the value of a member in SQLite."""
    path = exp.Literal.string(f'$."{node.name}"')
    return _call("json_type", _EXTRA, path), _call("json_extract", _EXTRA, path)


def _of_jsonb(node: exp.Column) -> tuple[exp.Expr, exp.Expr]:
    """Return the type and the text of a member in PostgreSQL."""
    given = exp.cast(_EXTRA, "jsonb"), exp.Literal.string(node.name)
    found = _call("jsonb_extract_path", *given)
    return _call("jsonb_typeof", found), _call("jsonb_extract_path_text", *given)


def _call(function: str, *arguments: exp.Expr) -> exp.Anonymous:
    return exp.Anonymous(this=function, expressions=[one.copy() for one in arguments])


def _is_number(node: exp.Expr) -> bool:
    """Return whether a member is compared or computed with anything but text."""
    above = node.parent
    while isinstance(above, exp.Paren | exp.Neg):
        node, above = above, above.parent
    if not isinstance(above, _COMPARING + _COMPUTING):
        return False
    return not any(_has_text(one) for one in above.iter_expressions() if one is not node)


def _has_text(tree: exp.Expr) -> bool:
    literals, columns = tree.find_all(exp.Literal), tree.find_all(exp.Column)
    return any(one.is_string for one in literals) or any(
        one.name in TEXTS and not one.table for one in columns
    )
