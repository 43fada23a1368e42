"""From a release's SQL, which is DuckDB's, to Spark's: macros written out, its own names, no decimals,
joins by ON.

Views become temporary views, which have no schema on Spark; so `paper_v1.leaderboard` is called
`paper_v1:leaderboard` there, and main's tables `main:run` and so on. The stored rows of a result are
`paper_v1_internal:pass_result`, as in a file; what its SELECT gives, which the SELECTs of later results
read, is `paper_v1_steps:pass_result`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

from sqlglot import exp, parse_one
from sqlglot.errors import ErrorLevel, SqlglotError

from queries.heads import DUCKDB, head
from queries.plan import PlannedObject, plan
from queries.release import Release, SqlFile
from queries.results import tables
from queries.results.tables import Definition
from queries.spark import dialect, joins
from warehouse.errors import EvalhouseError, UsageError

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
        body = dialect.body(item.file) or tree.expression
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
        dialect.translate(tree)
        joins.by_on(tree)
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
