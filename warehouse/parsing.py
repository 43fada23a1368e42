"""A connection that parses each text once: of short statements that is half of what they cost."""

from __future__ import annotations

from typing import Any, cast

import duckdb

_MOST_TEXTS = 2_000
_LONGEST = 20_000
"""Characters; a longer text holds a file's values, and does not come again."""


class _ParsingOnce:
    """A connection that keeps what statements were parsed to, by their text.

    The engine copies a statement that it is given, so that it can be given again. Everything else is
    the connection's own.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con
        self._parsed: dict[str, duckdb.Statement] = {}

    def execute(self, query: duckdb.Statement | str, parameters: object = None) -> object:
        """Run a statement, or several, as the connection's own method does."""
        return self._con.execute(self._known(query), parameters)

    def executemany(self, query: duckdb.Statement | str, parameters: object = None) -> object:
        """Run a statement for each row, as the connection's own method does."""
        return self._con.executemany(self._known(query), parameters)

    def _known(self, query: duckdb.Statement | str) -> duckdb.Statement | str:
        if not isinstance(query, str) or len(query) > _LONGEST:
            return query
        known = self._parsed.get(query)
        if known is None:
            found = self._con.extract_statements(query)
            if len(found) != 1:
                return query
            if len(self._parsed) >= _MOST_TEXTS:
                self._parsed.clear()
            known = self._parsed[query] = found[0]
        return known

    def __getattr__(self, name: str) -> Any:
        return getattr(self._con, name)


def parsing_once(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The same connection, for code that runs the same few hundred statements for each file."""
    return cast(duckdb.DuckDBPyConnection, _ParsingOnce(con))
