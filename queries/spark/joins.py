"""Joins by USING as joins by ON, for Spark.

Spark hides the key of a USING's right side. Where a query names it (`b.k`), Spark's analyzer looks for
it in all else that joins the same tables, where it has another number (MISSING_ATTRIBUTES). And a `*`
has the keys first there, and not where the left side has them.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope


def by_on(tree: exp.Expr) -> None:
    """Let each inner, left, semi or anti join by USING in a query be one by ON.

    Which of the sources before it has a key is not known here. So the right side's key gets another
    name, `k:b`, and the bare one is the left side's. A `b.*` has the keys first.
    """
    for scope in traverse_scope(tree):
        for number, join in enumerate(list(scope.find_all(exp.Join))):
            if join.args.get("using") and join.side in ("", "LEFT"):
                _by_on(scope, join, join.this.alias_or_name or f"side{number}")


def _by_on(scope: Scope, join: exp.Join, side: str) -> None:
    select = scope.expression
    keys = {key.name.lower(): exp.column(f"{key.name}:{side}", side) for key in join.args["using"]}
    for column in scope.columns:
        key = column.name.lower()
        if column.table.lower() == side.lower() and key in keys:
            is_shown = column.parent is select and column.arg_key == "expressions"
            column.replace(_named(keys[key], key) if is_shown else keys[key].copy())
    for shown in list(select.expressions):
        if isinstance(shown, exp.Star) and join.kind not in ("SEMI", "ANTI"):
            _leave_out(shown, keys.values(), _excluded(shown))
        elif (
            isinstance(shown, exp.Column) and shown.is_star and shown.table.lower() == side.lower()
        ):
            gone = _excluded(shown.this)
            _leave_out(shown.this, keys.values(), gone - keys.keys())
            shown.replace(
                [*(_named(keys[key], key) for key in keys if key not in gone), shown.copy()]
            )
    given = exp.select(
        exp.Star(except_=[exp.column(key) for key in keys]),
        *(_named(exp.column(key), other.name) for key, other in keys.items()),
    )
    join.set("this", given.from_(join.this).subquery(side))
    join.set("on", exp.and_(*(exp.column(key).eq(other) for key, other in keys.items())))
    join.set("using", None)


def _excluded(star: exp.Expr) -> set[str]:
    return {column.name.lower() for column in star.args.get("except_") or ()}


def _leave_out(star: exp.Expr, keys: Iterable[exp.Column], others: set[str]) -> None:
    names = (*sorted(others), *(key.name for key in keys))
    star.set("except_", [exp.column(name) for name in names])


def _named(column: exp.Column, name: str) -> exp.Expr:
    return exp.alias_(column.copy(), name, quoted=True)
