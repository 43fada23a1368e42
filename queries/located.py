"""Where a file that comes with evalhouse names views, tables and macros, found by reading its words once.

A syntax tree of the text takes a hundred times as long. It is what a user's release goes through
(`queries.lint`), and what the tests hold this against for every shipped file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from queries.release import SqlFile
from warehouse.errors import EvalhouseError

_WORDS = re.compile(
    r"""
    --[^\n]* | '(?:[^']|'')*' | "(?:[^"]|"")*"       # comments and texts name nothing
    | (?P<word>[A-Za-z_]\w*) (?: \s*\.\s* (?P<part>\w+) )? (?P<call>\s*\()?
    """,
    re.VERBOSE | re.ASCII,
)
_WITH_NAME = re.compile(r"(\w+) AS (?:MATERIALIZED )?\(", re.ASCII)
MACRO = re.compile(r"CREATE MACRO (?P<name>\w+)\((?P<parameters>[^()]*)\) AS\s", re.ASCII)
"""The head of a macro's file; its body comes after it."""


@dataclass(frozen=True)
class Mention:
    """A name in a text: where it begins; `schema` is "" where the text names none.

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


@lru_cache(maxsize=1024)
def located(file: SqlFile) -> Located:
    """What a view's SELECT or a macro's body names: tables after FROM and JOIN, and every function.

    Raises:
        EvalhouseError: a macro's file is no CREATE MACRO.
    """
    begin = 0
    mentions: list[Mention] = []
    if file.kind == "macro":
        created = MACRO.search(file.text)
        if created is None:
            raise EvalhouseError(
                f"{file.place}: a macro's file is one CREATE MACRO {file.name}(…) AS …"
            )
        mentions.append(Mention(created.start("name"), "function", "", file.name))
        begin = created.end()
    before, last = "", ""
    for found in _WORDS.finditer(file.text, begin):
        word, part = found["word"], found["part"]
        if word is None:
            continue
        # In `a IS DISTINCT FROM b` no table follows.
        names_table = last == "JOIN" or (last == "FROM" and before != "DISTINCT")
        if names_table and not found["call"]:
            schema, name = (word, part) if part else ("", word)
            mentions.append(Mention(found.start("word"), "table", schema, name))
        elif found["call"] and not part:
            mentions.append(Mention(found.start("word"), "function", "", word))
        before, last = last, "" if found["call"] else word.upper()
    return Located(tuple(mentions), frozenset(_WITH_NAME.findall(file.text)))
