"""What lies in folders of results and is none: left, each with what it is; a damaged result has failed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import shutil
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import pytest
from PIL import Image

from evalhouse import InputError, Warehouse
from tests.commands import run

_SAID = b"model,question_key,prediction\nm,1,A\n"


def _zip(name: str) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr(name, _SAID)
    return written.getvalue()


def _tar() -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.csv"))
    return written.getvalue()


def _picture(kind: str) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (3, 2), "red").save(written, kind)
    return written.getvalue()


def _array(*, packed: bool) -> bytes:
    written = io.BytesIO()
    np.savez(written, np.arange(3)) if packed else np.save(written, np.arange(3))
    return written.getvalue()


_TEXT = "is neither text in UTF-8"
_ZIP = "is a zip file, but not a spreadsheet"
_LEFT = {
    "a.png": (_picture("PNG"), "is a picture (PNG)"),
    "a.JPG": (_picture("JPEG"), "is a picture (JPEG)"),
    "a.gif": (_picture("GIF"), "is a picture (GIF)"),
    "a.webp": (_picture("WEBP"), "is a picture (WebP)"),
    "a.tiff": (_picture("TIFF"), "is a picture (TIFF)"),
    "a.bmp": (_picture("BMP"), _TEXT),
    "no_ending": (_picture("PNG"), "is a picture (PNG)"),
    "a.mp4": (b"\x00\x00\x00\x20ftypisom" + bytes(9), "is a video"),
    "a.mkv": (b"\x1aE\xdf\xa3" + bytes(9), "is a video"),
    "a.avi": (b"RIFF\x10\x00\x00\x00AVI LIST", "is a video"),
    "a.wav": (b"RIFF\x10\x00\x00\x00WAVEfmt " + b"\x10\x00", "is sound"),
    "a.mp3": (b"ID3\x03\x00\x00" + bytes(9), "is sound"),
    "bare.mp3": (b"\xff\xfb\x90\x64" + bytes(9), _TEXT),
    "a.pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "is a PDF document"),
    "plain.pdf": (b"%PDF-1.4\n1 0 obj\n", "has no header row"),
    "a.npy": (_array(packed=False), "is an array (NumPy)"),
    "a.npz": (_array(packed=True), _ZIP),
    "a.h5": (b"\x89HDF\r\n\x1a\n" + bytes(9), "is arrays (HDF5)"),
    "events.out.tfevents.17.host.1": (b"\x18" + bytes(7) + b"\xa3\x7f", "is what TensorBoard"),
    "run-1.wandb": (b":W&B\xb1\x00\xff", "is what wandb recorded"),
    "a.safetensors": (b"\x08" + bytes(7) + b"{}", _TEXT),
    "a.pt": (pickle.dumps(1j), "is no pickle of plain containers"),
    "b.pt": (_zip("archive/data.pkl"), _ZIP),
    "results.zip": (_zip("a.csv"), _ZIP),
    "half.zip": (_zip("a.csv")[:40], "not a whole zip file"),
    "a.docx": (_zip("word/document.xml"), _ZIP),
    "a.tar": (_tar(), "is an archive (tar)"),
    "a.tar.gz": (gzip.compress(_tar()), "is packed by gzip"),
    "a.tgz": (gzip.compress(_tar()), "is packed by gzip"),
    "a.tar.bz2": (bz2.compress(_tar()), "is packed by bzip2"),
    "a.tar.xz": (lzma.compress(_tar()), "is packed by xz"),
    "run.log.gz": (gzip.compress(b"log"), "is packed by gzip"),
    "a.7z": (b"7z\xbc\xaf\x27\x1c\x00", "is an archive (7z)"),
    "a.rar": (b"Rar!\x1a\x07\x00", "is an archive (RAR)"),
    "Thumbs.db": (b"\xd0\xcf\x11\xe0\x00", "is an old or encrypted file of Office"),
    "a.pyc": (b"\xcb\r\r\n\x00", _TEXT),
    # The checksum may begin as a pickle does.
    "summed.db": (b"\x80" + bytes(7) + b"DUCK", "is a DuckDB database"),
    "latin.txt": ("Größe, Länge\n".encode("latin-1"), _TEXT),
    "powershell.log": ("a, b\n".encode("utf-16"), "is encoded in UTF-16"),
    "twice.log": (b"INFO a, b, b\n", "the column stands twice"),
    "cut.log": (b'{"a": \n', "not valid JSON"),
    "empty.png": (b"", "the file is empty"),
    "~$m_Own.xlsx": (b"\x05user\x00\xff", "Excel's note"),
    "~$open.csv": (b"\x05user", "Excel's note"),
    "m_Own.xlsx.bak": (b"PK\x03\x04\x00\xff", "a copy that was kept of m_Own.xlsx"),
    "said.csv.old": (_SAID.replace(b"m,1", b"old,1"), "a copy that was kept of said.csv"),
    "said.jsonl.orig": (b"{}\n", "a copy that was kept of said.jsonl"),
}
_FAILED = {
    "half.xlsx": (b"PK\x03\x04\x00\xff", "not a whole xlsx file"),
    "text.xlsx": ("Größe\n".encode("latin-1"), "is not UTF-8"),
    "old.xls": (b"\xd0\xcf\x11\xe0\x00", "is an old or encrypted file of Office"),
    "encrypted.xlsx": (b"\xd0\xcf\x11\xe0\x00", "is an old or encrypted file of Office"),
    "latin.csv": (_SAID + "m,2,Größe\n".encode("latin-1"), "line 3 is not UTF-8"),
    "latin.jsonl": ('{"prediction": "Größe"}\n'.encode("latin-1"), "line 1 is not UTF-8"),
    "noise.tsv": (b"\xff\x00\xfe\x01", "is neither text in UTF-8"),
    "picture.csv": (_picture("PNG"), "is a picture (PNG)"),
    "said.csv.gz": (gzip.compress(_SAID), "is packed by gzip"),
    "m_v1.5.jsonl.bz2": (bz2.compress(_SAID), "is packed by bzip2"),
    "said.jsonl.zip": (_zip("said.jsonl"), _ZIP),
    "half.parquet": (b"PAR1" + bytes(9), "not a whole Parquet file"),
    "half.eval": (b"PK\x03\x04" + bytes(9), "not a whole zip file"),
    "half.pkl": (b"\x80\x04\x95", "is no pickle"),
    "empty.JSON": (b"", "the file is empty"),
    "wide.csv": ("a,b\n".encode("utf-16"), "is encoded in UTF-16"),
}  # fmt: skip


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a good file and all that is no result."""
    top = tmp_path_factory.mktemp("top") / "runs"
    top.mkdir()
    for name, (content, _) in _LEFT.items():
        (top / name).write_bytes(content)
    sqlite3.connect(top / "a.db").execute("CREATE TABLE a (b)").connection.close()
    duckdb.connect(top / "other.duckdb").execute("CREATE TABLE a (b INTEGER)").close()
    (top / "said.csv").write_bytes(_SAID)
    return top


def _own(house: Warehouse, tmp_path: Path) -> None:
    questions = tmp_path / "own.csv"
    questions.write_text("question_key,question,A,B,answer\n1,Which?,cat,dog,A\n")
    house.ingest(questions, benchmark="Own")


def test_what_is_no_result_is_left(house: Warehouse, top: Path, tmp_path: Path) -> None:
    _own(house, tmp_path)
    outcomes = {one.file.path.name: one for one in house.ingest_many(top, benchmark="Own")}
    assert [str(one.error) for one in outcomes.values() if one.error] == []
    for name, (_, words) in _LEFT.items():
        assert (outcomes[name].left or "read").startswith(words), name
    assert outcomes["a.db"].left == "is a SQLite database"
    assert (outcomes["other.duckdb"].left or "").startswith("is a DuckDB database")
    assert outcomes["said.csv"].report
    assert house.runs()["model"].to_list() == ["m"]


def test_a_result_that_cannot_be_read_has_failed(house: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    for name, (content, _) in _FAILED.items():
        (tmp_path / "runs" / name).write_bytes(content)
    outcomes = {one.file.path.name: one for one in house.ingest_many(tmp_path / "runs")}
    for name, (_, words) in _FAILED.items():
        assert words in str(outcomes[name].error), name


@pytest.mark.parametrize("name", [*_LEFT, "a.db", "other.duckdb"])
def test_a_file_that_is_named_has_to_be_read(
    house: Warehouse, top: Path, tmp_path: Path, name: str
) -> None:
    if name == "said.csv.old":
        _own(house, tmp_path)
        assert house.ingest(top / name, benchmark="Own")[0].loaded
        return
    with pytest.raises(InputError) as caught:
        house.ingest(top / name)
    assert name in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["out", "real"])
def test_folders_of_the_field(shared: Path, tmp_path: Path, folder: str) -> None:
    shutil.copytree(shared / "field/18-folder" / folder, tmp_path / folder)
    done = run("ingest", folder, "--db", "new.duckdb", "--no-refresh", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert "1 loaded" in done.out
