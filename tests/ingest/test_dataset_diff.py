"""Where two datasets or files disagree: named by field, whichever way round, and only that."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalhouse import UsageError, Warehouse
from evalhouse.differing import side_by_side
from queries import session
from tests.commands import run
from tests.tables import facts, write_jsonl


def some_rows(n: int = 8) -> list[dict[str, Any]]:
    return [
        {
            "question_key": str(key),
            "question": f"What is {key}?",
            "A": "cat",
            "B": f"dog {key}",
            "C": "4",
            "answer": "A",
        }
        for key in range(1, n + 1)
    ]


def changed_rows() -> list[dict[str, Any]]:
    """Eight questions, each changed in another way."""
    rows = some_rows()
    rows[0]["question"] = "What is one?"
    rows[1] |= {"C": "4.0", "question": " what is 2?"}
    rows[2] |= {"A": "dog 3", "B": "cat", "answer": "B"}
    rows[3]["answer"] = "B"
    rows[4]["B"] = "wolf"
    rows[5]["question_key"] = "600"
    rows[6] |= {"question_key": "700", "question": "New?"}
    rows[7] |= {"A": "dog 8", "B": "cat"}
    return rows


_EXPECTED = [
    ("answer", "4", "4", "key", 0, None, "A: cat", "B: dog 4", False),
    ("answer", "8", "8", "key", 0, None, "A: cat", "A: dog 8", False),
    ("choice", "2", "2", "key", 0, "C", "4", "4.0", True),
    ("choice", "5", "5", "key", 0, "B", "dog 5", "wolf", False),
    ("order", "3", "3", "key", 0, None, "A: cat; B: dog 3; C: 4", "A: dog 3; B: cat; C: 4", False),
    ("order", "8", "8", "key", 0, None, "A: cat; B: dog 8; C: 4", "A: dog 8; B: cat; C: 4", False),
    ("question", "1", "1", "key", None, None, "What is 1?", "What is one?", False),
    ("question", "2", "2", "key", None, None, "What is 2?", " what is 2?", True),
    ("question", "7", None, None, None, None, "What is 7?", None, False),
    ("question", None, "700", None, None, None, None, "New?", False),
]


def _diff(house: Warehouse, one: str, other: str) -> list[tuple[Any, ...]]:
    return house.sql(
        "SELECT field, question_key, other_question_key, matched_by, pass, label, value, other_value, "
        f"is_spelling FROM dataset_diff WHERE dataset = '{one}' AND other_dataset = '{other}' "
        "ORDER BY field, question_key NULLS LAST, other_question_key, pass, label"
    ).rows()


@pytest.fixture
def two(house: Warehouse, tmp_path: Path) -> Warehouse:
    """The datasets Own/1 and Own/2."""
    for version, rows in (("1", some_rows()), ("2", changed_rows())):
        path = write_jsonl(tmp_path / f"{version}.jsonl", rows)
        house.ingest(path, benchmark="Own", version=version)
    return house


def test_every_kind_of_disagreement(two: Warehouse) -> None:
    assert _diff(two, "Own/1", "Own/2") == _EXPECTED
    swapped = [
        (field, other_key, key, matched, step, label, other, value, spelling)
        for field, key, other_key, matched, step, label, value, other, spelling in _EXPECTED
    ]
    assert sorted(_diff(two, "Own/2", "Own/1"), key=str) == sorted(swapped, key=str)
    assert _diff(two, "Own/1", "Own/1") == []
    # Other benchmarks are not compared.
    assert set(two.sql("SELECT dataset, other_dataset FROM dataset_diff").rows()) == {
        ("Own/1", "Own/2"),
        ("Own/2", "Own/1"),
    }


@pytest.mark.slow
def test_two_files_and_a_file_with_a_dataset(two: Warehouse, tmp_path: Path) -> None:
    before = facts(two.path)
    for one, other in (("1.jsonl", "2.jsonl"), ("Own/1", "2.jsonl"), ("1.jsonl", "own/2")):
        words = ("evalhouse", "dataset-diff", one, other, "--db", two.path, "--spelling")
        done = run(*words, "--format", "json", cwd=tmp_path)
        assert (done.code, done.err) == (0, "")
        rows = json.loads(done.out)
        assert {(row["dataset"].lower(), row["other dataset"].lower()) for row in rows} == {
            (one.lower(), other.lower())
        }
        assert [tuple(row.values())[2:] for row in rows] == _EXPECTED
    assert facts(two.path) == before
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.slow
def test_the_printed_table(two: Warehouse, tmp_path: Path) -> None:
    words = ("evalhouse", "dataset-diff", "Own/1", "Own/2", "--db", two.path)
    lines = run(*words, cwd=tmp_path).out.splitlines()
    assert lines[:2] == [
        "Own/1 and Own/2: 2 × answer, 1 × choice, 2 × order, 3 × question",
        "  2 more differ in spelling only (--spelling)",
    ]
    assert len(lines) == 2 + 2 + 8
    same = run("evalhouse", "dataset-diff", "1.jsonl", "1.jsonl", "--db", two.path, cwd=tmp_path)
    assert same.out == "1.jsonl and 1.jsonl: no disagreement\n"
    for one, words_of_error in (("none.tsv", "neither a file nor a dataset"), ("Own", None)):
        done = run("evalhouse", "dataset-diff", one, "Own/2", "--db", two.path, cwd=tmp_path)
        assert (done.code, words_of_error is None) in ((2, False), (0, True))
        assert words_of_error is None or words_of_error in done.err


@pytest.mark.slow
def test_rows_that_a_file_has_twice(house: Warehouse, tmp_path: Path) -> None:
    """A file that contradicts itself is refused as by ingest, unless it is said which row counts."""
    rows = some_rows()
    write_jsonl(tmp_path / "one.jsonl", rows)
    write_jsonl(tmp_path / "twice.jsonl", [*rows, rows[0] | {"answer": "B"}])
    words = ("evalhouse", "dataset-diff", "one.jsonl", "twice.jsonl", "--db", house.path)
    done = run(*words, cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert (
        "twice.jsonl, row 9, field question_key: question 1, pass 0 stands in rows 1 and 9 with different values"
        in done.err
    )
    for kept, found in (("first", "no disagreement"), ("last", "1 × answer")):
        done = run(*words, "--on-duplicate", kept, cwd=tmp_path)
        assert done.out.splitlines()[0] == f"one.jsonl and twice.jsonl: {found}"
        assert done.err == (
            f"note: twice.jsonl: 1 duplicate row left out, the {kept} of each counts; 1 key had "
            "conflicting values\n"
        )
    assert run(*words, "--on-duplicate", "x", cwd=tmp_path).code == 2


@pytest.mark.slow
def test_splits_are_compared_by_name(house: Warehouse, tmp_path: Path) -> None:
    rows = [row | {"split": "dev" if n % 2 else "test"} for n, row in enumerate(some_rows())]
    one = write_jsonl(tmp_path / "one.jsonl", rows)
    rows[1]["answer"] = "C"
    rows[2]["answer"] = "C"
    other = write_jsonl(tmp_path / "other.jsonl", [r for r in rows if r["split"] == "dev"])
    both = write_jsonl(tmp_path / "both.jsonl", rows)
    with side_by_side(house, str(one), str(both)) as (con, pairs, rest):
        session.use_release(con)
        counts = [
            session.frame(con, "dataset_diff", {"one": a.dataset_id, "other": b.dataset_id}).height
            for a, b in pairs
        ]
        assert ([(a.split, b.split) for a, b in pairs], counts) == (
            [("dev", "dev"), ("test", "test")],
            [1, 1],
        )
    with side_by_side(house, str(one), str(other)) as (_, pairs, rest):
        assert [(a.split, b.split) for a, b in pairs] == [("dev", "dev")]
        assert rest == [f"{one}/test"]
    test_only = write_jsonl(
        tmp_path / "t.jsonl",
        [r | {"split": "x"} for r in rows[:1]] + [r | {"split": "y"} for r in rows[1:2]],
    )
    with (
        pytest.raises(UsageError, match="no split in common"),
        side_by_side(house, str(one), str(test_only)),
    ):
        pass


def test_passes_references_and_renumbered_questions(house: Warehouse, tmp_path: Path) -> None:
    """Questions under other numbers are found by content, a rotation more is a disagreement."""
    rows = some_rows(3)
    turned = [row | {"pass": 1, "A": row["B"], "B": "cat", "answer": "B"} for row in rows]
    one = write_jsonl(tmp_path / "one.jsonl", rows + turned)
    other = write_jsonl(
        tmp_path / "other.jsonl",
        [row | {"question_key": f"n{row['question_key']}"} for row in rows],
    )
    house.ingest(one, benchmark="Own", version="1")
    house.ingest(other, benchmark="Own", version="2")
    assert _diff(house, "Own/1", "Own/2") == [
        ("pass", str(n), f"n{n}", "content", 1, None, f"A: dog {n}; B: cat; C: 4", None, False)
        for n in (1, 2, 3)
    ]
    for version, text in (("1", "cat"), ("2", "Cat."), ("3", "dog")):
        words = [{"question_key": "1", "question": "Q", "reference": text}]
        path = write_jsonl(tmp_path / f"w{version}.jsonl", words)
        house.ingest(path, benchmark="Words", version=version)
    assert _diff(house, "Words/1", "Words/2") == [
        ("reference", "1", "1", "key", None, None, "cat", "Cat.", True)
    ]
    assert _diff(house, "Words/1", "Words/3") == [
        ("reference", "1", "1", "key", None, None, "cat", "dog", False)
    ]


_KEY = st.sampled_from(["1", "2", "3", "4"])
_TEXT = st.sampled_from(["q", "Q ", "r", "None", "4", "4.0"])
_QUESTION = st.tuples(_TEXT, st.lists(_TEXT, min_size=2, max_size=3), st.integers(0, 1))
_DATASET = st.dictionaries(_KEY, _QUESTION, min_size=1, max_size=4)


@pytest.mark.long
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(_DATASET, min_size=2, max_size=4))
def test_only_what_differs_differs(
    make_house: Callable[[str], Warehouse], tmp_path: Path, datasets: list[dict[str, Any]]
) -> None:
    house = make_house("fuzz")
    for number, dataset in enumerate(datasets):
        rows = [
            {
                "question_key": key,
                "question": text,
                **dict(zip("ABC", choices, strict=False)),
                "answer": "AB"[answer],
            }
            for key, (text, choices, answer) in dataset.items()
        ]
        house.ingest(write_jsonl(tmp_path / "d.jsonl", rows), benchmark="Own", version=str(number))
    diff = house.sql("SELECT * FROM dataset_diff")
    # Every row stands the other way round, too.
    turned = diff.select(
        dataset="other_dataset", other_dataset="dataset", dataset_id="other_dataset_id",
        other_dataset_id="dataset_id", question_key="other_question_key",
        other_question_key="question_key", matched_by="matched_by", **{"pass": "pass"}, field="field",
        label="label", value="other_value", other_value="value", is_spelling="is_spelling",
    )  # fmt: skip
    assert sorted(map(str, diff.iter_rows())) == sorted(map(str, turned.iter_rows()))
    for a, one in enumerate(datasets):
        for b, other in enumerate(datasets):
            rows = diff.filter(
                (pl.col("dataset") == f"Own/{a}") & (pl.col("other_dataset") == f"Own/{b}")
            )
            by_key = rows.filter(pl.col("matched_by") == "key")
            keys = set(by_key["question_key"])
            assert keys == {key for key in one.keys() & other.keys() if one[key] != other[key]}
            texts = set(by_key.filter(pl.col("field") == "question")["question_key"])
            assert texts == {key for key in one.keys() & other.keys() if one[key][0] != other[key][0]}  # fmt: skip


def test_real_questions_and_their_spreadsheet(
    make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path
) -> None:
    """VLMEvalKit's TSV of 600 questions next to the xlsx that its predictions stand in."""
    mixed = shared / "formats/vlmevalkit/mixed600"
    house = make_house("mixed")
    other = tmp_path / "synth-vlm-00_MMBench_SYN.xlsx"
    shutil.copy(mixed / other.name, other)
    with side_by_side(house, str(mixed / "MMBench_SYN.tsv"), str(other)) as (con, pairs, rest):
        session.use_release(con)
        assert (len(pairs), rest) == (2, [])
        for a, b in pairs:
            rows = session.frame(con, "dataset_diff", {"one": a.dataset_id, "other": b.dataset_id})
            assert rows.filter(~pl.col("spelling only")).height == 0
