"""Which statements are queries, by what the engine's own parser says of them.

A query is one statement that the parser takes for a SELECT (VALUES, TABLE, FROM, DESCRIBE, SHOW,
SUMMARIZE, PIVOT and UNPIVOT are among them), in whose tree each node is a query's node. The second
half matters: a SELECT may hold `WITH x AS (COPY … TO 'file')`. EXPLAIN is not looked into: its
words are taken off, what is left has to be a query by itself, and what runs is EXPLAIN with known
options before exactly that text.
"""

from __future__ import annotations

import json
import re
from typing import Any

import duckdb

_NO_QUERY = "the warehouse is open for reading: a query is a SELECT, or EXPLAIN of one"
_QUERY_NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
_CHANGING = {b"copy", b"insert", b"update", b"delete", b"merge"}
_OPTIONS = {b"analyze", b"analyse", b"format"}
_PLAIN = re.compile(rb"\w+|'\w+'", re.ASCII)

Tokens = list[tuple[int, bytes, Any]]


class NoQueryError(Exception):
    """The text is no query."""


def checked(parser: duckdb.DuckDBPyConnection, sql: str) -> str:
    """The text to run, of a query or of an EXPLAIN of one.

    Args:
        parser: a connection to parse with; nothing runs on it.
        sql: the user's text.

    Raises:
        NoQueryError: it is neither.
        duckdb.Error: it does not parse.
    """
    try:
        text = sql.encode()
    except UnicodeEncodeError as error:
        raise NoQueryError(f"the query is no valid text: {error.reason}") from error
    tokens = _tokens(text)
    if not tokens:
        raise NoQueryError("there is no query")
    # The engine's message has its place in the text as it was written.
    n_statements = len(parser.extract_statements(sql))
    if n_statements != 1:
        raise NoQueryError(f"one query at a time: these are {n_statements} statements")
    before = b""
    if tokens[0][1].lower() == b"explain":
        before, tokens = _explain(tokens)
        text = text[tokens[0][0] :] if tokens else b""
    _require_query(parser, text)
    return (before + text).decode()


def _tokens(text: bytes) -> Tokens:
    """The words of a text, each with its place; without comments."""
    found = duckdb.tokenize(text.decode())
    starts = [*(start for start, _ in found), len(text)]
    return [
        (start, text[start:end].strip(), kind)
        for (start, kind), end in zip(found, starts[1:], strict=True)
        if kind != duckdb.token_type.comment
    ]


def _explain(tokens: Tokens) -> tuple[bytes, Tokens]:
    """An EXPLAIN with its options, written anew; and the words behind it."""
    words = [b"EXPLAIN"]
    rest = tokens[1:]
    if rest and rest[0][1].lower() in (b"analyze", b"analyse"):
        words.append(b"ANALYZE")
        rest = rest[1:]
    if len(rest) > 1 and rest[0][1] == b"(" and rest[1][1].lower() in _OPTIONS:
        end = next((n for n, (_, word, _) in enumerate(rest) if word == b")"), len(rest))
        options = [word for _, word, _ in rest[1:end]]
        if not all(word == b"," or _PLAIN.fullmatch(word) for word in options):
            raise NoQueryError("EXPLAIN takes (ANALYZE) and (FORMAT name), nothing else")
        words += [b"(", *options, b")"]
        rest = rest[end + 1 :]
    return b" ".join(words) + b" ", rest


def _require_query(parser: duckdb.DuckDBPyConnection, text: bytes) -> None:
    sql = text.decode()
    tokens = _tokens(text)
    statements = parser.extract_statements(sql)
    if len(statements) != 1:
        raise NoQueryError(_NO_QUERY)
    kind = _kind(statements[0])
    if kind == duckdb.StatementType.SELECT:
        tree = _tree(parser, sql)
        if tree is not None:
            _require_query_nodes(tree)
            return
    elif kind == duckdb.StatementType.MULTI:
        # PIVOT is several statements to the engine, and so is COPY of a PIVOT; only a query may
        # stand where EXISTS wants one.
        inner = _without_end(text, tokens).decode()
        try:
            parser.extract_statements(f"SELECT EXISTS (\n{inner}\n)")
        except duckdb.ParserException as error:
            raise NoQueryError(_NO_QUERY) from error
    else:
        raise NoQueryError(_NO_QUERY)
    # No tree to look at.
    for _, word, token in tokens:
        if token != duckdb.token_type.string_const and word.lower() in _CHANGING:
            name = word.decode()
            raise NoQueryError(f'{_NO_QUERY} (a name like {name} wants quotes here: "{name}")')


def _kind(statement: duckdb.Statement) -> duckdb.StatementType | None:
    try:
        return statement.type
    except ValueError:
        # The engine has kinds that Python has no name for (CONNECT is one).
        return None


def _tree(parser: duckdb.DuckDBPyConnection, sql: str) -> Any:
    """The parser's tree of a SELECT; None where it has none to show."""
    ((written,),) = parser.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()
    try:
        tree = json.loads(written)
    except RecursionError as error:
        raise NoQueryError("the query is nested too deeply") from error
    return None if tree["error"] else tree["statements"]


def _require_query_nodes(tree: Any) -> None:
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            kind = node.get("type")
            if isinstance(kind, str) and kind.endswith("_NODE") and kind not in _QUERY_NODES:
                raise NoQueryError(_NO_QUERY)
            left.extend(node.values())
        elif isinstance(node, list):
            left.extend(node)


def _without_end(text: bytes, tokens: Tokens) -> bytes:
    """A statement without the semicolons behind it."""
    end = len(text)
    for place, word, _ in reversed(tokens):
        if word != b";":
            break
        end = place
    return text[:end]
