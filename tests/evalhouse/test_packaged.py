"""What installed packages bring: benchmarks, releases and formats, and broken ones that are named."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from evalhouse import InputError, UsageError, Warehouse
from ingest import formats
from ingest.names import DatasetName, split_model_and_dataset
from queries import release as releases
from tests.hostile import IN_PLACE_OF_A_FILE, in_time
from warehouse import known_benchmarks

_SUMS = 'name = "Sums"\ntask = "choice"\nstrategy = "vanilla"\naliases = ["mmsums"]\n'
_FORMAT = '''
from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.facts.run_facts import Answers
from ingest.staged import Staged


def stage(con, probe, settings):
    rows = con.execute("SELECT __row, qid, said FROM raw").fetchall()
    if rows[0][2] == "stumble":
        raise ZeroDivisionError("by nothing")
    staged_rows.add(
        con,
        "stage_prediction",
        [(n, probe.path.stem, None, qid, 0, 0, said, False) for n, qid, said in rows],
    )
    return Staged(answers=Answers(key="qid", prediction="said", model=probe.path.stem))


ADAPTER = Adapter("sums_log", 1, "sums: `qid, said`", ("qid", "said"), lambda probe: True, stage, Place.BARE_ANSWERS)
SHADOW = Adapter("vlmevalkit", 9, "no", ("qid",), lambda probe: True, stage)
BAD_NEEDS = Adapter("bad_needs", 1, "no", [], lambda probe: True, stage)
BAD_NAME = Adapter("../x", 1, "no", ("a",), lambda probe: True, stage)
'''  # fmt: skip


@dataclass(frozen=True)
class Package:
    """A package that seems installed: a module folder and what a wheel leaves next to it."""

    site: Path

    def write(self, path: str, text: str) -> Path:
        file = self.site / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def installed(self, entry_points: str, name: str = "sums-pack") -> None:
        folder = f"{name.replace('-', '_')}-1.2.dist-info"
        self.write(f"{folder}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        self.write(f"{folder}/entry_points.txt", entry_points)
        _forget()


def _forget() -> None:
    for cached in (
        known_benchmarks.brought,
        known_benchmarks._known_with,
        known_benchmarks._named_with,
        formats.brought,
        releases.brought,
    ):
        cached.cache_clear()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Package]:
    made = Package(tmp_path / "site")
    made.write("sums_pack/__init__.py", "raise RuntimeError('what brings data alone never runs')")
    monkeypatch.syspath_prepend(made.site)
    yield made
    monkeypatch.undo()
    for name in [name for name in sys.modules if name.partition(".")[0] == "sums_pack"]:
        del sys.modules[name]
    _forget()


def _ask(house: Warehouse, tmp_path: Path) -> None:
    questions = tmp_path / "q.csv"
    questions.write_text("question_key,question,A,B,answer\n1,Q,a,b,A\n2,R,a,b,B\n")
    house.ingest(questions, benchmark="Sums")


def test_a_benchmark(package: Package, house: Warehouse, tmp_path: Path) -> None:
    package.write("sums_pack/data/sums/benchmark.toml", _SUMS)
    package.installed("[evalhouse.benchmarks]\nsums = sums_pack.data.sums\n")
    assert house.left_out() == ()
    assert house.benchmark("mmsums").origin == "the package sums-pack 1.2"
    file = tmp_path / "vlm_MMSUMS_DEV.tsv"
    file.write_text("index\tquestion\tA\tB\tanswer\thint\tprediction\n1\tQ\ta\tb\tA\t\tB\n")
    (report,) = house.ingest(file)
    assert report.datasets == ["Sums/dev"]
    # The file goes on knowing it without the package.
    (package.site / "sums_pack-1.2.dist-info" / "entry_points.txt").unlink()
    _forget()
    assert house.benchmark("mmsums").origin == "the warehouse"
    (board,) = house.leaderboard("Sums")
    assert board.strategy == "vanilla"


def test_a_benchmark_that_would_shadow_another(package: Package, house: Warehouse) -> None:
    package.write("sums_pack/a/benchmark.toml", _SUMS.replace("mmsums", "mmbench"))
    package.write("sums_pack/b/benchmark.toml", _SUMS)
    package.write("sums_pack/c/benchmark.toml", _SUMS.replace('"Sums"', '"Other"'))
    package.installed("[evalhouse.benchmarks]\na = sums_pack.a\nb = sums_pack.b\nc = sums_pack.c\n")
    said = house.left_out()
    assert [one.partition(" is left out")[0] for one in said] == [
        f"the package sums-pack 1.2: its benchmark {name}" for name in "ac"
    ]
    assert "'mmbench' is MMBench already" in said[0]
    assert "'mmsums' is Sums already" in said[1]
    assert house.benchmark("mmbench").origin == "evalhouse"
    assert house.benchmark("mmsums").name == "Sums"


def test_an_alias_that_is_a_part_of_a_model_s_name(package: Package) -> None:
    package.write("sums_pack/a/benchmark.toml", _SUMS.replace("mmsums", "7b"))
    package.installed("[evalhouse.benchmarks]\na = sums_pack.a\n")
    dev = DatasetName("MMBench", None, "dev", None)
    assert split_model_and_dataset("vlm_7b_MMBench_DEV") == ("vlm_7b", dev)
    assert split_model_and_dataset("vlm_7b_DEV") == ("vlm", DatasetName("Sums", None, "dev", None))


@pytest.mark.parametrize("what", IN_PLACE_OF_A_FILE)
def test_a_hostile_folder(package: Package, house: Warehouse, what: str) -> None:
    package.write("sums_pack/deep/own/README", "")
    IN_PLACE_OF_A_FILE[what][0](package.site / "sums_pack/deep/own/benchmark.toml")
    package.installed("[evalhouse.benchmarks]\nown = sums_pack.deep.own\n")
    with in_time():
        (said,) = house.left_out()
    assert said.startswith("the package sums-pack 1.2: its benchmark own is left out: ")
    assert house.benchmark("MMBench").origin == "evalhouse"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("sums_pack.nowhere", "FileNotFoundError: there is no such folder"),
        ("no_such_package.x", "there is no package no_such_package"),
        ("sums_pack.../etc", "ValueError"),
        ("sums_pack:data", "ValueError: it is written package.folder"),
        ("sys", "FileNotFoundError: there is no package sys"),
    ],
)
@pytest.mark.parametrize("group", ["benchmarks", "releases"])
def test_what_is_no_folder(
    package: Package, house: Warehouse, group: str, value: str, words: str
) -> None:
    package.installed(f"[evalhouse.{group}]\nown = {value}\n")
    (said,) = house.left_out()
    assert said.startswith("the package sums-pack 1.2: ")
    assert words in said


def test_a_release(package: Package, house: Warehouse) -> None:
    package.write(
        "sums_pack/rules/half/release.toml", 'description = "half"\nbuilds_on = "paper_v1"\n'
    )
    package.write(
        "sums_pack/rules/half/macros/required_passes.sql",
        "CREATE MACRO required_passes(n_answered, n_expected) AS n_expected / 2.0",
    )
    package.write("sums_pack/more/paper_v1/release.toml", 'description = "mine"\n')
    package.write("sums_pack/rules/other/release.toml", "description = 3\n")
    package.installed(
        "[evalhouse.releases]\nhalf = sums_pack.rules.half\npaper_v1 = sums_pack.more.paper_v1\n"
        "other = sums_pack.rules.other\nsome = sums_pack.rules.half\n"
    )
    release = releases.load("half")
    assert [file.name for file in release.own_files] == ["required_passes"]
    assert releases.load("paper_v1").description != "mine"
    assert house.install_release("half") == "half"
    assert len(house.left_out()) == 3
    for name, said in zip(("other", "paper_v1", "some"), house.left_out(), strict=True):
        assert said.startswith(f"the package sums-pack 1.2: its release {name} is left out: ")


def test_a_format(package: Package, house: Warehouse, tmp_path: Path) -> None:
    package.write("sums_pack/__init__.py", "")
    package.write("sums_pack/log.py", _FORMAT)
    package.installed("[evalhouse.formats]\nlog = sums_pack.log:ADAPTER\n")
    _ask(house, tmp_path)
    file = tmp_path / "vlm.csv"
    file.write_text("qid,said\n1,A\n2,A\n")
    (report,) = house.ingest(file)
    assert (report.format, report.models) == ("sums_log", ["vlm"])
    assert house.ingest(file)[0].already
    (board,) = house.leaderboard("Sums")
    assert board.lines[0].cells[0].score == 0.5
    with pytest.raises(InputError, match="a file of the format sums_log has it"):
        house.ingest(tmp_path / "q.csv", format="sums_log")
    file.write_text("qid,said\n1,stumble\n")
    with pytest.raises(
        UsageError,
        match=r"the format sums_log of the package sums-pack 1\.2 stumbled: ZeroDivisionError: by",
    ):
        house.ingest(file, run="other")


@pytest.mark.parametrize(
    ("given", "without", "said"),
    [
        ("n, probe.path.stem, None, qid", "n, None, None, qid", "row 1, field model: is missing"),
        ("n, probe.path.stem, None, qid", "n, probe.path.stem, None, None", "row 1, field qid: is missing"),
        ("qid, 0, 0, said, False)", "qid, None, 0, said, False)", "row 1, field qid"),
        ("qid, 0, 0, said, False)", "qid, 0, None, said, False)", "field sample: is missing"),
    ],
)  # fmt: skip
def test_a_format_that_leaves_out_what_is_needed(
    package: Package, house: Warehouse, tmp_path: Path, given: str, without: str, said: str
) -> None:
    assert given in _FORMAT
    package.write("sums_pack/__init__.py", "")
    package.write("sums_pack/log.py", _FORMAT.replace(given, without))
    package.installed("[evalhouse.formats]\nlog = sums_pack.log:ADAPTER\n")
    _ask(house, tmp_path)
    file = tmp_path / "vlm.csv"
    file.write_text("qid,said\n1,A\n")
    with pytest.raises(InputError) as raised:
        house.ingest(file)
    assert said in str(raised.value)
    assert house.sql("SELECT count(*) FROM main.prediction").item() == 0


def test_formats_that_are_none(package: Package, house: Warehouse, tmp_path: Path) -> None:
    package.write("sums_pack/__init__.py", "")
    package.write("sums_pack/log.py", _FORMAT)
    package.write("sums_pack/broken.py", "import no_such_module")
    package.write("sums_pack/leaving.py", "raise SystemExit(3)")
    package.installed(
        "[evalhouse.formats]\n"
        "a = sums_pack.log:SHADOW\nb = sums_pack.log:BAD_NEEDS\nc = sums_pack.log:BAD_NAME\n"
        "d = sums_pack.log:stage\ne = sums_pack.log:nothing\nf = sums_pack.broken\n"
        "g = sums_pack.leaving\nh = sums_pack.log:ADAPTER\n"
    )
    package.installed("[evalhouse.formats]\nz = sums_pack.log:ADAPTER\n", name="another")
    said = "\n".join(house.left_out())
    for words in (
        "its format a is left out: there is a format vlmevalkit already",
        "its format b is left out: needs is no tuple of columns",
        "its format c is left out: its name is not of lower-case letters",
        "its format d is left out: it is no Adapter, but function",
        "e (sums_pack.log:nothing) cannot be loaded: AttributeError",
        "f (sums_pack.broken) cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'",
        "g (sums_pack.leaving) cannot be loaded: SystemExit: 3",
        "the package sums-pack 1.2: its format h is left out: there is a format sums_log already",
    ):
        assert words in said
    assert len(house.left_out()) == 8
    assert formats.version_of("vlmevalkit") == 2
    _ask(house, tmp_path)


@pytest.mark.slow
def test_the_commands_name_the_package(package: Package, tmp_path: Path) -> None:
    package.write("sums_pack/data/sums/benchmark.toml", _SUMS)
    package.write("sums_pack/data/bad/benchmark.toml", "name = 3")
    package.installed(
        "[evalhouse.benchmarks]\nsums = sums_pack.data.sums\nbad = sums_pack.data.bad\n"
        "[evalhouse.formats]\nlog = sums_pack.log:ADAPTER\n"
    )

    def said(*words: str) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-c", "from evalhouse.cli import main; main()", *words],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(package.site), "COLUMNS": "200", "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        return done.stdout, done.stderr

    out, err = said("benchmarks")
    assert "the package sums-pack 1.2" in out
    assert "note: the package sums-pack 1.2: its benchmark bad is left out: " in err
    assert "log (sums_pack.log:ADAPTER) cannot be loaded: RuntimeError: what brings" in err
    assert "cannot be loaded" in said("formats")[1]
