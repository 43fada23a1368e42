"""A warehouse as Parquet and back: the same rows, or a plain refusal and nothing left behind."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from evalhouse import Warehouse
from evalhouse.transfer import export_parquet, import_parquet
from tests.commands import run
from tests.houses import QuickHouse
from tests.nasty import nasty_house
from warehouse import connection, migrate, parquet
from warehouse import manifest as manifests
from warehouse.errors import InputError, SchemaVersionError, UsageError

NOT_FACTS = {"release", "release_object"}


@pytest.fixture(scope="module")
def nasty(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Rows in most tables, with every kind of text."""
    house = nasty_house(empty_file, tmp_path_factory.mktemp("nasty") / "nasty.duckdb")
    with house.writing() as con:
        # A second file of the tables that lie in parts, and values that formats like to lose.
        con.execute(
            "INSERT INTO main.prediction SELECT run_id + 1200, question_id, pass, sample, text, failed "
            "FROM main.prediction WHERE run_id = 2"
        )
        con.execute("INSERT INTO main.choice_score VALUES (6, 1, 0, 9, 'answer', 'A', '-0.0', NULL, '')")  # fmt: skip
        con.execute("INSERT INTO main.choice_score VALUES (6, 1, 0, 9, 'answer', 'B', 'nan', NULL, '')")  # fmt: skip
        con.execute("INSERT INTO main.choice_score VALUES (6, 1, 0, 9, 'answer', 'C', '-inf', 1, NULL)")  # fmt: skip
        con.execute("UPDATE main.judgment SET labels = [] WHERE judgment_id = 1")
        con.execute("UPDATE main.judgment SET labels = ['a', NULL, 'b,c'] WHERE judgment_id = 2")
    return house


@pytest.fixture(scope="module")
def folder(nasty: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of it, not to be changed."""
    path = tmp_path_factory.mktemp("export") / "it's [an] export*?"
    with nasty.reading(folders=[path.parent]) as con:
        export_parquet(con, path)
    return path


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def hashes(folder: Path) -> dict[str, tuple[int, str]]:
    manifest = manifests.read(folder)
    return {name: (table.rows, table.content) for name, table in manifest.tables.items()}


@pytest.mark.long
def test_every_table_comes_back(nasty: Warehouse, folder: Path, tmp_path: Path) -> None:
    import_parquet(folder, tmp_path / "again.duckdb")
    again = QuickHouse(tmp_path / "again.duckdb")
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{nasty.path}' AS one (READ_ONLY)")
        con.execute(f"ATTACH '{again.path}' AS two (READ_ONLY)")
        of_one, of_two = (
            con.execute(
                "SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns() "
                "WHERE database_name = ? AND schema_name = 'main' ORDER BY ALL",
                [name],
            ).fetchall()
            for name in ("one", "two")
        )
        assert of_one == of_two
        tables = {table for table, *_ in of_one} - NOT_FACTS
        assert tables == set(manifests.read(folder).tables)
        filled = 0
        for table in sorted(tables):
            for here, there in (("one", "two"), ("two", "one")):
                lost = f"SELECT * FROM {here}.main.{table} EXCEPT ALL SELECT * FROM {there}.main.{table}"  # fmt: skip
                assert con.execute(lost).fetchall() == [], table
            filled += con.execute(f"SELECT count(*) > 0 FROM two.main.{table}").fetchall()[0][0]
        assert filled > 20
    with again.reading(folders=[tmp_path]) as con:
        assert con.execute("SELECT name FROM main.release").fetchall() == [("field_v2",)]
        export_parquet(con, tmp_path / "export")
    assert hashes(tmp_path / "export") == hashes(folder)
    view = "SELECT * FROM pass_result ORDER BY ALL"
    assert again.sql(view).equals(nasty.sql(view))


def test_the_big_tables_lie_in_parts(folder: Path) -> None:
    files = manifests.read(folder).tables["prediction"].files
    assert [file.path for file in files] == [f"prediction/run_group={n}/part-0.parquet" for n in (0, 2)]  # fmt: skip
    assert all(file.rows > 0 for file in files)


def test_the_hash_knows_rows_and_not_their_order() -> None:
    def content(*rows: str) -> tuple[int, str]:
        with duckdb.connect() as con:
            con.execute("CREATE TABLE main.t (a VARCHAR, b VARCHAR, c VARCHAR[], d DOUBLE)")
            for row in rows:
                con.execute(f"INSERT INTO main.t VALUES ({row})")
            columns = {"a": "VARCHAR", "b": "VARCHAR", "c": "VARCHAR[]", "d": "DOUBLE"}
            return parquet._content(con, "t", columns)

    one, two = "'x', 'y', ['p'], 1", "'x', NULL, NULL, NULL"
    assert content(one, two) == content(two, one)
    different = [
        (one,), (one, one), (one, one, one), (two,), (), ("'xy', '', ['p'], 1",), ("'x1:y', '', ['p'], 1",),
        ("'x', 'y', ['p', NULL], 1",), ("'x', 'y', ['p', ''], 1",), ("'x', 'y', [], 1",), ("'x', 'y', NULL, 1",),
        ("'x', 'y', ['p'], 1.0000000000000002",), ("'x', 'y', ['p'], NULL",), ("'x', '-', NULL, NULL",),
        ("'x', 'y', ['p'], '-0.0'",), ("'x', 'y', ['p'], 0",), ("'x', 'y', ['1:p'], 1",), ("'x', 'y', ['p', 'p'], 1",),
    ]  # fmt: skip
    assert len({content(*rows) for rows in different}) == len(different)


Damage = Callable[[Path], object]


def _edit(change: Callable[[dict[str, Any]], object]) -> Damage:
    def damage(folder: Path) -> None:
        path = folder / "manifest.json"
        fields = json.loads(path.read_text("utf-8"))
        change(fields)
        path.write_text(json.dumps(fields), "utf-8")

    return damage


def _flip(folder: Path) -> None:
    path = folder / "question/part-0.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _rewrite(sql: str) -> Damage:
    """Another file in a table's place, and a manifest that knows it."""

    def damage(folder: Path) -> None:
        path = folder / "run_sample/part-0.parquet"
        with duckdb.connect() as con:
            con.execute(f"CREATE TABLE t AS SELECT * FROM read_parquet('{path}')")
            con.execute(f"COPY ({sql}) TO '{path}' (FORMAT parquet)")
        forged = {"sha256": parquet.sources.digest(path), "bytes": path.stat().st_size}
        _edit(lambda fields: fields["tables"]["run_sample"]["files"][0].update(forged))(folder)

    return damage


def _cut(folder: Path) -> None:
    text = (folder / "manifest.json").read_text("utf-8")
    (folder / "manifest.json").write_text(text[: len(text) // 2], "utf-8")


DAMAGES: dict[str, tuple[Damage, str]] = {
    "a changed byte": (_flip, r"question/part-0\.parquet: .*sha256"),
    "a file cut short": (
        lambda f: os.truncate(f / "run/part-0.parquet", 100),
        r"run/part-0\.parquet: has 100 bytes",
    ),
    "a missing file": (
        lambda f: (f / "choice/part-0.parquet").unlink(),
        r"choice/part-0\.parquet: .*not there",
    ),
    "a file too many": (
        lambda f: shutil.copy(f / "run/part-0.parquet", f / "run/part-1.parquet"),
        r"run/part-1\.parquet: is no file of this export",
    ),
    "a manifest cut short": (_cut, r"manifest\.json: is no whole JSON"),
    "no manifest": (lambda f: (f / "manifest.json").unlink(), "has no manifest.json"),
    "a manifest of something else": (
        lambda f: (f / "manifest.json").write_text("[1]"),
        r"manifest\.json, field schema_version",
    ),
    "another format": (_edit(lambda t: t.update(format=2)), "of format 2"),
    "an unknown table": (
        _edit(lambda t: t["tables"].update(more=t["tables"]["run"])),
        r"field tables\.more: "
        r"the schema has no such table",
    ),
    "a lost table": (
        _edit(lambda t: t["tables"].pop("run_sample")),
        r"run_sample/part-0\.parquet: is no file of this export",
    ),
    "an unknown column": (
        _edit(lambda t: t["tables"]["run"]["columns"].update(more="VARCHAR")),
        r"tables\.run: the schema has no column more",
    ),
    "another type": (
        _edit(lambda t: t["tables"]["run"]["columns"].update(label="BLOB")),
        "label is BLOB, and should be VARCHAR",
    ),
    "SQL for a name": (
        _edit(lambda t: t["tables"].update({'x"; DROP TABLE run; --': t["tables"]["run"]})),
        "no such table",
    ),
    "a way out": (
        _edit(lambda t: t["tables"]["run"]["files"][0].update(path="../x.parquet")),
        "no Parquet file in this folder",
    ),
    "an absolute path": (
        _edit(lambda t: t["tables"]["run"]["files"][0].update(path="/x.parquet")),
        "no Parquet file in this folder",
    ),
    "a wrong kind": (_edit(lambda t: t["tables"]["run"].update(rows="7")), r"field run\.rows"),
    "a forged count": (_edit(lambda t: t["tables"]["run"].update(rows=70)), "the manifest says 70"),
    "other rows": (
        _rewrite("SELECT run_id + 1 AS run_id, sample FROM t"),
        "run_sample: .* rows with the hash",
    ),
    "a row twice": (
        _rewrite("FROM t UNION ALL (FROM t LIMIT 1)"),
        "run_sample: .* rows with the hash",
    ),
    "another column in a file": (
        _rewrite("SELECT *, 1 AS more FROM t"),
        r"part-0\.parquet: the schema has no column more",
    ),
    "a NULL where there is none": (
        _rewrite("SELECT CAST(NULL AS INTEGER) AS run_id, sample FROM t"),
        "NOT NULL",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", DAMAGES)
def test_what_is_amiss_is_named_and_nothing_is_left(copy: Path, tmp_path: Path, what: str) -> None:
    damage, message = DAMAGES[what]
    damage(copy)
    with pytest.raises(InputError, match=message):
        import_parquet(copy, tmp_path / "new.duckdb")
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


@pytest.mark.parametrize(
    ("version", "words"), [(15, r"Evalhouse 0\.2\.0 imports it"), (17, r"knows 16 to 16\.$")]
)
def test_another_schema_is_refused(copy: Path, tmp_path: Path, version: int, words: str) -> None:
    _edit(lambda fields: fields.update(schema_version=version))(copy)
    with pytest.raises(SchemaVersionError, match=f"holds schema version {version}.*{words}"):
        import_parquet(copy, tmp_path / "new.duckdb")


@pytest.mark.long
def test_an_older_schema_is_upgraded(tmp_path: Path, next_migration: Path) -> None:
    version = 16
    with closing(
        connection.open_for_writing(
            tmp_path / "old.duckdb", schema_version=version, folders=[tmp_path]
        )
    ) as con:
        con.execute("INSERT INTO main.model VALUES (1, 'old', 1)")
        exported = parquet.export(con, tmp_path / "export", evalhouse="0.0.1")
        versions = con.execute("SELECT * FROM main.schema_version").fetchall()
    assert exported.schema_version == version
    import_parquet(tmp_path / "export", tmp_path / "new.duckdb")
    with QuickHouse(tmp_path / "new.duckdb").reading() as con:
        assert con.execute("SELECT name FROM main.model").fetchall() == [("old",)]
        now = con.execute("SELECT * FROM main.schema_version ORDER BY version").fetchall()
        assert con.execute("SELECT count(*) FROM main.warehouse_identity").fetchall() == [(1,)]
    assert now[:-1] == versions
    assert now[-1][0] == migrate.available()[-1].version


def test_an_export_wants_an_empty_folder(nasty: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "empty").mkdir()
    with nasty.reading(folders=[tmp_path]) as con:
        for name in ("full", "file"):
            with pytest.raises(UsageError, match=name):
                export_parquet(con, tmp_path / name)
        export_parquet(con, tmp_path / "empty")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["notes.txt"]


def test_a_broken_off_export_leaves_no_folder(
    nasty: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(manifests, "write", full)
    with nasty.reading(folders=[tmp_path]) as con, pytest.raises(UsageError, match="No space left"):
        export_parquet(con, tmp_path / "export")
    assert list(tmp_path.glob("export*")) == []


@pytest.mark.long
def test_the_commands(nasty: Warehouse, tmp_path: Path) -> None:
    done = run("evalhouse", "export", "--parquet", "out", "--db", nasty.path, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("out: schema version ")
    done = run("evalhouse", "import", "out", "--db", "new.duckdb", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    again = run("evalhouse", "import", "out", "--db", "new.duckdb", cwd=tmp_path)
    assert (again.code, again.err) == (
        2,
        "error: new.duckdb: is there already; an import makes a new warehouse\n",
    )
    again = run("evalhouse", "export", "--parquet", "out", "--db", "new.duckdb", cwd=tmp_path)
    assert (again.code, again.err) == (
        2,
        "error: out: is not empty; an export wants a folder of its own\n",
    )
    assert run("evalhouse", "export", cwd=tmp_path).code == 2
    done = run("evalhouse", "export", "--parquet", "x", "mmvet", cwd=tmp_path)
    assert (done.code, "stand behind" in done.err) == (2, True)
    assert run("evalhouse", "import", "nowhere", cwd=tmp_path).code == 2
    assert not (tmp_path / "warehouse.duckdb").exists()
