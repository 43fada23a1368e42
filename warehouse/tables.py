"""Ids, keys, references and words of the tables of facts: `tables.toml`, and the checks of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import duckdb

from warehouse import migrate, statements
from warehouse.files import reading

_SQL = statements.of_module(__file__)
_DECLARED = reading.toml_table(Path(__file__).with_suffix(".toml"))

IDS: Mapping[str, str] = _DECLARED["ids"]
"""The column that holds a table's own id."""

REFERENCES: Mapping[str, str] = _DECLARED["references"]
"""The table whose id a column holds, by the column's name."""

WORDS: Mapping[str, Sequence[str]] = _DECLARED["words"]
"""The words that `table.column` can hold."""


def of_ids(table: str) -> str:
    """What stands after FROM to have every row with a table's ids, wherever it lies."""
    also, column = _DECLARED["also"].get(table), IDS[table]
    if also is None:
        return f"main.{table}"
    return f"(SELECT {column} FROM main.{table} UNION ALL SELECT {column} FROM main.{also})"


def checks(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, str, str]]:
    """The name of each check, what it finds, and its query for the rows that are wrong."""
    yield _check("duplicate_ids", "An id stands twice in its table", _duplicate_ids())
    yield _check("duplicate_keys", "A fact stands twice", _duplicate_keys())
    yield _check("dangling_references", "A row refers to one that is not there", _dangling(con))
    yield _check("unknown_words", "A word stands where only certain ones can", _unknown_words())


def _check(name: str, description: str, parts: Iterator[str]) -> tuple[str, str, str]:
    return name, description, "\nUNION ALL\n".join(parts)


def _duplicate_ids() -> Iterator[str]:
    for table, column in IDS.items():
        yield _SQL["duplicate_ids"].format(table=table, id=column)


def _duplicate_keys() -> Iterator[str]:
    for table, columns in _DECLARED["keys"].items():
        keyed = _DECLARED["keyed"].get(table, "true")
        listed = ", ".join(columns)
        yield _SQL["duplicate_keys"].format(table=table, columns=listed, keyed=keyed)


def _dangling(con: duckdb.DuckDBPyConnection) -> Iterator[str]:
    parameters = {"tables": sorted(migrate.table_names()), "columns": list(REFERENCES)}
    for table, column in con.execute(_SQL["referring_columns"], parameters).fetchall():
        other = REFERENCES[column]
        if (table, column) != (other, IDS[other]):
            yield _SQL["dangling_references"].format(
                table=table,
                column=column,
                other=of_ids(other),
                id=IDS[other],
                referring=_DECLARED["referring"].get(f"{table}.{column}", "true"),
            )


def _unknown_words() -> Iterator[str]:
    for check, places in (("unknown_words", WORDS), ("reserved_words", _DECLARED["reserved"])):
        for place, words in places.items():
            table, column = place.split(".")
            listed = ", ".join(map(statements.literal, words))
            yield _SQL[check].format(table=table, column=column, words=listed)
