"""SQL in files: one statement a file, or several, each under a line `-- name: its_name`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

if TYPE_CHECKING:
    import pyarrow as pa

_ROOT = Path(__file__).parents[1]
_SHOWN = re.compile(r"\nLINE (?P<number>\d+): (?P<line>[^\n]+)")
_HEAD = re.compile(r"\A(?:(?:--[^\n]*)?\n)+")
"""The comment before a statement; with it the engine names wrong places of errors."""
_loaded: dict[Path, str] = {}


def read(path: Path) -> str:
    """The text of a `.sql` file of this package, read once."""
    if path not in _loaded:
        _loaded[path] = path.read_text(encoding="utf-8")
    return _loaded[path]


def of_file(path: Path) -> str:
    """The SQL of a file, without the comment that it begins with."""
    return _HEAD.sub("", read(path))


def of_module(module_file: str) -> dict[str, str]:
    """The named statements of the `.sql` file next to a module, by name.

    Args:
        module_file: the module's `__file__`.

    Raises:
        ValueError: two statements have the same name.
    """
    found: dict[str, str] = {}
    for part in read(Path(module_file).with_suffix(".sql")).split("-- name: ")[1:]:
        name, _, sql = part.partition("\n")
        if name in found:
            raise ValueError(f"{module_file}: two statements named {name}")
        found[name.strip()] = _HEAD.sub("", sql).strip()
    return found


def table_of(
    con: duckdb.DuckDBPyConnection,
    sql: str,
    parameters: Mapping[str, object] | Sequence[object] | None = None,
) -> pa.Table:
    """The rows of one query that returns few, as Arrow.

    A relation of `con.sql` is bound twice, for its columns and to run, and views upon views take
    as long to bind as to run.
    """
    con.execute(sql, parameters or None)
    with warnings.catch_warnings():
        # It advises a relation, since Arrow copies the rows of a cursor once.
        warnings.simplefilter("ignore", UserWarning)
        return con.to_arrow_table()


def place_of(error: BaseException) -> str | None:
    """The `.sql` file and line that an error of the engine shows; None: it shows none of ours.

    The engine shows a line, cut if it is long, and its number in the statement. It is named if only
    one line of the loaded files has this text and this number.
    """
    shown = _SHOWN.search(str(error))
    if shown is None:
        return None
    text = shown["line"].strip().removeprefix("...").removesuffix("...").strip()
    places = [
        f"{path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path.name}, line {number}"
        for path, sql in _loaded.items()
        for number, in_statement, line in _counted(sql)
        if text in line and in_statement == int(shown["number"])
    ]
    return places[0] if len(places) == 1 else None


def _counted(sql: str) -> Iterator[tuple[int, int, str]]:
    """The lines of a file, with their numbers in it and in their statement without its head."""
    before = 0
    for number, line in enumerate(sql.splitlines(), 1):
        if line.startswith("-- name: ") or (before == number - 1 and _HEAD.fullmatch(f"{line}\n")):
            before = number
        yield number, number - before, line


def quoted(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL has it."""
    return "'" + text.replace("'", "''") + "'"


def define_plain_text(con: duckdb.DuckDBPyConnection) -> None:
    """Make the temporary macro `plain_text`: a text as it is compared with another file's."""
    con.execute(of_file(Path(__file__).with_name("plain_text.sql")))
