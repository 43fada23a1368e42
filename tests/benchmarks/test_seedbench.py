"""SEED-Bench's question and result files, and answers that are a text and an image."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalhouse import InputError, Warehouse
from ingest.reading import json_rows
from ingest.reading.probe import probe
from tests.tables import facts, write_jsonl
from warehouse import known_benchmarks
from warehouse.check import run_checks

_TYPES_1 = {
    "Scene Understanding": 1,
    "Instance Attributes": 3,
    "Instance Location": 4,
    "Instances Counting": 5,
    "Text Understanding": 9,
    "Procedure Understanding": 12,
}
_FIRST = [
    {
        "answer": "A",
        "choice_a": "one",
        "choice_b": "two",
        "choice_c": "three",
        "choice_d": "four",
        "data_id": "7_1",
        "data_type": "image",
        "question": "How many cups?",
        "question_id": 101,
        "question_type_id": 5,
    },
    {
        "answer": "C",
        "choice_a": "pour",
        "choice_b": "stir",
        "choice_c": "cut",
        "choice_d": "",
        "data_id": "P01/a.avi",
        "data_type": "video",
        "question": "In which order?",
        "question_id": "v43",
        "question_type_id": 12,
        "segment": [18, 166],
    },
]
_TYPES_2 = {
    "Scene Understanding": 1,
    "Instances Counting": 5,
    "Difference Spotting": 17,
    "Interleaved Image-Text Analysis": 24,
    "Text-to-Image Generation": 25,
    "Next Image Prediction": 26,
    "Text-Image Creation": 27,
}
_SECOND = [
    {
        "answer": "B",
        "choice_a": "one",
        "choice_b": "two",
        "choice_c": "three",
        "choice_d": "four",
        "data_id": "7_1",
        "data_source": "cc3m",
        "data_type": "Single Image",
        "level": "L1",
        "question": "How many cups?",
        "question_id": "5_0",
        "question_type_id": 5,
        "subpart": "Single-Image & Text Comprehension",
        "version": "v1",
    },
    {
        "answer": "A",
        "choice_a": "a",
        "choice_b": "b",
        "choice_c": "c",
        "choice_d": "d",
        "data_id": ["x/1.png", "x/2.png"],
        "data_source": "SEED-Bench v2",
        "data_type": "Multiple Images",
        "level": "L1",
        "question": "What differs?",
        "question_id": "17_3",
        "question_type_id": 17,
        "subpart": "Multiple-Images & Text Comprehension",
        "version": "v2",
    },
    {
        "answer": "A",
        "data_id": ["1.jpg", "2.jpg", "3.jpg", "4.jpg"],
        "data_source": "SEED-Bench v2",
        "data_type": "Image Generation",
        "level": "L3",
        "question": "Which one is a purse?",
        "question_id": "25_0",
        "question_type_id": 25,
        "subpart": "Image Generation",
        "version": "v2",
    },
    {
        "answer": "D",
        "choice_a": ["v1/1.png"],
        "choice_b": ["v1/2.png"],
        "choice_c": ["v2/1.png"],
        "choice_d": ["v2/2.png"],
        "data_id": ["0.png"],
        "data_source": "SEED-Bench v2",
        "data_type": "Image Generation",
        "level": "L3",
        "question": "What comes next?",
        "question_id": "26_0",
        "question_type_id": 26,
        "subpart": "Image Generation",
        "version": "v2",
    },
    {
        "answer": "A",
        "choice_a": "sails",
        "choice_b": "a tower",
        "choice_c": "a bowl",
        "choice_d": "a bridge",
        "data_id": ["1.jpg", "2.jpg", "3.jpg", "4.jpg"],
        "data_source": "SEED-Bench v2",
        "data_type": "Image & Text Generation",
        "level": "L3",
        "question": "What does it look like?",
        "question_id": "27_0",
        "question_type_id": 27,
        "subpart": "Image & Text Generation",
        "version": "v2",
    },
]


def _write(path: Path, questions: Any, types: Any, **how: Any) -> Path:
    path.write_text(json.dumps({"questions": questions, "question_type": types}, **how), "utf-8")
    return path


def _second(path: Path) -> Path:
    return _write(path / "SEED-Bench_v2_level1_2_3.json", _SECOND, _TYPES_2, indent=1)


def _ok(house: Warehouse) -> None:
    with house.reading() as con:
        assert [finding for finding in run_checks(con) if finding.n] == []


# Question files.


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["pretty", "one line", "map first", "list alone", "lines"])
def test_the_first_file(house: Warehouse, tmp_path: Path, layout: str) -> None:
    path = tmp_path / "SEED-Bench.json"
    if layout == "map first":
        whole = {"question_type": _TYPES_1, "questions": _FIRST}
        path.write_text(json.dumps(whole, indent=2), "utf-8")
    elif layout == "list alone":
        path.write_text(json.dumps(_FIRST), "utf-8")
    elif layout == "lines":
        write_jsonl(path, _FIRST)
    else:
        _write(path, _FIRST, _TYPES_1, indent=2 if layout == "pretty" else None)
    (report,) = house.ingest(path)
    assert (report.format, report.n_rows, report.notes) == ("seedbench_questions", 2, [])
    rows = house.sql(
        "SELECT q.question_key, q.text, d.name, a.name FROM main.question AS q "
        "JOIN main.dataset AS d USING (dataset_id) JOIN main.question_ability AS f USING (question_id) "
        "JOIN main.ability AS a USING (ability_id) ORDER BY 1"
    )
    assert rows.rows() == [
        ("101", "How many cups?", "SEED-Bench", "Instance Counting"),
        ("v43", "In which order?", "SEED-Bench", "Procedure Understanding"),
    ]
    choices = house.sql("SELECT label, text FROM main.choice WHERE question_id = 2 ORDER BY label")
    assert choices.rows() == [("A", "pour"), ("B", "stir"), ("C", "cut"), ("D", "")]
    segment = house.sql("SELECT value FROM main.question_attribute WHERE name = 'segment'").item()
    assert json.loads(segment) == [18, 166]
    assert house.sql("SELECT count(*) FROM main.answer").item() == 2
    _ok(house)


def test_the_second_file(house: Warehouse, tmp_path: Path) -> None:
    (report,) = house.ingest(_second(tmp_path))
    assert "benchmark SEED-Bench-2 (the columns level and subpart)" in report.inferred
    wanted = {
        one["question_id"]: [
            text if isinstance(text, str) else json.dumps(text) if text else ""
            for text in (one.get(f"choice_{letter}") for letter in "abcd")
        ]
        for one in _SECOND
    }
    found: dict[str, list[str]] = {}
    for key, text in house.sql(
        "SELECT question_key, c.text FROM main.choice AS c JOIN main.question USING (question_id) "
        "ORDER BY question_key, ordinal"
    ).iter_rows():
        found.setdefault(key, []).append(text)
    assert found == wanted
    components = house.sql(
        "SELECT question_key, component FROM main.question_component "
        "JOIN main.question USING (question_id) ORDER BY component"
    )
    assert components.rows() == [("27_0", "image"), ("27_0", "text")]
    attributes = house.sql(
        "SELECT name, value FROM main.question_attribute AS a JOIN main.question USING (question_id) "
        "WHERE question_key = '17_3' ORDER BY name"
    )
    assert dict(attributes.iter_rows()) == {
        "data_id": '["x/1.png", "x/2.png"]',
        "data_source": "SEED-Bench v2",
        "data_type": "Multiple Images",
        "level": "L1",
        "subpart": "Multiple-Images & Text Comprehension",
        "version": "v2",
    }
    _ok(house)


def test_a_file_that_numbers_dimensions_otherwise(house: Warehouse, tmp_path: Path) -> None:
    """As SEED-Bench.json first did: 3 was Instance Location."""
    types = {**_TYPES_1, "Instance Location": 3, "Instance Attributes": 4}
    question = _FIRST[0] | {"question_type_id": 3}
    (report,) = house.ingest(_write(tmp_path / "SEED-Bench.json", [question], types))
    assert report.notes == [
        "question_type numbers 2 dimensions otherwise than the paper "
        "(4 Instance Attributes, 3 Instance Location); the file's names hold"
    ]
    filed = house.sql("SELECT name FROM main.question_ability JOIN main.ability USING (ability_id)")
    assert filed.item() == "Instance Location"


def _without(question: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in question.items() if key != name}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("questions", "types", "row", "field", "words"),
    [
        ([_FIRST[0], _without(_FIRST[1], "choice_c")], _TYPES_1, 2, "choice_c", "is missing"),
        ([_FIRST[0] | {"choice_b": None}], _TYPES_1, 1, "choice_b", "is missing"),
        ([_FIRST[0] | {"question_id": None}], _TYPES_1, 1, "question_id", "is empty"),
        ([_FIRST[0] | {"question": None}], _TYPES_1, 1, "question", "has no text"),
        ([_FIRST[0] | {"answer": "E"}], _TYPES_1, 1, "answer", "none of its choices (A, B, C, D)"),
        ([_FIRST[0], _FIRST[1] | {"question_type_id": 13}], _TYPES_1, 2, "question_type_id", "'13' is no number"),
        ([_FIRST[0] | {"question_type_id": None}], _TYPES_1, 1, "question_type_id", "is empty"),
        ([_FIRST[0]], {**_TYPES_1, "Instances "
                                   "Counting": 55, "Singing": 5}, 1, "question_type_id", "unknown category 'Singing'"),
        ([_FIRST[0]], ["Scene"], None, "question_type", "no map"),
        ([_FIRST[0]], {"Scene Understanding": "5"}, None, "question_type", "no map"),
        ([_FIRST[0]], {"Scene Understanding": 5, "Singing": 5}, None, "question_type", "the same number"),
        ([_FIRST[0], _FIRST[0]], _TYPES_1, 2, "question_id", "rows 1 and 2"),
        ([], _TYPES_1, None, None, "no records"),
        ([_without(_FIRST[0], "question_type_id")], _TYPES_1, None, None, "columns are answer, choice_a, "),
    ],
)  # fmt: skip
def test_bad_question_files(
    house: Warehouse, tmp_path: Path, questions: Any, types: Any, row: Any, field: Any, words: str
) -> None:
    before = facts(house.path)
    with pytest.raises(InputError) as caught:
        house.ingest(_write(tmp_path / "SEED-Bench.json", questions, types, indent=1))
    assert words in str(caught.value)
    assert (caught.value.row, caught.value.field) == (row, field)
    assert facts(house.path) == before


# Result files.


@pytest.mark.slow
def test_gpt_4v_on_seed_bench_2(house: Warehouse, shared: Path) -> None:
    path = shared / "real/seedbench/SEED-Bench-2.GPT-4V.json"
    before = facts(house.path)
    with pytest.raises(
        InputError, match="question 3_165, pass 0 stands in rows 5679 and 5692"
    ) as caught:
        house.ingest(path)
    assert (caught.value.row, caught.value.field) == (5692, "question_id")
    assert facts(house.path) == before
    (report,) = house.ingest(path, on_duplicate="first")
    assert report.n_rows == 23_192
    assert "23,184 new questions, 23,184 new passes" in report.loaded
    assert report.notes == [
        "8 duplicate rows left out, the first of each counts; 3 keys had conflicting values",
        "23,184 questions are known by their ids alone, with the choices A to D; "
        "a question file adds their texts",
        "19 answers have stray spaces, stored without",
    ]
    assert house.sql("SELECT model, method FROM current_run").rows() == [("GPT-4V", "generation")]
    right: dict[str, list[bool]] = {}
    seen = set()
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line.rstrip(","))
        if row["question_id"] not in seen:
            seen.add(row["question_id"])
            said = row["prediction"] == row["gt_answer"].strip()
            right.setdefault(row["question_id"].split("_")[0], []).append(said)
    assert len(seen) == 23_184
    known = known_benchmarks.find("SEED-Bench-2")
    assert known is not None
    dimensions = [ability.name for ability in known.abilities if ability.level == "dimension"]
    shares = {
        dimensions[int(number) - 1]: sum(all_said) / len(all_said)
        for number, all_said in right.items()
    }
    scores = house.sql(
        "SELECT ability, score FROM ability_score WHERE level = 'dimension' "
        "AND strategy = 'vanilla' AND average = 'micro' AND score IS NOT NULL"
    )
    assert dict(scores.iter_rows()) == pytest.approx(shares)
    every = house.sql("SELECT 100 * avg(score) FROM question_result WHERE strategy = 'vanilla'")
    assert round(every.item(), 2) == 67.92
    found = dict(scores.iter_rows())
    for first, last, published in ((1, 22, 69.26), (23, 24, 44.18), (1, 24, 67.17)):
        chosen = [100 * found[name] for name in dimensions[first - 1 : last]]
        assert round(sum(chosen) / len(chosen), 2) == published
    _ok(house)


_SAID = [
    {"question_id": "5_0", "prediction": "B", "gt_answer": "B "},
    {"question_id": "17_3", "prediction": " B", "gt_answer": "A"},
]


def _results(path: Path, rows: list[dict[str, Any]], *, commas: bool = True) -> Path:
    end = ",\n" if commas else "\n"
    path.write_text(end.join(json.dumps(row) for row in rows) + "\n", "utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("order", ["results first", "questions first"])
def test_results_and_questions_in_any_order(
    make_house: Callable[[str], Warehouse], tmp_path: Path, order: str
) -> None:
    house = make_house("one")
    results = _results(tmp_path / "SEED-Bench-2.some-vlm.json", _SAID)
    files = [results, _second(tmp_path)]
    reports = {r.format: r for r in house.ingest(*(files if order == "results first" else files[::-1]))}  # fmt: skip
    loaded = reports["seedbench_questions"].loaded
    completed = "the texts of 2 questions that were known by their ids alone"
    assert (completed in loaded) == (order == "results first")
    assert "1 prediction has stray spaces, stored with them" in reports["seedbench_results"].notes
    plain = make_house("plain")
    plain.ingest(_second(tmp_path))
    content = "SELECT content_hash, n_questions, n_abilities FROM dataset_summary"
    assert house.sql(content).rows() == plain.sql(content).rows()
    components = "SELECT component FROM main.question_component ORDER BY 1"
    assert house.sql(components).rows() == plain.sql(components).rows()
    rows = house.sql(
        "SELECT question_key, predicted, answer, score FROM pass_result "
        "WHERE resolved_by = 'rule' ORDER BY 1"
    )
    assert rows.rows() == [("17_3", "B", "A", 0), ("5_0", "B", "B", 1)]
    assert house.ingest(results)[0].already
    _ok(house)


def test_results_without_answers(house: Warehouse, tmp_path: Path) -> None:
    rows = [_without(row, "gt_answer") for row in _SAID]
    path = _results(tmp_path / "results.json", rows, commas=False)
    with pytest.raises(InputError, match="does not name the model; give it with --model"):
        house.ingest(path)
    with pytest.raises(InputError, match="ingest its question file first"):
        house.ingest(path, model="some-vlm")
    house.ingest(_second(tmp_path))
    (report,) = house.ingest(path, model="some-vlm")
    assert "benchmark SEED-Bench-2 (its ids)" in report.inferred
    assert house.sql("SELECT sum(score) FROM pass_result").item() == 1


def test_results_of_the_first_benchmark(house: Warehouse, tmp_path: Path) -> None:
    folder = tmp_path / "SEED-Bench"
    folder.mkdir()
    rows = [
        {"question_id": "101", "prediction": "A", "gt_answer": "A"},
        {"question_id": "v43", "prediction": "B", "gt_answer": "C"},
    ]
    (report,) = house.ingest(_results(folder / "some-vlm.json", rows))
    assert "benchmark SEED-Bench (the folder's name)" in report.inferred
    (board,) = house.leaderboard("SEED-Bench")
    assert board.columns == ("Overall",)
    house.ingest(_write(tmp_path / "SEED-Bench.json", _FIRST, _TYPES_1))
    (board,) = house.leaderboard("SEED-Bench", level="dimension")
    cells = dict(zip(board.columns, board.lines[0].cells, strict=True))
    scores = {name: cell.score for name, cell in cells.items() if cell is not None}
    assert scores == {"Overall": 0.5, "Instance Counting": 1, "Procedure Understanding": 0}


def test_answers_that_differ_between_duplicates(house: Warehouse, tmp_path: Path) -> None:
    rows = [_SAID[0], _SAID[0] | {"gt_answer": "C"}]
    path = _results(tmp_path / "SEED-Bench-2.some-vlm.json", rows)
    with pytest.raises(InputError, match="rows 1 and 2 with different values") as caught:
        house.ingest(path)
    assert caught.value.row == 2
    (report,) = house.ingest(path, on_duplicate="last")
    assert report.notes[0].endswith("1 key had conflicting values")
    assert house.sql("SELECT label FROM main.answer").item() == "C"


@pytest.mark.parametrize(
    ("rows", "row", "field", "words"),
    [
        ([{"question_id": "5_0", "prediction": "A", "gt_answer": "E"}], 1, "gt_answer", "none of its choices"),
        ([_SAID[0], {"question_id": "v43", "prediction": "A", "gt_answer": "A"}], 2, "question_id", "'v43' is no id"),
        ([_SAID[0], {"question_id": "28_1", "prediction": "A", "gt_answer": "A"}], 2, "question_id",
         "unknown category '28'"),
        ([{"question_id": " ", "prediction": "A", "gt_answer": "A"}], 1, "question_id", "is empty"),
        ([{"question_id": "27_0", "prediction": "A", "gt_answer": "A"}], 1, "prediction", "wants text and image"),
        ([{"question_id": "5_0", "gt_answer": "A"}], None, None, "columns are question_id, gt_answer"),
    ],
)  # fmt: skip
def test_bad_result_files(
    house: Warehouse, tmp_path: Path, rows: Any, row: int | None, field: str | None, words: str
) -> None:
    before = facts(house.path)
    with pytest.raises(InputError) as caught:
        house.ingest(_results(tmp_path / "SEED-Bench-2.some-vlm.json", rows))
    assert words in str(caught.value)
    assert (caught.value.row, caught.value.field) == (row, field)
    assert facts(house.path) == before


def test_results_beyond_the_question_file(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(_second(tmp_path))
    rows = [*_SAID, {"question_id": "1_9", "prediction": "A", "gt_answer": "A"}]
    with pytest.raises(InputError, match="the dataset has no question 1_9") as caught:
        house.ingest(_results(tmp_path / "SEED-Bench-2.some-vlm.json", rows))
    assert (caught.value.row, caught.value.field) == (3, "question_id")


# Answers that are a text and an image.


def _scores(path: Path, key: str, rows: list[tuple[str, str | None, object]]) -> Path:
    return write_jsonl(
        path,
        [
            {"question_key": key, "label": label, "score": score}
            | ({"component": component} if component else {})
            | ({"scorer": "clip"} if component == "image" else {})
            for label, component, score in rows
        ],
    )


def test_scores_of_a_text_and_an_image(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(_second(tmp_path))
    rows: list[tuple[str, str | None, object]] = [
        (label, component, place / 10)
        for component in ("text", "image")
        for place, label in enumerate("ABCD")
    ]
    rows[0] = ("A", "text", "-Infinity")
    path = _scores(tmp_path / "scores.jsonl", "27_0", rows)
    house.ingest(path, model="m", method="loglik", reduction="sum", scored="content")
    stored = house.sql("SELECT label, component, score, scorer FROM main.choice_score ORDER BY ALL")
    assert stored.rows() == sorted(
        (label, component or "answer", float(str(score)), "clip" if component == "image" else None)
        for label, component, score in rows
    )
    _ok(house)


def test_a_perplexity_may_be_infinite(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(_second(tmp_path))
    path = _scores(tmp_path / "s.jsonl", "5_0", [("A", None, "inf"), ("B", None, 2.5)])
    house.ingest(path, model="m", method="perplexity")
    assert house.sql("SELECT max(score) FROM main.choice_score").item() == float("inf")


@pytest.mark.parametrize(
    ("key", "component", "words"),
    [
        ("27_0", None, "'answer': question 27_0 wants text and image"),
        ("5_0", "text", "'text': question 5_0 wants answer"),
        ("5_0", "sound", "'sound' is neither answer, nor text, nor image"),
    ],
)
def test_components_that_do_not_fit(
    house: Warehouse, tmp_path: Path, key: str, component: str | None, words: str
) -> None:
    house.ingest(_second(tmp_path))
    before = facts(house.path)
    path = _scores(tmp_path / "s.jsonl", key, [("A", component, 1), ("B", component, 2)])
    with pytest.raises(InputError, match=words) as caught:
        house.ingest(path, model="m", method="clip")
    assert (caught.value.row, caught.value.field) == (1, "component")
    assert facts(house.path) == before


def test_a_text_where_an_image_is_wanted_too(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(_second(tmp_path))
    rows = [{"question_key": key, "prediction": "A"} for key in ("5_0", "27_0")]
    with pytest.raises(InputError, match="question 27_0 wants text and image") as caught:
        house.ingest(write_jsonl(tmp_path / "p.jsonl", rows), model="m")
    assert (caught.value.row, caught.value.field) == (2, "prediction")


def test_a_text_is_no_answer_to_a_question_that_wants_an_image_too(
    house: Warehouse, tmp_path: Path
) -> None:
    rows = [{"question_key": "27_0", "prediction": "A", "model": "m"}]
    house.ingest(_second(tmp_path))
    with pytest.raises(InputError, match="27_0 wants text and image, which no text can be"):
        house.ingest(write_jsonl(tmp_path / "said.jsonl", rows), benchmark="SEED-Bench-2")


def test_components_in_the_long_format(house: Warehouse, tmp_path: Path) -> None:
    row = {"question_key": "1", "question": "q", "A": "a", "B": "b", "answer": "A"}
    rows = [
        row | {"components": ["text", "image"]},
        row | {"question_key": "2", "components": []},
        row | {"question_key": "3"},
    ]
    path = write_jsonl(tmp_path / "q.jsonl", rows)
    house.ingest(path, benchmark="Own")
    components = house.sql("SELECT question_id, component FROM main.question_component ORDER BY 2")
    assert components.rows() == [(1, "image"), (1, "text")]
    before = facts(house.path)
    for changed, words in (
        ({"components": ["text", "sound"]}, "consists of text and image"),
        ({"components": "text"}, "JSON array"),
        ({"components": ["image"]}, "consists of image here, and of image and text in the dataset"),
    ):
        other = write_jsonl(tmp_path / "other.jsonl", [row | changed])
        with pytest.raises(InputError, match=words) as caught:
            house.ingest(other, benchmark="Own")
        assert (caught.value.row, caught.value.field) == (1, "components")
        assert facts(house.path) == before


# The forms of JSON that these files come in.


_records = st.lists(
    st.dictionaries(
        st.sampled_from(["question_id", "prediction", "data_id"]),
        st.one_of(
            st.text(st.characters(codec="utf-8")), st.integers(), st.lists(st.text("ab,}\n"))
        ),
        min_size=1,
    ),
    min_size=1,
    max_size=5,
)


@settings(deadline=None)
@given(records=_records, indent=st.sampled_from([None, 1]), ascii_only=st.booleans())
def test_every_form_holds_the_same_records(
    tmp_path_factory: pytest.TempPathFactory, records: Any, indent: int | None, ascii_only: bool
) -> None:
    folder = tmp_path_factory.mktemp("forms")
    lines = folder / "lines.json"
    lines.write_text(
        "".join(json.dumps(one, ensure_ascii=ascii_only) + ",\n" for one in records), "utf-8"
    )
    whole = folder / "whole.json"
    whole.write_text(
        json.dumps({"questions": records}, ensure_ascii=ascii_only, indent=indent), "utf-8"
    )
    for path, kind in ((lines, "jsonl_commas"), (whole, "json_list")):
        found = probe(path)
        assert found.kind == kind
        assert json_rows.read(path, kind) == records
        cells = json_rows.cells(path, records, found.columns)
        assert cells == {
            name: [
                value if isinstance(value, str | None) else json.dumps(value, ensure_ascii=False)
                for value in (record.get(name) for record in records)
            ]
            for name in found.columns
        }


# Whose answers they are.


@pytest.mark.parametrize("column", ["model", "model_id"])
def test_a_column_names_the_model(house: Warehouse, tmp_path: Path, column: str) -> None:
    rows = [
        {"question_id": "5_0", "prediction": "A", column: "vlm"},
        {"question_id": "5_1", "prediction": "B", column: "vlm"},
    ]
    rows = [row | {"gt_answer": "A"} for row in rows]
    (report,) = house.ingest(write_jsonl(tmp_path / "results.jsonl", rows))
    assert report.models == ["vlm"]
    assert f"model vlm (the column {column})" in report.inferred
    # Answers of two models are not one run.
    rows[1][column] = "other"
    mixed = write_jsonl(tmp_path / "mixed.jsonl", rows)
    before = facts(house.path)
    with pytest.raises(InputError, match=f"field {column}: mixes the models other, vlm"):
        house.ingest(mixed)
    assert facts(house.path) == before
    assert house.ingest(mixed, model="both")[0].models == ["both"]
    # A column that says nothing leaves it to the file's name.
    for row in rows:
        row[column] = ""
    assert house.ingest(write_jsonl(tmp_path / "some-vlm.jsonl", rows))[0].models == ["some-vlm"]
