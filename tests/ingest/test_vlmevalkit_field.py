"""VLMEvalKit's work dirs of 37 datasets, and datasets that nobody has heard of."""

from __future__ import annotations

import ast
import csv
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import duckdb
import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from ingest.reading import python_lists
from tests.commands import run
from tests.tables import facts

_VERDICT_COLUMNS = {"hit", "score", "log", "extracted", "eval_match", "extract", "res"}


@pytest.fixture(scope="module")
def kit(shared: Path) -> Path:
    return shared / "formats/vlmevalkit_field"


def _rows(path: Path) -> list[dict[str, str]]:
    """A question or prediction file as texts, read without evalhouse."""
    if path.suffix == ".xlsx":
        frame = pl.read_excel(path, engine="calamine", infer_schema_length=0)
        return [{k: v or "" for k, v in row.items()} for row in frame.iter_rows(named=True)]
    csv.field_size_limit(2**30)
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _questions(con: duckdb.DuckDBPyConnection, benchmark: str) -> dict[str, int]:
    return dict(
        con.execute(
            "SELECT question_key, question_id FROM main.question JOIN main.dataset USING (dataset_id) "
            "JOIN main.benchmark AS b USING (benchmark_id) WHERE b.name = ?",
            [benchmark],
        ).fetchall()
    )


def _by_question(
    con: duckdb.DuckDBPyConnection, query: str, benchmark: str
) -> Mapping[str, list[str]]:
    """The values that a query gives for each question_id, by the question's key."""
    names = {number: key for key, number in _questions(con, benchmark).items()}
    found: dict[str, list[str]] = {}
    for number, value in con.execute(query).fetchall():
        if number in names:
            found.setdefault(names[number], []).append(value)
    return found


@pytest.fixture(scope="module")
def field(
    new_file: Path, kit: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[str]]:
    """One model's first run after the questions, in one warehouse, and what the command printed."""
    path = tmp_path_factory.mktemp("field") / "field.duckdb"
    shutil.copy(new_file, path)
    outputs = kit / "outputs/Lynx-VL-2B/T20260110-093000"
    done = run("ingest", kit / "LMUData", outputs, "--db", path, "-v", cwd=path.parent)
    assert done.code == 0, done.out[-3000:]
    return path, done.out.splitlines()


@pytest.mark.slow
def test_every_prediction_file_of_a_run_loads(field: tuple[Path, list[str]], kit: Path) -> None:
    outputs = kit / "outputs/Lynx-VL-2B/T20260110-093000"
    predictions = {}
    for path in outputs.iterdir():
        if path.suffix in (".xlsx", ".tsv"):
            rows = _rows(path)
            if not _VERDICT_COLUMNS & set(rows[0]):
                predictions[path.name] = rows
    assert len(predictions) == 37
    path, said = field
    with duckdb.connect(str(path), read_only=True) as con:
        stored = con.execute("SELECT text FROM main.prediction").fetchall()
        n_runs = con.execute("SELECT count(*) FROM main.run").fetchall()
    texts = Counter(row["prediction"] or None for rows in predictions.values() for row in rows)
    assert Counter(text for (text,) in stored) == texts
    assert n_runs == [(38,)]  # MMMU's file holds two datasets
    assert said[-1].endswith(" 0 failed")


@pytest.mark.slow
def test_open_questions_and_lists(field: tuple[Path, list[str]], kit: Path) -> None:
    references = "SELECT question_id, text FROM main.reference_answer ORDER BY question_id, ordinal"
    with duckdb.connect(str(field[0]), read_only=True) as con:
        hallusion = _by_question(con, references, "HallusionBench")
        vizwiz = _by_question(con, references, "VizWiz")
        mmmu = _by_question(con, references, "MMMU")
        labels = _by_question(con, "SELECT question_id, label FROM main.answer", "MMMU")
        raw = _by_question(
            con,
            "SELECT question_id, value FROM main.question_attribute WHERE name = 'answers'",
            "VizWiz",
        )
        vista = _by_question(con, references, "MathVista")
    rows = _rows(kit / "LMUData/HallusionBench.tsv")
    assert hallusion == {row["index"]: [row["answer"]] for row in rows}
    rows = _rows(kit / "LMUData/VizWiz.tsv")
    assert vizwiz == {row["index"]: ast.literal_eval(row["answers"]) for row in rows}
    assert raw == {row["index"]: [row["answers"]] for row in rows}
    rows = _rows(kit / "LMUData/MMMU_DEV_VAL.tsv")
    is_open = {row["index"]: row["answer"] for row in rows if not row["A"]}
    lists = {key: text for key, text in is_open.items() if text.startswith("[")}
    assert lists
    assert mmmu == {
        key: ast.literal_eval(text) if key in lists else [text] for key, text in is_open.items()
    }
    assert labels == {row["index"]: [row["answer"]] for row in rows if row["A"]}
    rows = _rows(kit / "LMUData/MathVista_MINI.tsv")
    assert vista == {row["index"]: [row["answer"]] for row in rows}  # a list is one reference


@pytest.mark.slow
def test_choices_in_one_column(field: tuple[Path, list[str]], kit: Path) -> None:
    choices = "SELECT question_id, text FROM main.choice ORDER BY question_id, ordinal"
    labels = "SELECT question_id, label FROM main.answer"
    with duckdb.connect(str(field[0]), read_only=True) as con:
        videos = _by_question(con, choices, "Video-MME")
        right = _by_question(con, labels, "Video-MME")
        clips = _by_question(con, choices, "MVBench")
        right_clips = _by_question(con, labels, "MVBench")
        vista, right_vista = (_by_question(con, q, "MathVista") for q in (choices, labels))
    for row in _rows(kit / "LMUData/Video-MME.tsv"):
        written = ast.literal_eval(row["candidates"])
        assert [f"{'ABCD'[n]}. {text}" for n, text in enumerate(videos[row["index"]])] == written
        assert right[row["index"]] == [row["answer"]]
    for row in _rows(kit / "LMUData/MVBench.tsv"):
        written = ast.literal_eval(row["candidates"])
        assert clips[row["index"]] == written
        assert right_clips[row["index"]] == ["ABCDEFGH"[written.index(row["answer"])]]
    rows = [row for row in _rows(kit / "LMUData/MathVista_MINI.tsv") if row["choices"]]
    assert vista == {row["index"]: ast.literal_eval(row["choices"]) for row in rows}
    assert right_vista == {row["index"]: [row["answer_option"]] for row in rows}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("benchmark", "file", "columns"),
    [
        ("MMStar", "MMStar", {"axis": "l2_category"}),
        ("ChartQA", "ChartQA_TEST", {"split": "split"}),
        (
            "Video-MME",
            "Video-MME",
            {"duration": "duration", "sub_category": "sub_category", "task_type": "task_type"},
        ),
        (
            "HallusionBench",
            "HallusionBench",
            {"category": "category", "subcategory": "l2-category"},
        ),
        ("MathVista", "MathVista_MINI", {"task": "task", "skill": "skills"}),
        ("MMBench-Video", "MMBench-Video", {"l3": "dimensions"}),
        ("POPE", "POPE", {"category": "category"}),
    ],
)
def test_abilities(
    field: tuple[Path, list[str]], kit: Path, benchmark: str, file: str, columns: dict[str, str]
) -> None:
    rows = _rows(kit / f"LMUData/{file}.tsv")
    for level, column in columns.items():
        query = (
            "SELECT question_id, a.name FROM main.question_ability JOIN main.ability AS a "
            f"USING (ability_id) WHERE a.level = '{level}'"
        )
        with duckdb.connect(str(field[0]), read_only=True) as con:
            found = _by_question(con, query, benchmark)
        for row in rows:
            cell = row[column]
            names = ast.literal_eval(cell) if cell.startswith("[") else [cell]
            if benchmark == "POPE":
                names = cell.split(",")
            assert sorted(found[row["index"]]) == sorted(names)


@pytest.mark.slow
def test_subfields_stand_apart_from_subjects(field: tuple[Path, list[str]], kit: Path) -> None:
    query = (
        "SELECT question_id, a.name FROM main.question_ability JOIN main.ability AS a "
        "USING (ability_id) ORDER BY a.level"
    )
    with duckdb.connect(str(field[0]), read_only=True) as con:
        found = _by_question(con, query, "MathVerse")
    for row in _rows(kit / "LMUData/MathVerse_MINI.tsv"):
        metadata = ast.literal_eval(row["metadata"])
        expected = [metadata["subfield"], metadata["subject"], row["problem_version"]]
        assert found[row["index"]] == expected


# Datasets that nobody has heard of.


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


_NEWSET = """index\tquestion\tA\tB\tanswer\tcategory\tl2-category\tprediction
1\tOne?\tx\ty\tA\tsmall\tsize\tA
2\tTwo?\tx\ty\tB\tlarge\tsize\tB
3\tThree?\tx\ty\tB\tred\tcolour\tA
"""


def test_a_benchmark_of_its_own(house: Warehouse, tmp_path: Path) -> None:
    path = _write(tmp_path / "out/m1/m1_NewSet_V9.tsv", _NEWSET)
    (outcome,) = house.ingest_many(path.parents[1])
    assert outcome.report is not None
    assert (
        "benchmark NewSet_V9 is new: choice, vanilla; its abilities from l2-category, category"
        in outcome.report.inferred
    )
    assert outcome.report.datasets == ["NewSet_V9"]
    # What it was taken for is kept, and holds for the next file.
    other = _NEWSET.replace("red\tcolour\tA", "blue\tcolour\tB")
    _write(tmp_path / "more/m2/m2_NewSet_V9.tsv", other.replace("3\tThree", "4\tFour"))
    assert [one.error for one in house.ingest_many(tmp_path / "more")] == [None]
    found = house.sql(
        "SELECT a.level, a.name FROM main.ability AS a JOIN main.benchmark AS b USING (benchmark_id) "
        "WHERE b.name = 'NewSet_V9' ORDER BY level, name"
    ).rows()
    assert found == [
        ("category", "blue"), ("category", "large"), ("category", "red"), ("category", "small"),
        ("l2-category", "colour"), ("l2-category", "size"),
    ]  # fmt: skip


def test_passes_make_a_new_benchmark_circular(house: Warehouse, tmp_path: Path) -> None:
    text = (
        "index\tquestion\tA\tB\tanswer\tprediction\n"
        "1\tOne?\tx\ty\tA\tA\n1000001\tOne?\ty\tx\tB\tB\n"
    )
    path = _write(tmp_path / "out/m1/m1_Turns.tsv", text)
    (outcome,) = house.ingest_many(path.parents[1])
    assert outcome.report is not None
    assert "benchmark Turns is new: choice, circular" in outcome.report.inferred


def test_open_answers_of_a_new_benchmark(house: Warehouse, tmp_path: Path) -> None:
    text = "index\tquestion\tanswer\tprediction\nq_1\tOne?\t['a', 'an']\ta\nq_2\tTwo?\t\tb\n"
    path = _write(tmp_path / "out/m1/T20260101-000000/m1_Words.tsv", text)
    (outcome,) = house.ingest_many(path.parents[2])
    assert outcome.report is not None
    assert "benchmark Words is new: open, vanilla; rule anls" in outcome.report.inferred
    rows = house.sql("SELECT text FROM main.reference_answer ORDER BY ordinal").rows()
    assert rows == [("a",), ("an",)]  # the second question's is hidden


@pytest.mark.slow
@pytest.mark.parametrize(
    ("references", "rules"),
    [
        (["Yes", "no.", ""], [("yes_no", None, None)]),
        (["yes", "3"], [("extracted", "bare", None)]),
        (["3", "-1.5", "1,200", "7%"], [("extracted", "bare", None)]),
        (["['a', 'an']", "['the']"], [("anls", None, None)]),
        ([str(["red"] * 10), str(["blue"] * 9 + ["navy"])], [("vqa", None, None)]),
        (["a red car", "seven"], [("extracted", "bare", None)]),
        (["a red car", "the man on the left holds a dog"], []),
        (["", ""], []),
    ],
)
def test_the_rule_of_a_new_benchmark(
    house: Warehouse,
    tmp_path: Path,
    references: list[str],
    rules: list[tuple[str, str | None, float | None]],
) -> None:
    rows = "".join(f"{n}\tWhich?\t{one}\tit is\n" for n, one in enumerate(references))
    path = _write(
        tmp_path / "out/m1/T20260101-000000/m1_Rules.tsv",
        "index\tquestion\tanswer\tprediction\n" + rows,
    )
    (outcome,) = house.ingest_many(path.parents[2])
    assert outcome.report is not None
    found = house.sql("SELECT rule, normaliser, tolerance FROM main.benchmark_rule").rows()
    assert found == rules
    said = f"; rule {rules[0][0]}" if rules else ""
    assert f"benchmark Rules is new: open, vanilla{said}" in outcome.report.inferred


def test_answers_in_a_folder_bind_to_no_other_benchmark(house: Warehouse, tmp_path: Path) -> None:
    known = "index\tquestion\tA\tB\tanswer\tprediction\n1\tOne?\tx\ty\tA\tA\n"
    _write(tmp_path / "in/m1/m1_MMBench_DEV_EN.tsv", known)
    _write(tmp_path / "in/m1/m1_Templated.tsv", known.replace("1\tOne?", "7\tTwo?"))
    # No name of a dataset, and in no folder of a model's.
    _write(tmp_path / "in/else/answers.tsv", known.replace("1\tOne?", "8\tThree?"))
    outcomes = {one.file.path.name: one for one in house.ingest_many(tmp_path / "in")}
    assert outcomes["answers.tsv"].error is not None
    sizes = house.sql(
        "SELECT d.name, count(*) FROM main.question JOIN main.dataset AS d USING (dataset_id) "
        "GROUP BY 1 ORDER BY 1"
    ).rows()
    assert sizes == [("MMBench/dev/en", 1), ("Templated", 1)]


def test_status_names_the_dataset(house: Warehouse, tmp_path: Path) -> None:
    known = "index\tquestion\tA\tB\tanswer\tprediction\n1\tOne?\tx\ty\tA\tA\n"
    folder = tmp_path / "renamed/T20260101-000000"
    _write(folder / "m_1_My_Set.tsv", known)
    _write(
        folder / "status.json",
        '{"eval_id": "x", "datasets": {"My_Set": {"prediction_file": "m_1_My_Set.tsv"}}}',
    )
    reports = [one.report for one in house.ingest_many(tmp_path / "renamed")]
    assert [(one.models, one.datasets) for one in reports if one] == [(["m_1"], ["My_Set"])]


def test_verdicts_next_to_answers_are_no_dataset(house: Warehouse, tmp_path: Path) -> None:
    """A dataset's name takes no suffix of a file that judges its answers; `My_Set` is a name."""
    rows = "index\tquestion\tanswer\tprediction{more}\n1\tOne?\tx\tx{value}\n"
    folder = tmp_path / "m1"
    _write(folder / "m1_My.tsv", rows.format(more="", value=""))
    _write(folder / "m1_My_Set.tsv", rows.format(more="\tcategory", value="\tb"))
    _write(folder / "m1_My_gpt-4o_rated.tsv", rows.format(more="\tverdict", value="\t1"))
    outcomes = {one.file.path.name: one for one in house.ingest_many(folder)}
    loaded = {one.report.datasets[0] for one in outcomes.values() if one.report}
    assert loaded == {"My", "My_Set"}
    left = outcomes["m1_My_gpt-4o_rated.tsv"].left
    assert left == "what a judge or VLMEvalKit said of the answers in m1_My.tsv; not read yet"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (
            "m1_MVBench.tsv",
            "index\tquestion\tanswer\tcandidates\tprediction\n"
            "0\tQ?\tcat\t['cat', 'dog']\ta\n1\tR?\tcow\t['cat', 'dog']\ta\n",
            "row 2, field answer: the answer 'cow' of question 1 is none of its candidates",
        ),
        (
            "m1_POPE.tsv",
            "index\tquestion\tanswer\tcategory\tprediction\n0\tQ?\tYes\trandom\tx\n\tR?\tNo\trandom\tx\n",
            "row 2, field index: is empty",
        ),
        (
            "m1_MME.tsv",
            "index\tquestion\tanswer\tcategory\tprediction\n0\tQ?\tYes\tcolour\tx\n",
            "row 1, field category: unknown category 'colour'",
        ),
        (
            "m1_MMMU_DEV_VAL.tsv",
            "index\tquestion\tA\tB\tanswer\tsplit\tprediction\n1\tQ?\t\t\tB\tdev\tx\n",
            "row 1, field A: question 1 has 0 choices",
        ),
    ],
)
def test_cells_that_say_what_cannot_be(
    house: Warehouse, tmp_path: Path, name: str, text: str, words: str
) -> None:
    path = _write(tmp_path / "m1" / name, text)
    before = facts(house.path)
    with pytest.raises(InputError, match=words):
        house.ingest(path)
    assert facts(house.path) == before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("['a', \"b's\"]", ["a", "b's"]),
        ("[2014, -7.00]", ["2014", "-7.00"]),
        ("[]", []),
        ("['x'", None),
        ("[Yes, No]", None),
        ("[__import__('os')]", None),
        ("['a', ['b']]", None),
        ("[" * 5000, None),
        ("['\\ud800']", None),
        ("no list", None),
    ],
)
def test_lists_are_read_and_never_evaluated(text: str, expected: list[str] | None) -> None:
    assert python_lists.items(text) == expected
