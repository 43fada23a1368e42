"""`ingest --images keep` and `hash`, whatever the files are: it ends as the same command without it."""

from __future__ import annotations

import base64
import json
from hashlib import sha256
from pathlib import Path

import polars as pl
import pytest

from tests.commands import run
from warehouse.images import Images

pytestmark = pytest.mark.slow
_PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(64))
_IN_BASE64 = base64.b64encode(_PICTURE).decode()
_ROWS = [
    {"question_key": "1", "question": "Q 1?", "A": "cat", "B": "dog", "answer": "A"},
    {"question_key": "2", "question": "Q 2?", "A": "cat", "B": "dog", "answer": "B"},
]
_SAID = [{"question_key": row["question_key"], "model": "m", "prediction": "A"} for row in _ROWS]


@pytest.fixture
def folder(new_file: Path, tmp_path: Path) -> Path:
    """A folder with an empty warehouse, questions of three kinds, and answers to them."""
    (tmp_path / "lab.duckdb").write_bytes(new_file.read_bytes())
    (tmp_path / "in").mkdir()
    pl.DataFrame(_ROWS).write_csv(tmp_path / "in/questions.csv")
    pl.DataFrame(_SAID).write_csv(tmp_path / "in/answers.csv")
    pl.DataFrame(_ROWS).write_parquet(tmp_path / "questions.parquet")
    with_picture = [row | {"image": _IN_BASE64} for row in _ROWS]
    pl.DataFrame(with_picture).write_csv(tmp_path / "pictures.tsv", separator="\t")
    return tmp_path


@pytest.mark.parametrize("images", ["keep", "hash"])
@pytest.mark.parametrize(
    ("words", "n_kept"),
    [
        (["in/questions.csv"], 0),
        (["in/questions.csv", "in/answers.csv"], 0),
        (["in"], 0),
        (["questions.parquet"], 0),
        (["pictures.tsv", "in/answers.csv"], 1),
        (["in/questions.csv", "--strict"], 0),
        (["pictures.tsv", "--strict"], 1),
        (["pictures.tsv", "--dry-run"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_it_ends_well(folder: Path, images: str, words: list[str], n_kept: int) -> None:
    given = ["--benchmark", "Own", "--images", images, "--no-refresh", "--db", "lab.duckdb"]
    done = run("ingest", *words, *given, cwd=folder)
    assert done.code == 0, done.err
    kept = {name for name, _ in Images.of(folder / "lab.duckdb").all()}
    expected = {sha256(_PICTURE).hexdigest()} if n_kept and images == "keep" else set()
    assert kept == expected
    # The answers alone, whose questions are there.
    if "--dry-run" not in words:
        given += ["--run", "again"]
        done = run("ingest", "in/answers.csv", *given, cwd=folder)
        assert done.code == 0, done.err


def test_what_cannot_be_looked_into_is_said_and_no_failure(folder: Path) -> None:
    """Files that ingest reads and that no picture is looked for in, and files that it leaves."""
    (folder / "in/lines.json").write_text(
        "".join(json.dumps({"question_id": f"5_{n}", "prediction": "A", "gt_answer": "A"}) + ",\n" for n in range(2))
    )  # fmt: skip
    (folder / "in/notes.md").write_text("notes\n")
    (folder / "in/picture.png").write_bytes(_PICTURE)
    (folder / "in/gone.png").symlink_to(folder / "nowhere.png")
    given = ["--images", "keep", "--no-refresh", "--db", "lab.duckdb"]
    done = run("ingest", "in/lines.json", "--model", "m", *given, cwd=folder)
    assert done.code == 0, done.err
    assert "no picture was looked for in a file: in/lines.json" in done.err
    (folder / "in/broken.jsonl").write_text('{"question_key": "1", "predi')
    whole = run("ingest", "in", "--benchmark", "Own", "--no-refresh", "--db", "lab.duckdb", cwd=folder)  # fmt: skip
    kept = run("ingest", "in", "--benchmark", "Own", *given, cwd=folder)
    assert kept.code == whole.code == 1
    assert "failed: in/broken.jsonl" in kept.err
    strict = run("ingest", "in", "--benchmark", "Own", *given, "--strict", cwd=folder)
    assert strict.code == 1, strict.err
    assert "--strict: nothing is stored" in strict.out


def test_a_named_file_of_no_picture_is_an_error_of_images_add_alone(folder: Path) -> None:
    given = ["--benchmark", "Own", "--no-refresh", "--db", "lab.duckdb"]
    assert run("ingest", "in/questions.csv", *given, cwd=folder).code == 0
    done = run("evalhouse", "images", "add", "in/questions.csv", "--db", "lab.duckdb", cwd=folder)
    assert done.code == 2
    assert "holds no picture" in done.err
    wrong = run("ingest", "in/answers.csv", "--images", "some", "--db", "lab.duckdb", cwd=folder)
    assert wrong.code == 2
    assert "--images is hash or keep" in wrong.err
