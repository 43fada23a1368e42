"""Each bad input: an error that names file, row and field, exit code 2, and every table as it was."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import InputError, UsageError, Warehouse
from tests.tables import facts

_HEADER = "index\tquestion\tA\tB\tC\tanswer\tcategory\tl2-category\tsplit\n"
_GOOD = (
    _HEADER
    + "1\tWhat?\tcat\tdog\tfish\tB\timage_style\tcoarse_perception\tdev\n"
    + "1000001\tWhat?\tdog\tfish\tcat\tA\timage_style\tcoarse_perception\tdev\n"
    + "2\tWhere?\there\tthere\t\tA\tocr\tfinegrained_perception (instance-level)\tdev\n"
)


@dataclass(frozen=True)
class Bad:
    """A file's content (or a function that writes it), flags, and the words of its error."""

    name: str
    content: str | bytes | Callable[[Path], None]
    row: int | None
    field: str | None
    words: tuple[str, ...]
    flags: dict[str, Any] = field(default_factory=dict)


def _cut_xlsx(path: Path) -> None:
    pl.DataFrame({"index": [1], "question": ["q"], "prediction": ["A"]}).write_excel(path)
    path.write_bytes(path.read_bytes()[:-200])


def _cut_parquet(path: Path) -> None:
    pl.DataFrame({"question_key": ["1"] * 5000, "prediction": ["A"] * 5000}).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-100])


def _zip(path: Path) -> None:
    shutil.make_archive(str(path.with_suffix("")), "zip", path.parent, "good.tsv")
    path.with_suffix(".zip").rename(path)


def _blank_rows(path: Path) -> None:
    index = ["1", None, None, "x"]
    frame = pl.DataFrame(
        {
            "index": index,
            "question": ["q", None, None, "q"],
            "A": ["a", None, None, "a"],
            "B": ["b", None, None, "b"],
        }
    )
    frame.write_excel(path)


def _empty_sheet(path: Path) -> None:
    pl.DataFrame({"index": [], "question": [], "A": [], "B": []}).write_excel(path)


def _jsonl(*rows: str) -> str:
    return "".join(row + "\n" for row in rows)


_P = {"model": "m"}
_LOGLIK = {"method": "loglik", "reduction": "sum", "scored": "content"}
CASES = [
    # Not that format.
    Bad("notes.txt", "these are notes\nof no kind\n", None, None, ("no header row",)),
    Bad(
        "other.csv", "colour,size\nred,1\n", None, None, ("no format that is known", "colour, size")
    ),
    Bad("image.tsv", b"\x89PNG\r\n\x1a\n\x00\x00", None, None, ("is a picture (PNG)",)),
    Bad("archive.xlsx", _zip, None, None, ("zip file, but not a spreadsheet",)),
    Bad("forced.tsv", _GOOD, 0, "prediction", ("vlmevalkit",), {"format": "vlmevalkit"}),
    Bad("object.json", "[[1], 2]", 1, None, ("not a JSON object",)),
    Bad("ids.json", '["1", {"a": 2}]', 2, None, ("is no id",)),
    Bad(
        "commas.json",
        '{"question_id": "1", "prediction": "A"},\n{"question_id": "2", "pre',
        2,
        None,
        ("cut off",),
        _P,
    ),
    Bad(
        "list.json",
        '{"questions": [{"question_id": "1", "question": "q"}, 3], "question_type": {}}',
        2,
        None,
        ("not a JSON object",),
    ),
    Bad("cut-list.json", '{\n"questions": [\n{"question_id": "1", ', None, None, ("cut off",)),
    # Truncated.
    Bad("cut.xlsx", _cut_xlsx, None, None, ("not a whole xlsx",)),
    Bad("cut.parquet", _cut_parquet, None, None, ("not a whole Parquet",)),
    Bad("cut.tsv", _GOOD[:-45], 3, "l2-category", ("7 fields where the header names 9",)),
    Bad("quote.csv", 'question_key,prediction\n1,"A\n', 1, None, ("cut off",), _P),
    Bad(
        "cut.jsonl",
        _jsonl('{"question_key": "1", "prediction": "A"}', '{"question_key": "2", "pre'),
        2,
        None,
        ("cut off",),
        _P,
    ),
    Bad(
        "cut.json",
        '[{"question_key": "1", "prediction": "A"}, {"ques',
        None,
        None,
        ("cut off",),
        _P,
    ),
    Bad("wide.tsv", _HEADER + "3\tq\ta\tb\tc\tA\tocr\tx\tdev\textra\n", 1, None, ("10 fields",)),
    # Wrong encoding.
    Bad("latin.tsv", _GOOD.replace("fish", "é").encode("latin-1"), None, None, ("line 2", "UTF-8")),
    Bad("utf16.tsv", _GOOD.encode("utf-16"), None, None, ("UTF-16",)),
    # A missing column.
    Bad("no-question.tsv", "index\tA\tB\n1\ta\tb\n", None, None, ("columns are index, A, B",)),
    Bad(
        "no-key.jsonl",
        _jsonl('{"prediction": "A", "pass": 0}'),
        None,
        None,
        ("columns are prediction, pass", "--column KEY=question_key"),
        _P,
    ),
    Bad(
        "no-label.jsonl",
        _jsonl('{"question_key": "1", "score": 0.5}'),
        None,
        None,
        ("columns are question_key, score", "--column THEIRS=OURS"),
        _P,
    ),
    # A duplicate key.
    Bad(
        "twice.jsonl",
        _jsonl('{"question_key": 1, "prediction": "A"}', '{"question_key": 1, "prediction": "B"}'),
        2,
        "question_key",
        ("rows 1 and 2", "different values", "--on-duplicate"),
        _P,
    ),
    Bad(
        "same.jsonl",
        _jsonl('{"question_key": 1, "prediction": "A"}', '{"question_key": 1, "prediction": "A"}'),
        2,
        "question_key",
        ("the same value",),
        _P,
    ),
    Bad(
        "twice.tsv",
        _GOOD + _GOOD.splitlines()[3] + "\n",
        4,
        "index",
        ("question 2, pass 0", "rows 3 and 4"),
    ),
    Bad(
        "other-choices.tsv",
        _GOOD + _GOOD.splitlines()[3].replace("there", "nowhere") + "\n",
        4,
        "index",
        ("with different values",),
    ),
    Bad(
        "header.csv",
        "question_key,prediction,prediction\n1,A,B\n",
        0,
        "prediction",
        ("twice in the header",),
        _P,
    ),
    # An answer that is none of its choices.
    Bad(
        "answer.tsv",
        _GOOD.replace("\tA\tocr", "\tC\tocr"),
        3,
        "answer",
        ("'C'", "none of its choices", "A, B"),
    ),
    Bad("lower.tsv", _GOOD.replace("\tA\tocr", "\ta\tocr"), 3, "answer", ("'a'",)),
    # An unknown question or category.
    Bad(
        "unknown.jsonl",
        _jsonl('{"question_key": "9", "prediction": "A"}'),
        1,
        "question_key",
        ("no question 9",),
        _P,
    ),
    Bad(
        "category.tsv",
        _GOOD.replace("\tocr\t", "\tsinging\t")
        .replace("1\tWhat", "7\tWhat")
        .replace("2\tWhere", "8\tWhere"),
        3,
        "category",
        ("'singing'", "no ability of MMBench"),
        {"version": "new"},
    ),
    Bad(
        "parent.tsv",
        _GOOD.replace("finegrained_perception (instance-level)", "logic_reasoning"),
        3,
        "category",
        ("'ocr'", "'logic_reasoning'"),
        {"version": "new"},
    ),
    Bad("new-question.tsv", _GOOD.replace("2\tWhere", "3\tWhere"), 3, "index", ("no question 3",)),
    # A pass out of range.
    Bad(
        "pass.jsonl",
        _jsonl('{"question_key": "2", "pass": 1, "prediction": "A"}'),
        1,
        "pass",
        ("pass 1 of question 2 is out of range",),
        _P,
    ),
    Bad(
        "pass.tsv",
        _GOOD.replace("1000001", "3000001"),
        2,
        "index",
        ("pass 3 of question 1 is out of range",),
        {"version": "new"},
    ),
    Bad(
        "gap.tsv",
        _GOOD.replace("1000001", "2000001"),
        2,
        "index",
        ("pass 2 of question 1 is out of range",),
        {"version": "new"},
    ),
    Bad(
        "minus.jsonl",
        _jsonl('{"question_key": "2", "pass": -1, "prediction": "A"}'),
        1,
        "pass",
        ("'-1'",),
        _P,
    ),
    Bad("half.tsv", _GOOD.replace("\n2\t", "\n2.5\t"), 3, "index", ("'2.5'", "whole number")),
    # An empty file.
    Bad("empty.tsv", "", None, None, ("empty",)),
    Bad("blank.csv", "\n\n", None, None, ("empty",)),
    Bad("header-only.tsv", _HEADER, None, None, ("no rows",)),
    Bad("empty.xlsx", _empty_sheet, None, None, ("empty",)),
    # What cannot be known.
    Bad(
        "no-model.jsonl",
        _jsonl('{"question_key": "1", "prediction": "A"}'),
        None,
        "model",
        ("--model",),
    ),
    Bad(
        "no-method.jsonl",
        _jsonl('{"question_key": "1", "label": "A", "score": 1}'),
        None,
        None,
        ("--method",),
        _P,
    ),
    Bad(
        "no-reduction.jsonl",
        _jsonl('{"question_key": "1", "label": "A", "score": 1}'),
        None,
        None,
        ("--reduction",),
        _P | {"method": "loglik"},
    ),
    # Other values.
    Bad(
        "nan.jsonl",
        _jsonl('{"question_key": "1", "label": "A", "score": "NaN"}'),
        1,
        "score",
        ("'NaN'",),
        _P | {"method": "perplexity"},
    ),
    Bad(
        "sure.jsonl",
        _jsonl('{"question_key": "1", "label": "A", "score": Infinity}'),
        1,
        "score",
        ("'Infinity'",),
        _P | _LOGLIK,
    ),
    Bad(
        "worse.jsonl",
        _jsonl(
            '{"question_key": "1", "label": "A", "score": 1}',
            '{"question_key": "1", "label": "B", "score": "-inf"}',
        ),
        2,
        "score",
        ("'-inf'",),
        _P | {"method": "perplexity"},
    ),
    Bad(
        "alike.jsonl",
        _jsonl('{"question_key": "1", "label": "A", "score": "-inf"}'),
        1,
        "score",
        ("'-inf'",),
        _P | {"method": "clip"},
    ),
    Bad(
        "similar.jsonl",
        _jsonl('{"question_key": "1", "label": "A", "score": "-inf", "scorer": "clip"}'),
        1,
        "score",
        ("'-inf'",),
        _P | _LOGLIK,
    ),
    Bad(
        "scorers.jsonl",
        _jsonl(
            '{"question_key": "1", "label": "A", "score": 1, "scorer": "clip"}',
            '{"question_key": "1", "label": "B", "score": 1}',
        ),
        2,
        "scorer",
        ("different models",),
        _P | _LOGLIK,
    ),
    Bad(
        "choice.jsonl",
        _jsonl('{"question_key": "2", "label": "C", "score": 1}'),
        1,
        "label",
        ("'C' is no choice of question 2",),
        _P | {"method": "clip"},
    ),
    Bad(
        "failed.jsonl",
        _jsonl('{"question_key": "1", "prediction": "A", "failed": "perhaps"}'),
        1,
        "failed",
        ("'perhaps'",),
        _P,
    ),
    Bad("no-text.tsv", _GOOD.replace("Where?", ""), 3, "question", ("no text",)),
    Bad("one-choice.tsv", _GOOD.replace("\tthere\t", "\t\t"), 3, "A", ("1 choice",)),
    Bad(
        "mixed.jsonl",
        _jsonl(
            '{"question_id": 1, "round_id": 0, "text": "A", "model_id": "x"}',
            '{"question_id": 2, "round_id": 0, "text": "A", "model_id": "y"}',
        ),
        None,
        "model_id",
        ("mixes the models x, y",),
    ),
    Bad(
        "order.jsonl",
        _jsonl(
            '{"question_id": 1, "round_id": 0, "text": "A", "model_id": "x", '
            '"options": ["dog", "cat", "fish"]}'
        ),
        1,
        "options",
        ("another order",),
    ),
    Bad("models.csv", "name,released_on\nx,yesterday\n", 1, "released_on", ("'yesterday'", "date")),
    Bad("access.csv", "name,access\nx,closed\n", 1, "access", ("neither open nor proprietary",)),
    Bad(
        "taxonomy.csv",
        "level,ability,parent\nskill,adding,maths\n",
        1,
        "parent",
        ("'maths'",),
        {"benchmark": "Sums"},
    ),
    Bad(
        "list.jsonl",
        _jsonl('{"question_key": "1", "question": "q", "choices": "a, b"}'),
        1,
        "choices",
        ("JSON array",),
    ),
    # Numbers that are none, or too large.
    Bad(
        "fraction.csv",
        "question_key,prediction,pass\n1,A,0.6\n",
        1,
        "pass",
        ("'0.6'", "no whole number"),
        _P,
    ),
    Bad(
        "large.csv",
        "question_key,prediction,sample\n1,A,40000\n",
        1,
        "sample",
        ("'40000'", "too large"),
        _P,
    ),
    Bad("huge.tsv", _GOOD.replace("1000001", "9000000000000001"), 2, "index", ("too large",)),
    Bad(
        "llava.jsonl",
        _jsonl('{"question_id": 1.6, "round_id": 0, "text": "A", "model_id": "x"}'),
        1,
        "question_id",
        ("'1.6'",),
    ),
    # Names and shapes.
    Bad("case.csv", "question_key,Prediction,prediction\n1,A,B\n", 0, "Prediction", ("twice",), _P),
    Bad("rowid.csv", "question_key,prediction,rowid\n1,A,B\n", 0, "rowid", ("cannot be",), _P),
    Bad(
        "split.csv", "question_key,prediction,split\n1,A,dev\n2,B,\n", 2, "split", ("is empty",), _P
    ),
    Bad("result.csv", "index,prediction,hit,log\n1,A,1,x\n", None, None, ("--judge",), _P),
    Bad("blank-rows.xlsx", _blank_rows, 4, "index", ("'x'",)),
    Bad(
        "many.jsonl",
        _jsonl(
            '{"question_key": "7", "question": "q", "choices": '
            "[" + ", ".join(f'"{n}"' for n in range(27)) + "]}"
        ),
        1,
        "choices",
        ("27 choices",),
        {"version": "new"},
    ),
    Bad(
        "image.tsv2",
        "index\tquestion\tA\tB\timage\n1\tq\ta\tb\t77\n",
        1,
        "image",
        ("'77'", "not the index of a row"),
        {"version": "new"},
    ),
    Bad(
        "component.jsonl",
        _jsonl('{"question_key": "1", "label": "A", "score": 1, "component": "image"}'),
        1,
        "component",
        ("'image'", "wants answer"),
        _P | {"method": "clip"},
    ),
    Bad(
        "third.jsonl",
        _jsonl('{"question_key": "1", "label": "A", "score": 1, "component": "sound"}'),
        1,
        "component",
        ("'sound'",),
        _P | {"method": "clip"},
    ),
    Bad(
        "nothing.jsonl",
        _jsonl('{"question_key": "1", "prediction": "A"}', "{}"),
        2,
        "question_key",
        ("is empty",),
        _P,
    ),
    # What contradicts the dataset.
    Bad(
        "strangers.tsv",
        _GOOD.replace("What?", "Other?").replace("Where?", "Else?"),
        1,
        "question",
        ("fewer than half", "--version", "--replace takes"),
    ),
    Bad(
        "refiled.tsv",
        _GOOD.replace("\tocr\t", "\tattribute_recognition\t"),
        3,
        "category",
        ("question 2 is filed under another ability",),
    ),
]


@pytest.fixture
def known(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A warehouse with one dataset, MMBench/dev, and one run."""
    (tmp_path / "good.tsv").write_text(_GOOD, encoding="utf-8")
    house.ingest(tmp_path / "good.tsv", benchmark="MMBench")
    (tmp_path / "said.csv").write_text("question_key,prediction\n1,B\n2,\n", encoding="utf-8")
    house.ingest(tmp_path / "said.csv", model="m")
    return house


@pytest.mark.slow
@pytest.mark.parametrize("bad", CASES, ids=lambda bad: bad.name)
def test_bad_input(known: Warehouse, tmp_path: Path, bad: Bad) -> None:
    path = tmp_path / bad.name
    if isinstance(bad.content, bytes):
        path.write_bytes(bad.content)
    elif isinstance(bad.content, str):
        path.write_text(bad.content, encoding="utf-8", newline="")
    else:
        bad.content(path)
    before = facts(known.path)
    with pytest.raises(InputError) as caught:
        known.ingest(path, **({"benchmark": "MMBench"} | bad.flags))
    error = caught.value
    assert str(path) in str(error)
    assert error.exit_code == 2
    for word in bad.words:
        assert word in str(error)
    assert (error.row, error.field) == (bad.row, bad.field), str(error)
    if bad.row is not None:
        assert (f"row {bad.row}" if bad.row else "header") in str(error)
    if bad.field is not None:
        assert f"field {bad.field}" in str(error)
    assert facts(known.path) == before


def test_other_content_for_the_same_run(known: Warehouse, tmp_path: Path) -> None:
    other = tmp_path / "other" / "said.csv"
    other.parent.mkdir()
    other.write_text("question_key,prediction\n1,A\n2,A\n", encoding="utf-8")
    before = facts(known.path)
    with pytest.raises(InputError, match="--replace supersedes it, --run LABEL keeps both"):
        known.ingest(other, model="m")
    assert facts(known.path) == before
    known.ingest(other, model="m", run="second")
    known.ingest(other, model="m", replace=True)
    runs = known.runs().sort("run_id")
    assert runs.select("run", "state").rows() == [
        ("said", "superseded"),
        ("second", ""),
        ("said", ""),
    ]
    assert known.sql("SELECT count(*) FROM main.prediction").item() == 6
    assert known.sql("SELECT count(DISTINCT run_id) FROM pass_result").item() == 2


@pytest.mark.parametrize(("keep", "expected"), [("first", "A"), ("last", "B")])
def test_on_duplicate(known: Warehouse, tmp_path: Path, keep: str, expected: str) -> None:
    path = tmp_path / "twice.csv"
    path.write_text("question_key,prediction\n1,A\n2,A\n1,B\n2,A\n", encoding="utf-8")
    (report,) = known.ingest(path, model="twice", on_duplicate=keep)
    assert report.notes == [
        f"2 duplicate rows left out, the {keep} of each counts; 1 key had conflicting values"
    ]
    found = known.sql(
        "SELECT predicted FROM pass_result WHERE model = 'twice' AND question_key = '1' AND pass = 0"
    )
    assert found.item() == expected


def test_a_folder_and_a_pattern_are_no_files(known: Warehouse, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        known.ingest(tmp_path)
    for name, text in (("said1.csv", "B"), ("said[1].csv", "A"), ("*.csv", "C")):
        (tmp_path / name).write_text(f"question_key,prediction\n1,{text}\n", encoding="utf-8")
    known.ingest(tmp_path / "said[1].csv", model="bracket")
    known.ingest(tmp_path / "*.csv", model="star")
    rows = known.sql(
        "SELECT m.name, p.text FROM main.prediction AS p JOIN main.run AS r USING (run_id) "
        "JOIN main.model AS m USING (model_id) WHERE m.name <> 'm' ORDER BY 1"
    )
    assert rows.rows() == [("bracket", "A"), ("star", "C")]


def test_method_is_for_choice_scores(known: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("question_key,prediction\n1,A\n", encoding="utf-8")
    with pytest.raises(UsageError, match="--method clip is for choice scores"):
        known.ingest(path, model="x", method="clip")
    with pytest.raises(UsageError, match="--model cannot be blank"):
        known.ingest(path, model=" ")


def test_an_answer_that_contradicts_the_dataset(known: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "corrected.tsv"
    path.write_text(_GOOD.replace("\tA\tocr", "\tB\tocr"), encoding="utf-8")
    before = facts(known.path)
    with pytest.raises(InputError, match="--replace takes the file's") as caught:
        known.ingest(path, benchmark="MMBench")
    assert (caught.value.row, caught.value.field) == (3, "answer")
    assert facts(known.path) == before
    known.ingest(path, benchmark="MMBench", replace=True)
    assert known.sql(
        "SELECT DISTINCT answer FROM pass_result WHERE question_key = '2'"
    ).to_series().to_list() == ["B"]
    assert known.sql("SELECT count(*) FROM main.answer WHERE superseded_by IS NOT NULL").item() == 1
    # And back again: the first file is no longer what holds.
    known.ingest(tmp_path / "good.tsv", benchmark="MMBench", replace=True)
    assert known.sql(
        "SELECT DISTINCT answer FROM pass_result WHERE question_key = '2'"
    ).to_series().to_list() == ["A"]


def test_blank_predictions_are_data(known: Warehouse) -> None:
    rows = known.sql("SELECT resolved_by, score FROM pass_result WHERE question_key = '2'")
    assert rows.rows() == [("unresolved", 0)]
