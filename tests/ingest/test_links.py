"""Links among the files of a folder: followed, each file read once, and left where they lead nowhere."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalhouse import InputError, Warehouse
from tests.commands import run
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl

_QUESTIONS = [Ask(str(n), {0: {"A": f"cat {n}", "B": f"dog {n}"}}, {0: "A"}) for n in range(1, 4)]


@pytest.fixture
def own(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A warehouse that knows the questions of the benchmark Own."""
    house.ingest(write_jsonl(tmp_path / "own.jsonl", question_rows(_QUESTIONS)), benchmark="Own")
    return house


def _answers(path: Path, model: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"model,question_key,prediction\n{model},1,A\n{model},2,B\n", "utf-8")
    return path


def _outcomes(house: Warehouse, top: Path, *words: Path) -> dict[str, str]:
    """What came of each file, by its path below a folder."""
    return {
        str(one.file.path.relative_to(top)): str(one.left or one.error or "read").replace(f"{top}/", "")
        for one in house.ingest_many(*(words or [top]))
    }  # fmt: skip


def test_linked_folders_are_read_once(own: Warehouse, tmp_path: Path) -> None:
    top = tmp_path / "runs"
    _answers(top / "z/one.csv", "one")
    _answers(tmp_path / "elsewhere/deep/two.csv", "two")
    _answers(tmp_path / "elsewhere/.hidden/three.csv", "three")
    (top / "a").symlink_to(top / "z")
    (top / "b").symlink_to(tmp_path / "elsewhere")
    (top / "c").symlink_to(tmp_path / "elsewhere")
    # Circles: to itself, and from what is linked to back to the top.
    (top / "z/up").symlink_to(top)
    (tmp_path / "elsewhere/back").symlink_to(top)
    assert _outcomes(own, top) == {"z/one.csv": "read", "b/deep/two.csv": "read"}
    assert sorted(own.runs()["model"]) == ["one", "two"]


def test_the_same_file_by_several_paths(own: Warehouse, tmp_path: Path) -> None:
    top = tmp_path / "runs"
    _answers(top / "z.csv", "z")
    _answers(tmp_path / "out/y.csv", "y")
    (top / "a.csv").symlink_to(top / "z.csv")
    for name in ("b.csv", "c.csv"):
        (top / name).symlink_to(tmp_path / "out/y.csv")
    (top / "out").symlink_to(tmp_path / "out")
    found = _outcomes(own, tmp_path, top, tmp_path / "out")
    assert found == {
        "runs/a.csv": "a link to runs/z.csv",
        "runs/b.csv": "a link to out/y.csv",
        "runs/c.csv": "a link to out/y.csv",
        "runs/out/y.csv": "the same file as out/y.csv",
        "out/y.csv": "read",
        "runs/z.csv": "read",
    }
    # Of links alone, the first.
    (tmp_path / "links").mkdir()
    _answers(tmp_path / "x.csv", "x")
    for name in ("b.csv", "a.csv"):
        (tmp_path / "links" / name).symlink_to(tmp_path / "x.csv")
    found = _outcomes(own, tmp_path, tmp_path / "links")
    assert found == {"links/a.csv": "read", "links/b.csv": "a link to links/a.csv"}


def test_a_link_that_leads_nowhere_is_left(own: Warehouse, tmp_path: Path) -> None:
    _answers(tmp_path / "runs/good.csv", "good")
    (tmp_path / "runs/gone.csv").symlink_to("../not/there.csv")
    (tmp_path / "runs/round.csv").symlink_to("round.csv")
    for words in (["runs"], ["runs/*.csv"]):
        done = run("ingest", *words, "-v", "--db", own.path, cwd=tmp_path)
        assert (done.code, done.err) == (0, "")
        for line in (
            "runs/gone.csv: left: is a link to ../not/there.csv, where no file is",
            "runs/round.csv: left: is a link to round.csv, where no file is",
        ):
            assert line in done.out.splitlines()
        assert "2 left, 0 failed" in done.out
    with pytest.raises(InputError, match=r"is a link to \.\./not/there.csv, where no file is"):
        own.ingest(tmp_path / "runs/gone.csv")
    assert own.runs()["model"].to_list() == ["good"]


_GONE = "/home/gone/outputs/m/T20260101_Gabc"


@pytest.mark.parametrize(
    ("link", "target", "file", "said"),
    [
        ("m/m_Own.csv", f"{_GONE}/m_Own.csv", "m/T20260101_Gabc/m_Own.csv", "T20260101_Gabc/m_Own.csv"),
        ("m/a.csv", f"{_GONE}/m_Own.csv", "m/T20260101_Gabc/m_Own.csv", "T20260101_Gabc/m_Own.csv"),
        ("latest.csv", "/gone/runs/b.csv", "b.csv", "b.csv"),
        ("latest.csv", "../gone/deep/c.csv", "gone/deep/c.csv", "gone/deep/c.csv"),
        ("m/m_Own.csv", f"{_GONE}/m_Own.csv", "m/T20260102_Gabc/m_Own.csv", None),
        ("m/m_Own.csv", f"{_GONE}/m_Own.csv", "m/T20260101_Gabc/n_Own.csv", None),
    ],
)  # fmt: skip
def test_a_link_of_a_moved_folder_says_where_its_file_lies(
    own: Warehouse, tmp_path: Path, link: str, target: str, file: str, said: str | None
) -> None:
    top = tmp_path / "runs"
    _answers(top / file, "m")
    (top / link).parent.mkdir(exist_ok=True)
    (top / link).symlink_to(target)
    words = f"is a link to {target}, where no file is"
    assert _outcomes(own, top)[link] == words + (f"; the file itself lies in {said}" if said else "")  # fmt: skip


def test_a_folder_that_a_link_leads_to_is_gone(own: Warehouse, tmp_path: Path) -> None:
    _answers(tmp_path / "runs/good.csv", "good")
    (tmp_path / "runs/T20260101").symlink_to("/home/gone/T20260101")
    assert _outcomes(own, tmp_path / "runs") == {
        "good.csv": "read",
        "T20260101": "is a link to /home/gone/T20260101, where no file is",
    }


def test_a_moved_work_dir_of_the_field(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    case = shared / "field/25-dangling-links"
    shutil.copytree(case / "outputs", tmp_path / "outputs", copy_function=shutil.copyfile)
    for line in (case / "LINKS.txt").read_text("utf-8").splitlines():
        link, target = line.split(" -> ")
        (tmp_path / link).symlink_to(target)
    found = _outcomes(house, tmp_path / "outputs")
    assert found.pop("m/T20260101_Gabc12345/m_MMStar.xlsx") == "read"
    (said,) = found.values()
    assert said.endswith("; the file itself lies in T20260101_Gabc12345/m_MMStar.xlsx")


def test_a_folder_that_cannot_be_opened_has_failed(
    own: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _answers(tmp_path / "runs/good.csv", "good")
    (tmp_path / "runs/closed").mkdir()
    real = Path.iterdir

    def closed(path: Path) -> object:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(Path, "iterdir", closed)
    assert _outcomes(own, tmp_path / "runs") == {
        "good.csv": "read",
        "closed": "runs/closed: is a folder that cannot be read: Permission denied".removeprefix("runs/"),
    }  # fmt: skip


def test_a_linked_warehouse_is_not_meant(own: Warehouse, tmp_path: Path) -> None:
    _answers(tmp_path / "runs/good.csv", "good")
    (tmp_path / "runs/house.duckdb").symlink_to(own.path)
    assert _outcomes(own, tmp_path / "runs") == {"good.csv": "read"}


@pytest.mark.slow
def test_the_cache_of_a_hub(house: Warehouse, tmp_path: Path) -> None:
    """As huggingface_hub leaves it: the names are links, and the content has none."""
    cache = tmp_path / "hub/datasets--lmms-lab--MMBench_EN"
    rows = [
        {"index": n, "question": f"Q {n}?", "A": "cat", "B": "dog", "answer": "A", "category": "ocr",
         "L2-category": "finegrained_perception (instance-level)", "split": "dev"}
        for n in (1, 2)
    ]  # fmt: skip
    for commit in ("0f" * 20, "1e" * 20):
        (cache / "snapshots" / commit / "data").mkdir(parents=True)
    (cache / "refs").mkdir()
    (cache / "refs/main").write_text("1e" * 20)
    (cache / "blobs").mkdir()
    for number, row in enumerate(rows):
        blob = cache / "blobs" / (f"{number}a" * 32)
        pq.write_table(pa.Table.from_pylist([row]), blob)
        for commit in ("0f" * 20, "1e" * 20):
            link = cache / "snapshots" / commit / f"data/dev-{number:05d}-of-00002.parquet"
            link.symlink_to(Path("../../../blobs") / blob.name)
    found = _outcomes(house, cache)
    first = f"snapshots/{'0f' * 20}/data"
    assert found == {
        f"{first}/dev-00000-of-00002.parquet": "read",
        f"{first}/dev-00001-of-00002.parquet": "read",
        f"snapshots/{'1e' * 20}/data/dev-00000-of-00002.parquet": f"a link to {first}/dev-00000-of-00002.parquet",
        f"snapshots/{'1e' * 20}/data/dev-00001-of-00002.parquet": f"a link to {first}/dev-00001-of-00002.parquet",
        f"blobs/{'0a' * 32}": f"the same file as {first}/dev-00000-of-00002.parquet",
        f"blobs/{'1a' * 32}": f"the same file as {first}/dev-00001-of-00002.parquet",
        "refs/main": "the hub cache's note of a commit",
    }  # fmt: skip
    assert house.sql(
        "SELECT d.name, count(*) FROM main.question JOIN main.dataset AS d USING (dataset_id) GROUP BY ALL"
    ).rows() == [("MMBench/dev/en", 2)]
    # The command counts them as one kind of thing.
    shutil.copytree(cache, tmp_path / "copy" / cache.name, symlinks=True)
    done = run("ingest", "copy", "--db", "new.duckdb", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == "7 files: 2 loaded (2 rows), 0 there already, 5 left, 0 failed"  # fmt: skip
    assert "left: 2 files, such as" in done.out
    assert "the same file as another of the files" in done.out
