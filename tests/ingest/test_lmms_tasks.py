"""lmms-eval's samples of any task: what is read of them, and its figures under the release lmms_eval."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from evalhouse import Warehouse
from queries import install
from queries import release as releases
from tests.houses import QuickHouse

PEER = "lmms_eval"
_ROUNDED = {"mmmu_val": 5, "mathvista_testmini_format": 2}
"""To how many digits lmms-eval rounds a task's figure; all others are written as they are."""
_DRAWN = {
    ("mmmu_val", "mmmu_acc,none"): "lmms-eval draw",
    ("mathvista_testmini_format", "llm_as_judge_eval,none"): "lmms-eval",
}
"""Figures that rest on more than rules: on letters that the harness drew, and on a judge who extracts."""


@pytest.fixture(scope="module")
def field(shared: Path) -> Path:
    return shared / "formats" / "lmms_field"


@pytest.fixture(scope="module")
def lab(field: Path, new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("lmms")
    shutil.copy(new_file, folder / "lab.duckdb")
    house = QuickHouse(folder / "lab.duckdb")
    outcomes = list(house.ingest_many(field / "docs", field / "lmms_out"))
    assert [str(one.error) for one in outcomes if one.error] == []
    with house.writing() as con:
        for name in ("field_v2", PEER):
            install.install(con, releases.load(name))
    house.keep()
    return house


@pytest.fixture(scope="module")
def con(lab: Warehouse) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(lab.path), read_only=True) as found:
        yield found


@pytest.mark.slow
def test_every_figure_of_eleven_tasks_is_the_harnesss(
    con: duckdb.DuckDBPyConnection, field: Path
) -> None:
    wanted = {
        (task, model.replace("__", "/"), metric): value
        for task, models in json.loads((field / "EXPECTED.json").read_text("utf-8")).items()
        for model, of_model in models.items()
        for metric, value in of_model.items()
    }
    rows = con.execute(
        f"SELECT dataset, model, metric, published, ours, is_same, judge FROM {PEER}.published_difference"
    ).fetchall()
    assert len(rows) == len(wanted) == 48
    for task, model, metric, published, ours, is_same, judge in rows:
        assert is_same, (task, model, metric)
        assert published == wanted[task, model, metric]
        ours = round(ours, _ROUNDED[task]) if task in _ROUNDED else ours
        assert ours == pytest.approx(published, abs=1e-9), (task, model, metric)
        assert judge == _DRAWN.get((task, metric), "none")


@pytest.mark.slow
def test_field_v2_differs_by_its_own_rules(con: duckdb.DuckDBPyConnection) -> None:
    """It has a figure next to each but MMMU's, where answers that the harness read and it does not wait
    for a judge; a letter that the harness drew is drawn there too, with the flag."""
    rows = con.execute(
        "SELECT DISTINCT metric FROM field_v2.published_difference WHERE ours IS NULL"
    ).fetchall()
    assert rows == [("mmmu_acc,none",)]
    states = dict(
        con.execute(
            "SELECT resolved_by, count(*) FROM field_v2.pass_result AS p "
            "JOIN field_v2.current_run AS r USING (run_id) WHERE p.judge = 'lmms-eval draw' "
            "AND r.benchmark = 'MMMU' AND r.is_latest GROUP BY ALL"
        ).fetchall()
    )
    assert states == {"random": 12, "pending": 8, "rule": 176, "unresolved": 4}


@pytest.mark.slow
def test_verdicts_on_single_answers_are_the_harnesss(con: duckdb.DuckDBPyConnection) -> None:
    """Wherever a sample has a score of its own: ours is the same, answer by answer."""
    rows = con.execute(
        f"""
        SELECT b.name, h.metric, count(*), count(*) FILTER (abs(p.score - h.score) < 1e-9)
        FROM main.harness_score AS h
        JOIN {PEER}.pass_result AS p USING (run_id, question_id, pass, sample)
        JOIN main.run AS r USING (run_id)
        JOIN main.dataset AS d USING (dataset_id)
        JOIN main.benchmark AS b USING (benchmark_id)
        WHERE h.score IS NOT NULL AND p.judge = CASE b.name
            WHEN 'MMMU' THEN 'lmms-eval draw' WHEN 'MathVista' THEN 'lmms-eval' ELSE 'none' END
        GROUP BY ALL
        """
    ).fetchall()
    assert {name for name, *_ in rows} == {
        "AI2D", "ChartQA", "DocVQA", "MME", "MMMU", "MMStar", "MathVista", "OCRBench", "POPE",
        "RealWorldQA", "TextVQA",
    }  # fmt: skip
    assert [row for row in rows if row[2] != row[3]] == []


@pytest.mark.slow
def test_what_a_question_is(con: duckdb.DuckDBPyConnection) -> None:
    def question(benchmark: str, key: str) -> tuple[Any, ...]:
        return con.execute(
            """
            SELECT q.text,
                (SELECT string_agg(c.text, '|' ORDER BY c.label)
                    FROM main.choice AS c WHERE c.question_id = q.question_id),
                (SELECT max(a.label) FROM main.answer AS a WHERE a.question_id = q.question_id),
                (SELECT string_agg(f.text, '|' ORDER BY f.ordinal)
                    FROM main.reference_answer AS f WHERE f.question_id = q.question_id)
            FROM main.question AS q JOIN main.dataset AS d USING (dataset_id)
            JOIN main.benchmark AS b USING (benchmark_id)
            WHERE b.name = ? AND q.question_key = ?
            """,
            [benchmark, key],
        ).fetchall()[0]

    assert question("AI2D", "0") == (
        "What does label 0 show?",
        "broken bird|striped lamp|red bottle|empty bus in the background",
        "D",
        None,
    )
    assert question("MMStar", "1")[:2] == (
        "What is shown in picture 1?",
        "small house|new table|red bus|square train in the background",
    )
    assert question("RealWorldQA", "0") == (
        "How many signs are in picture 0?",
        None,
        None,
        "Downhill",
    )
    assert question("RealWorldQA", "1") == ("How many cars are in picture 1?", "38|6|3", "B", None)
    assert question("MMMU", "validation_Psychology_3")[3] == "-0.25"
    assert question("DocVQA", "0")[3] == "New York|New York"
    assert question("MathVista", "2")[2:] == ("B", "tall bridge")
    levels = con.execute(
        "SELECT DISTINCT b.name, a.level FROM main.question_ability AS q JOIN main.ability AS a "
        "USING (ability_id) JOIN main.benchmark AS b USING (benchmark_id) ORDER BY ALL"
    ).fetchall()
    assert {
        ("ChartQA", "split"), ("MME", "category"), ("MMMU", "subject"),
        ("MMStar", "axis"), ("OCRBench", "category"), ("POPE", "category"),
        ("MathVista", "task"), ("MathVista", "skill"),
    } <= set(levels)  # fmt: skip


def test_samples_alone(field: Path, house: Warehouse, tmp_path: Path) -> None:
    """Without the records: the same questions, but those that no sample has the answer to are hidden."""
    for name in ("ai2d", "chartqa", "realworldqa", "textvqa_val", "mmstar"):
        (path,) = field.glob(f"lmms_out/acme__Lynx-VL-2B/*_samples_{name}.jsonl")
        shutil.copy(path, tmp_path)
    (results,) = field.glob("lmms_out/acme__Lynx-VL-2B/*_041630_results.json")
    shutil.copy(results, tmp_path)
    outcomes = {one.file.path.stem: one for one in house.ingest_many(tmp_path)}
    assert [str(one.error) for one in outcomes.values() if one.error] == []
    report = outcomes["20261123_041630_samples_textvqa_val"].report
    assert report is not None
    assert "the samples have no references: their target is the word 'answer'" in report.notes
    rows = house.sql(
        "SELECT b.name, count(DISTINCT q.question_id), count(DISTINCT f.question_id), "
        "count(DISTINCT a.question_id), any_value(q.text ORDER BY q.question_id) "
        "FROM main.question AS q JOIN main.dataset USING (dataset_id) "
        "JOIN main.benchmark AS b USING (benchmark_id) LEFT JOIN main.reference_answer AS f USING (question_id) "
        "LEFT JOIN main.answer AS a USING (question_id) GROUP BY b.name ORDER BY 1"
    ).rows()
    assert [row[:4] for row in rows] == [
        ("AI2D", 100, 0, 100),
        ("ChartQA", 100, 100, 0),
        ("MMStar", 100, 0, 100),
        ("RealWorldQA", 100, 31, 69),
        ("TextVQA", 100, 0, 0),
    ]
    assert {row[4] for row in rows} >= {"What does label 0 show?", "What does the sign 0 say?"}


def test_a_real_file(shared: Path, house: Warehouse) -> None:
    folder = shared / "wild/shruum/results/liuhaotian__llava-v1.5-7b"
    outcomes = list(house.ingest_many(folder))
    assert [str(one.error) for one in outcomes if one.error] == []
    (results,) = folder.glob("*_results.json")
    wanted = json.loads(results.read_text("utf-8"))["results"]["scienceqa_img"]["exact_match,none"]
    ((n, score),) = house.sql(
        "SELECT count(*), avg(score) FROM pass_result WHERE judge = 'none'"
    ).rows()
    ((theirs,),) = house.sql("SELECT avg(score) FROM main.harness_score").rows()
    assert (n, theirs) == (2017, pytest.approx(wanted, abs=1e-9))
    assert score == pytest.approx(wanted, abs=1e-9)


@pytest.mark.slow
def test_how_answers_came_about_is_found_by_sql(
    con: duckdb.DuckDBPyConnection, field: Path
) -> None:
    (path,) = field.glob("lmms_out/acme__Lynx-VL-2B/*_samples_mme.jsonl")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rows = con.execute(
        "SELECT a.name, a.value FROM main.answer_attribute AS a JOIN main.run AS r USING (run_id) "
        "JOIN main.source AS s USING (source_id) WHERE s.path LIKE '%Lynx-VL-2B%samples_mme.jsonl' "
        "AND r.superseded_by IS NULL"
    ).fetchall()
    found: dict[str, list[str]] = {}
    for name, value in rows:
        found.setdefault(name, []).append(value)
    # Nobody counted the tokens.
    assert found.keys() == {"prompt", "input_media"}
    # The answers that a filter changed are of another run too.
    assert set(found["prompt"]) == {one["input"] for one in lines}
    assert {json.loads(value)[0] for value in found["input_media"]} == {
        one["input_media"][0] for one in lines
    }
    flags = con.execute(
        "SELECT flags ->> '$.harness.config.fewshot_seed', flags ->> '$.harness.config.model_args', "
        "flags ->> '$.harness.n-shot', flags ->> '$.harness.task.generation_kwargs.max_new_tokens', "
        "flags ->> '$.harness.fewshot_as_multiturn', flags ->> '$.harness.efficiency.docs', "
        "flags ->> '$.harness.version' IS NOT NULL "
        "FROM main.source WHERE path LIKE '%Lynx-VL-2B%samples_mme.jsonl'"
    ).fetchall()
    assert flags == [("1234", "pretrained=acme/Lynx-VL-2B", "0", "16", "false", "204.0", True)]


def _samples(folder: Path, task: str, records: list[dict[str, Any]]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"20261121_211019_samples_{task}.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    return path


def _record(number: int, text: str, target: str, said: str, **more: object) -> dict[str, Any]:
    return {"doc_id": number, "target": target, "filtered_resps": [said], "input": text, **more}


_SKY = [
    _record(0, "Which?\nA. dog\nB. cat", "B", "B", sky_acc={"category": "pets", "score": 1.0}),
    _record(1, "How many?", "seven", "Seven.", sky_acc={"category": "counts", "score": 1.0}),
    _record(2, "Which one\nis it?\n(A) a\n(B) b\n(C) c", "(C)", "A", sky_acc={"category": "pets", "score": 0.0}),
]  # fmt: skip


@pytest.mark.slow
def test_a_task_that_nobody_has_heard_of(house: Warehouse, tmp_path: Path) -> None:
    """It is a benchmark of its own: some questions have choices, the others are answered in words."""
    path = _samples(tmp_path / "acme__vlm", "sky_words", _SKY)
    (report,) = house.ingest(path)
    assert any("benchmark sky_words is new: choice" in one for one in report.inferred)
    rows = house.sql(
        "SELECT q.question_key, q.text, a.label FROM main.question AS q "
        "LEFT JOIN main.answer AS a USING (question_id) ORDER BY 1"
    ).rows()
    assert rows == [
        ("0", "Which?", "B"),
        ("1", "How many?", None),
        ("2", "Which one\nis it?", "C"),
    ]
    with house.writing() as con:
        install.install(con, releases.load("field_v2"))
    scores = house.sql("SELECT question_key, score FROM field_v2.pass_result ORDER BY 1").rows()
    assert scores == [("0", 1.0), ("1", 1.0), ("2", 0.0)]
    other = _samples(tmp_path / "acme__other", "sky_words", _SKY)
    (report,) = house.ingest(other)
    assert report.datasets == ["sky_words"]
    assert not any("is new" in one for one in report.inferred)
