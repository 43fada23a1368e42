"""A new warehouse is a copy of the empty one that was made at set-up, and what the SQL would make."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from evalhouse import Warehouse, blank

_CATALOG = (
    "SELECT schema_name, view_name, sql, comment FROM duckdb_views() WHERE NOT internal",
    "SELECT schema_name, table_name, sql, comment FROM duckdb_tables()",
    "SELECT schema_name, table_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal",
    "SELECT schema_name, function_name, parameters, macro_definition FROM duckdb_functions() WHERE NOT internal",
    "SELECT release, kind, name, origin, sha256 FROM main.release_object",
    "SELECT name, builds_on, state, is_default FROM main.release",
    "SELECT version, name FROM main.schema_version",
)


def _all_of(path: Path) -> list[list[tuple[Any, ...]]]:
    with duckdb.connect(path, read_only=True) as con:
        return [sorted(con.execute(query).fetchall(), key=repr) for query in _CATALOG]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "made.duckdb"
    blank.make(path)
    return path


def test_a_copy_is_what_the_sql_makes(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blank, "path", lambda: made)
    # Days after it was made.
    with duckdb.connect(made) as con:
        con.execute("UPDATE main.release SET installed_at = installed_at - INTERVAL 9 DAY")
        con.execute("UPDATE main.schema_version SET applied_at = applied_at - INTERVAL 9 DAY")
    new = tmp_path / "new.duckdb"
    with Warehouse(new).writing() as con:
        dates = con.execute(
            "SELECT min(installed_at) FROM main.release "
            "UNION ALL SELECT min(applied_at) FROM main.schema_version"
        ).fetchall()
    now = datetime.now(UTC).replace(tzinfo=None)
    assert all(now - date < timedelta(minutes=10) for (date,) in dates)
    assert len(_all_of(made)[0]) > 100
    assert _all_of(new) == _all_of(made)


def test_without_it_the_sql_makes_one(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = blank.path()
    # Another engine would make another file.
    monkeypatch.setattr(duckdb, "__version__", "1.9.9")
    assert blank.path() != named
    assert not blank.path().exists()
    new = tmp_path / "new.duckdb"
    blank.put(new)
    assert _all_of(new) == _all_of(made)
