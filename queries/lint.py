"""What a view may contain: one SELECT, built from functions that mean the same on every engine.

The allow-list is short on purpose. Many more functions exist on DuckDB and on Spark, and differ
without a word (regexp_replace, trim on Unicode space, chr, casts of floats …).
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from queries.release import SqlFile
from warehouse.errors import EvalhouseError
from warehouse.later import exp, sqlglot

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

_ENGINE_ALLOWED = _ALLOWED | {
    "ArrayConcat",
    "ArrayDistinct",
    "Concat",
    "Levenshtein",
    "Lower",
    "Reduce",
    "RegexpExtractAll",
    "RegexpReplace",
    "Reverse",
    "Trim",
    "TryCast",
    "Upper",
}
"""What a macro may use that has a body for each engine; a test has to show that they agree."""
_ENGINE_NAMED = frozenset(["list_reduce"])
"""The same of functions that sqlglot has no class for: Reduce of the other engine."""


_MACRO = re.compile(r"CREATE MACRO (?P<name>\w+)\((?P<parameters>[^()]*)\) AS\s", re.ASCII)
"""The head of a macro's file; its body comes after it."""
_FORBIDDEN = {
    "TableSample": "a sample is not deterministic",
    "Limit": "LIMIT leaves open which rows",
    "Offset": "OFFSET leaves open which rows",
    "Fetch": "FETCH leaves open which rows",
    "Bracket": "indexing differs between engines",
    "Slice": "slices differ between engines",
    "ILike": "ILIKE differs between engines",
    "Glob": "GLOB differs between engines",
    "SimilarTo": "SIMILAR TO differs between engines",
    "Lateral": "LATERAL differs between engines",
    "Pivot": "PIVOT differs between engines",
}
"""What no view may hold, by its class on the syntax tree."""


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
        spark_body(file, macros)
    _check(file, body, macros)
    return tree


def spark_body(file: SqlFile, macros: frozenset[str]) -> exp.Expr | None:
    """The syntax tree of the body that a macro has for Spark; None: it has one body for all engines.

    Raises:
        EvalhouseError: naming the file and what is not allowed in it.
    """
    text = file.spark_text
    if text is None:
        return None
    file = replace(file, path=file.path.with_name(f"{file.name}.spark.sql"))
    heads = [_MACRO.search(each) for each in (file.text, text)]
    declared = [head and (head["name"], head["parameters"].split()) for head in heads]
    if heads[1] is None or declared[0] != declared[1]:
        raise _refused(file, "has to be one CREATE MACRO, of the same parameters as DuckDB's")
    try:
        query = sqlglot.parse_one(f"SELECT {text[heads[1].end() :]}", read="spark")
    except sqlglot.errors.SqlglotError as error:
        raise _refused(file, _plain(error)) from error
    if not isinstance(query, exp.Select) or len(query.expressions) != 1 or query.args.get("from_"):
        raise _refused(file, "a macro is one expression")
    body: exp.Expr = query.expressions[0].pop()
    _check(file, body, macros)
    return body


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
            _check_meaning(query_file, node)
            if isinstance(node, (exp.RegexpLike, exp.RegexpExtract)):
                _check_pattern(query_file, node.args.get("expression"))
        except EvalhouseError as error:
            found.add(str(error).removeprefix("query: "))
    return tuple(sorted(found))


def _check(file: SqlFile, body: exp.Expr, macros: frozenset[str]) -> None:
    allowed = _ALLOWED if file.spark_text is None else _ENGINE_ALLOWED
    for node in body.walk():
        for forbidden, reason in _FORBIDDEN.items():
            if isinstance(node, getattr(exp, forbidden)):
                raise _refused(file, reason)
        _check_meaning(file, node)
        if isinstance(node, exp.Anonymous):
            named = macros if file.spark_text is None else macros | _ENGINE_NAMED
            if node.name.lower() not in named:
                raise _refused(file, f"the function {node.name} is not on the allow-list")
        elif isinstance(node, exp.Func) and type(node).__name__ not in allowed:
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
        elif isinstance(node, (exp.RegexpLike, exp.RegexpExtract)) and file.spark_text is None:
            _check_pattern(file, node.args.get("expression"))
        elif (
            isinstance(node, exp.Window)
            and isinstance(node.this, (exp.RowNumber, exp.Rank, exp.DenseRank, exp.FirstValue))
            and not node.args.get("order")
        ):
            raise _refused(file, f"{node.this.sql_name()} without ORDER BY is not deterministic")


def _check_meaning(file: SqlFile, node: exp.Expr) -> None:
    """Refuse what parses everywhere and means different things."""
    if isinstance(node, exp.Distinct) and node.args.get("on"):
        raise _refused(file, "DISTINCT ON leaves open which rows")
    if isinstance(node, exp.ArrayAgg) and node.find(exp.Order):
        raise _refused(file, "the order inside list(… ORDER BY …) is lost on Spark: sort the list")
    if isinstance(node, exp.With) and node.recursive:
        raise _refused(file, "recursive queries are not allowed")
    if isinstance(node, exp.Column) and node.name.lower() == "rowid":
        raise _refused(file, "rowid is the engine's own")
    if isinstance(node, exp.Like) and "\\" in node.expression.name:
        raise _refused(file, "a backslash in LIKE differs between engines")
    if isinstance(node, (exp.Split, exp.SplitPart)):
        mark = node.expression if isinstance(node, exp.Split) else node.args.get("delimiter")
        if not (isinstance(mark, exp.Literal) and mark.name and "\\" not in mark.name):
            raise _refused(
                file, "string_split and split_part want a literal mark, not empty and no backslash"
            )
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
