"""What harnesses wrote of runs next to ours: figures and answers, why they differ, and what ingest says."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import UsageError, Warehouse, cli_ingest
from ingest.settings import TaskMap
from tests.commands import run
from tests.houses import QuickHouse

# One warehouse for all of them takes seconds to make.
pytestmark = pytest.mark.slow

_TIME = "2026-11-24T10-00-00"
_REAL = "2026-11-21T21-02-06.164606"
_MAP = ("--map", "seedlike_gen=Likewise", "--map", "seedlike_ppl=Likewise")
_TASKS = TaskMap({"seedlike_gen": "Likewise", "seedlike_ppl": "Likewise"})


def _line(n: int, right: int, said: str, read: str, **metrics: object) -> dict[str, Any]:
    """A line of lm-eval's samples: a question of three choices."""
    return {
        "doc_id": n,
        "doc": {"question": f"Number {n}?", "choices": ["red", "green", "blue"], "answer": right},
        "target": "ABC"[right],
        "arguments": {"gen_args_0": {"arg_0": f"Number {n}?", "arg_1": {"until": []}}},
        "resps": [[said]],
        "filtered_resps": [read],
        "filter": "letter",
        "metrics": list(metrics),
        **metrics,
    }


def _write(folder: Path, lines: list[dict[str, Any]], **figures: float) -> Path:
    """An output folder of one task, colours."""
    out = folder / "acme__vlm"
    out.mkdir(parents=True, exist_ok=True)
    samples = out / f"samples_colours_{_TIME}.jsonl"
    samples.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    if figures:
        results = {f"{name},letter": value for name, value in figures.items()}
        written = {
            "results": {
                "colours": {"alias": "colours", **results},
                "group": {"exact_match,none": 0.5},
            },
            "configs": {"colours": {"task": "colours"}},
            "model_name": "acme/vlm",
        }
        (out / f"results_{_TIME}.json").write_text(json.dumps(written), "utf-8")
    return folder


_COLOURS = [
    _line(0, 0, "A", "A", exact_match=1.0, f1=0.5),
    _line(1, 1, "It is green.", "B", exact_match=1.0, f1=0.5),
    _line(2, 2, "none", "b or c", exact_match=1.0, f1=0.5),
    _line(3, 2, "b?", "b", exact_match=0.0, f1=0.5),
    _line(4, 0, "C", "C", exact_match=1.0, f1=0.5),
    _line(5, 0, "??", "[invalid]", exact_match=0.0, f1=0.5),
]


def _rows(frame: pl.DataFrame, *names: str) -> list[tuple[object, ...]]:
    return frame.select(names).rows()


@pytest.fixture(scope="module")
def said(
    new_file: Path, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Warehouse, pl.DataFrame]:
    """A warehouse with outputs of lm-eval and lmms-eval, and its figures."""
    folder = tmp_path_factory.mktemp("said")
    shutil.copy(new_file, folder / "said.duckdb")
    house = QuickHouse(folder / "said.duckdb")
    out = _write(folder / "out", _COLOURS, exact_match=2 / 3, f1=0.5)
    tasks = TaskMap(_TASKS | {"colours": "Colours"})
    folders = (out, shared / "formats/lm_eval_out", shared / "formats/lmms_out/acme__vlm-A")
    assert [one.error for one in house.ingest_many(*folders, map=tasks) if one.error] == []
    return house, house.differences()


def test_every_figure_has_a_row_and_a_reason(said: tuple[Warehouse, pl.DataFrame]) -> None:
    house, figures = said
    n = house.sql("SELECT count(*) FROM main.harness_figure").item()
    assert figures["is_stated"].sum() == n
    assert figures.filter(pl.col("is_same") == pl.col("reason").is_not_null()).is_empty()
    assert figures.filter(pl.col("ours").is_null() & pl.col("reason").is_null()).is_empty()


def test_figures_of_lm_eval_are_ours(said: tuple[Warehouse, pl.DataFrame]) -> None:
    found = said[1].filter(pl.col("run").str.starts_with(_REAL))
    assert found["is_same"].all()
    assert sorted(_rows(found, "metric", "filter"), key=str) == [
        ("acc", None), ("acc_norm", None), ("exact_match", "raw"), ("exact_match", "strict"),
    ]  # fmt: skip


def test_figures_of_lmms_eval(said: tuple[Warehouse, pl.DataFrame]) -> None:
    """Also those over a part of the samples; lmms-eval reads the first character as the letter."""
    found = {(row["dataset"], row["metric"]): row for row in said[1].to_dicts()}
    assert found["mmvet", "gpt_eval_score"]["is_same"]
    assert found["seedbench_ppl", "acc"]["is_same"]
    assert found["seedbench", "seed_video"]["is_same"]
    assert found["seedbench", "seed_image"]["reason"] == "1 of 6 samples differ"
    assert found["seedbench_2", "seed_all"]["reason"] == "3 of 12 samples differ"
    assert found["mmbench_en_dev", "gpt_eval_score"]["reason"] == "the harness kept no scores of samples"  # fmt: skip


def test_reasons_of_figures(said: tuple[Warehouse, pl.DataFrame]) -> None:
    found = said[1].filter(pl.col("run").str.starts_with(_TIME))
    rows = _rows(found, "dataset", "metric", "published", "ours", "reason", "n_differ", "n_unread")
    assert rows == [
        ("colours", "exact_match", 2 / 3, 1 / 3, "2 of 6 samples differ; no rule of ours reads 1", 2, 1),
        ("colours", "f1", 0.5, None, "no figure of ours for this metric", 6, 0),
        ("group", "exact_match", 0.5, None, "no run here has that name: a group of tasks, or "
                                            "answers that were not read", None, None),
    ]  # fmt: skip


def test_reasons_of_answers(said: tuple[Warehouse, pl.DataFrame]) -> None:
    house, figures = said
    (run_id,) = figures.filter(metric="f1")["run_id"]
    found = house.sample_differences(run_id, every=True).filter(metric="exact_match")
    assert _rows(found, "question", "published", "read_there", "ours", "read_here", "reason") == [
        ("0", 1.0, None, 1.0, "A", None),
        ("1", 1.0, "B", 1.0, "B", None),
        (
            "2",
            1.0,
            "b or c",
            0.0,
            None,
            "the harness read b or c, no rule of ours reads the answer",
        ),
        ("3", 0.0, "b", 0.0, "B", None),
        ("4", 1.0, None, 0.0, "C", "the rules differ"),
        ("5", 0.0, "[invalid]", 0.0, None, None),
    ]
    differing = house.sample_differences(run_id)
    assert differing["is_same"].sum() == 0
    assert set(differing.filter(metric="f1")["reason"]) == {"no score of ours for this metric"}


def test_one_run_has_the_figures_that_it_has_among_all(
    said: tuple[Warehouse, pl.DataFrame],
) -> None:
    house, figures = said
    for run_id in figures["run_id"].drop_nulls().unique().sort()[::3]:
        alone = house.differences(run_id)
        assert alone.height
        assert alone.equals(figures.filter(run_id=run_id))


def test_the_view_of_one_release_has_the_figures_of_another(
    said: tuple[Warehouse, pl.DataFrame],
) -> None:
    house, _ = said
    (run_id,) = said[1].filter(metric="seed_all", dataset="seedbench")["run_id"]
    peer = house.differences(run_id, release="vlmevalkit_field_e8e78f0")
    assert peer.height == house.differences(run_id).height
    with pytest.raises(UsageError, match="paper_v1 has no view harness_difference"):
        house.differences(run_id, release="paper_v1")
    with pytest.raises(UsageError, match=r"there is no run 999; `evalhouse runs` lists them"):
        house.differences(999)


def test_a_run_under_another_name_keeps_its_figures(house: Warehouse, tmp_path: Path) -> None:
    out = _write(tmp_path / "out", _COLOURS, exact_match=2 / 3)
    list(house.ingest_many(out, map=TaskMap({"colours": "Colours"})))
    before = house.differences(2)
    house.rename_run(2, label="first", model="other")
    now = house.differences(2)
    assert _rows(now, "model", "run") == [("other", "first")]
    assert now.drop("model", "run").equals(before.drop("model", "run"))
    house.retract_run(2)
    with pytest.raises(UsageError, match="run 2 is superseded or retracted"):
        house.differences(2)
    assert house.differences().filter(dataset="colours")["run_id"].to_list() == [None]


def test_scores_without_a_figure_have_their_mean(house: Warehouse, tmp_path: Path) -> None:
    list(house.ingest_many(_write(tmp_path / "out", _COLOURS), map=TaskMap({"colours": "Colours"})))
    found = house.differences(2).filter(metric="exact_match")
    assert _rows(found, "published", "ours", "is_stated") == [(2 / 3, 1 / 3, False)]


def test_a_harness_that_scored_some_answers(house: Warehouse, tmp_path: Path) -> None:
    lines = [_line(n, 0, "A", "A", exact_match=1.0) for n in range(4)]
    lines[3]["metrics"] = []
    list(
        house.ingest_many(
            _write(tmp_path / "out", lines, exact_match=0.75), map=TaskMap({"colours": "Colours"})
        )
    )
    (row,) = house.differences(1).to_dicts()
    assert (row["published"], row["ours"]) == (0.75, 1.0)
    assert row["reason"] == "the harness scored 3 of 4 samples"


# What the commands print.


def test_the_formats_of_the_command(said: tuple[Warehouse, pl.DataFrame], tmp_path: Path) -> None:
    house, figures = said
    (run_id,) = figures.filter(metric="f1")["run_id"]
    db = ("--db", house.path)
    done = run("evalhouse", "differences", run_id, *db, cwd=tmp_path)
    assert done.code == 0, done.err
    table, answers = done.out.split("\n\n", 1)
    assert re.search(
        r"exact_match +letter +0\.666667 +0\.333333 +False +2 of 6 samples differ", table
    )
    assert "the harness read b or c, no rule of ours reads the answer" in answers
    read = run("evalhouse", "differences", "--format", "json", *db, cwd=tmp_path)
    assert [row["reason"] for row in json.loads(read.out)] == figures["reason"].to_list()
    read = run(
        "evalhouse",
        "differences",
        run_id,
        "--samples",
        "--all",
        "--format",
        "csv",
        *db,
        cwd=tmp_path,
    )
    rows = list(csv.DictReader(io.StringIO(read.out)))
    assert len(rows) == house.sample_differences(run_id, every=True).height == 12
    read = run("evalhouse", "differences", run_id, "--format", "markdown", *db, cwd=tmp_path)
    assert "| reason" in read.out
    done = run("evalhouse", "differences", "--format", "toml", *db, cwd=tmp_path)
    assert done.code == 2
    assert "--format is table, csv" in done.err


def test_ingest_ends_with_it(house: Warehouse, tmp_path: Path) -> None:
    out = _write(tmp_path / "out", _COLOURS, exact_match=2 / 3, f1=0.5)
    words = ("ingest", out, "--map", "colours=Colours", "--db", house.path)
    dry = run("evalhouse", *words, "--dry-run", cwd=tmp_path)
    assert "harness in" not in dry.out
    done = run("evalhouse", *words, cwd=tmp_path)
    assert done.code == 0, done.err
    assert done.out.splitlines()[-2] == (
        "run 2 agrees with the harness in 0 of 1 figure; exact_match,letter is 0.667 there, 0.333 here: "
        "2 of 6 samples differ; no rule of ours reads 1; nothing of ours compares with 1 more "
        "(`evalhouse differences 2`)"
    )
    again = run("evalhouse", *words, cwd=tmp_path)
    assert "harness in" not in again.out


def test_a_folder_has_one_line_and_the_runs_that_differ(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    folder = shared / "formats/lmms_out"
    done = run("evalhouse", "ingest", folder, "--db", house.path, cwd=tmp_path)
    total, *runs, _ = done.out.split("the harness's figures: ")[1].splitlines()
    assert total == "11 of 24 are the same here, of 8 runs; 4 runs differ:"
    assert len(runs) == 4
    assert all(
        re.fullmatch(
            r"  run \d+ agrees with the harness in .*\(`evalhouse differences \d+`\)", line
        )
        for line in runs
    )


def test_more_than_five_runs_are_counted(house: Warehouse, tmp_path: Path) -> None:
    for n in range(7):
        out = _write(tmp_path / f"out/{n}", _COLOURS, exact_match=2 / 3) / "acme__vlm"
        out.rename(out.with_name(f"acme__vlm-{n}"))
        (tmp_path / f"out/{n}/acme__vlm-{n}/results_{_TIME}.json").unlink()
    done = run(
        "evalhouse",
        "ingest",
        tmp_path / "out",
        "--map",
        "colours=Colours",
        "--db",
        house.path,
        cwd=tmp_path,
    )
    *said, _ = done.out.split("the harness's figures: ")[1].splitlines()
    assert said[0] == "0 of 7 are the same here, of 7 runs; 7 runs differ:"
    assert said[-1] == "  and 2 more: `evalhouse differences`"
    assert len(said) == 7


def test_figures_alone_are_counted(house: Warehouse, tmp_path: Path) -> None:
    """As VLMEvalKit leaves them: how many are the same, and which release has its rules."""
    folder = tmp_path / "outputs/vlm_7b/T20260110-093000"
    folder.mkdir(parents=True)
    (folder / "vlm_7b_MMStar.tsv").write_text(
        "index\tquestion\tA\tB\tanswer\tcategory\tl2_category\tprediction\n"
        "1\tWhich?\tred\tblue\tA\tmath\tsums\tA\n2\tWhich?\tup\tdown\tB\tmath\tsums\tA\n"
    )
    (folder / "vlm_7b_MMStar_acc.csv").write_text('"split","Overall"\n"none","0.75"\n')
    done = run("evalhouse", "ingest", tmp_path / "outputs", "--db", house.path, cwd=tmp_path)
    assert done.out.splitlines()[-2] == (
        "the harness's figures: 0 of 1 are the same here, of one run; `evalhouse differences` names each, "
        "with `--release vlmevalkit_field_e8e78f0` under the rules of vlmevalkit"
    )
    (row,) = house.differences().to_dicts()
    assert (row["published"], row["ours"], row["reason"]) == (
        0.75,
        0.5,
        "the harness kept no scores of samples",
    )


def test_what_cannot_be_compared_is_stored_all_the_same(
    house: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (outcome,) = house.ingest_many(
        _write(tmp_path / "out", _COLOURS), map=TaskMap({"colours": "Colours"})
    )
    assert outcome.report is not None
    source_id = outcome.report.source_id
    assert source_id is not None

    def fail(*_: object, **__: object) -> None:
        raise UsageError("no such view")

    monkeypatch.setattr(cli_ingest.differences, "figures", fail)
    with pytest.warns(UserWarning, match="the facts are stored, but not compared .*no such view"):
        assert cli_ingest.lines(house, [source_id]) == []


def test_groups_of_tasks_are_means_as_the_harness_makes_them(
    house: Warehouse, tmp_path: Path
) -> None:
    """By documents or each task alike, whichever the harness's own figures of the tasks say."""
    out = tmp_path / "out/acme__vlm"
    out.mkdir(parents=True)
    rights = {"one": [1, 0], "two": [1, 1, 1, 0], "three": [0, 0, 1]}
    shares = {task: sum(said) / len(said) for task, said in rights.items()}
    for task, said in rights.items():
        lines = [_line(n, 1, "AB"[one], "AB"[one], exact_match=float(one)) for n, one in enumerate(said)]  # fmt: skip
        samples = out / f"samples_{task}_{_TIME}.jsonl"
        samples.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    figures = shares | {"pair": 4 / 6, "alike": 0.625, "all": 5 / 9, "other": 0.9, "wide": 0.5}
    written = {
        "results": {task: {"exact_match,letter": value} for task, value in figures.items()},
        "configs": {task: {"task": task} for task in rights},
        "group_subtasks": {
            "all": ["pair", "three"], "pair": ["one", "two"], "alike": ["one", "two"],
            "other": ["one", "two"], "wide": ["one", "gone"],
        },
        "n-samples": {task: {"effective": len(said)} for task, said in rights.items()} | {"gone": {"effective": 9}},
        "model_name": "acme/vlm",
    }  # fmt: skip
    (out / f"results_{_TIME}.json").write_text(json.dumps(written), "utf-8")
    assert all(one.error is None for one in house.ingest_many(tmp_path / "out"))
    rows = house.sql(
        "SELECT dataset, ours, is_same, reason_kind, reason FROM harness_difference "
        "WHERE run_id IS NULL ORDER BY dataset"
    ).rows()
    assert rows == [
        ("alike", pytest.approx(0.625), True, None, None),
        ("all", pytest.approx(5 / 9), True, None, None),
        ("other", None, False, "no_run", "a group of 2 tasks, and another mean of them"),
        ("pair", pytest.approx(4 / 6), True, None, None),
        ("wide", None, False, "no_run", "a group of 2 tasks, of which 1 have a figure of ours"),
    ]
