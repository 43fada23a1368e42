"""VLMEvalKit's work dirs whole, in one command; our figures next to those that it wrote itself."""

from __future__ import annotations

import csv
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from tests.commands import run
from tests.houses import QuickHouse
from tests.tables import facts

# One warehouse for all of them takes seconds to make.
pytestmark = [pytest.mark.slow, pytest.mark.all_releases]


_RELEASE = "vlmevalkit_e8e78f0"


@dataclass(frozen=True)
class Figure:
    """A figure of a file that VLMEvalKit wrote; None: nan. Fractions."""

    model: str
    dataset: str
    judge: str
    ability: str
    value: float | None


def _number(text: str) -> float | None:
    return float(text) if text else None


def figures(folder: Path) -> Iterator[Figure]:
    """Every figure of the score files below a folder."""
    for path in sorted(folder.rglob("*.csv")):
        model = path.parents[1].name
        with path.open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        rest = path.stem.removeprefix(f"{model}_")
        if rest.endswith("_acc"):
            dataset = rest.removesuffix("_acc")
            result_stem = next(path.parent.glob(f"{model}_{dataset}_*_result.xlsx")).stem
            judge = result_stem.removeprefix(f"{model}_{dataset}_").removesuffix("_result")
            judge = {"exact_matching": "none"}.get(judge, judge)
            for row in rows:
                split = row.pop("split")
                name = {"MMBench_EX": f"MMBench/EX/{split}", "SEEDBench_EX": "SEED-Bench/EX"}[
                    dataset
                ]
                for ability, cell in row.items():
                    # An empty cell here: the split has no such question.
                    if cell:
                        yield Figure(model, name, judge, ability, _number(cell))
        else:
            judge = "gpt-4-turbo"
            for row in rows:
                value = _number(row["acc"])
                name = row["Category"]
                if rest.endswith("_fine") and name != "Overall":
                    name = " ".join(sorted(name.split("_")))
                elif name != "Overall":
                    name = f"capability {name}"
                yield Figure(
                    model, "MM-Vet/EX", judge, name, None if value is None else value / 100
                )


def ours(house: Warehouse) -> dict[tuple[str, str, str, str], float | None]:
    """Our scores by model, dataset, judge and ability as VLMEvalKit writes it."""
    rows = house.sql(
        "SELECT a.model, a.dataset, a.judge, s.spelling, a.level, a.score "
        f"FROM {_RELEASE}.ability_score AS a "
        "JOIN (SELECT ability_id, spelling FROM main.ability_spelling UNION ALL SELECT 0, 'Overall') AS s "
        "USING (ability_id) WHERE a.average = 'micro' AND a.strategy IN ('circular', 'vanilla', 'graded') "
        "AND (a.strategy <> 'vanilla' OR a.benchmark = 'SEED-Bench')"
        "AND (a.strategy <> 'circular' OR a.benchmark <> 'SEED-Bench')"
    )
    found = {}
    for model, dataset, judge, spelling, level, score in rows.iter_rows():
        name = spelling
        if level == "capability":
            name = f"capability {spelling}"
        elif level == "integration":
            name = " ".join(sorted(spelling.replace("_", " ").split()))
        found[model, dataset, judge, name] = score
    return found


_DOUBLE = "MM-Vet counts a question of one capability twice"
_STALE = "verdicts of predictions that were edited since"
_DOWN = "the judge was down: matching by rules stands under its name; another run's verdicts hold"
_NAN = "a reply of nan; another run's verdict of the same answer holds"
_UNPARSED = "replies that do not parse, and failed calls, stored as 0.0"
_EXCEPTIONS = {
    ("judged-vlm", "MM-Vet/EX", "capability ocr"): (0.875, 2.5 / 3, _DOUBLE),
    ("judged-vlm", "MM-Vet/EX", "ocr"): (0.875, 1.0, _DOUBLE),
    ("judgedown-vlm", "SEED-Bench/EX", "Overall"): (4 / 6, 1.0, _DOWN),
    ("judgedown-vlm", "SEED-Bench/EX", "Instances Counting"): (1 / 3, 1.0, _DOWN),
    ("nan-vlm", "MM-Vet/EX", "capability ocr"): (None, 2.5 / 3, _NAN),
    ("nan-vlm", "MM-Vet/EX", "ocr"): (None, 1.0, _NAN),
    ("nan-vlm", "MM-Vet/EX", "Overall"): (None, 0.72, _NAN),
    ("stale-vlm", "MMBench/EX/test", "Overall"): (1.0, 0.0, _STALE),
    ("stale-vlm", "MMBench/EX/test", "CP"): (1.0, 0.0, _STALE),
    ("stale-vlm", "MMBench/EX/test", "image_style"): (1.0, 0.0, _STALE),
    ("unparsed-vlm", "MM-Vet/EX", "capability ocr"): (0.875, 2.5 / 3, _DOUBLE),
    ("unparsed-vlm", "MM-Vet/EX", "ocr"): (0.875, 1.0, _DOUBLE),
    ("unparsed-vlm", "MM-Vet/EX", "capability rec"): (0.0, None, _UNPARSED),
    ("unparsed-vlm", "MM-Vet/EX", "capability know"): (0.0, None, _UNPARSED),
    ("unparsed-vlm", "MM-Vet/EX", "capability gen"): (0.0, None, _UNPARSED),
    ("unparsed-vlm", "MM-Vet/EX", "capability spat"): (0.5, 1.0, _UNPARSED),
    ("unparsed-vlm", "MM-Vet/EX", "gen know rec"): (0.0, None, _UNPARSED),
    ("unparsed-vlm", "MM-Vet/EX", "rec spat"): (0.0, 1.0, _UNPARSED),
    ("unparsed-vlm", "MM-Vet/EX", "Overall"): (0.5, None, _UNPARSED),
}
"""Theirs, ours, and why: all there is that differs. NULL: pending."""


@pytest.fixture(scope="module")
def kit(shared: Path) -> Path:
    return shared / "formats/vlmevalkit/examples"


@pytest.fixture(scope="module")
def whole_file(
    empty_file: Path, kit: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[str]]:
    """The examples in one warehouse, by one command, and what the command printed."""
    path = tmp_path_factory.mktemp("whole") / "whole.duckdb"
    shutil.copy(empty_file, path)
    done = run("ingest", kit, "--db", path, "-v", cwd=path.parent)
    assert (done.code, done.err) == (0, "")
    return path, done.out.splitlines()


@pytest.fixture
def whole(whole_file: tuple[Path, list[str]]) -> Warehouse:
    return QuickHouse(whole_file[0])


def test_the_report(whole_file: tuple[Path, list[str]], kit: Path) -> None:
    lines = [line.replace(f"{kit}/", "") for line in whole_file[1]]
    n_files = sum(path.is_file() for path in kit.rglob("*"))
    assert lines[-1] == f"{n_files} files: 46 loaded (283 rows), 0 there already, 0 left, 0 failed"
    of_files = lines[:n_files]
    assert sum(": vlmevalkit_figures, " in line for line in of_files) == 13
    # By what they are, whatever their names: questions, then answers, then what refers to them.
    order = [line.split(": ")[1].split(",")[0] for line in of_files]
    places = {"mmbench_questions": 0, "vlmevalkit_mmvet": 0, "vlmevalkit": 1}
    ranks = [places.get(name, 2) for name in order]
    assert ranks[:3] == [0, 0, 0]
    assert ranks.index(2) == len(ranks) - sum(rank == 2 for rank in ranks)
    assert (
        "outputs/judged-vlm/T20260101-000000/judged-vlm_MMBench_EX.xlsx: vlmevalkit, 7 rows: "
        "judged-vlm, MMBench/EX/dev, MMBench/EX/test, T20260101-000000"
    ) in of_files
    table = [line.split() for line in lines[n_files:]]
    assert [
        "vlmevalkit",
        "vlmevalkit",
        "SEED-Bench/EX",
        "judged-vlm,",
        "judgedown-vlm",
        "2",
        "2",
        "12",
    ] in table


def test_every_figure_but_those_known_to_be_wrong(whole: Warehouse, kit: Path) -> None:
    stated = list(figures(kit / "outputs"))
    scores = ours(whole)
    assert len(stated) == 75
    differing = {}
    for one in stated:
        found = scores[one.model, one.dataset, one.judge, one.ability]
        if None in (found, one.value) or abs(found - one.value) > 1e-12:  # type: ignore[operator]
            differing[one.model, one.dataset, one.ability] = (one.value, found)
    assert differing.keys() == _EXCEPTIONS.keys()
    for key, (theirs, own, _) in _EXCEPTIONS.items():
        assert differing[key] == (pytest.approx(theirs), pytest.approx(own)), key


def test_missing_passes_are_missing(whole: Warehouse) -> None:
    """The peer counts them as right; both releases show them, and the paper's gives nothing for them."""
    for release, score in (("paper_v1", 0.0), (_RELEASE, 1.0)):
        found = whole.sql(
            "SELECT score, n_missing FROM ability_score WHERE model = 'missing-vlm' AND level = 'overall' "
            "AND dataset = 'MMBench/EX/dev' AND strategy = 'circular' AND judge = 'none' AND average = 'micro'",
            release=release,
        )
        assert found.rows() == [(score, 3)]


def test_letters_that_were_perhaps_drawn_are_told(kit: Path, house: Warehouse) -> None:
    outcomes = list(house.ingest_many(kit / "LMUData", kit / "outputs/random-vlm"))
    notes = [note for one in outcomes if one.report for note in one.report.notes]
    assert any("which do not say whether they were drawn at random" in note for note in notes)


def test_names_of_folders_do_not_matter(
    whole: Warehouse, kit: Path, house: Warehouse, tmp_path: Path
) -> None:
    """Answers in a folder that comes first by name, questions in the last one."""
    shutil.copytree(kit / "outputs", tmp_path / "runs/a")
    shutil.copytree(kit / "LMUData", tmp_path / "runs/z")
    outcomes = list(house.ingest_many(tmp_path / "runs"))
    assert not [one.error for one in outcomes if one.error]
    assert ours(house) == ours(whole)


def test_what_else_lies_in_a_work_dir(kit: Path, house: Warehouse, tmp_path: Path) -> None:
    source = kit / "outputs/rules-vlm/T20260101-000000/rules-vlm_MMBench_EX.xlsx"
    model = tmp_path / "outputs/rules-vlm"
    for eval_id in ("T20260101_G0a1b2c3d", "T20260102-030405"):
        folder = model / eval_id
        folder.mkdir(parents=True)
        shutil.copy(source, folder)
        (folder / "status.json").write_text('{"schema_version": "1.0", "eval_id": "x", "datasets": {}}')  # fmt: skip
        for name in (
            "01_MMBench_EX.pkl",
            "rules-vlm_MMBench_EX_PREV.pkl",
            "rules-vlm_MMBench_EX_checkpoint.pkl",
        ):
            (folder / name).write_bytes(b"\x80\x04}.")
    logs = tmp_path / "outputs/logs"
    logs.mkdir()
    (logs / "T20260102-030405_20260102030405.log").write_text("hello\n")
    (model / source.name).symlink_to(Path("T20260102-030405") / source.name)
    # A file of answers may be named so, and one of another tool.
    (model / "other_acc.csv").write_text("index,prediction\n1,A\n")
    (tmp_path / "outputs/status.json").write_text('{"1": "A cat."}')
    house.ingest(kit / "LMUData/MMBench_EX.tsv")
    outcomes = list(house.ingest_many(tmp_path / "outputs"))
    left = {str(one.file.path.relative_to(tmp_path / "outputs")): one.left for one in outcomes if one.left}  # fmt: skip
    assert {Path(name).name for name in left} == {
        "status.json", "01_MMBench_EX.pkl", "rules-vlm_MMBench_EX_PREV.pkl",
        "rules-vlm_MMBench_EX_checkpoint.pkl", "T20260102-030405_20260102030405.log", source.name,
    }  # fmt: skip
    assert len(left) == 2 * 4 + 1 + 2
    assert left[f"rules-vlm/{source.name}"].endswith(f"T20260102-030405/{source.name}")
    assert left["status.json"].startswith("looks like the format mmvet_answers, but ")
    assert {one.file.path.name for one in outcomes if one.error} == {"other_acc.csv"}
    with house.reading() as con:
        runs = con.execute(
            "SELECT DISTINCT label, CAST(produced_at AS VARCHAR) FROM main.run ORDER BY 1"
        ).fetchall()
    assert runs == [
        ("T20260101_G0a1b2c3d", "2026-01-01 00:00:00"),
        ("T20260102-030405", "2026-01-02 03:04:05"),
    ]
    # By itself a by-product is described as what it is.
    named = run("ingest", model / "T20260102-030405/status.json", "--db", house.path, cwd=tmp_path)
    assert (named.code, named.err) == (0, "")
    assert named.out.endswith("status.json: left: VLMEvalKit's status of a run\n")
    with pytest.raises(InputError, match="VLMEvalKit's status of a run"):
        house.ingest(model / "T20260102-030405/status.json")


def test_mixed600_whole(house: Warehouse, shared: Path) -> None:
    """The xlsx of a run that its TSV holds already is no other run."""
    folder = shared / "formats/vlmevalkit/mixed600"
    outcomes = {one.file.path.name: one for one in house.ingest_many(folder)}
    failed = {name for name, one in outcomes.items() if one.error}
    assert failed == {"peer_hits.parquet"}
    assert outcomes["peer_acc.csv"].left
    assert "is in no format that is known here" in str(outcomes["peer_rows.parquet"].left)
    assert outcomes["synth-vlm-00_MMBench_SYN.xlsx"].report.already  # type: ignore[union-attr]
    assert house.runs().height == 6
    rows = pl.read_parquet(folder / "peer_hits.parquet")
    scores = house.sql(
        "SELECT model, CAST(question_key AS BIGINT) AS index, CAST(score AS BIGINT) AS score FROM "
        f"{_RELEASE}.question_result WHERE strategy = 'circular' AND judge = 'none'"
    )
    joined = rows.join(scores, on=["model", "index"], how="full", coalesce=True)
    assert joined["hit"].to_list() == joined["score"].to_list()


def test_the_same_run_with_another_answer_is_another(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    folder = shared / "formats/vlmevalkit/mixed600"
    house.ingest(folder / "MMBench_SYN.tsv", folder / "synth-vlm-01_MMBench_SYN.tsv")
    before = facts(house.path)
    frame = pl.read_csv(folder / "synth-vlm-01_MMBench_SYN.tsv", separator="\t", infer_schema=False)
    row = random.Random(5).randrange(frame.height)
    texts = frame["prediction"].to_list()
    texts[row] = f"{texts[row]}!"
    frame.with_columns(prediction=pl.Series(texts)).write_csv(
        tmp_path / "synth-vlm-01_MMBench_SYN.tsv", separator="\t"
    )
    with pytest.raises(InputError, match="with other content"):
        house.ingest(tmp_path / "synth-vlm-01_MMBench_SYN.tsv")
    assert facts(house.path) == before
