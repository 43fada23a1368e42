"""A new warehouse is a copy of the empty one that was made at set-up, and what the SQL would make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from evalhouse import Warehouse, blank
from tests.tables import write_jsonl

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


@pytest.mark.slow
def test_a_copy_is_what_the_sql_makes(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blank, "path", lambda: made)
    new = tmp_path / "new.duckdb"
    with Warehouse(new).writing():
        pass
    assert _all_of(new) == _all_of(made)
    # It is a warehouse of its own, and made just now.
    query = "SELECT warehouse_uuid, (SELECT min(installed_at) FROM main.release) FROM main.warehouse_identity"
    others = {Warehouse(path).sql(query).row(0) for path in (made, new)}
    another = tmp_path / "another.duckdb"
    blank.put(another)
    others.add(Warehouse(another).sql(query).row(0))
    assert len({identity for identity, _ in others}) == len({when for _, when in others}) == 3
    asks = [{"question_key": "1", "question": "?", "A": "a", "B": "b", "answer": "A"}]
    Warehouse(new).ingest(write_jsonl(tmp_path / "q.jsonl", asks), benchmark="Own")
    assert Warehouse(new).sql("SELECT count(*) FROM main.question").item() == 1
    assert Warehouse(made).sql("SELECT count(*) FROM main.question").item() == 0


@pytest.mark.slow
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
