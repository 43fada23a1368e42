"""Choices such as None and NA, which pandas takes for nothing: results files have empty cells there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evalhouse import InputError, Warehouse
from tests import books

pytestmark = [pytest.mark.slow, pytest.mark.all_releases]
_HEAD = ["index", "question", "A", "B", "C", "D", "answer", "category", "prediction"]
_PEER = "vlmevalkit_field_e8e78f0"
_Row = Sequence[object]


def _write(folder: Path, kind: str, dataset: str, rows: Sequence[_Row]) -> Path:
    path = folder / f"out/m/m_{dataset}.{kind}"
    path.parent.mkdir(parents=True)
    if kind == "xlsx":
        return books.by_xlsxwriter(path, [_HEAD, *rows])
    if kind == "tsv":
        lines = ["\t".join(map(str, row)) for row in [_HEAD, *rows]]
        path.write_text("\n".join(lines), encoding="utf-8")
    else:
        records = [dict(zip(_HEAD, row, strict=True)) for row in rows]
        path.write_text(json.dumps([{k: v or None for k, v in r.items()} for r in records]))
    return path


def _questions(folder: Path, dataset: str, rows: Sequence[_Row]) -> Path:
    path = folder / f"LMUData/{dataset}.tsv"
    path.parent.mkdir(parents=True)
    lines = ["\t".join(map(str, row[:-1])) for row in [_HEAD, *rows]]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _ingest(house: Warehouse, path: Path) -> list[str]:
    outcomes = list(house.ingest_many(path))
    assert [str(one.error) for one in outcomes if one.error] == []
    return [text for one in outcomes if one.report for text in one.report.alerts]


def _verdicts(house: Warehouse, release: str = "latest") -> dict[str, float]:
    sql = "SELECT question_key, score FROM pass_result WHERE judge = 'none'"
    return dict(house.sql(sql, release=release).rows())


def _choices(house: Warehouse) -> list[str]:
    found = house.sql("SELECT question_id, label || '=' || text FROM main.choice ORDER BY 1, 2")
    return [text for _, text in found.rows()]


@pytest.mark.parametrize(
    ("kind", "dataset"),
    [("xlsx", "MMStar"), ("xlsx", "SEEDBench_IMG"), ("tsv", "SEEDBench_IMG"), ("json", "MMStar")],
)
def test_a_right_choice_that_is_unknown(
    house: Warehouse, tmp_path: Path, kind: str, dataset: str
) -> None:
    rows = [
        [1, "Lamps?", "", "two", "one", "three", "A", "Scene Understanding", "A"],
        [2, "Hats?", "one", "two", "", "", "D", "Scene Understanding", "D."],
        [3, "Cats?", "one", "", "two", "three", "C", "Scene Understanding", "B"],
        [4, "Cups?", "red", "", "", "", "B", "Scene Understanding", "two"],
        [5, "Dogs?", "one", "two", "six", "ten", "C", "Scene Understanding", "C"],
    ]
    (note,) = _ingest(house, _write(tmp_path, kind, dataset, rows).parents[1])
    assert note.startswith("5 choices are unknown (such as A of question 1)")
    assert "the letter counts, and the dataset's question file mends it" in note
    assert _verdicts(house) == {"1": 1.0, "2": 1.0, "3": 0.0, "4": 0.0, "5": 1.0}
    read = house.sql("SELECT question_key, verdict FROM answer_sheet ORDER BY 1").rows()
    assert read == [("1", "A"), ("2", "D"), ("3", "B"), ("4", None), ("5", "C")]
    # To the peer there is no such choice, and nobody can say its letter.
    assert _verdicts(house, _PEER) == {"1": 0.0, "2": 0.0, "3": 0.0, "4": 0.0, "5": 1.0}


@pytest.mark.parametrize("first", ["answers", "questions"])
def test_the_question_file_mends_it(house: Warehouse, tmp_path: Path, first: str) -> None:
    """Also the last ones, of which the answers' file cannot tell that they are there."""
    said = [
        [1, "Lamps?", "", "two", "one", "three", "A", "Scene Understanding", "None"],
        [2, "Hats?", "one", "two", "", "", "B", "Scene Understanding", "N/A"],
    ]
    asked = [
        [1, "Lamps?", "None", "two", "one", "three", "A", "Scene Understanding", ""],
        [2, "Hats?", "one", "two", "NA", "N/A", "B", "Scene Understanding", ""],
    ]
    paths = [_write(tmp_path, "xlsx", "MMStar", said), _questions(tmp_path, "MMStar", asked)]
    for path in paths if first == "answers" else reversed(paths):
        _ingest(house, path)
    assert _choices(house) == [
        "A=None", "B=two", "C=one", "D=three", "A=one", "B=two", "C=NA", "D=N/A",
    ]  # fmt: skip
    assert _verdicts(house) == {"1": 1.0, "2": 0.0}
    assert house.sql("SELECT verdict FROM answer_sheet WHERE question_key = '2'").item() == "D"
    # Another model's file, with the same empty cells, says nothing new.
    other = books.by_xlsxwriter(tmp_path / "out/n/n_MMStar.xlsx", [_HEAD, *said])
    (one,) = house.ingest_many(other)
    assert one.report is not None
    assert not [note for note in (*one.report.notes, *one.report.alerts) if "choice text" in note]


def test_other_texts_are_still_refused(house: Warehouse, tmp_path: Path) -> None:
    said = [[1, "Lamps?", "", "two", "one", "", "A", "Scene Understanding", "B"]]
    _ingest(house, _write(tmp_path, "xlsx", "MMStar", said))
    asked = [[1, "Lamps?", "None", "two", "one", "three", "A", "Scene Understanding", ""]]
    with pytest.raises(InputError, match="says 'three' for choice D of question 1"):
        house.ingest(_questions(tmp_path, "MMStar", asked))
    assert _choices(house) == ["A=", "B=two", "C=one"]


@pytest.mark.parametrize(("said", "score"), [("None", 1.0), ("n/a.", 1.0), ("two", 0.0), ("", 0.0)])
def test_the_words_of_the_only_unknown_choice(
    house: Warehouse, tmp_path: Path, said: str, score: float
) -> None:
    rows = [
        [1, "Lamps?", "", "two", "one", "three", "A", "Scene Understanding", said],
        [2, "Hats?", "", "a", "", "b", "A", "Scene Understanding", said],
    ]
    _ingest(house, _write(tmp_path, "xlsx", "MMStar", rows))
    assert _verdicts(house) == {"1": score, "2": 0.0}


def test_an_answer_without_its_column(house: Warehouse, tmp_path: Path) -> None:
    rows = [[1, "Lamps?", "one", "two", "six", "ten", "E", "Scene Understanding", "A"]]
    with pytest.raises(InputError, match="the answer 'E' of question 1 is none of its choices"):
        house.ingest(_write(tmp_path, "xlsx", "MMStar", rows))


def test_the_case_of_the_field(house: Warehouse, shared: Path) -> None:
    _ingest(house, shared / "field/02-none/outputs")
    assert sum(_verdicts(house).values()) == 3
    _ingest(house, shared / "field/02-none/LMUData")
    assert sum(_verdicts(house).values()) == 4
