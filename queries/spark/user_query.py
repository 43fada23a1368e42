"""A user's query, which is DuckDB's SQL like everywhere else, made ready for Spark: one SELECT,
confined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import duckdb
from sqlglot import exp, parse
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

from queries.confined.statement import NoQueryError, checked
from queries.lint import doubts
from queries.release import Release
from queries.spark.translate import MAIN, Macro, Source, SparkQuery, expand, rename, write
from warehouse import connection
from warehouse.errors import UsageError


@dataclass(frozen=True)
class UserQuery:
    """A query for Spark, and what in it may mean something else there."""

    query: SparkQuery
    doubts: tuple[str, ...]


@dataclass(frozen=True)
class Known:
    """What a query may name: releases by schema, the one that is meant without a schema, tables."""

    releases: Mapping[str, Release]
    release: Release
    macros: Mapping[str, Macro]
    tables: frozenset[str]

    def find(self, table: exp.Table) -> Source:
        """The view or table that a name means.

        Raises:
            UsageError: there is none of that name, or it is a function or a file.
        """
        written = table.sql("duckdb")
        if not isinstance(table.this, exp.Identifier) or table.catalog:
            raise UsageError(f"{written}: a query reads views and the tables of main, nothing else")
        name = table.name.lower()
        if not table.db:
            if name in self.release.views:
                return Source(self.release.name, name)
            if name in self.tables:
                return Source(MAIN, name)
        schema = table.db.lower()
        if schema == MAIN and name in self.tables:
            return Source(MAIN, name)
        if schema in self.releases and name in self.releases[schema].views:
            return Source(self.releases[schema].name, name)
        raise UsageError(
            f"there is no {written}; a query reads the views of {', '.join(self.releases)}, and main"
        )


def user_query(sql: str, known: Known) -> UserQuery:
    """A user's query as Spark's.

    Raises:
        UsageError: it is not one SELECT, or reads or calls what it must not.
    """
    _require_query(sql)
    try:
        trees = [tree for tree in parse(sql, read="duckdb") if tree is not None]
        if len(trees) != 1:
            raise UsageError(f"one query at a time: these are {len(trees)} statements")
        (tree,) = trees
        _require_select(tree)
        reads = _rename_all(tree, known)
        tree = _qualify_macros(tree, known.release)
        found = doubts(tree)
        return UserQuery(SparkQuery(write(expand(tree, known.macros)), reads), found)
    except SqlglotError as error:
        raise UsageError(f"{error}") from error


def _require_query(sql: str) -> None:
    """Let the same statements be queries as on DuckDB, by the word of its parser."""
    try:
        with connection.in_memory() as parser:
            checked(parser, sql)
    except (NoQueryError, duckdb.Error) as error:
        raise UsageError(str(error)) from error


def _require_select(tree: exp.Expr) -> None:
    changing = (exp.DML, exp.DDL, exp.Command, exp.Into, exp.Copy, exp.Set, exp.Pragma)
    if not isinstance(tree, exp.Query) or any(
        isinstance(node, changing) and not isinstance(node, exp.Query) for node in tree.walk()
    ):
        raise UsageError("the warehouse is open for reading: a query is a SELECT")
    if any(isinstance(node, exp.With) and node.recursive for node in tree.walk()):
        raise UsageError("recursive queries are not there on Spark")


def _rename_all(tree: exp.Expr, known: Known) -> tuple[Source, ...]:
    """Let every name of a view or table be Spark's; names that a WITH gives stay."""
    of_catalog = {
        id(source): source
        for scope in traverse_scope(tree)
        for source in scope.sources.values()
        if isinstance(source, exp.Table)
    }
    with_names = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    reads = []
    for table in list(tree.find_all(exp.Table)):
        if id(table) in of_catalog or table.db or table.name.lower() not in with_names:
            reads.append(known.find(table))
            rename(table, reads[-1])
    return tuple(reads)


def _qualify_macros(tree: exp.Expr, release: Release) -> exp.Expr:
    for call in reversed(list(tree.find_all(exp.Anonymous, exp.AnonymousAggFunc))):
        if call.name.lower() not in release.macros or isinstance(call, exp.AnonymousAggFunc):
            raise UsageError(f"there is no function {call.name} that DuckDB and Spark both have")
        if not isinstance(call.parent, exp.Dot):
            schema = exp.to_identifier(release.name, quoted=True)
            call.replace(exp.Dot(this=schema, expression=call.copy()))
    return tree
