"""How SQL files are laid out: short columns and arguments share lines of up to 100 characters.

    python -m tests.sql_layout           # writes every file anew that is laid out otherwise
    python -m tests.sql_layout --check   # names these, and ends with 1 if there are any

Only white space may change: where sqlglot would read a file otherwise, it is left as it is, and the
command ends with the file's name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import sqlglot

ROOT = Path(__file__).parent.parent
WIDTH = 100
_CLAUSE = re.compile(
    r"(SELECT|FROM|WHERE|GROUP|HAVING|ORDER|PARTITION|WITH|CASE|WHEN|THEN|ELSE|END|AND|OR|NOT|INNER|LEFT|CROSS"
    r"|ON|UNION|INTERSECT|EXCEPT|QUALIFY|CREATE|INSERT|UPDATE|DELETE|SET|VALUES|\)|--)"
)
_HEAD = re.compile(r" *(?:.*\()?(?:SELECT|SELECT DISTINCT|GROUP BY|ORDER BY|PARTITION BY)")


def files() -> Iterator[Path]:
    """The SQL files of all packages.

    Not templates, where a line has a meaning, and the schema, whose columns have a line each.
    """
    for package in ("warehouse", "ingest", "judge", "queries", "evalhouse", "bench"):
        found = sorted((ROOT / package).rglob("*.sql"))
        yield from (
            file
            for file in found
            if file.parent.name != "migrations" and ".template." not in file.name
        )


def laid_out(text: str) -> str:
    """Return the text with items that stand on lines of their own packed."""
    packed: list[str] = []
    lines = text.split("\n")
    place = 0
    while place < len(lines):
        items = list(_items(lines, place))
        if packed and packed[-1].lstrip().startswith("--"):
            # The comment is of that item alone.
            del items[1:]
        place += max(len(items), 1)
        if len(items) < 2:
            packed.append(lines[place - 1])
            continue
        margin = " " * _indent(items[0])
        rows = [""]
        for item in map(str.strip, items):
            if rows[-1] and len(margin) + len(rows[-1]) + 1 + len(item) > WIDTH:
                rows.append("")
            rows[-1] += f" {item}" if rows[-1] else item
        packed += [margin + row for row in rows]
    return "\n".join(_joined(packed))


def _items(lines: list[str], place: int) -> Iterator[str]:
    """The lines from a place on that are one item each of one list."""
    indent = _indent(lines[place])
    for line, following in zip(lines[place:], [*lines[place + 1 :], ""], strict=False):
        if (
            _indent(line) != indent
            or not indent
            or len(line) > WIDTH
            or not _is_whole(line.strip())
        ):
            return
        if line.endswith(","):
            yield line
            continue
        # The last one: what follows belongs to no list.
        if _indent(following) < indent:
            yield line
        return


def _joined(lines: list[str]) -> Iterator[str]:
    """The lines, with a list of one line behind the word that begins it."""
    place = 0
    while place < len(lines):
        line, *rest = lines[place : place + 3]
        place += 1
        if (
            len(rest) == 2
            and _HEAD.fullmatch(line)
            and _is_whole(rest[0].strip())
            and _indent(rest[0]) == _indent(line) + 4
            and (_indent(rest[1]) <= _indent(line))
            and len(line) + 1 + len(rest[0].strip()) <= WIDTH
        ):
            line += f" {rest[0].strip()}"
            place += 1
        yield line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_whole(item: str) -> bool:
    """True if a line is an item of a list: no clause begins it, no bracket stays open."""
    bare = re.sub("'[^']*'", "''", item)
    return (
        bool(item)
        and "--" not in bare
        and not _CLAUSE.match(f"{item} ")
        and all(bare.count(one) == bare.count(other) for one, other in ("()", "[]", "{}"))
        and bare.count("'") % 2 == 0
        and not bare.startswith((")", "]", "}"))
    )


def _tokens(text: str) -> list[tuple[str, str]]:
    return [(token.token_type.name, token.text) for token in sqlglot.tokenize(text, "duckdb")]


def main() -> int:
    """Write or check all files."""
    is_check = sys.argv[1:] == ["--check"]
    n_other = 0
    for file in files():
        before = file.read_text("utf-8")
        if (after := laid_out(before)) != before:
            if _tokens(after) != _tokens(before):
                sys.exit(
                    f"{file.relative_to(ROOT)}: to lay it out would change more than white space"
                )
            n_other += 1
            if is_check:
                print(f"{file.relative_to(ROOT)}: `make format` lays it out otherwise")
            else:
                file.write_text(after, "utf-8")
    return int(is_check and n_other > 0)


if __name__ == "__main__":
    sys.exit(main())
