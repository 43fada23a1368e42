"""Cells of `image` that hold a path, or a list: of paths, or of images in base64.

A path is that of a file in the table's own folder or below it, as data may name any file. What is no
such file keeps the hash of its text.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import duckdb

from warehouse import statements
from warehouse.images import at, listed
from warehouse.later import pl

_SQL = statements.of_module(__file__)

_LONGEST = 20_000
"""Characters of a cell with paths."""
IS_NAMED = _SQL["is_named"].format(longest=_LONGEST)
"""SQL: whether a cell ends like a path, or like a list of paths."""
LISTED = _SQL["listed"]
"""SQL: the hashes of a list of images in base64, with a space between; NULL for no list."""


def find(con: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Put the images' hashes in the place of paths in raw_table.

    Args:
        folder: the one of the file that was read.
    """
    cells = con.execute(f"SELECT DISTINCT image FROM raw_table WHERE {IS_NAMED}").fetchall()
    if not cells:
        return
    rows = [(cell, " ".join(hash_of(name, folder) for name in _names(cell))) for (cell,) in cells]
    con.register("named_images", pl.DataFrame(rows, schema=["cell", "hashes"], orient="row"))
    con.execute(
        "UPDATE raw_table SET image = n.hashes FROM named_images AS n WHERE raw_table.image = n.cell"
    )
    con.unregister("named_images")


def _names(cell: str) -> list[str]:
    found = listed(cell)
    names = [one for one in found if isinstance(one, str)]
    return names if names and len(names) == len(found) else [cell]


def hash_of(name: str, folder: Path) -> str:
    """The sha256 of the picture at a path in the folder, or of the path where none is there."""
    try:
        content = at(name, folder)
    except (OSError, RuntimeError, UnicodeEncodeError):
        # Such as a path that leads round in a circle, or a name that no file can have.
        content = None
    return sha256(name.encode(errors="surrogatepass") if content is None else content).hexdigest()
