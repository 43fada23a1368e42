"""DuckDB's functions in Spark's words, as far as sqlglot leaves them as they are or puts them otherwise.

What a macro with `-- @engines both` in its head calls is translated here. That both engines then give
the same is shown call by call in `tests/queries/test_spark_macros.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp, parse_one

from queries.release import SqlFile

_NOT_A_NUMBER, _LEFT_OUT = "[0-9.][dDfF]|[xX]", "(?<=[0-9])_(?=[0-9])|^ *[+-](?=[nN])"
_READ = f"TRY_CAST(regexp_replace(text, '{_LEFT_OUT}', '') AS DOUBLE)"
_NUMBER = parse_one(f"CASE WHEN NOT text RLIKE '{_NOT_A_NUMBER}' THEN {_READ} END", read="spark")
"""Spark takes 1d and 0x1 for numbers, and takes neither 1_000 nor -nan for one."""


_BODIES = {"python_lower": parse_one("lower(answer)", read="spark")}
"""By shipped macro, what Spark has for it: its `lower` is Python's."""


def body(file: SqlFile) -> exp.Expr | None:
    """Return what a macro is written out as on Spark, where that is not its own body."""
    return _BODIES.get(file.name) if file.is_shipped else None


def translate(tree: exp.Expr) -> None:
    """Let a syntax tree that was read as DuckDB's say the same to Spark."""
    # Those within others first, since some are copied.
    for node in reversed(list(tree.walk())):
        rule = _RULES.get(type(node))
        if rule is not None:
            rule(node)


def _references(node: Any) -> None:
    """Name groups in a replacement by `$1`, which are `\\1` to DuckDB."""
    new = node.args.get("replacement")
    if isinstance(new, exp.Literal):
        text = re.sub(r"\\(\d)", r"$\1", new.name.replace("$", r"\$"))
        node.set("replacement", exp.Literal.string(text))
    elif new is not None:
        marks = (exp.Literal.string("\\"), exp.Literal.string("$"))
        node.set("replacement", exp.func("REPLACE", new.copy(), *marks))


def _places(node: Any) -> None:
    """Count the elements of a list from 1 in a lambda of two parameters; Spark counts from 0."""
    function = node.expression
    if isinstance(function, exp.Lambda) and len(function.expressions) == 2:
        name = function.expressions[1].name
        for found in list(function.this.find_all(exp.Column, exp.Identifier)):
            if found.name == name and not isinstance(found.parent, exp.Column):
                found.replace(
                    exp.Paren(this=exp.Add(this=found.copy(), expression=exp.Literal.number(1)))
                )


def _number(node: Any) -> None:
    """Read a number in a text as DuckDB does."""
    if node.is_type("double"):
        found = _NUMBER.copy()
        for column in list(found.find_all(exp.Column)):
            column.replace(node.this.copy())
        node.replace(found)


def _reduced(node: Any) -> None:
    """Begin a reduction with what DuckDB has last."""
    if node.name.lower() == "list_reduce" and len(node.expressions) == 3:
        items, function, initial = (one.copy() for one in node.expressions)
        node.replace(exp.Reduce(this=items, initial=initial, merge=function))


_RULES: dict[type[exp.Expr], Callable[[Any], None]] = {
    exp.RegexpReplace: _references,
    exp.ArrayFilter: _places,
    exp.Transform: _places,
    exp.TryCast: _number,
    exp.Anonymous: _reduced,
}
