"""A new warehouse that is copied is the one that would have been made."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import platformdirs
import pytest

from evalhouse import EvalhouseError, Warehouse, blank, placing
from warehouse.migrate import available

_CATALOG = (
    "SELECT schema_name, view_name, sql, comment FROM duckdb_views() WHERE NOT internal",
    "SELECT schema_name, table_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal",
    "SELECT schema_name, function_name, macro_definition FROM duckdb_functions() WHERE NOT internal",
    "SELECT version, name FROM main.schema_version",
    "SELECT name, builds_on, state, is_default FROM main.release",
    "FROM main.release_object",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's cache folder of the test's own, which is not there yet."""
    path = tmp_path / "cache"
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: path / name)
    return path


def made(path: Path) -> Warehouse:
    house = Warehouse(path)
    with house.writing():
        pass
    return house


def catalog(house: Warehouse) -> list[list[tuple[object, ...]]]:
    with house.reading() as con:
        return [sorted(con.execute(query).fetchall(), key=repr) for query in _CATALOG]


def identity(house: Warehouse) -> str:
    with house.reading() as con:
        return str(
            con.execute("SELECT warehouse_uuid FROM main.warehouse_identity").fetchall()[0][0]
        )


def test_a_copy_has_all_that_the_first_has_but_its_own_identity_and_dates(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = made(tmp_path / "first.duckdb")
    (kept,) = (folder / "evalhouse" / "blank").iterdir()

    monkeypatch.setattr(blank, "_make_anew", lambda path: pytest.fail("made again"))
    second = made(tmp_path / "second.duckdb")

    assert catalog(second) == catalog(first)
    assert len(catalog(second)[3]) == len(available())
    assert identity(second) != identity(first)
    with second.reading() as con, first.reading() as other:
        for dated in (
            "SELECT min(applied_at) FROM main.schema_version",
            "SELECT min(installed_at) FROM main.release",
        ):
            assert con.execute(dated).fetchall() > other.execute(dated).fetchall()
    # What is kept is nobody's: it does not change with what is copied from it.
    assert kept.stat().st_size <= first.path.stat().st_size


@pytest.mark.long
@pytest.mark.parametrize("content", [b"no database", None])
def test_one_that_is_damaged_is_made_anew(
    folder: Path, tmp_path: Path, empty_file: Path, content: bytes | None
) -> None:
    whole = empty_file.read_bytes()
    kept = blank._kept()
    kept.parent.mkdir(parents=True)
    kept.write_bytes(whole[: len(whole) // 2] if content is None else content)

    assert catalog(made(tmp_path / "warehouse.duckdb")) == catalog(Warehouse(empty_file))
    with duckdb.connect(str(kept), read_only=True) as con:
        assert con.execute("SELECT count(*) FROM latest.leaderboard").fetchall() == [(0,)]


@pytest.mark.long
def test_it_is_made_where_nothing_can_be_kept(folder: Path, tmp_path: Path) -> None:
    folder.write_text("a file where the folder would be")
    assert catalog(made(tmp_path / "warehouse.duckdb"))[4]


def test_other_sources_make_another_one(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = blank._kept()
    monkeypatch.setattr(blank, "_RESTS_ON", ("duckdb",))
    assert blank._kept() != before


def test_one_that_nobody_copied_for_long_is_taken_away(folder: Path, tmp_path: Path) -> None:
    old = folder / "evalhouse" / "blank" / "old.duckdb"
    old.parent.mkdir(parents=True)
    old.write_bytes(b"")
    os.utime(old, (0, 0))
    made(tmp_path / "warehouse.duckdb")
    assert not old.exists()


def test_what_a_warehouse_that_is_gone_left_is_not_the_new_one_s(
    empty_file: Path, tmp_path: Path
) -> None:
    """The engine would replay it: blank warehouses are copies, and alike to it."""
    path = tmp_path / "warehouse.duckdb"
    path.with_name("warehouse.duckdb.wal").write_bytes(b"left")
    with pytest.raises(
        EvalhouseError, match=r"warehouse\.duckdb\.wal: is what a warehouse that is gone"
    ):
        made(path)
    assert not path.exists()


@pytest.mark.long
def test_a_file_system_without_links(
    empty_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_link(*_: object) -> None:
        raise PermissionError("links are not known here")

    monkeypatch.setattr(os, "link", no_link)
    assert catalog(made(tmp_path / "warehouse.duckdb")) == catalog(Warehouse(empty_file))
    assert [file.name for file in tmp_path.iterdir()] == ["warehouse.duckdb"]


def test_a_disk_that_is_full_leaves_no_half_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no room")

    new, place = tmp_path / "new", tmp_path / "place"
    new.write_bytes(b"whole")
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="no room"):
        placing.put(new, place)
    assert not place.exists()
