"""From a release's SQL, which is DuckDB's, to Spark's: macros written out, its own names, no decimals,
joins by ON.

Views become temporary views, which have no schema on Spark; so `paper_v1.leaderboard` is called
`paper_v1:leaderboard` there, and main's tables `main:run` and so on. The stored rows of a result are
`paper_v1_internal:pass_result`, as in a file; what its SELECT gives, which the SELECTs of later results
read, is `paper_v1_steps:pass_result`.

What sqlglot leaves of DuckDB's functions, or puts otherwise, is translated here. That both engines then
give the same is shown call by call in `tests/queries/test_spark_macros.py`. Spark hides the key of the
right side of a USING. Where a query names it (`b.k`), Spark's analyzer looks for it in all else that joins
the same tables, where it has another number (MISSING_ATTRIBUTES). And a `*` has the keys first there, and
not where the left side has them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from sqlglot import exp, parse_one
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

from queries.heads import DUCKDB, head
from queries.plan import PlannedObject, plan
from queries.release import Release, SqlFile
from queries.results import tables
from queries.results.tables import Definition
from warehouse.errors import EvalhouseError, UsageError


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


_NOT_A_NUMBER, _LEFT_OUT = "[0-9.][dDfF]|[xX]", "(?<=[0-9])_(?=[0-9])|^ *[+-](?=[nN])"
_READ = f"TRY_CAST(regexp_replace(text, '{_LEFT_OUT}', '') AS DOUBLE)"
_NUMBER = parse_one(f"CASE WHEN NOT text RLIKE '{_NOT_A_NUMBER}' THEN {_READ} END", read="spark")
"""Spark takes 1d and 0x1 for numbers, and takes neither 1_000 nor -nan for one."""


_BODIES = {"python_lower": parse_one("lower(answer)", read="spark")}
"""By shipped macro, what Spark has for it: its `lower` is Python's."""


def _spark_body(file: SqlFile) -> exp.Expr | None:
    """Return what a macro is written out as on Spark, where that is not its own body."""
    return _BODIES.get(file.name) if file.is_shipped else None


def _translate(tree: exp.Expr) -> None:
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


MAIN = "main"
STEPS = "_steps"
"""How the schema of what the SELECTs of results give ends, behind the release's name."""
_DEEPEST = 20_000
"""How often sqlglot may call itself."""
_NUMBERS = count(1)
"""Of the lambda parameters that were renamed: no two have the same."""


@dataclass(frozen=True)
class Source:
    """A view of a release, or a table of main."""

    schema: str
    name: str

    @property
    def spark_name(self) -> str:
        """What it is called on Spark; to be quoted."""
        return f"{self.schema}:{self.name}"


@dataclass(frozen=True)
class SparkQuery:
    """A query in Spark's SQL, and what it reads, as often as it names it."""

    sql: str
    reads: tuple[Source, ...]


@dataclass(frozen=True)
class Macro:
    """A macro: its parameters, and its body with the macros that it calls written out.

    `kept_off` is the file that keeps it off Spark: its own, or that of a macro that it calls.
    """

    parameters: tuple[str, ...]
    body: exp.Expr
    kept_off: SqlFile | None = None


@dataclass(frozen=True)
class Translator:
    """A release on its way to Spark.

    Attributes:
        definitions: by name, what its results are computed with, in their order.
        columns: by name, those of each result whose view puts back what its ids stand for.
    """

    release: Release
    views: Mapping[str, PlannedObject]
    macros: Mapping[str, Macro]
    definitions: Mapping[str, Definition]
    columns: Mapping[str, list[str]]

    def query(self, source: Source) -> SparkQuery:
        """What gives the rows of a view, of a result's table, or of the SELECT of a result.

        Raises:
            EvalhouseError: it cannot be said in Spark's SQL; the message names the file.
        """
        name, columns = source.name, self.columns.get(source.name)
        if columns is None or source.schema == self._steps:
            return self.view(name)
        if source.schema == self.release.name:
            places = {view: item.qualified for view, item in self.views.items()}
            types = [(column, "") for column in columns]
            return self._said(name, tables.view(self.views[name], types, places, sets=False))
        its = tables.stored(self.views[name], columns, sets=False)
        stored = ", ".join(f'"{column}"' for column in its)
        return self._said(name, f'SELECT {stored} FROM "{self._steps}"."{name}"')

    def view(self, name: str) -> SparkQuery:
        """The SELECT of one of the release's views.

        Raises:
            EvalhouseError: it cannot be said in Spark's SQL; the message names the file.
        """
        return self._said(name, self.views[name].sql)

    def is_stored(self, source: Source) -> bool:
        """Whether rows are computed once and kept: a result's, and those of a step that several read."""
        found = self.definitions.get(source.name)
        if found is None or (source.name in self.columns and source.schema != self._steps):
            return False
        return found.table is not None or found.n_readers > 1

    @property
    def _steps(self) -> str:
        return f"{self.release.name}{STEPS}"

    def _said(self, view: str, sql: str) -> SparkQuery:
        item = self.views[view]
        kept_off = _kept_off(item, self.macros)
        if kept_off is not None:
            raise EvalhouseError(f"{item.file.place}: {_why(kept_off)}")
        try:
            tree = parse_one(sql, read="duckdb")
            reads = []
            for table in tree.find_all(exp.Table):
                if not table.db:
                    continue
                # As in a file, results are made of what the SELECTs before gave.
                is_step = (
                    table.db == self.release.name
                    and table.name in self.columns
                    and view in self.definitions
                )
                reads.append(Source(self._steps if is_step else table.db, table.name))
                rename(table, reads[-1])
            return SparkQuery(write(expand(tree, self.macros)), tuple(reads))
        except SqlglotError as error:
            raise EvalhouseError(f"{item.file.place}: {error}") from error


def translator(release: Release) -> Translator:
    """A release's views and macros, planned."""
    # Spark's views have no schema.
    planned = plan(release, release.name)
    macros: dict[str, Macro] = {}
    # In the order of the plan, so that those that a macro calls are there before it.
    for item in planned:
        if item.file.kind != "macro":
            continue
        tree = parse_one(item.sql, read="duckdb")
        body = _spark_body(item.file) or tree.expression
        kept_off = _kept_off(item, macros)
        macros[item.file.name] = Macro(
            parameters=tuple(each.name for each in tree.this.expressions),
            body=expand(body, macros) if kept_off is None else body,
            kept_off=kept_off,
        )
    views = {item.file.name: item for item in planned if item.file.kind == "view"}
    definitions = tables.definitions(planned, dict.fromkeys(views, ()))
    columns = {}
    for item in tables.results(planned):
        tree = parse_one(item.sql, read="duckdb")
        assert isinstance(tree, exp.Query)
        # Of a user's own SELECT of all columns their names are not known here: the view has its rows.
        if not item.is_internal and "*" not in tree.named_selects:
            columns[item.file.name] = list(tree.named_selects)
    return Translator(release, views, macros, {one.name: one for one in definitions}, columns)


def _kept_off(item: PlannedObject, macros: Mapping[str, Macro]) -> SqlFile | None:
    """Return the file whose head says that a view or macro is DuckDB's: its own, or a macro's below."""
    if head(item.file).engines == DUCKDB:
        return item.file
    below = (macros[name].kept_off for name in item.depends_on if name in macros)
    return next((file for file in below if file is not None), None)


def _why(kept_off: SqlFile) -> str:
    return f"cannot be had on Spark, as {kept_off.place} says `-- @engines {DUCKDB}`"


def rename(table: exp.Table, source: Source) -> None:
    """Let a table's name in a query be what it is called on Spark, under the alias it goes by."""
    if not table.alias:
        table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name, quoted=True)))
    table.set("db", None)
    table.set("this", exp.to_identifier(source.spark_name, quoted=True))


def expand(tree: exp.Expr, macros: Mapping[str, Macro]) -> exp.Expr:
    """Macros called as `schema.macro(…)` written out where they are called.

    Raises:
        UsageError: a macro is called with too few or too many values, or Spark cannot have it.
    """
    root = exp.Paren(this=tree)
    # Those within others first, so that the copy of an outer call has them as they are to be.
    for call in reversed(list(root.find_all(exp.Dot))):
        if isinstance(call.expression, exp.Anonymous) and call.expression.name.lower() in macros:
            macro, arguments = macros[call.expression.name.lower()], call.expression.expressions
            if macro.kept_off is not None:
                raise UsageError(f"{call.expression.name} {_why(macro.kept_off)}")
            if len(arguments) != len(macro.parameters):
                raise UsageError(
                    f"{call.expression.name} takes {', '.join(macro.parameters)}, "
                    f"and not {len(arguments)} values"
                )
            call.replace(_written_out(macro, arguments))
    found: exp.Expr = root.this
    return found.pop()


def write(tree: exp.Expr) -> str:
    """A syntax tree as Spark's SQL.

    Raises:
        SqlglotError: Spark has nothing for a part of it.
    """
    for literal in list(tree.find_all(exp.Literal)):
        # 1.0 is a decimal to both, but an average of decimals is a rounded decimal to Spark alone.
        if (
            not literal.is_string
            and not literal.is_int
            and not isinstance(literal.parent, exp.Cast)
        ):
            literal.replace(exp.cast(literal.copy(), "DOUBLE"))
    with _deep():
        _translate(tree)
        by_on(tree)
        return tree.sql("spark", identify=True, comments=False, unsupported_level=ErrorLevel.RAISE)


@contextmanager
def _deep() -> Iterator[None]:
    """Let sqlglot write calls within calls: it calls itself for each, and macros written out have many."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _written_out(macro: Macro, arguments: list[exp.Expr]) -> exp.Expr:
    body = exp.Paren(this=macro.body.copy())
    for function in list(body.find_all(exp.Lambda)):
        # A lambda of the macro must not take hold of a parameter of the lambda that it is called
        # in.
        for parameter in function.expressions:
            old, new = parameter.name, f"x{next(_NUMBERS)}_"
            for name in list(function.find_all(exp.Identifier)):
                if name.name == old:
                    name.set("this", new)
    given = dict(zip(macro.parameters, arguments, strict=True))
    for column in list(body.find_all(exp.Column)):
        if not column.table and column.name in given:
            column.replace(exp.Paren(this=given[column.name].copy()))
    return body
