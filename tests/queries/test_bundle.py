"""A leaderboard bundle: every figure can be computed again, and every failure is named."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from evalhouse import InputError, UsageError, Warehouse
from evalhouse.cli import app
from evalhouse.transfer import export_parquet
from queries import render
from queries.export import bundle, bundle_files, verify
from queries.export.bundle_files import ENDINGS
from queries.export.bundle_manifest import Manifest
from queries.export.verify import Verdict
from tests.commands import run as command
from tests.houses import QuickHouse
from tests.oracle import Ask
from tests.tables import add_replies, question_rows, register_judge, write_jsonl

# One warehouse for all of them takes seconds to make.
pytestmark = pytest.mark.slow

_VERSION = version("evalhouse")
_ASKS = [
    Ask(str(n), {0: {"A": "cat", "B": "dog"}, 1: {"A": "dog", "B": "cat"}}, {0: "A", 1: "B"})
    for n in range(1, 5)
]
# alpha: right but for a pass that takes a judge; be|ta: half.
_SAID = {
    "al_pha & co": lambda n, step: "the feline" if (n, step) == (4, 1) else "AB"[step],
    "be|ta": lambda n, step: "AB"[step] if n < 3 else "A",
}


@pytest.fixture(scope="module")
def lab(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Two models on choice questions with two abilities and a judge, and one on open questions."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copy(empty_file, folder / "lab.duckdb")
    house = QuickHouse(folder / "lab.duckdb")
    rows = [
        row | {"ability_topic": "odd" if int(row["question_key"]) % 2 else "even"}
        for row in question_rows(_ASKS)
    ]
    house.ingest(write_jsonl(folder / "q.jsonl", rows), benchmark="Own")
    said = [
        {
            "model": model,
            "question_key": ask.key,
            "pass": step,
            "prediction": says(int(ask.key), step),
        }
        for model, says in _SAID.items()
        for ask in _ASKS
        for step in (0, 1)
    ]
    house.ingest(write_jsonl(folder / "p.jsonl", said), benchmark="Own")
    judge = register_judge(house, "J")
    add_replies(house, judge, [(_ASKS[3], 1, "the feline", "B")])
    vet = {
        f"v1_{n}": {"question": f"q{n}", "answer": "yes", "capability": cap}
        for n, cap in enumerate((["ocr"], ["ocr", "math"]))
    }
    grades = {key: {"model": ["gpt-4"] * 3, "content": ["x"] * 3, "score": [0.1, 0.6, 1.0]} for key in vet}  # fmt: skip
    for name, content in (
        ("mm-vet", vet),
        ("vlm", dict.fromkeys(vet, "so")),
        ("vlm_gpt-4-grade-3runs", grades),
    ):
        (folder / f"{name}.json").write_text(json.dumps(content), "utf-8")
        house.ingest(folder / f"{name}.json")
    return house


@pytest.fixture(scope="module")
def made(lab: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its bundle, not to be changed."""
    folder = tmp_path_factory.mktemp("bundle") / "boards"
    _bundle(lab, folder)
    return folder


@pytest.fixture(scope="module")
def topics(lab: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of its tables alone, which is quicker to verify."""
    folder = tmp_path_factory.mktemp("topics") / "boards"
    _bundle(lab, folder, benchmarks=["Own"], levels=["topic"], judges=["J"])
    return folder


@pytest.fixture
def copy(topics: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(topics, tmp_path / "copy"))


@pytest.fixture
def other(lab: Warehouse, tmp_path: Path) -> Warehouse:
    """The same warehouse, to be changed."""
    return QuickHouse(shutil.copy(lab.path, tmp_path / "other.duckdb"))


def _bundle(house: Warehouse, folder: Path, *, release: str = "latest", **choice: Any) -> Manifest:
    with house.reading() as con:
        chosen = bundle.Choice(**choice)
        return bundle.write(con, folder, chosen, evalhouse=_VERSION, release=release)


def _verify(house: Warehouse, folder: Path, **choices: Any) -> Verdict:
    with house.reading() as con:
        return verify.verify(con, folder, evalhouse=_VERSION, **choices)


def _manifest(folder: Path) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    return manifest


def _write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")


# What is in it.


def test_a_bundle_holds_on_its_own_warehouse(lab: Warehouse, tmp_path: Path) -> None:
    folder = tmp_path / "it's [a] bundle"
    done = CliRunner().invoke(app, ["export", "bundle", str(folder), "own", "--db", str(lab.path)])
    assert done.exit_code == 0, done.output
    # Two models by overall, and by overall and two topics; under J and under none.
    assert done.output == (
        f"{folder}: 4 tables, {2 * (2 + 6)} figures, 12 named figures, release field_v2 "
        "(33 files and their manifest)\n"
        "without questions, answers, images and what judges replied: figures and hashes alone\n"
    )
    held = CliRunner().invoke(app, ["verify", str(folder), "--db", str(lab.path)])
    assert (held.exit_code, held.output) == (
        0,
        f"{folder}: 16 figures in 4 tables and 12 named figures hold\n",
    )


def test_tables_in_every_format(lab: Warehouse, made: Path) -> None:
    names = {table["name"] for table in _manifest(made)["tables"]}
    assert names == {
        "own-overall-circular-j", "own-topic-circular-j", "own-overall-circular-none", "own-topic-circular-none",
        "mm-vet-overall-graded-gpt-4", "mm-vet-capability-graded-gpt-4", "mm-vet-integration-graded-gpt-4",
    }  # fmt: skip
    files = {path.name for path in made.iterdir()}
    shown = {f"{name}.{end}" for name in names for end in ENDINGS.values()}
    assert files == {"manifest.json", "benchmark_score.csv", *shown}
    assert set(ENDINGS) == set(render.FORMATS)
    boards = lab.leaderboard("Own", level="topic", judge="J", release="field_v2")
    for fmt in render.FORMATS:
        content = (made / f"own-topic-circular-j.{ENDINGS[fmt]}").read_bytes()
        if fmt in render.BINARY:
            assert content == render.pack_boards(boards, fmt), fmt
        else:
            assert content.decode() == render.render_boards(boards, fmt) + "\n", fmt


def test_the_manifest(lab: Warehouse, made: Path, tmp_path: Path) -> None:
    manifest = _manifest(made)
    with lab.reading(folders=[tmp_path]) as con:
        exported = export_parquet(con, tmp_path / "parquet")
        files = {
            f"{kind} {name}": sha
            for kind, name, sha in con.execute(
                "SELECT kind, name, sha256 FROM main.release_object WHERE release = 'field_v2'"
            ).fetchall()
        }
    hashes = {name: f"{table.rows} rows {table.content}" for name, table in exported.tables.items()}
    assert manifest["warehouse"]["tables"] == hashes
    assert manifest["release"] | {"content": ""} == {
        "name": "field_v2",
        "content": "",
        "files": files,
    }
    summary = lab.sql("SELECT dataset, content_hash, answer_hash FROM dataset_summary")
    assert manifest["datasets"] == {
        name: {"content": c, "answers": a} for name, c, a in summary.rows()
    }
    assert set(manifest["judges"]) == {"J", "gpt-4"}
    fingerprint = lab.sql("SELECT fingerprint FROM main.judge WHERE name = 'gpt-4'").item()
    assert manifest["judges"]["gpt-4"]["fingerprint"] == fingerprint
    assert (manifest["evalhouse"], manifest["duckdb"].count(".")) == (_VERSION, 2)
    (table,) = (one for one in manifest["tables"] if one["name"] == "own-topic-circular-none")
    assert table["query"] == {
        "benchmark": "Own",
        "level": "topic",
        "strategy": "circular",
        "judge": "none",
        "average": "micro",
        "subset": "all",
        "runs": "latest",
        "of": "all",
    }
    for file in table["files"]:
        assert hashlib.sha256((made / file["name"]).read_bytes()).hexdigest() == file["sha256"]
    text = (made / "manifest.json").read_text("utf-8")
    for secret in (str(lab.path.parent), str(made), str(Path.home()) + "/", ".duckdb", ".jsonl"):
        assert secret not in text


def test_no_folder_of_a_judge_s_model(other: Warehouse, tmp_path: Path) -> None:
    with other.writing() as con:
        con.execute("UPDATE main.judge SET model = '/data/people/me/judge-7b/' WHERE name = 'J'")
    _bundle(other, tmp_path / "b", benchmarks=["Own"], levels=["overall"])
    assert _manifest(tmp_path / "b")["judges"]["J"]["model"] == "judge-7b"
    assert "people" not in (tmp_path / "b/manifest.json").read_text("utf-8")


def test_chosen_boards(lab: Warehouse, tmp_path: Path) -> None:
    bundle = _bundle(
        lab, tmp_path / "b", benchmarks=["Own"], levels=["overall"], judges=["none"], strategy="vanilla", runs="all",
        digits=0,
    )  # fmt: skip
    (table,) = bundle.tables
    assert (table.name, table.digits, table.n_figures) == ("own-overall-vanilla-none", 0, 2)
    assert "vanilla" in (tmp_path / "b/own-overall-vanilla-none.md").read_text("utf-8")
    assert _verify(lab, tmp_path / "b").differences == ()


# What does not hold.


@pytest.mark.parametrize("fmt", render.FORMATS)
def test_a_flipped_figure(lab: Warehouse, copy: Path, fmt: str) -> None:
    """Also where the one who flipped it wrote the new file's hash into the manifest."""
    (board,) = lab.leaderboard("Own", level="topic", judge="J", release="field_v2")
    first, second = board.lines
    assert (second.model, second.cells[0] and second.cells[0].score) == ("be|ta", 0.5)
    cells = (replace(second.cells[0], score=0.6), *second.cells[1:])  # type: ignore[type-var]
    flipped = bundle_files.rendered(
        [replace(board, lines=(first, replace(second, cells=cells)))], 2, all_runs=False
    )
    name = f"own-topic-circular-j.{ENDINGS[fmt]}"
    (copy / name).write_bytes(flipped[fmt])
    manifest = _manifest(copy)
    for file in manifest["tables"][0]["files"]:
        file["sha256"] = hashlib.sha256((copy / file["name"]).read_bytes()).hexdigest()
    _write_manifest(copy, manifest)
    said, right = {"json": ("0.6", "0.5"), "parquet": ("0.6", "0.5"), "xlsx": ("60", "50")}.get(
        fmt, ("60.00", "50.00")
    )
    (found,) = _verify(lab, copy).differences
    assert found.line() == (
        "own-topic-circular-j, Own Overall, row be|ta, column Overall: the bundle says "
        f"{said}, the warehouse {right} ({name})"
    )
    if fmt == "csv":
        done = CliRunner().invoke(app, ["verify", str(copy), "--db", str(lab.path)])
        assert (done.exit_code, done.output.splitlines()) == (
            1, [found.line(), f"{copy}: 1 difference"],
        )  # fmt: skip


def test_a_row_that_was_taken_out(lab: Warehouse, copy: Path) -> None:
    path = copy / "own-topic-circular-j.csv"
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if "be|ta" not in line) + "\n", "utf-8")
    (only,) = _verify(lab, copy).differences
    assert only.line().startswith(
        "own-topic-circular-j, line 3: the bundle says nothing, the warehouse Own,2,be|ta,p,50.00,"
    )
    assert only.line().endswith(" (own-topic-circular-j.csv)")


def test_texts_beside_the_cells(lab: Warehouse, copy: Path) -> None:
    """What a reader sees is looked at, wherever it stands."""
    name = "own-topic-circular-j"
    tex, page = copy / f"{name}.tex", copy / f"{name}.html"
    whole = page.read_text("utf-8")
    tex.write_text(
        tex.read_text("utf-8").replace("\\toprule", "\\toprule gamma: 99.00", 1), "utf-8"
    )
    page.write_text(whole.replace("</body>", "<p>gamma: 99.00</p></body>"), "utf-8")
    manifest = _manifest(copy)
    for file in manifest["tables"][0]["files"]:
        file["sha256"] = hashlib.sha256((copy / file["name"]).read_bytes()).hexdigest()
    _write_manifest(copy, manifest)
    lines = [one.line() for one in _verify(lab, copy).differences]
    for line, shown in zip(
        lines,
        (
            rf"\\toprule gamma: 99.00, the warehouse \\toprule \({tex.name}\)",
            rf".*<p>gamma: 99.00</p>.* \({page.name}\)",
        ),
        strict=True,
    ):
        assert re.fullmatch(rf"{name}, line \d+: the bundle says {shown}", line), line
    page.write_text(whole.replace("<body>", "<body><![x y]>"), "utf-8")
    (_, line) = [one.line() for one in _verify(lab, copy).differences]
    assert "the bundle says <body><![x y]>" in line


def test_figures_that_the_manifest_does_not_count(lab: Warehouse, copy: Path) -> None:
    manifest = _manifest(copy)
    n = manifest["tables"][0]["n_figures"]
    manifest["tables"][0]["n_figures"] = n + 1
    _write_manifest(copy, manifest)
    (only,) = _verify(lab, copy).differences
    assert only.line() == (
        f"own-topic-circular-j: has {n + 1} figures by its manifest, and {n} here"
    )


def test_what_a_bundle_says_is_not_obeyed(lab: Warehouse, copy: Path) -> None:
    path = copy / "own-topic-circular-j.csv"
    path.write_text(path.read_text("utf-8").replace("50.00", "\x1b[2J\x1b]0;x\x07", 1), "utf-8")
    (only,) = _verify(lab, copy).differences
    assert only.line().isprintable()
    assert re.search(
        r"the bundle says \S*be\|ta,p,␛\[2J␛\]0;x␇,\S* the warehouse \S*be", only.line()
    )


def test_files_that_are_missing_or_broken(lab: Warehouse, copy: Path) -> None:
    (copy / "own-topic-circular-j.csv").unlink()
    (copy / "own-topic-circular-j.json").write_text("[{]", "utf-8")
    (copy / "own-topic-circular-j.xlsx").write_bytes(b"PK")
    (copy / "own-topic-circular-j.parquet").write_bytes(b"PAR1")
    (copy / "own-topic-circular-j.html").write_bytes(b"\xff")
    spaced = copy / "own-topic-circular-j.md"
    spaced.write_text(spaced.read_text("utf-8") + "\n\n", "utf-8")
    (copy / "mine.txt").write_text("a note", "utf-8")
    verdict = _verify(lab, copy)
    problems = {one.files[0].rpartition(".")[2]: one.problem for one in verdict.differences}
    assert set(problems) == {"csv", "json", "xlsx", "parquet", "html", "md"}
    assert problems["csv"] == "cannot be read: No such file or directory"
    assert problems["md"] == "is not the file that was written (its sha256), though every figure holds"  # fmt: skip
    assert verdict.notes == ("not of the bundle, and not looked at: mine.txt",)
    done = CliRunner().invoke(app, ["verify", str(copy), "--db", str(lab.path)])
    assert done.exit_code == 1
    assert (
        "own-topic-circular-j: cannot be read: No such file or directory (own-topic-circular-j.csv)"
        in done.output
    )
    assert f"{copy}: 6 differences" in done.output


# Another warehouse.


def test_other_content_and_the_same_figures(other: Warehouse, topics: Path) -> None:
    other.rename_run(1, label="second try")
    verdict = _verify(other, topics)
    # The label stands in csv, json and parquet, and names the rows of figures; every figure holds.
    boards = [one for one in verdict.differences if one.table != "named figures"]
    assert {(one.column, one.said, one.found) for one in boards} == {("Run", "p", "second try")}
    named = {(one.row, one.said, one.found) for one in verdict.differences if one not in boards}
    assert named == {
        ("al_pha & co (p)", "there", None),
        ("al_pha & co (second try)", None, "there"),
    }
    with other.writing() as con:
        con.execute("UPDATE main.run SET label = 'p' WHERE run_id = 1")
    verdict = _verify(other, topics)
    assert verdict.differences == ()
    assert verdict.notes == ("the warehouse's content is another: its hashes differ for run_event",)
    done = CliRunner().invoke(app, ["verify", str(topics), "--db", str(other.path)])
    assert done.exit_code == 0
    assert done.output.splitlines()[0] == f"note: {verdict.notes[0]}"


def test_a_changed_warehouse(other: Warehouse, made: Path, tmp_path: Path) -> None:
    """A prediction and an answer are others: the figures that rest on them are named, in every format."""
    with other.writing() as con:
        con.execute(
            "UPDATE main.prediction SET text = 'A' WHERE run_id = 1 AND question_id = 1 AND pass = 1"
        )
        con.execute("UPDATE main.answer SET label = 'A' WHERE question_id = 3 AND pass = 1")
        con.execute("UPDATE main.judge SET fingerprint = 'other' WHERE name = 'J'")
    verdict = _verify(other, made)
    by_place = {(one.table, one.row, one.column): one for one in verdict.differences}
    first = by_place["own-overall-circular-j", "al_pha & co", "Overall"]
    assert (first.said, first.found) == ("1", "0.5")
    assert [name.rpartition(".")[2] for name in first.files] == list(ENDINGS.values())
    assert ("own-topic-circular-none", "be|ta", "Overall") in by_place
    assert not any(table.startswith("mm-vet") for table, _, _ in by_place)
    assert verdict.notes == (
        "the warehouse's content is another: its hashes differ for answer, judge, prediction",
        "dataset Own: the hash of its answers is another",
        "judge J: not the same",
    )


def test_runs_more_and_runs_less(other: Warehouse, topics: Path, tmp_path: Path) -> None:
    rows = [{"model": "gamma", "question_key": "1", "pass": 0, "prediction": "A"}]
    other.ingest(write_jsonl(tmp_path / "g.jsonl", rows), benchmark="Own")
    more = {(one.row, one.said, one.found) for one in _verify(other, topics).differences if not one.column}  # fmt: skip
    assert ("gamma", None, "there") in more
    for run in other.runs().filter(pl.col("dataset") == "Own")["run_id"]:
        other.retract_run(run)
    less = [one.line() for one in _verify(other, topics).differences]
    assert less == [
        "own-topic-circular-j, Own: has no run here",
        "named figures, Own: has no run here",
    ]


def test_a_warehouse_of_something_else(house: Warehouse, made: Path) -> None:
    verdict = _verify(house, made)
    problems = [one.problem.partition(":")[0] for one in verdict.differences]
    assert problems == ["cannot be recomputed"] * 7 + ["has no run here"] * 2
    assert "dataset Own: not here" in verdict.notes
    assert "judge gpt-4: not here" in verdict.notes


@pytest.mark.long
def test_a_release_of_one_s_own(
    other: Warehouse, lab: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    rules = tmp_path / "my_rules"
    rules.mkdir()
    (rules / "release.toml").write_text('builds_on = "field_v2"\n', "utf-8")
    name = other.install_release(str(rules))
    folder = tmp_path / "b"
    _bundle(other, folder, release=name, benchmarks=["Own"], levels=["overall"])
    assert _verify(other, folder).notes == ()
    with pytest.raises(
        UsageError, match=r"is of the release my_rules, which is not installed in this"
    ):
        _verify(lab, folder)
    words = ["verify", str(folder), "--db", str(lab.path)]
    assert isinstance(CliRunner().invoke(app, words).exception, UsageError)
    # The same figures, but boards name their release.
    verdict = _verify(lab, folder, release="field_v2")
    assert {(one.row, one.column) for one in verdict.differences} == {("title", "release")}
    assert "computed with the release field_v2, the bundle with my_rules" in verdict.notes
    # The same name with another view in it.
    extra = rules / "extra.sql"
    extra.write_text("-- Something.\nSELECT run_id FROM main.run\n", "utf-8")
    other.install_release(str(rules))
    verdict = _verify(other, folder)
    assert verdict.notes == ("release my_rules: other files than the bundle's: view extra",)
    assert verdict.differences == ()


# What cannot be.


def test_bundles_that_cannot_be_made(lab: Warehouse, house: Warehouse, tmp_path: Path) -> None:
    folder = tmp_path / "b"
    for choice, words in (
        ({"benchmarks": ["Owl"]}, r"^no run of a benchmark 'Owl' here; there are runs of MM-Vet, Own$"),
        ({"judges": ["K"]}, r"^no judge 'K'; there are gpt-4$"),
        ({"levels": ["l9"]}, r"^no level 'l9'; there are overall, capability, integration$"),
        ({"release": "mine"}, r"^no release 'mine': neither one of"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=words):
            _bundle(lab, folder, **choice)
        assert not folder.exists()
    with pytest.raises(UsageError, match=r"^no run fits, so there is no board"):
        _bundle(house, folder)
    assert not folder.exists()
    folder.mkdir()
    (folder / "mine").write_text("", "utf-8")
    with pytest.raises(UsageError, match=r"is not empty; a bundle wants a folder of its own$"):
        _bundle(lab, folder)
    assert [path.name for path in folder.iterdir()] == ["mine"]
    with pytest.raises(UsageError, match=r"cannot be written"):
        _bundle(lab, folder / "mine")


def test_of_all_benchmarks_what_does_not_fit_is_named_and_left_out(
    lab: Warehouse, other: Warehouse, tmp_path: Path
) -> None:
    """Once each, and the others are written; of one that is named it is an error."""
    done = command(
        "evalhouse",
        "export",
        "bundle",
        tmp_path / "a",
        "--level",
        "topic",
        "--db",
        lab.path,
        cwd=tmp_path,
    )
    assert done.code == 0, done.err
    first, *rest = done.out.splitlines()
    assert first == "left out: MM-Vet: no level 'topic'; there are overall, capability, integration"
    assert not any(line.startswith("left out") for line in rest)
    assert rest[-1].startswith("without questions, answers, images and what judges replied")
    assert {table["query"]["benchmark"] for table in _manifest(tmp_path / "a")["tables"]} == {"Own"}
    assert _verify(lab, tmp_path / "a").differences == ()
    with pytest.raises(UsageError, match="no level 'topic'; there are overall, capability"):
        _bundle(lab, tmp_path / "b", benchmarks=["MM-Vet", "Own"], levels=["topic"])
    # A benchmark whose judge was taken out has no board at all.
    with other.writing() as con:
        con.execute(
            "UPDATE main.judge SET retracted_at = now() AT TIME ZONE 'UTC' WHERE name = 'gpt-4'"
        )
    done = command(
        "evalhouse", "export", "bundle", tmp_path / "c", "--db", other.path, cwd=tmp_path
    )
    assert done.code == 0, done.err
    left = [line for line in done.out.splitlines() if line.startswith("left out")]
    assert left == ["left out: MM-Vet: answers in words need a judge, and there is none"]


def test_boards_that_are_asked_for_by_name(other: Warehouse, tmp_path: Path) -> None:
    """What is named and not there is an error, and nothing is written."""
    folder = tmp_path / "b"
    with other.writing() as con:
        con.execute("DELETE FROM main.question_ability")
    with pytest.raises(UsageError, match=r"^Own has no board of the level 'topic' here$"):
        _bundle(other, folder, benchmarks=["Own"], levels=["overall", "topic"])
    assert not folder.exists()
    with other.writing() as con:
        con.execute("UPDATE main.judge SET retracted_at = now() AT TIME ZONE 'UTC'")
    with pytest.raises(
        UsageError, match=r"^MM-Vet has no board here: answers in words need a judge"
    ):
        _bundle(other, folder, benchmarks=["Own", "MM-Vet"])
    assert not folder.exists()
    # Where nothing is named, there is what there is.
    names = [table.name for table in _bundle(other, folder).tables]
    assert names == ["own-overall-circular-none"]


def test_manifests_that_are_not_believed(lab: Warehouse, copy: Path, tmp_path: Path) -> None:
    whole = _manifest(copy)
    path = whole["tables"][0]["files"][0]["name"]

    def refused(change: Callable[[dict[str, Any]], object], field: str, words: str) -> None:
        manifest = json.loads(json.dumps(whole))
        change(manifest)
        _write_manifest(copy, manifest)
        with pytest.raises(InputError, match=words) as caught:
            _verify(lab, copy)
        assert (caught.value.field, caught.value.path) == (field, str(copy / "manifest.json"))

    def file(manifest: dict[str, Any], **values: Any) -> None:
        manifest["tables"][0]["files"][0].update(values)

    for name in ("../lab.duckdb", "/etc/passwd", "..", "a\\b", "C:x"):
        refused(
            lambda t, n=name: file(t, name=n), "tables.0.files.0.name", "is no file in this folder"
        )  # type: ignore[misc]
    (copy / "link.txt").symlink_to(lab.path)
    refused(
        lambda t: file(t, name="link.txt"), "tables.0.files.0.name", "is no file in this folder"
    )
    refused(lambda t: t.update(tables=[]), "tables", "is empty")
    refused(lambda t: t["tables"][0].update(files=[]), "tables.0.files", "is empty")
    refused(lambda t: t.update(kind="recipe"), "kind", "is no manifest of an evalhouse leaderboard bundle")  # fmt: skip
    refused(
        lambda t: t.update(format=2, evalhouse="0.9"),
        "format",
        "is of format 2, this evalhouse reads 1; evalhouse 0.9, which wrote it, verifies it",
    )
    refused(lambda t: t.pop("datasets"), "datasets", "the manifest has no dict there")
    refused(lambda t: t["tables"][0].update(digits=True), "tables.0.digits", "has no int there")
    for digits in (-1, 7, 10**9):
        refused(
            lambda t, n=digits: t["tables"][0].update(digits=n),
            "tables.0.digits",
            "is not from 0 to 6",
        )  # type: ignore[misc]
    refused(lambda t: t["tables"][0].update(datasets=[]), "tables.0.datasets", "is empty")
    refused(lambda t: t["tables"][0].update(datasets=[1]), "tables.0.datasets", "has no str there")
    refused(lambda t: t["tables"][0]["query"].pop("of"), "tables.0.query.of", "has no str there")
    refused(
        lambda t: t["tables"][0]["query"].update(con="x"), "tables.0.query.con", "no such parameter"
    )
    refused(lambda t: t.update(scores=1), "scores", "has no dict there")
    refused(lambda t: t["scores"].update(name="../x"), "scores.name", "is no file in this folder")
    refused(lambda t: t["scores"].update(name=path), "tables", "has the file .* twice")
    refused(lambda t: t["scores"]["chosen"].pop("judge"), "scores.chosen.judge", "has no list")
    refused(lambda t: t["scores"]["chosen"].update(judge=[]), "scores.chosen.judge", "is empty")
    refused(lambda t: t["judges"].update(J=1), "judges.J", "has no dict there")
    refused(lambda t: t["release"]["files"].update(x=1), "release.files.x", "has no str there")
    (copy / "manifest.json").write_text('{"kind": ', "utf-8")
    with pytest.raises(InputError, match=r"is no whole JSON"):
        _verify(lab, copy)
    for folder in (tmp_path / "nowhere", copy / "own-topic-circular-j.csv"):
        with pytest.raises(InputError, match=r"is no bundle: it has no manifest\.json$"):
            _verify(lab, folder)
