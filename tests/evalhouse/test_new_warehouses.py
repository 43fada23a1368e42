"""Every command that makes a warehouse, with every flag that changes how: made whole, or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from evalhouse import EvalhouseError, Warehouse
from evalhouse.cli_ingest import ingest_all_or_nothing
from evalhouse.placing import put
from evalhouse.transfer import export_parquet
from ingest.settings import Settings
from tests.commands import run

_QUESTIONS = "question_key,question,A,B,answer\n1,Which?,cat,dog,A\n2,Which one?,cat,dog,B\n"
_ANSWERS = "model,question_key,prediction\nm,1,A\nm,2,A\n"
_NEW = "new.duckdb"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, new_file: Path) -> Path:
    """A folder of files, bad ones too, another warehouse and its export."""
    top = tmp_path_factory.mktemp("lab")
    for folder in ("good", "bad"):
        (top / folder).mkdir()
        (top / folder / "q.csv").write_text(_QUESTIONS)
        (top / folder / "p.csv").write_text(_ANSWERS)
    (top / "bad" / "r.csv").write_text("model,question_key,prediction\nn,9,A\n")
    benchmark = top / "owl"
    benchmark.mkdir()
    (benchmark / "benchmark.toml").write_text(
        'name = "Owl"\ntask = "choice"\nstrategy = "vanilla"\naverage = "micro"\n'
    )
    other = Warehouse(top / "other.duckdb")
    shutil.copy(new_file, other.path)
    other.ingest(top / "good/q.csv", top / "good/p.csv", benchmark="Own", refresh=False)
    with other.reading(folders=[top]) as con:
        export_parquet(con, top / "parquet")
    return top


@pytest.fixture
def here(lab: Path, tmp_path: Path) -> Iterator[Path]:
    """A folder of the test's own, next to nothing; links to the files stand in it."""
    for path in lab.iterdir():
        (tmp_path / path.name).symlink_to(path)
    yield tmp_path
    # Neither what is made next to a warehouse nor its log stays.
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(f".{_NEW}")]
    assert not (tmp_path / f"{_NEW}.wal").exists()


def _rows(path: Path) -> tuple[int, int]:
    sql = "SELECT (SELECT count(*) FROM main.question), (SELECT count(*) FROM main.prediction)"
    questions, answers = Warehouse(path).sql(sql).row(0)
    return questions, answers


_INGEST = (
    "",
    "--strict",
    "--strict --no-refresh",
    "--strict --wait 1",
    "--strict --replace",
    "--strict --part",
    "--strict --threads 1 --memory-limit 500MB",
    "--no-refresh",
    "--replace",
    "--verbose --wide",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "flags"),
    [
        *(("good", flags) for flags in _INGEST),
        ("good/q.csv good/p.csv", "--strict"),
        ("good/*.csv", "--strict"),
    ],
)
def test_ingest_makes_one(here: Path, words: str, flags: str) -> None:
    done = run(
        "ingest", *words.split(), *flags.split(), "--benchmark", "Own", "--db", _NEW, cwd=here
    )
    assert (done.code, done.err) == (0, "")
    assert _rows(here / _NEW) == (2, 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code"),
    [("bad", 1), ("good bad/r.csv", 2), ("bad/*.csv", 1), ("bad --images keep", 1)],
)
def test_all_or_nothing_makes_none_of_bad_files(here: Path, words: str, code: int) -> None:
    done = run("ingest", *words.split(), "--strict", "--benchmark", "Own", "--db", _NEW, cwd=here)
    assert (done.code, "has no question 9" in done.err) == (code, True)
    assert not (here / _NEW).exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "ingest good --benchmark Own --dry-run",
        "ingest good --benchmark Own --dry-run --strict",
        "ingest good --benchmark Own --dry-run --images keep",
        "ingest bad --benchmark Own --dry-run --strict",
        "evalhouse merge other.duckdb --dry-run",
    ],
)
def test_a_dry_run_makes_none(here: Path, words: str) -> None:
    done = run(*words.split(), "--db", _NEW, cwd=here)
    assert done.code == int("bad" in words)
    assert "dry run: nothing is stored" in done.out
    assert not (here / _NEW).exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ("merge other.duckdb", (2, 2)),
        ("merge other.duckdb --no-refresh", (2, 2)),
        ("merge other.duckdb --wait 1", (2, 2)),
        ("import parquet", (2, 2)),
        ("import parquet --no-refresh", (2, 2)),
        ("releases install", (0, 0)),
        ("releases install --no-refresh", (0, 0)),
        ("benchmarks add owl", (0, 0)),
    ],
)
def test_other_commands_make_one(here: Path, words: str, rows: tuple[int, int]) -> None:
    done = run("evalhouse", *words.split(), "--db", _NEW, cwd=here)
    assert (done.code, done.err) == (0, "")
    assert _rows(here / _NEW) == rows


@pytest.mark.slow
def test_the_demo_makes_one(here: Path) -> None:
    done = run("evalhouse", "demo", cwd=here)
    assert done.code == 0
    assert (here / "evalhouse-demo/demo.duckdb").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "runs rename 1 --label x",
        "judges rename a b",
        "refresh",
        "migrate",
        "judge --model m --base-url http://127.0.0.1:9/",
    ],
)
def test_what_corrects_a_warehouse_says_that_nothing_is_there(here: Path, words: str) -> None:
    done = run("evalhouse", *words.split(), "--db", _NEW, cwd=here)
    assert done.code in (1, 2)
    assert done.err.startswith("error: ")


def test_a_warehouse_that_came_to_be_meanwhile_stays(here: Path, new_file: Path) -> None:
    house = Warehouse(here / _NEW)

    def made_by_another(text: str) -> None:
        # Another process is quicker.
        with suppress(FileExistsError):
            put(new_file, house.path)

    read = ingest_all_or_nothing(
        house,
        [here / "good"],
        Settings(benchmark="Own"),
        refresh=False,
        step=made_by_another,
    )
    with pytest.raises(EvalhouseError, match="came to be meanwhile; it is left as it is"):
        list(read)
    assert _rows(here / _NEW) == (0, 0)


def test_the_log_of_a_warehouse_that_is_gone_stays(here: Path) -> None:
    log = here / f"{_NEW}.wal"
    log.write_bytes(b"rows")
    read = ingest_all_or_nothing(Warehouse(here / _NEW), [here / "good"], Settings(benchmark="Own"))
    with pytest.raises(EvalhouseError, match="a warehouse that is gone"):
        list(read)
    assert not (here / _NEW).exists()
    assert log.read_bytes() == b"rows"
    log.unlink()


def test_a_link_to_where_nothing_is_yet(here: Path) -> None:
    (here / "far").mkdir()
    (here / _NEW).symlink_to(here / "far/real.duckdb")
    read = ingest_all_or_nothing(
        Warehouse(here / _NEW), [here / "good"], Settings(benchmark="Own"), refresh=False
    )
    assert [one.error for one in read] == [None, None]
    assert [path.name for path in (here / "far").iterdir()] == ["real.duckdb"]
    assert _rows(here / _NEW) == (2, 2)


def test_the_case_of_the_field(shared: Path, tmp_path: Path) -> None:
    for folder, errors, is_made in (("in", 0, True), ("in2", 1, False)):
        house = Warehouse(tmp_path / f"{folder}.duckdb")
        words = [shared / "field/26-strict" / folder]
        found = list(ingest_all_or_nothing(house, words, Settings(), refresh=False))
        assert len([one for one in found if one.error]) == errors
        assert house.path.exists() is is_made
