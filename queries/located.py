"""Where a file of a release names views, tables and macros, by the engine's own parser.

Reading a syntax tree of the whole text in Python takes ten times as long. It is what a user's
release goes through (`queries.lint`); the files that come with evalhouse do so in the tests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import duckdb

from queries.release import SqlFile
from warehouse import connection
from warehouse.errors import EvalhouseError

_MACRO = re.compile(r"CREATE MACRO (?P<name>\w+)\([^()]*\) AS\s", re.ASCII)


@dataclass(frozen=True)
class Mention:
    """A name in a text: where it begins, in bytes; `schema` is "" where the text names none.

    Attributes:
        kind: table or function.
    """

    place: int
    kind: str
    schema: str
    name: str


@dataclass(frozen=True)
class Located:
    """What a file names, in the order of its text, and the names that its WITH gives."""

    mentions: tuple[Mention, ...]
    with_names: frozenset[str]


_known: dict[SqlFile, Located] = {}


def located(files: Iterable[SqlFile]) -> dict[SqlFile, Located]:
    """What views' SELECTs and macros' bodies name, of files that come with evalhouse.

    Raises:
        EvalhouseError: a file is not one SELECT or CREATE MACRO.
    """
    wanted = list(files)
    new = [file for file in wanted if file not in _known]
    if new:
        with connection.in_memory() as parser:
            _known.update((file, _located(parser, file)) for file in new)
    return {file: _known[file] for file in wanted}


def _located(parser: duckdb.DuckDBPyConnection, file: SqlFile) -> Located:
    query, begin = file.text, 0
    if file.kind == "macro":
        found = _MACRO.search(file.text)
        if found is None:
            raise EvalhouseError(
                f"{file.path}: a macro's file is one CREATE MACRO {file.name}(…) AS …"
            )
        # SELECT in place of what comes before the body.
        query = f"SELECT {file.text[found.end() :]}"
        begin = len(file.text[: found.end()].encode()) - len("SELECT ")
    parsed = json.loads(_serialized(parser, query))
    if parsed["error"]:
        raise EvalhouseError(f"{file.path}: {parsed['error_message']}")
    mentions: list[Mention] = []
    with_names: set[str] = set()
    for node in _nodes(parsed["statements"]):
        if node.get("type") == "BASE_TABLE":
            mentions.append(
                Mention(
                    begin + node["query_location"],
                    "table",
                    node.get("schema_name", ""),
                    node["table_name"],
                )
            )
        elif node.get("class") == "FUNCTION" and not node.get("is_operator"):
            mentions.append(
                Mention(
                    begin + node["query_location"],
                    "function",
                    node.get("schema", ""),
                    node["function_name"],
                )
            )
        elif "cte_map" in node:
            with_names |= {each["key"] for each in node["cte_map"].get("map", [])}
    if file.kind == "macro":
        mentions.append(Mention(_place_of_name(file), "function", "", file.name))
    return Located(tuple(sorted(mentions, key=lambda each: each.place)), frozenset(with_names))


def _place_of_name(file: SqlFile) -> int:
    found = _MACRO.search(file.text)
    assert found is not None
    return len(file.text[: found.start("name")].encode())


def _serialized(parser: duckdb.DuckDBPyConnection, query: str) -> str:
    sql = "SELECT json_serialize_sql($query, skip_null := true, skip_empty := true)"
    ((text,),) = parser.execute(sql, {"query": query}).fetchall()
    return str(text)


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object of a JSON value."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            yield node
            left.extend(node.values())
        elif isinstance(node, list):
            left.extend(node)
