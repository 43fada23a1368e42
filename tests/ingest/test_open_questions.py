"""Open questions: MM-Vet's files, VLMEvalKit's form of it, and the long format."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from tests.tables import facts, write_jsonl
from warehouse import known_benchmarks

_ENTRY = {
    "imagename": "v1_0.png",
    "question": "What is x?",
    "answer": "-1<AND>-5",
    "capability": ["ocr", "math"],
    "imagesource": "web",
}


def _map(path: Path, content: object, **more: Any) -> Path:
    path.write_text(json.dumps(content, **more), encoding="utf-8")
    return path


def _filed(house: Warehouse) -> list[tuple[Any, ...]]:
    return house.sql(
        "SELECT q.question_key, a.level, a.name FROM main.question_ability AS f "
        "JOIN main.question AS q USING (question_id) JOIN main.ability AS a USING (ability_id) "
        "ORDER BY q.question_key, a.ordinal"
    ).rows()


def test_the_taxonomy_of_mmvet(shared: Path) -> None:
    known = known_benchmarks.find("MMVet")
    assert known is not None
    assert (known.name, known.task, known.strategy, known.average) == (
        "MM-Vet",
        "open",
        "graded",
        "micro",
    )
    capabilities = [a for a in known.abilities if a.level == "capability"]
    assert [a.abbreviation for a in capabilities] == ["Rec", "OCR", "Know", "Gen", "Spat", "Math"]
    with (shared / "real/mmvet/llava-v1.5-7b_gpt-4-cap-int-score-3runs.csv").open() as file:
        header = next(csv.reader(file))[1:17]
    integrations = [a.name for a in known.abilities if a.level == "integration"]
    assert integrations == ["_".join(sorted(name.split("_"))) for name in header]


def test_mmvet_questions_and_answers(house: Warehouse, shared: Path) -> None:
    real = shared / "real/mmvet"
    questions, answers = house.ingest(real / "mm-vet.json", real / "llava-v1.5-7b.json")
    assert (questions.format, answers.format) == ("mmvet_questions", "mmvet_answers")
    with (shared / "paper_tables/mmvet_counts.csv").open() as file:
        published = {
            (row["kind"], "_".join(sorted(row["name"].split("_")))): int(row["n"])
            for row in csv.DictReader(file)
        }
    counted = house.sql(
        "SELECT a.level, if(a.level = 'capability', lower(a.abbreviation), a.name), count(*) "
        "FROM main.question_ability AS f JOIN main.ability AS a USING (ability_id) GROUP BY ALL"
    )
    assert {(level, name): n for level, name, n in counted.iter_rows()} == published
    reference = house.sql(
        "SELECT r.text FROM main.reference_answer AS r JOIN main.question AS q USING (question_id) "
        "WHERE q.question_key = 'v1_1'"
    )
    assert reference.rows() == [("1.25<OR>=1.25<OR>5/4",)]
    assert house.sql("SELECT count(*), max(pass) FROM main.question_pass").row(0) == (218, 0)
    assert house.sql("SELECT count(*) FROM main.choice").item() == 0
    assert house.sql("SELECT count(*) FROM main.answer").item() == 0
    names = house.sql("SELECT DISTINCT name FROM main.question_attribute ORDER BY 1")
    assert names["name"].to_list() == ["imagename", "imagesource"]
    run = house.sql(
        "SELECT m.name, r.label, r.harness FROM main.run AS r JOIN main.model AS m USING (model_id)"
    )
    assert run.rows() == [("llava-v1.5-7b", "llava-v1.5-7b", "mmvet")]
    assert house.sql("SELECT count(*) FROM main.prediction").item() == 218
    before = facts(house.path)
    assert all(r.already for r in house.ingest(real / "mm-vet.json", real / "llava-v1.5-7b.json"))
    assert facts(house.path) == before


def test_vlmevalkits_form_of_mmvet(house: Warehouse, shared: Path) -> None:
    examples = shared / "formats/vlmevalkit/examples"
    work_dir = examples / "outputs/judged-vlm/T20260101-000000"
    questions, predictions = house.ingest(
        examples / "LMUData/MMVet_EX.tsv", work_dir / "judged-vlm_MMVet_EX.xlsx"
    )
    assert questions.format == predictions.format == "vlmevalkit_mmvet"
    assert house.sql("SELECT name FROM main.dataset").item() == "MM-Vet/EX"
    assert house.sql("SELECT count(*) FROM main.question_image").item() == 5
    assert _filed(house)[3:7] == [
        ("v1_1", "capability", "Recognition"),
        ("v1_1", "capability", "Knowledge"),
        ("v1_1", "capability", "Language generation"),
        ("v1_1", "integration", "gen_know_rec"),
    ]
    run = house.sql("SELECT label, harness FROM main.run")
    assert run.rows() == [("T20260101-000000", "vlmevalkit")]
    texts = house.sql("SELECT text FROM main.prediction ORDER BY question_id")
    assert texts["text"].to_list() == ["x = -1", "nobody", "left", "STOP", "7"]


def test_a_combination_that_is_not_known_yet(house: Warehouse, tmp_path: Path) -> None:
    entry = _ENTRY | {"capability": ["math", "gen", "Rec", "math"]}
    house.ingest(_map(tmp_path / "mm-vet.json", {"a": _ENTRY, "b": entry}))
    assert ("b", "integration", "gen_math_rec") in _filed(house)
    new = house.sql(
        "SELECT a.name, s.format FROM main.ability AS a JOIN main.source AS s USING (source_id) "
        "WHERE s.format <> 'taxonomy_toml'"
    )
    assert new.rows() == [("gen_math_rec", "mmvet_questions")]
    with pytest.raises(InputError, match="unknown category 'seq'") as caught:
        house.ingest(
            _map(tmp_path / "v2.json", {"a": _ENTRY | {"capability": ["seq"]}}), version="2"
        )
    assert (caught.value.row, caught.value.field) == (1, "capability")


def test_the_long_format_of_open_questions(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        {
            "question_key": "1",
            "question": "q1",
            "references": ["cat", "a cat"],
            "ability_skill": "seeing",
            "answer": "kept",
        },
        {"question_key": "2", "question": "q2", "references": ["dog"], "ability_skill": "naming"},
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="VQA")
    assert house.sql("SELECT task, strategy FROM main.benchmark").rows() == [("open", "graded")]
    references = house.sql("SELECT question_id, ordinal, text FROM main.reference_answer ORDER BY ALL")  # fmt: skip
    assert references.rows() == [(1, 0, "cat"), (1, 1, "a cat"), (2, 0, "dog")]
    assert _filed(house) == [("1", "skill", "seeing"), ("2", "skill", "naming")]
    assert house.sql("SELECT name, value FROM main.question_attribute").rows() == [
        ("answer", "kept")
    ]
    one = [{"question_key": "1", "question": "q", "reference": "cat"}]
    house.ingest(write_jsonl(tmp_path / "one.jsonl", one), benchmark="Other")
    assert house.sql("SELECT count(*) FROM main.reference_answer").item() == 4
    # A choice file may have a column of that name.
    choice = [{"question_key": "1", "question": "q", "A": "a", "B": "b", "reference": "book"}]
    house.ingest(write_jsonl(tmp_path / "c.jsonl", choice), benchmark="Choice")
    assert house.sql("SELECT task FROM main.benchmark WHERE name = 'Choice'").item() == "choice"


def test_a_taxonomy_before_open_questions(house: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.csv"
    path.write_text("level,ability\nskill,Seeing\n", encoding="utf-8")
    house.ingest(path, benchmark="VQA")
    rows = [{"question_key": "1", "question": "q", "reference": "r", "ability_skill": "seeing"}]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="VQA")
    assert house.sql("SELECT task FROM main.benchmark").item() == "open"
    assert _filed(house) == [("1", "skill", "Seeing")]


def test_a_map_may_be_one_line(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(_map(tmp_path / "mm-vet.json", {"a": _ENTRY}))
    (report,) = house.ingest(_map(tmp_path / "some-vlm.json", {"a": "5"}))
    assert report.format == "mmvet_answers"
    # An id may be a word that files of settings have; answers under such a one are none.
    (report,) = house.ingest(_map(tmp_path / "v2.json", {"name": _ENTRY}), version="2")
    assert report.format == "mmvet_questions"
    with pytest.raises(InputError, match="in no format that is known here"):
        house.ingest(_map(tmp_path / "settings.json", {"name": "5"}))
    # And one record of JSON lines is no map.
    line = write_jsonl(tmp_path / "p.jsonl", [{"question_key": "a", "prediction": "5"}])
    assert house.ingest(line, model="m")[0].format == "predictions"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "row", "field", "words"),
    [
        ('{"a": {"question": "q"},\n"b": "text"}', 2, "b", "objects alone"),
        ('{\n"a": "x",\n"b": 1}', 2, "b", "texts alone"),
        ('{\n"a": 1}', None, None, "one JSON object, not an array"),
        ("{}", None, None, "one JSON object, not an array"),
        ('{\n"a": "x",\n"a": "y"}', 1, "key", "the key a stands twice"),
        ('{\n"a": {"question": "p", "question": "q"}}', 1, "question", "the key stands twice"),
        ('{\n"a": {"question": "q"', None, None, "cut off"),
        (
            '{"a": {"key": "b", "question": "q", "answer": "r", "capability": []}}',
            0,
            "key",
            "twice",
        ),
        ('{\n"a": "\\ud800"}', 1, "key", "cannot be read"),
        ('{\n"a": ' + "[" * 100_000, None, None, "not valid JSON"),
    ],
)
def test_maps_that_are_none(
    house: Warehouse, tmp_path: Path, content: str, row: int | None, field: str | None, words: str
) -> None:
    path = tmp_path / "map.json"
    path.write_text(content, encoding="utf-8")
    before = facts(house.path)
    with pytest.raises(InputError) as caught:
        house.ingest(path)
    assert words in str(caught.value)
    assert (caught.value.row, caught.value.field) == (row, field), str(caught.value)
    assert facts(house.path) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"question": ""}, "question", "no text"),
        ({"question": ["What?"]}, "question", "is no text"),
        ({"answer": ""}, "answer", "no reference"),
        ({"answer": "-5<AND>-1"}, "answer", "are not the dataset's"),
        ({"capability": "ocr"}, "capability", "no JSON array"),
        ({"capability": ["ocr"]}, "capability", "filed under other abilities"),
        ({"capability": ["dancing"]}, "capability", "'dancing'"),
    ],
)
def test_bad_open_questions(
    house: Warehouse, tmp_path: Path, change: dict[str, Any], field: str, words: str
) -> None:
    house.ingest(_map(tmp_path / "mm-vet.json", {"a": _ENTRY, "b": _ENTRY}))
    before = facts(house.path)
    with pytest.raises(InputError) as caught:
        house.ingest(_map(tmp_path / "again.json", {"a": _ENTRY, "b": _ENTRY | change}))
    assert words in str(caught.value)
    assert (caught.value.row, caught.value.field) == (2, field)
    assert facts(house.path) == before


def test_white_space_around_the_marks_is_no_difference(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(_map(tmp_path / "mm-vet.json", {"a": _ENTRY}))
    spaced = _ENTRY | {"answer": "-1 <AND> -5"}
    house.ingest(_map(tmp_path / "again.json", {"a": spaced}))
    assert house.sql("SELECT text FROM main.reference_answer").rows() == [("-1<AND>-5",)]


def test_a_prediction_files_references_are_compared(house: Warehouse, tmp_path: Path) -> None:
    row = {"index": "a", "question": "q", "answer": "yes", "category": "rec"}
    pl.DataFrame([row]).write_csv(tmp_path / "MMVet.tsv", separator="\t")
    house.ingest(tmp_path / "MMVet.tsv")
    frame = pl.DataFrame([row | {"answer": "no", "prediction": "perhaps"}])
    frame.write_excel(tmp_path / "m_MMVet.xlsx")
    (report,) = house.ingest(tmp_path / "m_MMVet.xlsx")
    assert report.notes == [
        "1 reference differs from the dataset's (such as a's); the dataset's hold"
    ]


def test_open_and_choice_do_not_mix(house: Warehouse, tmp_path: Path) -> None:
    before = facts(house.path)
    with pytest.raises(
        InputError, match="is about open questions, and MMBench is a benchmark of multiple choice"
    ):
        house.ingest(_map(tmp_path / "q.json", {"a": _ENTRY}), benchmark="MMBench")
    choice = [{"question_key": "1", "question": "q", "A": "a", "B": "b", "answer": "A"}]
    with pytest.raises(InputError, match="is about multiple choice, and MM-Vet"):
        house.ingest(write_jsonl(tmp_path / "c.jsonl", choice), benchmark="mmvet")
    with pytest.raises(InputError, match="open questions have pass 0") as caught:
        house.ingest(
            write_jsonl(
                tmp_path / "p.jsonl",
                [{"question_key": "1", "pass": 1, "question": "q", "reference": "r"}],
            ),
            benchmark="VQA",
        )
    assert (caught.value.row, caught.value.field) == (1, "pass")
    assert facts(house.path) == before
