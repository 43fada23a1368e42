"""VLMEvalKit's score files as facts: each figure under the key that its own status.json has."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from evalhouse import InputError, Warehouse
from evalhouse.transfer import export_parquet, import_parquet
from ingest import many
from ingest.recognition import DefectError
from ingest.vlmevalkit import figure_rows, vlmevalkit_figures, vlmevalkit_files
from tests.commands import run
from tests.tables import facts
from warehouse import merge
from warehouse.check import run_checks
from warehouse.connection import with_logs

_WORK_DIR = "outputs/vlm_7b/T20260110-093000"
_LABEL = "T20260110-093000"
_ACC = '"split","Overall"\n"none","0.5"\n'


def _write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def _status(folder: Path, **judges: str | None) -> Path:
    datasets = {name: {"judge_model": judge} for name, judge in judges.items()}
    return _write(folder / "status.json", {"eval_id": folder.name, "datasets": datasets})


def _figures(house: Warehouse) -> list[tuple[Any, ...]]:
    """Every figure by names."""
    return house.sql(
        "SELECT m.name, b.name, f.task, f.label, f.judge, f.metric, f.value FROM main.harness_figure AS f "
        "JOIN main.model AS m USING (model_id) JOIN main.benchmark AS b USING (benchmark_id) "
        "ORDER BY f.source_id, f.metric"
    ).rows()


@pytest.mark.parametrize("kind", ["EXPECTED", "EXPECTED_judged"])
def test_every_figure_of_37_datasets(
    house: Warehouse, shared: Path, tmp_path: Path, kind: str
) -> None:
    """What VLMEvalKit's own function made of its files is what these facts are."""
    folder = shared / "formats/vlmevalkit_field"
    expected = json.loads((folder / f"{kind}.json").read_text("utf-8"))
    runs = {
        name: one["runs"]
        for name, one in json.loads((folder / "manifest.json").read_text("utf-8")).items()
    }
    suffix = "@judged" if kind == "EXPECTED_judged" else ""
    n_files = 0
    for dataset in expected:
        for key, one in runs[dataset].items():
            if key.endswith("@judged") == bool(suffix):
                work_dir = folder / "outputs" / key.removesuffix("@judged") / one["T"]
                target = tmp_path / work_dir.relative_to(folder)
                target.mkdir(parents=True, exist_ok=True)
                for name in (*one["score_files"], "status.json"):
                    shutil.copy(work_dir / name, target)
                n_files += len(one["score_files"])
    outcomes = list(house.ingest_many(tmp_path / "outputs"))
    assert [str(one.error) for one in outcomes if one.error] == []
    assert {one.file.path.name for one in outcomes if one.left} == {"status.json"}
    assert sum(one.report is not None for one in outcomes) == n_files
    found: dict[tuple[str, str, str, str | None], dict[str, float]] = {}
    for model, _, task, label, judge, metric, value in _figures(house):
        found.setdefault((task, model, label, judge), {})[metric] = float(value)
    wanted = {
        (dataset, model, runs[dataset][model + suffix]["T"], runs[dataset][model + suffix]["judge"]): values
        for dataset, by_model in expected.items()
        for model, values in by_model.items()
    }  # fmt: skip
    assert found == wanted
    assert sum(map(len, found.values())) == {"EXPECTED": 2781, "EXPECTED_judged": 1401}[kind]
    before = facts(house.path)
    again = list(house.ingest_many(tmp_path / "outputs"))
    assert all(one.left or (one.report and one.report.already) for one in again)
    assert facts(house.path) == before


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("t.csv", "a,b\n1,2\n", {"a": "1", "b": "2"}),
        # A number is as it is written; a column of numbers may have cells without.
        (
            "t.csv",
            '"split","Overall","Few"\n"dev","0.50",""\n"val"," 1e-05 ","7"\n',
            {"split=dev|Overall": "0.50", "split=dev|Few": None, "split=val|Overall": "1e-05", "split=val|Few": "7"},
        ),
        # The same row twice, words that pandas takes for none, and pandas' count of the rows.
        ("t.csv", ",k,n\n0,x,1\n1,x,2\n2,NA,3\n", {"k=x|n": "1", "k=x|n#1": "2", "n": "3"}),
        ("t.tsv", "k\tm\tn\nx, y\tz\t1\n", {"k=x, y|m=z|n": "1"}),
        ("t.csv", "\ufeffn\r\n-3.\r\n", {"n": "-3."}),
        ("t.json", {"Final Score": 161, "Norm": 16.1}, {"Final Score": "161", "Norm": "16.1"}),
        (
            "t.json",
            {"short": {"overall": "0.247", "domain": {"K": "nan", " L ": "0.3"}}, "on": True},
            {"short|overall": "0.247", "short|domain|K": None, "short|domain|L": "0.3", "on": None},
        ),
        ("t.json", {"a": [5, 10, "50.00%"], "b": [7]}, {"a|0": "5", "a|1": "10", "a|2": None, "b": "7"}),
        ("t.json", {"a": {"b": 1}, "a|b": 2}, {"a|b": "1", "a|b#dup": "2"}),
        ("t.json", [{"split": "val", "n": 1}, {"split": "dev", "n": None}], {"split=val|n": "1", "split=dev|n": None}),
        ("t.json", "[1.50, [2]]", {"0": "1.50", "1": "2"}),
        ("t.json", '{"a": 0.10, "b": NaN}', {"a": "0.10", "b": None}),
    ],
)  # fmt: skip
def test_paths_and_values(
    tmp_path: Path, name: str, text: object, wanted: dict[str, str | None]
) -> None:
    found = figure_rows.cells(_write(tmp_path / name, text))
    assert dict(zip(found["metric"], found["value"], strict=True)) == wanted


@pytest.mark.parametrize(
    ("name", "dataset", "judge", "part"),
    [
        ("vlm_7b_MMStar_acc.csv", "MMStar", "exact_matching", ""),
        ("vlm_7b_Own_Set_DEV_acc.csv", "Own_Set_DEV", None, ""),
        ("vlm_7b_MMVet_gpt-4-turbo_score_fine.csv", "MMVet", "gpt-4-turbo", "fine"),
        # Of another judge than the last one, which is what status.json has.
        ("vlm_7b_MMVet_gpt-4o_score.csv", "MMVet", "gpt-4o", ""),
        ("vlm_7b_Tamper_task_type_rating.json", "Tamper", "gpt-4o", "task_type"),
        # Nothing but the folder and the known benchmarks says anything of these.
        ("vlm_7b_MMBench_DEV_EN_V11_acc.csv", "MMBench_DEV_EN_V11", None, ""),
        ("vlm_7b_Nobodys_Set_gpt-4o_acc.csv", "Nobodys_Set", "gpt-4o", ""),
        ("vlm_7b_Nobodys_Set_exact_matching_score.json", "Nobodys_Set", "exact_matching", ""),
        # By the file of answers.
        ("vlm_7b_Answered_Set_x-1_acc.csv", "Answered_Set", "x-1", ""),
    ],
)
def test_names_in_a_work_dir(
    tmp_path: Path, name: str, dataset: str, judge: str | None, part: str
) -> None:
    folder = tmp_path / _WORK_DIR
    _status(folder, MMStar="exact_matching", MMVet="gpt-4-turbo", Tamper="gpt-4o", Own_Set_DEV=None)
    _write(folder / "vlm_7b_Answered_Set.tsv", "index\tprediction\n1\tA\n")
    found = figure_rows.read(folder / name)
    assert found == figure_rows.FigureName("vlm_7b", dataset, judge, _LABEL, part)


def test_names_without_a_work_dir(tmp_path: Path) -> None:
    by_answers = _write(tmp_path / "a_b_Own_Set_acc.csv", _ACC)
    assert figure_rows.read(by_answers) is None
    assert "of no model and dataset" in str(vlmevalkit_files.is_sidecar(by_answers))
    _write(tmp_path / "a_b_Own_Set.xlsx", "not looked at")
    found = figure_rows.read(tmp_path / "x_MMBench_TEST_CN_openai_acc.csv")
    assert found == figure_rows.FigureName("x", "MMBench_TEST_CN", "openai", "x_MMBench_TEST_CN", "")  # fmt: skip
    # Where the model ends nothing says but the user.
    assert figure_rows.read(by_answers) is None
    assert figure_rows.read(by_answers, "a_b") == figure_rows.FigureName(
        "a_b", "Own_Set", None, "a_b_Own_Set", ""
    )
    broken = _write(tmp_path / "T20260110-093000/status.json", '{"datasets": [')
    found = figure_rows.read(broken.with_name("x_MMVet_gpt-4_score.csv"))
    assert found == figure_rows.FigureName("x", "MMVet", "gpt-4", _LABEL, "")


def test_a_file_of_figures_alone(house: Warehouse, tmp_path: Path) -> None:
    """It makes a benchmark of its dataset's name, is read once, and is in the report."""
    folder = tmp_path / _WORK_DIR
    _status(folder, Own_Set="gpt-4o")
    path = _write(folder / "vlm_7b_Own_Set_acc.csv", "split,Overall,Few\ndev,0.5,\nval,0.25,1\n")
    done = run("ingest", path, "--db", house.path, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:3] == [
        f"{path}: vlmevalkit_figures, 4 rows",
        f"  3 figures of the harness: Own_Set of vlm_7b, run {_LABEL}, judge gpt-4o",
        "  left out: 1 cell without a number",
    ]
    assert _figures(house) == [
        ("vlm_7b", "Own_Set", "Own_Set", _LABEL, "gpt-4o", metric, value)
        for metric, value in [("split=dev|Overall", "0.5"), ("split=val|Few", "1"), ("split=val|Overall", "0.25")]
    ]  # fmt: skip
    done = run("ingest", tmp_path / "outputs", "--db", house.path, cwd=tmp_path)
    assert done.out.splitlines()[-1] == "2 files: 0 loaded (0 rows), 1 there already, 1 left, 0 failed"  # fmt: skip


def test_flags_decide(house: Warehouse, tmp_path: Path) -> None:
    path = _write(tmp_path / "one_acc.csv", "split,Overall\nnone,0.5\n")
    with pytest.raises(InputError, match="of no model and dataset"):
        house.ingest(path)
    with pytest.raises(InputError, match="does not say of which model and dataset"):
        house.ingest(path, format="vlmevalkit_figures", model="vlm", benchmark="Own")
    named = _write(tmp_path / "vlm_Own_Set_acc.csv", "split,Overall\nnone,0.5\n")
    house.ingest(named, format="vlmevalkit_figures", model="vlm", benchmark="Own_Set", run="r")
    house.ingest(
        _write(tmp_path / _WORK_DIR / "vlm_7b_Their_Set_acc.csv", _ACC),
        map={"Their_Set": "Own_Set"},
    )
    assert _figures(house) == [
        ("vlm", "Own_Set", "Own_Set", "r", None, "split=none|Overall", "0.5"),
        ("vlm_7b", "Own_Set", "Their_Set", _LABEL, None, "split=none|Overall", "0.5"),
    ]


def test_runs_with_the_same_figures_are_several(house: Warehouse, tmp_path: Path) -> None:
    for model in ("a", "b"):
        for label in ("T20260110-093000", "T20260111-093000"):
            _write(tmp_path / f"outputs/{model}/{label}/{model}_MMStar_acc.csv", _ACC)
    assert all(one.report for one in house.ingest_many(tmp_path / "outputs"))
    assert {(row[0], row[3]) for row in _figures(house)} == {
        (model, label) for model in "ab" for label in ("T20260110-093000", "T20260111-093000")
    }
    # The same work dir in another place is the same run.
    shutil.copytree(tmp_path / "outputs", tmp_path / "copy")
    before = facts(house.path)
    again = list(house.ingest_many(tmp_path / "copy"))
    assert all(one.report and one.report.already for one in again)
    assert facts(house.path) == before


@pytest.mark.parametrize("with_bad", [False, True])
def test_figures_read_together_are_those_read_one_by_one(
    make_house: Callable[[str], Warehouse],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    with_bad: bool,
) -> None:
    """The same reports and rows; a bad file is refused by itself, and the others are there."""
    paths = [
        _write(tmp_path / f"outputs/{model}/{_LABEL}/{model}_{name}", content)
        for model in ("vlm_7b", "vlm_72b")
        for name, content in (
            ("MMStar_acc.csv", "split,Overall,math\nnone,0.5,\nval,0.25,1\n"),
            ("Unheard_Of_acc.csv", _ACC),
            ("Video-MME_rating.json", {"short": {"overall": "0.5", "art": None}}),
            ("Video-MME_score.json", {"fine": 3}),
        )
    ]
    bad = tmp_path / f"outputs/vlm_7b/{_LABEL}/vlm_7b_POPE_score.csv"
    if with_bad:
        _write(bad, "split,acc\nOverall\n")
    results: list[object] = []
    read = many.read_together

    def noted(*given: Any, **more: Any) -> object:
        results.append(read(*given, **more))
        return results[-1]

    monkeypatch.setattr(many, "read_together", noted)
    at_once, alone = make_house("at_once"), make_house("alone")
    outcomes = list(at_once.ingest_many(tmp_path / "outputs"))
    # In one transaction, unless something is wrong with one.
    assert [result is None for result in results] == [with_bad]
    assert [one.file.path for one in outcomes if one.error] == ([bad] if with_bad else [])
    assert "field acc: has 1 fields" in str([one.error for one in outcomes]) or not with_bad
    reports = {one.report.path: one.report for one in outcomes if one.report}
    assert set(reports) == {str(path) for path in paths}
    one_by_one = [alone.ingest(Path(path))[0] for path in reports]
    assert list(reports.values()) == one_by_one
    assert all(report.has_harness_facts for report in one_by_one)
    assert _figures(at_once) == _figures(alone)
    assert facts(at_once.path)["harness_figure"] == facts(alone.path)["harness_figure"]


def test_a_defect_is_not_hidden_by_reading_one_by_one(
    house: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What belongs to a file is this file's error; what does not ends the whole, with nothing stored."""
    for name in ("MMStar_acc.csv", "POPE_score.csv"):
        _write(tmp_path / _WORK_DIR / f"vlm_7b_{name}", "split,Overall\nnone,0.5\n")
    before = facts(house.path)

    def failing(error: Exception) -> Callable[..., NoReturn]:
        def fail(*_: object) -> NoReturn:
            raise error

        return fail

    with monkeypatch.context() as patched:
        patched.setattr(vlmevalkit_figures.Figures, "_keep", failing(KeyError("metric")))
        with pytest.raises(
            DefectError, match=r"MMStar_acc.csv: evalhouse stumbled over it.*KeyError"
        ):
            list(house.ingest_many(tmp_path / "outputs"))
        patched.setattr(vlmevalkit_figures.Figures, "finish", failing(ZeroDivisionError("finish")))
        patched.setattr(vlmevalkit_figures.Figures, "_keep", lambda *_: [])
        with pytest.raises(ZeroDivisionError, match="finish"):
            list(house.ingest_many(tmp_path / "outputs"))
    assert facts(house.path) == before
    with monkeypatch.context() as patched:
        # A file that cannot be read any more, here by all of them at once.
        patched.setattr(vlmevalkit_figures.Figures, "stage", failing(OSError("is gone")))
        outcomes = list(house.ingest_many(tmp_path / "outputs"))
    assert [one.error for one in outcomes] == [None, None]
    assert len(_figures(house)) == 2


def test_a_file_written_anew_adds_under_its_own_source(house: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / _WORK_DIR / "vlm_7b_MMStar_acc.csv"
    contents = ["0.5", "0.25", "0.5"]
    for n, value in enumerate(contents, start=1):
        house.ingest(_write(path, f"split,Overall\nnone,{value}\n"))
        assert [row[-1] for row in _figures(house)] == contents[:n]
        assert house.ingest(path)[0].already
    # The judge is no part of the file, and news even so.
    _status(path.parent, MMStar="gpt-4o")
    assert not house.ingest(path)[0].already
    assert [row[4] for row in _figures(house)] == [None, None, None, "gpt-4o"]
    with house.reading() as con:
        # The file on disk is not what its first sources were read from.
        assert [one.check for one in run_checks(con) if one.n] == ["source_files"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("MMStar_acc.csv", "split,Overall\nnone,few\n", "holds no figure: nothing in it is a number"),
        ("MMStar_acc.csv", "split,Overall\n", "has a header, but no rows"),
        ("MMStar_acc.csv", "split,Overall\nnone,0.5\nval\n", "row 2, field Overall: has 1 fields "
                                                             "where the header names 2"),
        ("MMStar_acc.csv", "split,Overall\nnone,0.5,1\n", "row 1: has 3 fields where the header names 2"),
        ("MMStar_acc.csv", 'split,Overall\n"none,0.5\n', "row 1: broken quoting, or cut off"),
        ("MMStar_acc.csv", "Overall,Overall\n1,2\n", "header, field Overall: the column stands twice"),
        ("MMStar_acc.csv", b"split,Overall\n\xff,1\n", "line 2 is not UTF-8"),
        ("OCRBench_score.json", '{"Final Score": 1', "not valid JSON, or cut off"),
        ("OCRBench_score.json", '{"a": 1, "a": 2}', "row 1, field a: the key stands twice"),
        ("OCRBench_score.json", '{"a": {}}', "holds no figure"),
        ("OCRBench_score.json", "3", "is JSON, but neither an object nor an array"),
        ("OCRBench_score.json", '{"\\ud800": 1}', "row 1, field metric: cannot be read"),
        ("Video-MME_rating.json", "[" * 100_000, "not valid JSON, or cut off"),
    ],
)  # fmt: skip
def test_bad_files(
    house: Warehouse, tmp_path: Path, name: str, content: str | bytes, words: str
) -> None:
    """The error names the place; the warehouse is as it was, and the other files are read."""
    bad = tmp_path / _WORK_DIR / f"vlm_7b_{name}"
    bad.parent.mkdir(parents=True)
    bad.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = facts(house.path)
    with pytest.raises(InputError) as caught:
        house.ingest(bad)
    assert str(bad) in str(caught.value)
    assert words in str(caught.value)
    assert facts(house.path) == before
    _write(bad.with_name("vlm_7b_AI2D_TEST_acc.csv"), _ACC)
    outcomes = list(house.ingest_many(tmp_path / "outputs"))
    assert [one.error is None for one in outcomes].count(False) == 1
    assert len(_figures(house)) == 1


def test_files_of_rows_are_no_figures(house: Warehouse, tmp_path: Path) -> None:
    """Whatever their names: a row per question is read as that, and other figures are left."""
    folder = tmp_path / _WORK_DIR
    rows = _write(folder / "vlm_7b_MMStar_score.csv", "index,score\n1,0.5\n")
    by_id = _write(folder / "vlm_7b_MMStar_score.json", {"1": {"index": 1, "score": 0.5}})
    other = _write(folder / "vlm_7b_MMStar_acc_all.csv", _ACC)
    for path in (rows, by_id):
        assert figure_rows.kind_of_text(path) is None
        assert vlmevalkit_files.is_sidecar(path) is None
    # Of no run, and with --format it is any map by id.
    assert figure_rows.kind_of_text(_write(tmp_path / "my_score.json", {"v1_0": "A cat."})) is None
    assert str(vlmevalkit_files.is_sidecar(other)).startswith("VLMEvalKit's figures")
    outcomes = {one.file.path.name: one for one in house.ingest_many(tmp_path / "outputs")}
    assert outcomes[other.name].left
    assert _figures(house) == []


def test_figures_of_runs_come_after_their_answers(house: Warehouse, shared: Path) -> None:
    """They are of the benchmark that the answers made, under the label of the run."""
    examples = shared / "formats/vlmevalkit/examples"
    outcomes = list(house.ingest_many(examples))
    assert not [one.error for one in outcomes if one.error]
    unmatched = house.sql(
        "SELECT f.task FROM main.harness_figure AS f WHERE NOT EXISTS (FROM main.run AS r "
        "JOIN main.dataset AS d USING (dataset_id) WHERE r.model_id = f.model_id "
        "AND r.label = f.label AND d.benchmark_id = f.benchmark_id)"
    )
    assert unmatched.rows() == []
    assert house.sql("SELECT count(*) FROM main.harness_figure WHERE metric LIKE 'fine:%'").item() > 0  # fmt: skip


@pytest.mark.slow
def test_figures_travel(
    house: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    """Merged into another warehouse, once, and as Parquet and back."""
    there = make_house("there")
    path = tmp_path / _WORK_DIR / "vlm_7b_MMStar_acc.csv"
    house.ingest(_write(path, _ACC))
    there.ingest(path)
    _status(path.parent, POPE="gpt-4o")
    there.ingest(_write(path.with_name("vlm_7b_POPE_score.csv"), "split,acc\nOverall,50\n"))
    for n_new in (1, 0):
        before = len(_figures(house))
        with house.writing(files=with_logs(there.path)) as con:
            assert merge.merge(con, there.path).counts["new_sources"] >= n_new
        assert len(_figures(house)) - before == n_new
    assert sorted(map(repr, _figures(house))) == sorted(map(repr, _figures(there)))
    with house.reading() as con:
        assert not [one.check for one in run_checks(con) if one.n]
    with house.reading(folders=[tmp_path]) as con:
        export_parquet(con, tmp_path / "parquet")
    import_parquet(tmp_path / "parquet", tmp_path / "again.duckdb")
    assert facts(tmp_path / "again.duckdb")["harness_figure"] == facts(house.path)["harness_figure"]
