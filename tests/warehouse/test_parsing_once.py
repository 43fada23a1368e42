"""A connection that parses each text once does what the connection itself does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse import parsing, statements
from warehouse.connection import in_memory, transaction
from warehouse.parsing import parsing_once


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with in_memory() as con:
        yield con


def test_statements_run_again_with_other_values_and_after_the_tables_changed(
    con: duckdb.DuckDBPyConnection,
) -> None:
    once = parsing_once(con)
    texts = {
        "CREATE OR REPLACE TEMP TABLE one (n INTEGER, word VARCHAR)",
        "CREATE OR REPLACE TEMP TABLE one (word VARCHAR, n INTEGER, more DOUBLE)",
    }
    for text, columns in zip(sorted(texts) * 3, ["n word", "word n more"] * 3, strict=True):
        once.execute(text)
        once.execute("INSERT INTO one (n, word) VALUES (?, ?)", [1, "a"])
        once.executemany("INSERT INTO one (n, word) VALUES (?, ?)", [[2, "b"], [3, "c"]])
        found = once.execute("SELECT * FROM one WHERE n >= $least ORDER BY n", {"least": 2})
        names = [name for name, *_ in found.description]
        assert names == columns.split()
        rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
        assert [(row["n"], row["word"]) for row in rows] == [(2, "b"), (3, "c")]


@given(st.lists(st.one_of(st.integers(-9, 9), st.text(max_size=3), st.none()), max_size=6))
def test_values_are_those_of_each_call(
    con: duckdb.DuckDBPyConnection, values: list[int | str | None]
) -> None:
    once = parsing_once(con)
    for value in values:
        if isinstance(value, str) and "\0" in value:
            continue
        asked: Any = "SELECT ?", [value]
        assert once.execute(*asked).fetchall() == con.execute(*asked).fetchall() == [(value,)]


def test_several_statements_in_a_text_and_none_run_as_ever(con: duckdb.DuckDBPyConnection) -> None:
    once = parsing_once(con)
    for _ in range(2):
        once.execute("CREATE OR REPLACE TEMP TABLE two (n INTEGER); INSERT INTO two VALUES (7)")
        assert once.execute("FROM two").fetchall() == [(7,)]
        once.execute("-- nothing")
    once.register("shown", pl.DataFrame({"n": [7]}).to_arrow())
    assert once.execute("SELECT n + 1 FROM shown").fetchall() == [(8,)]


def test_a_transaction_is_the_connections_own(con: duckdb.DuckDBPyConnection) -> None:
    once = parsing_once(con)
    once.execute("CREATE OR REPLACE TEMP TABLE three (n INTEGER)")
    for _ in range(2):
        with pytest.raises(duckdb.ConversionException), transaction(once):
            once.execute("INSERT INTO three VALUES (1); INSERT INTO three VALUES ('no number')")
    assert con.execute("FROM three").fetchall() == []


def test_errors_are_the_same_and_show_the_line(con: duckdb.DuckDBPyConnection) -> None:
    once = parsing_once(con)
    for text in ("SELECT 1,\nnothing FROM range(1)", "SELECT (", "FROM no_such_table"):
        for _ in range(2):
            with pytest.raises(duckdb.Error) as here:
                once.execute(text)
            with pytest.raises(duckdb.Error) as there:
                con.execute(text)
            assert str(here.value) == str(there.value)
            assert statements.place_of(here.value) == statements.place_of(there.value)


def test_what_is_kept_has_bounds(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsing, "_MOST_TEXTS", 3)
    once = parsing_once(con)
    for n in range(20):
        assert once.execute(f"SELECT {n}").fetchall() == [(n,)]
    assert len(once._parsed) <= 3  # type: ignore[attr-defined]
    long = "SELECT length('" + "x" * 30_000 + "')"
    assert once.execute(long).fetchall() == [(30_000,)]
    assert long not in once._parsed  # type: ignore[attr-defined]
