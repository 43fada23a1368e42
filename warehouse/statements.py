"""SQL in files: several statements in one, each under a line `-- name: its_name`."""

from __future__ import annotations

from pathlib import Path

import duckdb

_PLAIN_TEXT = Path(__file__).with_name("plain_text.sql").read_text(encoding="utf-8")


def of_module(module_file: str) -> dict[str, str]:
    """The named statements of the `.sql` file next to a module, by name.

    Args:
        module_file: the module's `__file__`.

    Raises:
        ValueError: two statements have the same name.
    """
    text = Path(module_file).with_suffix(".sql").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for part in text.split("-- name: ")[1:]:
        name, _, sql = part.partition("\n")
        if name in found:
            raise ValueError(f"{module_file}: two statements named {name}")
        found[name.strip()] = sql.strip()
    return found


def define_plain_text(con: duckdb.DuckDBPyConnection) -> None:
    """Make the temporary macro `plain_text`: a text as it is compared with another file's."""
    con.execute(_PLAIN_TEXT)
