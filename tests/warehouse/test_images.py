"""Pictures next to a warehouse: kept once, by their hash, and found in files of each kind."""

from __future__ import annotations

import base64
import io
import json
from hashlib import sha256
from pathlib import Path

import duckdb
import polars as pl
import pytest
from PIL import Image

from evalhouse import InputError, UsageError, Warehouse, pictures
from evalhouse.demo.pictures import picture
from evalhouse.pages.report import scaled
from tests.commands import run
from tests.tables import write_jsonl
from warehouse.images import Images, kind_of

_DRAWN = [picture(f"{word} bridge", str(n)) for n, word in enumerate(("amber", "icy", "calm"))]
_NAMES = [sha256(one).hexdigest() for one in _DRAWN]


def _rows() -> list[dict[str, str]]:
    return [
        {"question_key": str(n), "question": "Which?", "A": "x", "B": "y", "answer": "A",
         "image": base64.b64encode(one).decode()}
        for n, one in enumerate(_DRAWN)
    ]  # fmt: skip


@pytest.fixture
def asked(house: Warehouse, tmp_path: Path) -> Warehouse:
    """Three questions with a picture each, of which the hashes alone are there."""
    with house.writing() as con:
        con.execute("INSERT INTO main.source VALUES (9, 'x', 'x', 0, 'x', 1, '{}', 0, now())")
        for n, name in enumerate(_NAMES):
            con.execute("INSERT INTO main.question_image VALUES (?, 0, ?, 9)", [n, name])
    return house


@pytest.mark.parametrize("kind", ["file", "tsv", "csv", "jsonl", "parquet", "blob", "list"])
def test_found_in(asked: Warehouse, tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    if kind == "file":
        for n, one in enumerate(_DRAWN):
            (folder / f"{n}.png").write_bytes(one)
    elif kind in ("tsv", "csv"):
        mark = "\t" if kind == "tsv" else ","
        lines = [mark.join(("index", "image"))]
        lines += [
            mark.join((str(n), base64.b64encode(one).decode())) for n, one in enumerate(_DRAWN)
        ]
        # The row of another pass names the row that has the picture.
        (folder / f"q.{kind}").write_text("\n".join([*lines, mark.join(("9", "1")), ""]))
    elif kind == "jsonl":
        write_jsonl(folder / "q.jsonl", _rows())
    else:
        value = {
            "parquet": "{'bytes': b, 'path': 'x.png'}",
            "blob": "b",
            "list": "[{'bytes': b, 'path': ''}]",
        }[kind]
        con = duckdb.connect()
        con.execute("CREATE TABLE t (b BLOB)")
        con.executemany("INSERT INTO t VALUES (?)", [[one] for one in _DRAWN])
        con.execute(
            f"COPY (SELECT {value} AS image FROM t) TO '{folder / 'q.parquet'}' (FORMAT parquet)"
        )
    assert pictures.add(asked, [folder]) == pictures.Added(3, 0, 0)
    assert pictures.add(asked, [folder]) == pictures.Added(0, 3, 0)
    images = Images.of(asked.path)
    assert [images.read(name) for name in _NAMES] == _DRAWN
    assert pictures.export(asked, tmp_path / "out") == (3, 0)
    assert {one.name for one in (tmp_path / "out").iterdir()} == {f"{name}.png" for name in _NAMES}


@pytest.mark.parametrize("kind", ["json", "jsonl", "csv", "xlsx", "parquet", "one"])
def test_found_by_path(asked: Warehouse, tmp_path: Path, kind: str) -> None:
    """Paths that a table names, several in a cell, from the table's own folder."""
    folder = tmp_path / "given"
    (folder / "images").mkdir(parents=True)
    names = [f"images/{n}.png" for n in range(3)]
    for name, one in zip(names, _DRAWN, strict=True):
        (folder / name).write_bytes(one)
    rows: list[dict[str, object]] = [{"image_path": name} for name in names]
    table = folder / f"q.{kind}"
    if kind == "json":
        table.write_text(json.dumps([{"image": names[:2]}, {"image": names[2]}]))
    elif kind == "one":
        table = folder / "q.json"
        table.write_text(json.dumps({"image": [{"bytes": None, "path": name} for name in names]}))
    elif kind == "jsonl":
        write_jsonl(table, rows)
    elif kind == "csv":
        pl.DataFrame(rows).write_csv(table)
    elif kind == "xlsx":
        pl.DataFrame(rows).write_excel(table)
    else:
        pl.DataFrame({"image": [{"bytes": None, "path": name} for name in names]}).write_parquet(
            table
        )
    assert pictures.add(asked, [table]) == pictures.Added(3, 0, 0)


def test_a_path_out_of_the_folder_is_not_read(asked: Warehouse, tmp_path: Path) -> None:
    """Data may name any file of the machine."""
    (tmp_path / "given").mkdir()
    (tmp_path / "0.png").write_bytes(_DRAWN[0])
    (tmp_path / "given" / "link.png").symlink_to(tmp_path / "0.png")
    names = ["../0.png", str(tmp_path / "0.png"), "link.png", "x" * 5_000, "\0", "."]
    write_jsonl(tmp_path / "given" / "q.jsonl", [{"image": name} for name in names])
    with pytest.raises(InputError, match=r"q\.jsonl.*holds no picture"):
        pictures.add(asked, [tmp_path / "given" / "q.jsonl"])


def test_what_has_no_end_is_an_error(asked: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match=r"deep\.json.*cannot be read"):
        pictures.add(asked, [tmp_path / "deep.json"])


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.jsonl", "a.json"])
def test_a_named_file_without_a_picture(asked: Warehouse, tmp_path: Path, name: str) -> None:
    """An error where it was named; a folder may hold anything."""
    (tmp_path / "given").mkdir()
    path = tmp_path / "given" / name
    path.write_text("[]" if name == "a.json" else "" if name == "a.jsonl" else "index,image\n")
    with pytest.raises(InputError, match=rf"{name}.*holds no picture"):
        pictures.add(asked, [path])
    assert pictures.add(asked, [path.parent]) == pictures.Added(0, 0, 0)


def test_what_is_of_no_question_is_left(asked: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "other.png").write_bytes(picture("green door", "other"))
    assert pictures.add(asked, [tmp_path / "other.png"]) == pictures.Added(0, 0, 1)
    assert list(Images.of(asked.path).all()) == []
    with pytest.raises(UsageError, match="is not there"):
        pictures.add(asked, [tmp_path / "nothing.png"])
    (tmp_path / "bad.jsonl").write_text("{")
    with pytest.raises(InputError, match=r"bad\.jsonl"):
        pictures.add(asked, [tmp_path / "bad.jsonl"])


def test_damage_is_found_and_not_shown(asked: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "one.png").write_bytes(_DRAWN[0])
    pictures.add(asked, [tmp_path / "one.png"])
    images = Images.of(asked.path)
    place = images.path(_NAMES[0])
    assert place is not None
    place.write_bytes(_DRAWN[1])
    assert images.read(_NAMES[0]) is None
    assert pictures.damaged(asked) == (1, [place])
    assert pictures.export(asked, tmp_path / "out") == (0, 1)
    done = run("evalhouse", "images", "check", "--db", asked.path, cwd=tmp_path)
    assert done.code == 1
    assert "1 picture is kept, 1 of them damaged" in done.out
    assert "2 of 3 pictures of questions are not kept" in done.out
    for name in ("../x", "A" * 64, "", _NAMES[0][:63]):
        assert images.path(name) is None


def test_kinds_and_thumbnails() -> None:
    assert kind_of(_DRAWN[0]) == "png"
    assert kind_of(b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>") is None
    small, kind = scaled(_DRAWN[0], "png", 60)
    with Image.open(io.BytesIO(small)) as shown:
        assert (shown.size, kind) == ((60, 40), "jpeg")
    assert scaled(_DRAWN[0], "png", 1_000) == (_DRAWN[0], "png")
    assert scaled(b"\x89PNG\r\n\x1a\nbroken", "png", 60) == (b"\x89PNG\r\n\x1a\nbroken", "png")


@pytest.mark.slow
def test_ingest_keeps_them_where_it_is_said(tmp_path: Path) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in _rows())
    (tmp_path / "q.jsonl").write_text(lines)
    words = ["q.jsonl", "--benchmark", "Own", "--no-refresh"]
    done = run("ingest", *words, "--images", "keep", "--db", "lab.duckdb", cwd=tmp_path)
    assert done.code == 0, done.err
    kept = {name for name, _ in Images.of(tmp_path / "lab.duckdb").all()}
    with Warehouse(tmp_path / "lab.duckdb").reading() as con:
        known = {
            name for (name,) in con.execute("SELECT sha256 FROM main.question_image").fetchall()
        }
    assert kept == known
    wrong = run("ingest", *words, "--images", "some", "--db", "lab.duckdb", cwd=tmp_path)
    assert wrong.code == 2
    assert "--images is hash or keep" in wrong.err
