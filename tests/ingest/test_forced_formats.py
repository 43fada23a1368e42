"""`ingest --format NAME` of files whose columns, values or names are not those of the format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest.adapter import Adapter
from ingest.formats import ADAPTERS
from ingest.pipeline import ingest_file, prepare
from ingest.settings import Settings
from warehouse.connection import open_for_writing
from warehouse.errors import UsageError

_VALUES: list[Any] = [
    None, True, 0.5, "", "x", "3", [], [0.5], ["x"], [{"id": 1}], {}, {"text": 0.5},
]  # fmt: skip
_EVERY = sorted({name for adapter in ADAPTERS for name in adapter.needs})


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A warehouse of facts alone: no view is asked."""
    folder = tmp_path_factory.mktemp("forced")
    with closing(open_for_writing(folder / "house.duckdb")) as opened:
        prepare(opened)
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: adapter.name)
def test_a_file_of_another_format_is_no_defect(
    con: duckdb.DuckDBPyConnection,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    adapter: Adapter,
) -> None:
    """It is read or refused in words of the format; a defect is raised here as it is."""
    monkeypatch.setenv("EVALHOUSE_DEBUG", "1")
    needs = list(adapter.needs)
    given = [("one.jsonl", columns, value) for columns in (needs, _EVERY) for value in _VALUES]
    given += [(name, needs, "x") for name in ("a\nb.jsonl", "one.json", "-.jsonl")]
    flags = Settings(format=adapter.name, model="m", benchmark="Own", judge="j")
    for name, columns, value in given:
        record = dict.fromkeys(columns, value)
        path = tmp_path / name
        path.write_text(json.dumps({"1": record} if path.suffix == ".json" else record), "utf-8")
        with suppress(UsageError):
            ingest_file(con, path, flags)
