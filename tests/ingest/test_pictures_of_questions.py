"""Several pictures of a question, in order, from a file to a page; and ingest that keeps them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalhouse import Warehouse, pictures
from evalhouse.demo.pictures import picture
from tests.commands import run
from tests.tables import write_jsonl
from tests.webpages import Seen, client_of, site_of
from warehouse.images import Images

_FRAMES = [
    picture(f"{word} bridge", f"frame {n}") for n, word in enumerate(("amber", "icy", "calm"))
]
_HASHES = [sha256(one).hexdigest() for one in _FRAMES]
_BASE64 = [base64.b64encode(one).decode() for one in _FRAMES]
# By question: which frames it has, in this order.
_ORDER = {"q1": (2, 0, 1), "q2": (1,), "q3": (0, 2)}
_STRUCT = pa.struct([("bytes", pa.binary()), ("path", pa.string())])


def _rows(cell: Callable[[tuple[int, ...]], object]) -> list[dict[str, object]]:
    return [
        {"question_key": key, "question": f"What of {key}?", "A": "a", "B": "b", "answer": "A", "image": cell(order)}
        for key, order in _ORDER.items()
    ]  # fmt: skip


def _written(folder: Path, kind: str) -> Path:
    """A file of questions with their pictures in it, or next to it."""
    names = [f"frames/{n} of a film.png" for n in range(len(_FRAMES))]
    if "path" in kind:
        (folder / "frames").mkdir()
        for name, one in zip(names, _FRAMES, strict=True):
            (folder / name).write_bytes(one)
    if kind == "parquet":
        rows = _rows(lambda order: [{"bytes": _FRAMES[n], "path": None} for n in order])
        images = pa.array([row.pop("image") for row in rows], pa.list_(_STRUCT))
        table = pa.Table.from_pylist(rows).append_column("image", images)
        pq.write_table(table, folder / "q.parquet")
        return folder / "q.parquet"
    if kind == "paths in parquet":
        rows = _rows(lambda order: json.dumps([names[n] for n in order]))
        pl.DataFrame(rows).write_parquet(folder / "q.parquet")
        return folder / "q.parquet"
    if kind == "base64":
        return write_jsonl(folder / "q.jsonl", _rows(lambda order: [_BASE64[n] for n in order]))
    if kind == "paths":
        one = _rows(lambda order: [names[n] for n in order])
        one[1]["image"] = names[1]
        return write_jsonl(folder / "q.jsonl", one)
    # As Python writes a list into a cell.
    cells = names if "path" in kind else _BASE64
    pl.DataFrame(_rows(lambda order: str([cells[n] for n in order]))).write_csv(folder / "q.csv")
    return folder / "q.csv"


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["parquet", "base64", "paths", "base64 in csv", "paths in csv", "paths in parquet"]
)
def test_several_of_a_question_in_order(house: Warehouse, tmp_path: Path, kind: str) -> None:
    file = _written(tmp_path, kind)
    house.ingest(file, benchmark="Own", refresh=False)
    known: dict[str, list[str]] = {}
    for key, name in house.sql(
        "SELECT q.question_key, i.sha256 FROM main.question_image AS i JOIN main.question AS q USING (question_id) "
        "ORDER BY i.question_id, i.ordinal"
    ).rows():
        known.setdefault(key, []).append(name)
    assert known == {key: [_HASHES[n] for n in order] for key, order in _ORDER.items()}
    assert pictures.add(house, [file]).n_new == len(_FRAMES)
    if kind != "paths":
        return
    answers = [{"question_key": key, "prediction": "A"} for key in _ORDER]
    house.ingest(
        write_jsonl(tmp_path / "a.jsonl", answers), benchmark="Own", model="m", refresh=False
    )
    client = client_of(site_of(house))
    for number, order in enumerate(_ORDER.values(), 1):
        seen = Seen(client.get(f"/question?run=1&question={number}").text)
        shown = [found["src"] for tag, found in seen.tags if tag == "img"]
        assert shown == [f"/picture/{_HASHES[n]}" for n in order]
        assert [found["alt"] for tag, found in seen.tags if tag == "img"] == [
            f"Picture {place} of the question" for place in range(1, len(order) + 1)
        ]
    assert [client.get(f"/picture/{name}").content for name in _HASHES] == _FRAMES


def test_a_path_elsewhere_is_a_text(house: Warehouse, tmp_path: Path) -> None:
    """Data may name any file of the machine: one out of the folder is not looked at."""
    (tmp_path / "given").mkdir()
    (tmp_path / "0.png").write_bytes(_FRAMES[0])
    (tmp_path / "given" / "loop.png").symlink_to("loop.png")
    (tmp_path / "given" / "no.png").write_text("no picture")
    names = [
        "../0.png",
        str(tmp_path / "0.png"),
        "loop.png",
        "no.png",
        "there is none.png",
        "x" * 400 + ".png",
    ]
    rows = [
        {"question_key": f"{n}", "question": "?", "A": "a", "B": "b", "answer": "A", "image": name}
        for n, name in enumerate(names)
    ]
    house.ingest(write_jsonl(tmp_path / "given" / "q.jsonl", rows), benchmark="Own", refresh=False)
    found = house.sql("SELECT sha256 FROM main.question_image ORDER BY question_id")[
        "sha256"
    ].to_list()
    assert found == [sha256(name.encode()).hexdigest() for name in names]


def test_ingest_keeps_those_of_paths_and_of_a_snapshot(new_file: Path, tmp_path: Path) -> None:
    """`ingest --images keep` of a file with paths, and of a folder as the Hugging Face hub has it."""
    (tmp_path / "lab.duckdb").write_bytes(new_file.read_bytes())
    _written(tmp_path, "paths")
    snapshot = tmp_path / f"datasets--lmms-lab--MMBench/snapshots/{'0f' * 20}"
    snapshot.mkdir(parents=True)
    frame = picture("green door", "snapshot")
    row = {
        "index": 1,
        "question": "Q?",
        "answer": "A",
        "A": "cat",
        "B": "dog",
        "category": "ocr",
        "L2-category": "nan",
    }
    table = pa.Table.from_pylist([row]).append_column(
        "image", pa.array([{"bytes": frame, "path": None}], _STRUCT)
    )
    pq.write_table(table, snapshot / "dev-00000-of-00001.parquet")
    words = ["--no-refresh", "--images", "keep", "--db", "lab.duckdb"]
    done = run("ingest", "q.jsonl", "--benchmark", "Own", *words, cwd=tmp_path)
    assert done.code == 0, done.err
    assert "3 pictures" in done.out
    done = run("ingest", snapshot.parents[1], *words, cwd=tmp_path)
    assert done.code == 0, done.err + done.out
    images = Images.of(tmp_path / "lab.duckdb")
    assert {name for name, _ in images.all()} == {*_HASHES, sha256(frame).hexdigest()}
    assert images.read(sha256(frame).hexdigest()) == frame
