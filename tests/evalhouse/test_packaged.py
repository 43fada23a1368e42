"""What installed packages bring: benchmarks, releases and formats, and broken ones that are named."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from evalhouse import InputError, Warehouse
from ingest import formats
from ingest.names import DatasetName, split_model_and_dataset
from queries import release as releases
from tests.hostile import IN_PLACE_OF_A_FILE, in_time
from tests.tables import facts, write_jsonl
from warehouse import known_benchmarks

_SUMS = 'name = "Sums"\ntask = "choice"\nstrategy = "vanilla"\naliases = ["mmsums"]\n'
_READER = """
from ingest import fields
from ingest.fields import Field
from ingest.reading.head import Seen
from ingest.sample import About, Answer, Sample

VERSION = 1
DESCRIPTION = "sums: `{model}.log.jsonl`"
FIELDS = (Field("id", str, "key"), Field("said", str, "said"))


def recognise(head):
    return Seen("its name") if head.path.name.endswith((".log.jsonl", ".sums.json")) else None


def sidecar(path):
    return "the diary of sums" if path.suffix == ".diary" else None


def read(path):
    model = path.name.partition(".")[0]
    return About("sums", model, "Sums", "first", are_answers=True), _samples(path)


def _samples(path):
    for row, record in fields.records(path):
        found = fields.read(path, row, record, FIELDS)
        key, said, pass_, sample = found["key"], found["said"], 0, 0
        if said == "stumble":
            raise ZeroDivisionError("by nothing")
        yield Sample(row, key, None, pass_=pass_, answers=(Answer(said, sample=sample),))
"""


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


_ENTRY = "[evalhouse.formats]\nsums_log = sums_pack.log\n"


def _install(package: Package, text: str = _READER) -> None:
    package.write("sums_pack/__init__.py", "")
    package.write("sums_pack/log.py", text)
    package.installed(_ENTRY)


def _answers(folder: Path, *said: str, name: str = "vlm.log.jsonl") -> Path:
    file = folder / name
    write_jsonl(file, [{"id": str(n), "said": one} for n, one in enumerate(said, start=1)])
    return file


def test_a_format(package: Package, house: Warehouse, tmp_path: Path) -> None:
    _install(package)
    _ask(house, tmp_path)
    file = _answers(tmp_path, "A", "A")
    (report,) = house.ingest(file)
    assert (report.format, report.models) == ("sums_log", ["vlm"])
    assert house.ingest(file)[0].already
    (board,) = house.leaderboard("Sums")
    assert board.lines[0].cells[0].score == 0.5
    with pytest.raises(InputError, match=r"is no file of the format sums_log: sums: .* 1\.2\)"):
        house.ingest(tmp_path / "q.csv", format="sums_log")


def test_a_file_that_no_shipped_format_can_look_into(
    package: Package, house: Warehouse, tmp_path: Path
) -> None:
    """A whole JSON document, and files that are no result."""
    text = _READER.replace("fields.records(path)", 'enumerate(json.load(path.open())["of"], 1)')
    _install(package, f"import json\n{text}")
    _ask(house, tmp_path)
    file = tmp_path / "out/vlm.sums.json"
    file.parent.mkdir()
    file.write_text('{"of": [{"id": "1", "said": "A"}], "took": 3}')
    (tmp_path / "out/all.diary").write_bytes(b"\x00\xff")
    (tmp_path / "out/readme.txt").write_text("all went well\n")
    found = {one.file.path.name: one for one in house.ingest_many(tmp_path / "out")}
    assert found["all.diary"].left == "the diary of sums"
    assert found["readme.txt"].left
    report = found["vlm.sums.json"].report
    assert report is not None
    assert (report.format, report.n_rows) == ("sums_log", 1)
    assert house.ingest(file, format="sums_log", run="other")[0].loaded


def test_what_a_shipped_format_fits_is_read_as_that(
    package: Package, house: Warehouse, tmp_path: Path
) -> None:
    _install(
        package, _READER.replace('head.path.name.endswith((".log.jsonl", ".sums.json"))', "True")
    )
    _ask(house, tmp_path)
    file = tmp_path / "own.jsonl"
    write_jsonl(file, [{"question_key": "1", "prediction": "A", "model": "own"}])
    assert house.ingest(file)[0].format == "predictions"
    write_jsonl(file, [{"env": {}, "task": {}, "traces": [], "ok": True}])
    with pytest.raises(InputError, match=r"field env\.id: is missing"):
        house.ingest(file)
    # Columns that are only guessed, from the names that people use, are the package's.
    assert house.ingest(_answers(tmp_path, "A", name="x.jsonl"))[0].format == "sums_log"


def test_a_reader_of_several_formats(package: Package, house: Warehouse, tmp_path: Path) -> None:
    text = _READER.replace("VERSION = 1", 'FORMATS = {"sums_a": Format(3, "a", "REFERRING")}')
    text = text.replace("import Seen", "import Format, Seen").replace(
        '"its name"', '"it", format="sums_a"'
    )
    _install(package, text)
    _ask(house, tmp_path)
    assert house.ingest(_answers(tmp_path, "A"))[0].format == "sums_a"
    assert formats.version_of("sums_a") == 3
    package.write("sums_pack/log.py", text.replace('format="sums_a"', 'format="questions"'))
    del sys.modules["sums_pack.log"]
    _forget()
    words = "a package's reader takes it for questions, which is no format of it"
    with pytest.raises(InputError, match=words):
        house.ingest(_answers(tmp_path, "B"))


def test_of_two_packages_that_are_sure_the_user_says_which(
    package: Package, house: Warehouse, tmp_path: Path
) -> None:
    _install(package)
    package.write("sums_pack/other.py", _READER)
    package.installed(_ENTRY + "sums_other = sums_pack.other\n")
    _ask(house, tmp_path)
    file = _answers(tmp_path, "A")
    words = r"of several harnesses: sums_log \(its name\), sums_other \(its name\); --format says"
    with pytest.raises(InputError, match=words):
        house.ingest(file)
    assert house.ingest(file, format="sums_other")[0].format == "sums_other"
    package.write("sums_pack/third.py", _READER.replace('"its name"', '"it", is_sure=False'))
    package.installed(_ENTRY + "sums_third = sums_pack.third\n")
    assert house.ingest(file, run="again")[0].format == "sums_log"


_SAMPLE = 'found["key"], found["said"], 0, 0'


@pytest.mark.parametrize(
    ("given", "instead", "said"),
    [
        ('path.name.partition(".")[0]', '""', "does not name the model; give it with --model"),
        (_SAMPLE, 'None, found["said"], 0, 0', "row 1, field id: is missing"),
        (_SAMPLE, 'found["key"], found["said"], None, 0', "row 1, field id"),
        (_SAMPLE, 'found["key"], found["said"], 0, None', "field sample: is missing"),
        (
            'Field("said", str, "said")',
            'Field("said", int, "said")',
            "row 1, field said: is no whole",
        ),
        ('Field("id", str, "key")', 'Field("qid", str, "key")', "row 1, field qid: is missing"),
    ],
)
def test_a_format_that_leaves_out_what_is_needed(
    package: Package, house: Warehouse, tmp_path: Path, given: str, instead: str, said: str
) -> None:
    assert given in _READER
    _install(package, _READER.replace(given, instead))
    _ask(house, tmp_path)
    before = facts(house.path)
    with pytest.raises(InputError) as raised:
        house.ingest(_answers(tmp_path, "A"))
    assert said in str(raised.value)
    assert facts(house.path) == before


_OF_PACKAGE = "vlm.log.jsonl: the format sums_log of the package sums-pack 1.2 stumbled: "


@pytest.mark.parametrize(
    ("given", "instead", "said"),
    [
        ('found["said"], 0, 0', "1 / 0, 0, 0", "ZeroDivisionError: division by zero"),
        ('found["key"], found["said"]', '3, found["said"]', "TypeError: unexpected value"),
        ('Seen("its name") if', "Seen(1 / 0) if", "ZeroDivisionError"),
        ('    return "the diary of sums"', '    return 1 / 0, ""', "ZeroDivisionError"),
        ("model = path", "model = 1 / 0 or path", "ZeroDivisionError"),
        (
            "yield Sample(",
            "yield dict(a=1) or Sample(",
            "AttributeError: 'dict' object has no attribute",
        ),
        ('Seen("its name") if', "True if", "TypeError: recognise returned bool; docs/adding-a-"),
        ("None\n\n\ndef read", "1\n\n\ndef read", "TypeError: sidecar returned int; docs/adding-"),
        (", _samples(path)", ", [*_samples(path)]", "TypeError: read returned About, list; docs/"),
        ("    return About(", "    About(", "TypeError: read returned NoneType; docs/"),
        (
            'return About("sums", model, "Sums"',
            'return About("sums", model, 3',
            "AttributeError: 'int' object has no attribute",
        ),
    ],
)
def test_a_reader_that_stumbles(
    package: Package,
    house: Warehouse,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    given: str,
    instead: str,
    said: str,
) -> None:
    """The error names the file and the package; EVALHOUSE_DEBUG=1 raises it as it is."""
    assert given in _READER
    _install(package, _READER.replace(given, instead))
    _ask(house, tmp_path)
    before = facts(house.path)
    file = _answers(tmp_path, "A")
    with pytest.raises(InputError) as raised:
        house.ingest(file)
    assert f"{_OF_PACKAGE}{said}" in str(raised.value)
    assert str(raised.value).endswith("; EVALHOUSE_DEBUG=1 shows where")
    assert facts(house.path) == before
    monkeypatch.setenv("EVALHOUSE_DEBUG", "1")
    with pytest.raises((ZeroDivisionError, AttributeError, TypeError)):
        house.ingest(file)


def test_formats_that_are_none(package: Package, house: Warehouse, tmp_path: Path) -> None:
    one = "VERSION is no whole number, or its DESCRIPTION no text"
    wrong = {
        "version": ("VERSION = 1", "VERSION = '1'", f"its {one}"),
        "described": ("DESCRIPTION =", "ABOUT =", f"its {one}"),
        "fields": ("FIELDS = (", "FIELDS = (3, ", "its FIELDS are no tuple of Field"),
        "fieldless": ("FIELDS =", "PLACES =", "its FIELDS are no tuple of Field"),
        "recogniseless": ("def recognise", "def recognises", "it has no function recognise"),
        "sidecarless": ("def sidecar", "sidecar = 3\ndef aside", "it has no function sidecar"),
        "readless": ("def read", "def reads", "it has no function read"),
        "several": ("VERSION = 1", "FORMATS = ['a']", "several is no Format, or its place none"),
        "typed": ("VERSION = 1", "FORMATS = {'a': 1}", "a is no Format, or its place none of CONV"),
    }
    package.write("sums_pack/__init__.py", "")
    for name, (given, instead, _) in wrong.items():
        assert given in _READER
        package.write(f"sums_pack/{name}.py", _READER.replace(given, instead))
    package.write("sums_pack/log.py", _READER + "\nfrom ingest.plain.subset import ADAPTER")
    package.write("sums_pack/copy.py", _READER)
    package.write("sums_pack/broken.py", "import no_such_module")
    package.write("sums_pack/leaving.py", "raise SystemExit(3)")
    package.installed(
        "[evalhouse.formats]\n"
        + "".join(f"{name} = sums_pack.{name}\n" for name in wrong)
        + "vlmevalkit = sums_pack.log\nhelm_states = sums_pack.log\n../x = sums_pack.log\n"
        "d = sums_pack.log:read\ne = sums_pack.log:nothing\nf = sums_pack.broken\n"
        "g = sums_pack.leaving\nold = sums_pack.log:ADAPTER\nz = sums_pack.log\n"
    )
    package.installed("[evalhouse.formats]\nz = sums_pack.copy\n", name="another")
    said = house.left_out()
    ours = "the package sums-pack 1.2: "
    for words in (
        *(f"its format {name} is left out: {words}" for name, (_, _, words) in wrong.items()),
        "its format vlmevalkit is left out: there is a format vlmevalkit already",
        "its format helm_states is left out: there is a format helm_states already",
        "its format ../x is left out: its name is not of lower-case letters",
        "its format d is left out: it is no module, but function: name the module of a reader; docs",
        "its format old is left out: it is no module, but Adapter: name the module of a reader; docs",
        "e (sums_pack.log:nothing) cannot be loaded: AttributeError",
        "f (sums_pack.broken) cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'",
        "g (sums_pack.leaving) cannot be loaded: SystemExit: 3",
        "z is of the package another 1.2 already",
    ):
        assert any(one.startswith(f"{ours}{words}") for one in said), words
    assert len(said) == len(wrong) + 9
    assert formats.version_of("vlmevalkit") == 2
    _ask(house, tmp_path)


@pytest.mark.slow
def test_the_commands_name_the_package(package: Package, tmp_path: Path) -> None:
    package.write("sums_pack/data/sums/benchmark.toml", _SUMS)
    package.write("sums_pack/data/bad/benchmark.toml", "name = 3")
    package.installed(
        "[evalhouse.benchmarks]\nsums = sums_pack.data.sums\nbad = sums_pack.data.bad\n"
        "[evalhouse.formats]\nlog = sums_pack.log\n"
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
    assert "log (sums_pack.log) cannot be loaded: RuntimeError: what brings" in err
    assert "cannot be loaded" in said("formats")[1]
