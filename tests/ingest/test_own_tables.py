"""Tables of one's own, under the names that people give their columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from ingest.recognition import Recognised, look
from ingest.settings import Settings
from tests.tables import facts, write_jsonl

_KINDS = ("csv", "tsv", "jsonl", "json", "xlsx", "parquet")
_QUESTIONS = [
    {"n": "k1", "text": "Which bird?", "choices": ["kite", "heron", "owl", "wren"], "right": "B"},
    {"n": "k2", "text": "Which tree?", "choices": ["elm", "oak", "fir", "ash"], "right": "A"},
]
_SAID = {
    "m1": {"k1": "The answer is B.", "k2": "B"},
    "m2": {"k1": "heron", "k2": "A. elm"},
}


def _write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """The same rows in the kind of file that the path's ending names."""
    frame = pl.DataFrame(rows)
    match path.suffix:
        case ".csv":
            frame.write_csv(path)
        case ".tsv":
            frame.write_csv(path, separator="\t")
        case ".xlsx":
            frame.write_excel(path)
        case ".parquet":
            frame.write_parquet(path)
        case ".json":
            path.write_text(json.dumps(list(rows)), "utf-8")
        case _:
            write_jsonl(path, rows)
    return path


def _rows(
    key: str, truth: str, answer: str, *, choices: bool, question: str | None = "question"
) -> list[dict[str, Any]]:
    return [
        {key: one["n"]}
        | ({question: one["text"]} if question else {})
        | (dict(zip("ABCD", one["choices"], strict=True)) if choices else {})
        | {truth: one["right"], answer: said[one["n"]], "model": model}
        for model, said in _SAID.items()
        for one in _QUESTIONS
    ]


def _scores(house: Warehouse) -> dict[tuple[str, str], float]:
    rows = house.sql("SELECT model, question_key, score FROM pass_result WHERE judge = 'none'")
    return {(model, key): score for model, key, score in rows.iter_rows()}


def _said(house: Warehouse) -> list[tuple[str, str, str]]:
    return house.sql(
        "SELECT m.name, q.question_key, p.text FROM main.prediction AS p JOIN main.run USING (run_id) "
        "JOIN main.model AS m USING (model_id) JOIN main.question AS q USING (question_id) ORDER BY ALL"
    ).rows()  # type: ignore[return-value]


_EXPECTED_SAID = sorted((m, k, text) for m, said in _SAID.items() for k, text in said.items())


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize(
    ("key", "truth", "answer", "choices", "question"),
    [
        ("id", "target", "prediction", True, "question"),
        ("question_id", "gold", "response", True, "Question"),
        ("qid", "label", "output", False, None),
        ("ID", "Answer", "Prediction", False, "question"),
        ("question_key", "answer", "prediction", False, None),
        ("index", "target", "Response", False, "question"),
    ],
)
def test_one_table_is_read_as_questions_and_answers(
    house: Warehouse,
    tmp_path: Path,
    kind: str,
    key: str,
    truth: str,
    answer: str,
    choices: bool,
    question: str | None,
) -> None:
    rows = _rows(key, truth, answer, choices=choices, question=question)
    if key == "index" and kind in ("tsv", "json", "xlsx"):
        pytest.skip("VLMEvalKit writes such files, of the same columns")
    (report,) = house.ingest(_write(tmp_path / f"results.{kind}", rows), benchmark="Own")
    assert report.format == "questions_and_predictions"
    ours = "answer" if choices else "reference"
    said = next(text for text in report.lines() if text.strip().startswith("columns: "))
    for theirs, its in ((key, "question_key"), (truth, ours), (answer, "prediction")):
        if theirs != its:
            assert f"{theirs} is {its}" in said
    assert "--column" in said
    assert _said(house) == _EXPECTED_SAID
    assert house.sql("SELECT label FROM main.answer ORDER BY question_id")["label"].to_list() == ["B", "A"]  # fmt: skip
    n_choices = house.sql("SELECT count(*) FROM main.choice").item()
    assert n_choices == 8
    texts = house.sql("SELECT text FROM main.question ORDER BY question_key")["text"].to_list()
    assert texts == (["Which bird?", "Which tree?"] if question else ["", ""])


@pytest.mark.slow
@pytest.mark.parametrize("choices", [True, False])
def test_letters_are_scored_with_choices_and_without(
    house: Warehouse, tmp_path: Path, choices: bool
) -> None:
    rows = _rows("id", "target", "prediction", choices=choices, question=None)
    house.ingest(_write(tmp_path / "results.csv", rows), benchmark="Own")
    scores = _scores(house)
    assert scores["m1", "k1"] == 1
    assert scores["m1", "k2"] == 0
    assert scores["m2", "k2"] == 1
    # A choice's words are read where the file has its choices.
    assert scores["m2", "k1"] == (1 if choices else 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("targets", "said", "rule", "expected"),
    [
        (["yes", "no"], ["Yes, it is.", "Yes."], "yes_no", [1, 0]),
        (["12", "7"], ["12", "8"], "extracted", [1, 0]),
        (["red", "blue"], ["Red", "green"], "extracted", [1, 0]),
        (['["red", "rose"]', '["blue"]'], ["rose", "green"], "anls", [1, 0]),
        (["['red', 'rose']", "['blue']"], ["red", "green"], "anls", [1, 0]),
    ],
)
def test_words_have_a_rule(
    house: Warehouse,
    tmp_path: Path,
    targets: list[str],
    said: list[str],
    rule: str,
    expected: list[float],
) -> None:
    rows = [
        {"id": n, "target": target, "prediction": text, "seconds": 1.5}
        for n, (target, text) in enumerate(zip(targets, said, strict=True))
    ]
    (report,) = house.ingest(_write(tmp_path / "r.csv", rows), benchmark="Own", model="m")
    assert f"rule {rule}" in "\n".join(report.lines())
    assert [_scores(house)["m", str(n)] for n in range(2)] == expected
    # What is not of the question is of the answer.
    attributes = house.sql("SELECT DISTINCT name, value FROM main.answer_attribute").rows()
    assert attributes == [("seconds", "1.5")]
    assert house.sql("SELECT count(*) FROM main.question_attribute").item() == 0


@pytest.mark.parametrize("kind", _KINDS)
def test_a_question_file_and_answers(house: Warehouse, tmp_path: Path, kind: str) -> None:
    questions = [
        {"qid": one["n"], "question": one["text"], "options": one["choices"], "gold": one["right"],
         "category": f"kind {one['right']}"}
        for one in _QUESTIONS
    ]  # fmt: skip
    if kind in ("csv", "tsv", "xlsx"):
        questions = [one | {"options": json.dumps(one["options"])} for one in questions]
    answers = [
        {"qid": key, "model": model, "output": text}
        for model, said in _SAID.items()
        for key, text in said.items()
    ]
    reports = house.ingest(
        _write(tmp_path / f"q.{kind}", questions),
        _write(tmp_path / f"a.{kind}", answers),
        benchmark="Own",
    )
    assert [report.format for report in reports] == ["questions", "predictions"]
    assert _said(house) == _EXPECTED_SAID
    assert house.sql("SELECT count(*) FROM main.choice").item() == 8
    abilities = house.sql("SELECT level, name FROM main.ability ORDER BY name").rows()
    assert abilities == [("category", "kind A"), ("category", "kind B")]
    assert any("category is read as abilities" in note for note in reports[0].notes)
    again = house.ingest(tmp_path / f"q.{kind}", tmp_path / f"a.{kind}", benchmark="Own")
    assert all(report.already for report in again)


@pytest.mark.parametrize("name", ["choice_{}", "option_{}", "Option {}"])
def test_columns_of_choices_may_say_more_than_a_letter(
    house: Warehouse, tmp_path: Path, name: str
) -> None:
    row = {"id": "1", "question": "Q?", "gold": "B", "response": "dog", "model": "m"}
    row |= {
        name.format(letter): text for letter, text in zip("abc", ("cat", "dog", "emu"), strict=True)
    }
    house.ingest(_write(tmp_path / "t.csv", [row]), benchmark="Own")
    assert house.sql("SELECT label, text FROM main.choice ORDER BY label").rows() == [
        ("A", "cat"), ("B", "dog"), ("C", "emu"),
    ]  # fmt: skip
    assert house.sql("SELECT label FROM main.answer").item() == "B"


def test_category_is_no_ability_where_others_are(house: Warehouse, tmp_path: Path) -> None:
    row = {"id": "1", "question": "Q?", "A": "x", "B": "y", "target": "A", "category": "c"}
    house.ingest(_write(tmp_path / "a.csv", [row | {"ability_skill": "s"}]), benchmark="One")
    house.ingest(_write(tmp_path / "b.csv", [row]), benchmark="Two", column={"category": "note"})
    # Of a benchmark that has abilities in another way it stays what it was.
    house.ingest(_write(tmp_path / "c.csv", [row | {"id": "2"}]), benchmark="One", version="2")
    levels = house.sql(
        "SELECT DISTINCT level FROM main.ability JOIN main.benchmark AS b USING (benchmark_id) "
        "WHERE b.name IN ('One', 'Two')"
    )
    assert levels.rows() == [("skill",)]
    kept = house.sql("SELECT name, value FROM main.question_attribute ORDER BY ALL").rows()
    assert kept == [("category", "c"), ("category", "c"), ("note", "c")]


@pytest.mark.parametrize(
    ("columns", "field", "words"),
    [
        (["id", "question", "target", "response", "output"], "response",
         "--column response=prediction or --column output=prediction"),
        (["id", "target", "gold", "prediction"], "target",
         "--column target=reference or --column gold=reference"),
        (["id", "question", "A", "B", "gold", "label"], "gold",
         "--column gold=answer or --column label=answer"),
    ],
)  # fmt: skip
def test_two_columns_for_one_meaning_are_not_guessed(
    house: Warehouse, tmp_path: Path, columns: list[str], field: str, words: str
) -> None:
    row = {name: "A" if name in ("gold", "label", "target") else name for name in columns}
    path = _write(tmp_path / "t.csv", [row])
    before = facts(house.path)
    with pytest.raises(InputError) as caught:
        house.ingest(path, benchmark="Own", model="m")
    assert words in str(caught.value)
    assert (caught.value.row, caught.value.field) == (0, field)
    assert facts(house.path) == before
    theirs, _, ours = words.split("--column ")[1].split()[0].partition("=")
    (report,) = house.ingest(path, benchmark="Own", model="m", column={theirs: ours})
    assert report.loaded


@pytest.mark.parametrize("truth", ["truth", "ground_truth", "correct_answer"])
def test_a_truth_has_many_names(house: Warehouse, tmp_path: Path, truth: str) -> None:
    rows = [
        {"id": 1, "question": "q1", truth: "cat", "prediction": "cat"},
        {"id": 2, "question": "q2", truth: "dog", "prediction": "cow"},
    ]
    house.ingest(_write(tmp_path / "t.csv", rows), benchmark="Own", model="m")
    assert _scores(house) == {("m", "1"): 1, ("m", "2"): 0}


@pytest.mark.parametrize("truth", ["target", "gold", "truth", "Target"])
def test_an_answer_next_to_a_truth_is_not_taken_for_it(
    house: Warehouse, tmp_path: Path, truth: str
) -> None:
    rows = [
        {"id": 1, "question": "q1", truth: "cat", "answer": "cat"},
        {"id": 2, "question": "q2", truth: "dog", "answer": "cow"},
    ]
    path = _write(tmp_path / "t.csv", rows)
    before = facts(house.path)
    with pytest.raises(InputError) as caught:
        house.ingest(path, benchmark="Own", model="m")
    assert (
        f"could be reference, and so could answer; --column {truth}=reference,answer=prediction or "
        "--column answer=reference says which one is"
    ) in str(caught.value)
    assert facts(house.path) == before
    house.ingest(
        path, benchmark="Own", model="m", column={truth: "reference", "answer": "prediction"}
    )
    assert _scores(house) == {("m", "1"): 1, ("m", "2"): 0}


@pytest.mark.parametrize(
    ("columns", "key", "other"),
    [(("id", "question_id"), "question_id", "id"), (("qid", "id"), "qid", "id"), (("id", "index"), "id", "index")],
)  # fmt: skip
def test_of_two_keys_the_first_by_name_counts_and_that_is_said(
    house: Warehouse, tmp_path: Path, columns: tuple[str, str], key: str, other: str
) -> None:
    row = {columns[0]: f"by {columns[0]}", columns[1]: f"by {columns[1]}"}
    path = _write(tmp_path / "t.csv", [row | {"target": "cat", "prediction": "dog"}])
    (report,) = house.ingest(path, benchmark="Own", model="m")
    assert house.sql("SELECT question_key FROM main.question").item() == f"by {key}"
    assert any(f"--column {other}=question_key" in line for line in report.lines())
    house.ingest(path, benchmark="Else", model="m", column={other: "question_key"})
    assert house.sql("SELECT max(question_key), min(question_key) FROM main.question").rows() == [
        tuple(sorted((f"by {key}", f"by {other}"), reverse=True))
    ]


def test_plain_names_go_before_others(house: Warehouse, tmp_path: Path) -> None:
    row = {"question_key": "right", "id": "wrong", "prediction": "cat", "response": "dog",
           "reference": "cat", "target": "dog", "question": "Q?"}  # fmt: skip
    (report,) = house.ingest(_write(tmp_path / "t.csv", [row]), benchmark="Own", model="m")
    assert report.format == "questions_and_predictions"
    assert _said(house) == [("m", "right", "cat")]
    assert house.sql("SELECT text FROM main.reference_answer").item() == "cat"
    assert not any(text.strip().startswith("columns:") for text in report.lines())


@pytest.mark.parametrize(
    ("name", "row", "expected"),
    [
        ("m_MMStar.tsv", {"index": 1, "question": "Q?", "A": "x", "B": "y", "category": "c",
                          "prediction": "A", "id": 7, "target": "B"}, "vlmevalkit"),
        ("a.jsonl", {"question_id": 1, "prompt": "Q?", "text": "A", "answer_id": "a", "model_id": "m",
                     "label": "no"}, "llava_open_answers"),
        ("SEED-Bench.vlm.jsonl", {"question_id": "1", "prediction": "A", "target": "B"}, "seedbench_results"),
        ("s.jsonl", {"question_id": "5_0", "prediction": "A", "gt_answer": "A"}, "seedbench_results"),
        ("x_samples_t.jsonl", {"doc_id": 0, "target": "A", "filtered_resps": ["A"], "id": 3}, "lmms_samples"),
        ("q.tsv", {"index": 1, "question": "Q?", "A": "x", "B": "y", "label": "A"}, "mmbench_questions"),
        ("v.csv", {"question_key": 1, "verdict": "A", "response": "A"}, "judgments"),
        ("s.csv", {"question_key": 1, "label": "A", "score": 0.5}, "choice_scores"),
        ("s2.csv", {"id": 1, "label": "A", "score": 0.5}, "choice_scores"),
    ],
)  # fmt: skip
def test_a_known_format_goes_before_these_names(
    house: Warehouse, tmp_path: Path, name: str, row: dict[str, Any], expected: str
) -> None:
    path = _write(tmp_path / name, [row])
    with house.writing(files=[path]) as con:
        found = look(con, path, Settings(benchmark="Own", model="m"))
    assert isinstance(found, Recognised)
    assert found.adapter.name == expected


@pytest.mark.parametrize(
    "rows",
    [
        [{"index": 0, "question": "Q?", "answer": "cat", "prediction": "cat", "model": "m"}],
        [{"index": 0, "question": "Q?", "target": "cat", "response": "cat"}],
        [{"index": 0, "prediction": "cat", "gold": "cat"}],
        [{"index": 0, "question": "Q?", "answer": "cat", "category": "animals"}],
    ],
)
def test_lines_with_an_index_are_not_taken_for_vlmevalkits(
    house: Warehouse, tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    path = write_jsonl(tmp_path / "lines.jsonl", rows)
    (report,) = house.ingest(path, benchmark="Own", model="m")
    assert report.format in ("questions_and_predictions", "questions")
    assert house.sql("SELECT question_key FROM main.question").item() == "0"
    assert house.sql("SELECT text FROM main.reference_answer").item() == "cat"


def test_rows_of_several_models_say_the_same_of_a_question(
    house: Warehouse, tmp_path: Path
) -> None:
    rows = _rows("id", "target", "prediction", choices=True)
    rows[3]["target"] = "D"
    path = _write(tmp_path / "t.csv", rows)
    before = facts(house.path)
    with pytest.raises(InputError, match="is not what row 2 says of question k2") as caught:
        house.ingest(path, benchmark="Own")
    assert (caught.value.row, caught.value.field) == (4, "target")
    assert facts(house.path) == before
    (report,) = house.ingest(path, benchmark="Own", on_duplicate="last")
    assert "1 question is not the same in all rows; the last of each counts" in report.notes
    assert house.sql("SELECT label FROM main.answer ORDER BY question_id")["label"].to_list() == ["B", "D"]  # fmt: skip
    assert len(_said(house)) == 4


def test_errors_name_the_column_of_the_file(house: Warehouse, tmp_path: Path) -> None:
    rows = _rows("id", "target", "prediction", choices=True)
    for column, value in (("id", ""), ("target", "E")):
        changed = [dict(row) for row in rows]
        for row in changed[1::2]:
            row[column] = value
        with pytest.raises(InputError) as caught:
            house.ingest(_write(tmp_path / "t.csv", changed), benchmark="Own")
        assert (caught.value.row, caught.value.field) == (2, column)


def test_a_table_of_known_questions_is_compared_with_them(house: Warehouse, tmp_path: Path) -> None:
    rows = _rows("id", "target", "prediction", choices=True)
    house.ingest(_write(tmp_path / "t.csv", rows), benchmark="Own")
    more = [row | {"model": "m3"} for row in rows[:2]]
    house.ingest(_write(tmp_path / "more.csv", more), benchmark="Own")
    assert len(_said(house)) == 6
    unknown = [more[0] | {"id": "k9", "model": "m4"}, *({**row, "model": "m4"} for row in more)]
    path = _write(tmp_path / "unknown.csv", unknown)
    house.ingest(path, benchmark="Own")
    assert house.sql("SELECT count(*) FROM main.question").item() == 3
    # The texts come later, of what was known by ids alone.
    bare = _rows("id", "target", "prediction", choices=False, question=None)
    (report,) = house.ingest(_write(tmp_path / "bare.csv", bare), benchmark="Bare")
    assert any("known by their ids alone, with the choices A to D" in one for one in report.notes)
    questions = [
        {"id": one["n"], "question": one["text"], "target": one["right"]}
        | dict(zip("ABCD", one["choices"], strict=True))
        for one in _QUESTIONS
    ]
    (report,) = house.ingest(_write(tmp_path / "q.csv", questions), benchmark="Bare")
    assert "the texts of 2 questions that were known by their ids alone" in report.loaded


def test_in_a_folder_a_table_needs_its_benchmark(house: Warehouse, tmp_path: Path) -> None:
    """What is only likely to be a result goes to no benchmark by accident."""
    rows = _rows("id", "target", "prediction", choices=True)
    house.ingest(_write(tmp_path / "q.csv", rows), benchmark="Own")
    (tmp_path / "out").mkdir()
    _write(tmp_path / "out/a.csv", [{"id": "k1", "response": "A", "model": "new"}])
    before = facts(house.path)
    (outcome,) = house.ingest_many(tmp_path / "out")
    assert outcome.left is not None
    assert "--benchmark NAME" in outcome.left
    assert facts(house.path) == before
    (outcome,) = house.ingest_many(tmp_path / "out", benchmark="Own")
    assert outcome.report is not None
    assert any("response is prediction" in text for text in outcome.report.alerts)
