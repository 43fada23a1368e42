"""What a view may contain: one SELECT, built from functions that mean the same on every engine.

The allow-list is short on purpose. Many more functions exist on DuckDB and on Spark, and differ
without a word (regexp_replace, trim on Unicode space, chr, casts of floats …).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from queries.heads import BOTH, DUCKDB, head
from queries.release import SqlFile
from warehouse import connection, statements
from warehouse.errors import EvalhouseError
from warehouse.later import exp, sqlglot

_SQL = statements.of_module(__file__)
_ALLOWED: frozenset[str] = frozenset(
    [
        "Abs",
        "And",
        "Anonymous",
        # A list as it is written out.
        "Array",
        "ArrayAgg",
        "ArrayFilter",
        # list_max and list_min: of numbers and texts, NULLs passed over; NULL for an empty list.
        "ArrayMax",
        "ArrayMin",
        "ArraySize",
        "ArraySort",
        "ArrayToString",
        "Avg",
        "Case",
        "Cast",
        "Coalesce",
        "Contains",
        "Count",
        "Decode",
        "DenseRank",
        "Exists",
        # exp and ln may differ in their last bit, as sums of floats do.
        "Exp",
        "FirstValue",
        "Hex",
        "If",
        "Length",
        "Ln",
        "LowerHex",
        "MD5",
        "Max",
        "Min",
        "Nullif",
        "Or",
        "Rank",
        "RegexpExtract",
        "RegexpLike",
        "Repeat",
        "Replace",
        "Round",
        "RowNumber",
        "SHA2",
        # string_split: on Spark split(text, concat('\\Q', mark, '\\E')), so the mark is no pattern
        # there either, and empty parts stay. Its mark has to be a literal.
        "Split",
        # Counted from 1; empty behind the last part.
        "SplitPart",
        "Sqrt",
        "StddevPop",
        "StddevSamp",
        "StrPosition",
        "Substring",
        "Sum",
        "Transform",
        "Translate",
        "Unhex",
    ]
)
"""sqlglot's names for the functions; And, Or, Case, If, Cast and Exists are syntax to SQL."""

_TRANSLATED = _ALLOWED | {
    "ArrayConcat",
    "ArrayDistinct",
    "Levenshtein",
    "Lower",
    "RegexpExtractAll",
    "RegexpReplace",
    "Reverse",
    "Trim",
    "TryCast",
}
"""What a macro for both engines may use: the dialect translates it, and a test shows that they agree."""
_TRANSLATED_NAMES = frozenset(["list_reduce"])
"""The same of functions that sqlglot has no class for."""
_MATCHES_ONCE = re.compile(r"\\A[^|]*|[^|]*[^*?|]\\z")
"""A pattern that a text matches once, at its beginning or its end."""
_FORBIDDEN = {
    "TableSample": "a sample is not deterministic",
    "Limit": "LIMIT leaves open which rows",
    "Offset": "OFFSET leaves open which rows",
    "Fetch": "FETCH leaves open which rows",
    "Lateral": "LATERAL differs between engines",
    "Pivot": "PIVOT differs between engines",
}
"""What no view may hold, by its class on the syntax tree."""
_FORBIDDEN_TO_TWO = {
    "Bracket": "indexing differs between engines",
    "Slice": "slices differ between engines",
    "ILike": "ILIKE differs between engines",
    "Glob": "GLOB differs between engines",
    "SimilarTo": "SIMILAR TO differs between engines",
}
"""The same of what is not for DuckDB alone."""


def parse_file(file: SqlFile, macros: frozenset[str]) -> exp.Expr:
    """The syntax tree of a view's SELECT, or of a macro's CREATE MACRO.

    Args:
        file: the view or macro.
        macros: names of the macros that it may call.

    Raises:
        EvalhouseError: naming the file and what is not allowed in it.
    """
    try:
        statements = [tree for tree in sqlglot.parse(file.text, read="duckdb") if tree is not None]
    except sqlglot.errors.SqlglotError as error:
        raise _refused(file, _plain(error)) from error
    except RecursionError as error:
        raise _refused(file, "is nested too deeply") from error
    if len(statements) != 1:
        raise _refused(file, "has to be exactly one statement")
    tree: exp.Expr = statements[0]
    if file.kind == "view":
        if not isinstance(tree, exp.Query):
            raise _refused(file, "a view is a SELECT and nothing else")
        body = tree
    else:
        # Where nothing but a comment follows AS, there is no body.
        if not (
            isinstance(tree, exp.Create) and tree.kind == "MACRO" and tree.expression is not None
        ):
            raise _refused(file, f"a macro's file is one CREATE MACRO {file.name}(…) AS expression")
        if tree.this.this.name != file.name:
            raise _refused(file, f"creates {tree.this.this.name}, but is named {file.name}")
        body = tree.expression
    _check(file, body, macros)
    return tree


def doubts(query: exp.Expr) -> tuple[str, ...]:
    """What in a user's query may mean something else on another engine."""
    query_file = SqlFile("view", "query", "query", "", Path("query"), "")
    found = set()
    for node in query.walk():
        if (
            isinstance(node, exp.Func)
            and not isinstance(node, exp.Anonymous)
            and type(node).__name__ not in _ALLOWED | {"Array"}
        ):
            found.add(f"the function {node.sql_name().lower()}")
        try:
            _check_rows(query_file, node)
            _check_meaning(query_file, node)
            if isinstance(node, (exp.RegexpLike, exp.RegexpExtract)):
                _check_pattern(query_file, node.args.get("expression"))
        except EvalhouseError as error:
            found.add(str(error).removeprefix("query: "))
    return tuple(sorted(found))


def _check(file: SqlFile, body: exp.Expr, macros: frozenset[str]) -> None:
    engines = _engines(file)
    allowed = _ALLOWED if engines is None else _TRANSLATED
    named = macros if engines is None else macros | _TRANSLATED_NAMES
    forbidden = _FORBIDDEN if engines == DUCKDB else _FORBIDDEN | _FORBIDDEN_TO_TWO
    for node in body.walk():
        for kind, reason in forbidden.items():
            if isinstance(node, getattr(exp, kind)):
                raise _refused(file, reason)
        _check_rows(file, node)
        if isinstance(node, exp.Anonymous):
            if node.name.lower() not in named and not _is_duckdbs(engines, node):
                raise _refused(file, f"the function {node.name} is not on the allow-list")
        elif isinstance(node, exp.Func) and type(node).__name__ not in allowed:
            if not _is_duckdbs(engines, node):
                raise _refused(file, f"the function {node.sql_name()} is not on the allow-list")
        elif isinstance(node, (exp.DML, exp.DDL, exp.Command, exp.Into)) and not isinstance(
            node, exp.Query
        ):
            raise _refused(file, "a view is a SELECT and nothing else")
        elif isinstance(node, exp.Table) and isinstance(node.this, exp.Func):
            raise _refused(file, "table functions are not allowed")
        elif isinstance(node, exp.Table) and node.catalog:
            raise _refused(
                file, f"{node.sql()} names a catalog; a warehouse can be attached as any"
            )
        elif isinstance(node, exp.Lambda):
            for parameter in node.expressions:
                if not parameter.name.endswith("_"):
                    raise _refused(
                        file,
                        f"the lambda parameter {parameter.name} has to end in _ (a column wins)",
                    )
        elif isinstance(node, (exp.RegexpLike, exp.RegexpExtract)) and engines is None:
            _check_pattern(file, node.args.get("expression"))
        elif (
            isinstance(node, exp.Window)
            and isinstance(node.this, (exp.RowNumber, exp.Rank, exp.DenseRank, exp.FirstValue))
            and not node.args.get("order")
        ):
            raise _refused(file, f"{node.this.sql_name()} without ORDER BY is not deterministic")
        if engines != DUCKDB:
            _check_meaning(file, node)


def _engines(file: SqlFile) -> str | None:
    """Return the engines that a file's head names."""
    engines = head(file).engines
    if engines not in (None, BOTH, DUCKDB) or (engines == BOTH and file.kind != "macro"):
        raise _refused(file, "its head says @engines duckdb, or of a macro @engines both")
    return engines


def _is_duckdbs(engines: str | None, node: exp.Func) -> bool:
    """True for a function of DuckDB's alone, in a file that says so, whose value its arguments decide."""
    written = node.sql(dialect="duckdb").partition("(")[0].lower()
    return engines == DUCKDB and written in _functions_of_duckdb()


@cache
def _functions_of_duckdb() -> frozenset[str]:
    with connection.in_memory() as con:
        rows = con.execute(_SQL["functions"]).fetchall()
    return frozenset(name for (name,) in rows)


def _check_rows(file: SqlFile, node: exp.Expr) -> None:
    """Refuse what leaves the rows open, or is the engine's own."""
    if isinstance(node, exp.Distinct) and node.args.get("on"):
        raise _refused(file, "DISTINCT ON leaves open which rows")
    if isinstance(node, exp.With) and node.recursive:
        raise _refused(file, "recursive queries are not allowed")
    if isinstance(node, exp.Column) and node.name.lower() == "rowid":
        raise _refused(file, "rowid is the engine's own")


def _check_meaning(file: SqlFile, node: exp.Expr) -> None:
    """Refuse what parses everywhere and means different things."""
    # What text[1] is to the parser, as text is a type.
    if isinstance(node, exp.DataType) and node.args.get("values"):
        raise _refused(file, _FORBIDDEN_TO_TWO["Bracket"])
    if isinstance(node, exp.ArrayAgg) and node.find(exp.Order):
        raise _refused(file, "the order inside list(… ORDER BY …) is lost on Spark: sort the list")
    if isinstance(node, exp.Like) and "\\" in node.expression.name:
        raise _refused(file, "a backslash in LIKE differs between engines")
    if isinstance(node, (exp.Split, exp.SplitPart)):
        mark = node.expression if isinstance(node, exp.Split) else node.args.get("delimiter")
        if not (isinstance(mark, exp.Literal) and mark.name and "\\" not in mark.name):
            raise _refused(
                file, "string_split and split_part want a literal mark, not empty and no backslash"
            )
    if isinstance(node, exp.RegexpReplace):
        options = node.args.get("modifiers")
        if options is None and not _MATCHES_ONCE.fullmatch(node.expression.name):
            raise _refused(file, "regexp_replace without 'g' replaces all on Spark")
        if options is not None and options.name != "g":
            raise _refused(file, "regexp_replace has no options but 'g' on Spark")
    if isinstance(node, exp.RegexpLike) and node.args.get("flag"):
        raise _refused(file, "regexp_matches has no options on Spark")
    if isinstance(node, exp.TryCast) and not node.is_type("double"):
        raise _refused(file, "try_cast to another type than DOUBLE differs between engines")
    is_reduction = isinstance(node, exp.Anonymous) and node.name.lower() == "list_reduce"
    if is_reduction and len(node.expressions) != 3:
        raise _refused(file, "list_reduce wants its first value on Spark")
    if isinstance(node, exp.Substring):
        start = node.args.get("start")
        if isinstance(start, exp.Neg) or (isinstance(start, exp.Literal) and start.name == "0"):
            raise _refused(file, "substr counts from 1")


def _check_pattern(file: SqlFile, pattern: object) -> None:
    if not (isinstance(pattern, exp.Literal) and pattern.is_string):
        raise _refused(file, "a regular expression has to be a plain literal")
    inside = False
    for character in pattern.name:
        if character == "[":
            inside = True
        elif character == "]":
            inside = False
        elif character == "\\" or (not inside and character in ".$^"):
            raise _refused(
                file,
                f"the regular expression {pattern.name!r} uses {character!r}, which engines read "
                "differently: spell character classes out",
            )


def _plain(error: sqlglot.errors.SqlglotError) -> str:
    """Its message without what underlines in a terminal."""
    return re.sub("\x1b\\[[0-9;]*m", "", str(error))


def _refused(file: SqlFile, reason: str) -> EvalhouseError:
    return EvalhouseError(f"{file.place}: {reason}")
