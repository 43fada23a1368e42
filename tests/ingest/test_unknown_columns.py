"""Files whose columns are not understood: what is said of them, and that the --column given would do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from ingest.formats import ADAPTERS
from ingest.settings import read_columns
from tests.commands import run
from tests.tables import facts, write_jsonl

_FOREIGN = {adapter.name for adapter in ADAPTERS} - {"questions", "predictions", "models", "subset"}


def _refused(house: Warehouse, path: Path, **settings: Any) -> str:
    """What is said of a file, which has its columns and no format's name."""
    before = facts(house.path)
    with pytest.raises(InputError) as caught:
        house.ingest(path, **settings)
    assert facts(house.path) == before
    text = caught.value.problem
    assert not {name for name in _FOREIGN if re.search(rf"\b{name}\b", text)}, text
    return text


def _advice(text: str) -> dict[str, Any]:
    """The flags that a message advises, with a model's and a benchmark's name."""
    words = re.search(r"--column (\S+)", text)
    assert words is not None, text
    found: dict[str, Any] = {"column": read_columns([words[1].strip("'")])}
    found |= {"model": "m"} if "--model NAME" in text else {}
    return found | ({"benchmark": "Own"} if "--benchmark NAME" in text else {})


def _known(house: Warehouse) -> tuple[int, int, int]:
    return tuple(
        house.sql(f"SELECT count(*) FROM main.{table}").item()
        for table in ("question", "reference_answer", "prediction")
    )  # type: ignore[return-value]


def test_a_papers_own_table(house: Warehouse, shared: Path) -> None:
    path = shared / "field/R4-pope-style/pope_style_details.jsonl"
    text = _refused(house, path)
    assert "object_probe, gold_label, prediction_raw" in text
    (report,) = house.ingest(path, **_advice(text))
    assert report.format == "questions_and_predictions"
    assert _known(house) == (4, 4, 4)
    scores = house.sql("SELECT score FROM pass_result ORDER BY question_key")["score"].to_list()
    assert scores == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ({"sample_id": 1, "model_output": "cat", "ground_truth": "cat"},
         {"sample_id": "question_key", "model_output": "prediction", "ground_truth": "reference"}),
        ({"imageId": "a", "Prompt Text": "Q?", "predicted_answer": "cat", "gt": "cat", "latency": 3},
         {"imageId": "question_key", "Prompt Text": "question", "predicted_answer": "prediction", "gt": "reference"}),
        ({"uid": "x", "prompt": "Q?", "A": "cat", "B": "dog", "correct_option": "A", "pred": "A"},
         {"uid": "question_key", "prompt": "question", "pred": "prediction", "correct_option": "answer"}),
        ({"question_id": 1, "text": "cat", "model": "vlm", "gold": "cat"},
         {"question_id": "question_key", "text": "prediction", "gold": "reference"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["csv", "jsonl", "xlsx", "parquet"])
def test_the_advised_column_loads_the_file(
    house: Warehouse, tmp_path: Path, row: dict[str, Any], column: dict[str, str], kind: str
) -> None:
    path = tmp_path / f"t.{kind}"
    if kind == "jsonl":
        write_jsonl(path, [row])
    elif kind == "csv":
        pl.DataFrame([row]).write_csv(path)
    elif kind == "xlsx":
        pl.DataFrame([row]).write_excel(path)
    else:
        pl.DataFrame([row]).write_parquet(path)
    text = _refused(house, path)
    assert ", ".join(row) in text
    said = re.search(r"--column ('[^']+'|\S+)", text)
    assert said is not None
    assert read_columns([said[1].strip("'")]) == column
    more = {"benchmark": "Own"} | ({"model": "m"} if "--model NAME" in text else {})
    (report,) = house.ingest(path, column=column, **more)
    assert report.format == "questions_and_predictions"
    assert _known(house)[::2] == (1, 1)


@pytest.mark.parametrize(
    "record",
    [
        {"question": "Q?", "prediction": "cat", "gold": "cat"},
        {"prompt": "Q?", "choice_a": "cat", "choice_b": "dog", "answer": "A", "pred": "A"},
    ],
)
@pytest.mark.parametrize("is_map", [True, False])
def test_the_advice_is_good_for_other_kinds_of_json(
    house: Warehouse, tmp_path: Path, record: dict[str, Any], is_map: bool
) -> None:
    """A map by id, or a list in an object, where names are taken for nothing that is not said."""
    path = tmp_path / "t.json"
    content = {"a": record, "b": record}
    listed = {"questions": [{"id": key, **one} for key, one in content.items()], "more": 1}
    path.write_text(json.dumps(content if is_map else listed, indent=1), "utf-8")
    text = _refused(house, path)
    house.ingest(path, **_advice(text))
    assert _known(house)[::2] == (2, 2)


def test_a_key_that_repeats_is_not_advised(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        {"image_id": "one.png", "probe_id": n, "gold_label": "no", "prediction_raw": "No."}
        for n in range(3)
    ]
    text = _refused(house, write_jsonl(tmp_path / "t.jsonl", rows))
    assert "--column probe_id=question_key," in text
    bare = [{name: cell for name, cell in row.items() if name != "probe_id"} for row in rows]
    text = _refused(house, write_jsonl(tmp_path / "bare.jsonl", bare))
    assert "where KEY is a column that is another one for each question: none of these is" in text


def test_nested_answers(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    path = shared / "field/R6-raihan/results.jsonl"
    text = _refused(house, path)
    assert "response holds objects (text, total_tokens, error) and no texts" in text
    assert "response_text=prediction,gold=reference" in text
    # Done so, with a key that the variants share no more.
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for row in rows:
        row |= {"KEY": f"{row['uid']} {row['variant']}", "response_text": row["response"]["text"]}
    (report,) = house.ingest(write_jsonl(tmp_path / "flat.jsonl", rows), **_advice(text))
    assert report.models == ["weak"]
    assert house.sql("SELECT count(*) FROM main.prediction").item() == len(rows)


@pytest.mark.parametrize(
    ("row", "column", "own"),
    [
        ({"id": 1, "question": "Q?", "target": "cat", "response": {"content": "cat"}},
         "response", "response_content"),
        ({"id": 1, "target": "cat", "output": ["cat"]}, "output", "output_0"),
        ({"qid": 1, "gold": {"value": "cat"}, "prediction": "cat"}, "gold", "gold_value"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["jsonl", "json", "parquet"])
def test_a_text_that_is_an_object_is_refused_with_the_way_out(
    house: Warehouse, tmp_path: Path, row: dict[str, Any], column: str, own: str, kind: str
) -> None:
    path = tmp_path / f"t.{kind}"
    if kind == "parquet":
        pl.DataFrame([row]).write_parquet(path)
    else:
        path.write_text(json.dumps([row] if kind == "json" else row) + "\n", "utf-8")
    text = _refused(house, path, benchmark="Own", model="m")
    assert text.startswith(f"{column} holds ")
    flat = write_jsonl(tmp_path / "flat.jsonl", [row | {own: "cat"}])
    (report,) = house.ingest(flat, benchmark="Own", model="m", **_advice(text))
    assert report.loaded


@pytest.mark.parametrize(
    "row",
    [
        {"global_index": 3, "index": 1, "score": 0.5, "log": {"x": 1}},
        {"index": 1, "score": 1.0},
        {"name": "a", "score": 0.5, "count": 3},
        {"question_id": "1", "text": "Q?"},
    ],
)
def test_no_other_format_is_named(house: Warehouse, tmp_path: Path, row: dict[str, Any]) -> None:
    (tmp_path / "r").mkdir()
    path = write_jsonl(tmp_path / "r/t.jsonl", [row])
    text = _refused(house, path)
    assert f"its columns are {', '.join(row)}" in text
    # In a folder it is no result that could not be read.
    (outcome,) = house.ingest_many(tmp_path / "r")
    assert outcome.left is not None


@pytest.mark.slow
def test_evalscopes_files_are_read_or_left(shared: Path, new_file: Path, tmp_path: Path) -> None:
    db = tmp_path / "lab.duckdb"
    db.write_bytes(new_file.read_bytes())
    folder = tmp_path / "qwen-x"
    source = shared / "field/R3-evalscope/qwen-x"
    for one in source.rglob("*"):
        if one.is_file():
            (folder / one.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
            (folder / one.relative_to(source)).write_bytes(one.read_bytes())
    (folder / "logs").mkdir()
    (folder / "logs/eval_log.log").write_text("2026-01-01 - evalscope - INFO: begins\n", "utf-8")
    (folder / "reports/report.html").write_text("<html></html>\n", "utf-8")
    done = run("ingest", folder, "--db", db, cwd=tmp_path)
    assert done.code == 0, done.err
    assert "6 files: 2 loaded (3 rows), 0 there already, 4 left, 0 failed" in done.out
    assert "left: 3 files" in done.out
    assert "evalscope's settings, logs or page, in which no answers are" in done.out
    one = folder / "predictions/qwen-x/mmstar_default.jsonl"
    done = run("ingest", one, "--db", db, cwd=tmp_path)
    words = "evalscope's predictions, which are read with the reviews of the same name"
    assert (done.code, words in done.out) == (0, True)


def test_evalscopes_files_are_known_outside_their_folder(house: Warehouse, tmp_path: Path) -> None:
    records = {
        "a.jsonl": {"index": 0, "model": "m", "model_output": {"choices": []}, "messages": []},
        "b.jsonl": {"index": 0, "target": ["A"], "sample_score": {"score": {"value": {}}}},
        "c.jsonl": {"choices": [], "index": 1, "model_spec": {}, "answer_id": "x"},
        "d.json": {"name": "m@x", "dataset_name": "x", "model_name": "m", "metrics": []},
    }
    (tmp_path / "out").mkdir()
    for name, record in records.items():
        (tmp_path / "out" / name).write_text(json.dumps(record, indent=None) + "\n", "utf-8")
    outcomes = {one.file.path.name: one for one in house.ingest_many(tmp_path / "out")}
    assert {name: one.left for name, one in outcomes.items() if one.left} == {
        "a.jsonl": "evalscope's predictions, of which there are no reviews with the right answers",
        "c.jsonl": "evalscope's files of versions before 1.0 are not read",
    }
    assert str(outcomes["b.jsonl"].error).endswith("b.jsonl, row 1, field messages: is missing")
    assert str(outcomes["d.json"].error).endswith("d.json, field metrics: is empty")
    # A table of one's own may have such names, for other things.
    own = {"index": 0, "model_output": "cat", "target": "cat", "model": "m"}
    text = _refused(house, write_jsonl(tmp_path / "own.jsonl", [own]), benchmark="Own")
    assert house.ingest(tmp_path / "own.jsonl", benchmark="Own", **_advice(text))[0].loaded
