"""What each adapter recognises, infers and loads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from ingest import readers
from ingest.formats import ADAPTERS
from ingest.names import read_dataset_name, split_model_and_dataset
from tests.tables import facts, write_jsonl

_QUESTIONS = [
    {
        "index": 1,
        "question": "What?",
        "hint": "look",
        "A": "cat",
        "B": "dog",
        "C": None,
        "answer": "B",
        "category": "image_style",
        "l2-category": "coarse_perception",
        "split": "dev",
        "image": "iVBORw0KGgoAAAANSUhEUgAA",
    },
    {
        "index": 1000001,
        "question": "What?",
        "hint": "look",
        "A": "dog",
        "B": "cat",
        "C": None,
        "answer": "A",
        "category": "image_style",
        "l2-category": "coarse_perception",
        "split": "dev",
        "image": "1",
    },
    {
        "index": 2,
        "question": "How many?",
        "hint": None,
        "A": "4",
        "B": "None",
        "C": "5",
        "answer": "A",
        "category": "ocr",
        "l2-category": "finegrained_perception (instance-level)",
        "split": "test",
        "image": "1",
    },
]


def test_every_format_says_what_it_is() -> None:
    of_readers = sum(len(readers.formats_of(one)) for one in readers.every())
    assert len({adapter.name for adapter in ADAPTERS}) == len(ADAPTERS) == 24 + of_readers
    assert all(adapter.description and adapter.needs for adapter in ADAPTERS)


def test_formats_have_the_names_and_versions_that_older_warehouses_hold() -> None:
    """A file that is read again is known to be there already."""
    versions = {adapter.name: adapter.version for adapter in ADAPTERS}
    held = {
        "helm_states": 1, "helm_figures": 1, "lm_eval_samples": 2, "lm_eval_figures": 2,
        "lmms_samples": 3, "lmms_mmvet": 3, "lmms_figures": 1, "lmms_records": 1, "eee_records": 2,
        "eee_scores": 2, "llava_answers": 2, "llava_open_answers": 2, "llava_questions": 1, "llava_texts": 1,
        "llava_reviews": 1, "mmvet_questions": 1, "mmvet_answers": 1, "mmvet_grades": 1, "mmvet_scores": 1,
    }  # fmt: skip
    assert {name: versions.get(name) for name in held} == held


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["tsv", "xlsx", "json", "jsonl", "csv", "parquet"])
def test_mmbench_questions_in_every_kind_of_file(
    house: Warehouse, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"MMBench_V11_EN.{suffix}"
    frame = pl.DataFrame(_QUESTIONS)
    if suffix == "tsv":
        frame.write_csv(path, separator="\t")
    elif suffix == "csv":
        frame.write_csv(path)
    elif suffix == "xlsx":
        frame.write_excel(path)
    elif suffix == "parquet":
        frame.write_parquet(path)
    elif suffix == "jsonl":
        write_jsonl(path, _QUESTIONS)
    else:
        path.write_text(json.dumps(_QUESTIONS), encoding="utf-8")
    (report,) = house.ingest(path)
    assert report.format == "mmbench_questions"
    datasets = house.sql("SELECT name, version, split, language FROM main.dataset ORDER BY split")
    assert datasets.rows() == [
        ("MMBench/1.1/dev/en", "1.1", "dev", "en"),
        ("MMBench/1.1/test/en", "1.1", "test", "en"),
    ]
    choices = house.sql("SELECT label, text FROM main.choice WHERE question_id = 2 ORDER BY label")
    assert choices.rows() == [("A", "4"), ("B", "None"), ("C", "5")]
    images = house.sql("SELECT count(*), count(DISTINCT sha256) FROM main.question_image")
    assert images.row(0) == (2, 1)
    filed = house.sql(
        "SELECT q.question_key, a.abbreviation FROM question_level JOIN main.question AS q USING "
        "(question_id) JOIN ability_tree AS a USING (ability_id) WHERE a.level = 'l2' ORDER BY 1"
    )
    assert filed.rows() == [("1", "CP"), ("2", "FP-S")]
    assert house.sql(
        "SELECT name, value FROM main.question_attribute WHERE question_id = 1"
    ).rows() == [("hint", "look")]


def test_names_of_datasets_and_models() -> None:
    def parts(text: str) -> tuple[object, ...] | None:
        name = read_dataset_name(text, ("OwnBench",))
        return name and (name.benchmark, name.version, name.split, name.language)

    assert parts("MMBench_DEV_EN_V11") == ("MMBench", "1.1", "dev", "en")
    assert parts("MMBench_TEST_CN") == ("MMBench", None, "test", "cn")
    assert parts("mmbench_dev_20230712") == ("MMBench", "20230712", "dev", None)
    assert parts("OwnBench_EX") == ("OwnBench", "EX", None, None)
    assert parts("SEEDBench_IMG") == ("SEED-Bench", "IMG", None, None)
    assert parts("SEEDBench2") == ("SEED-Bench-2", None, None, None)
    assert parts("llava-v1.5-13b") is None
    found = split_model_and_dataset("my_model_7b_MMBench_DEV_EN")
    assert found is not None
    assert (found[0], found[1].split) == ("my_model_7b", "dev")


def test_the_work_dir_of_vlmevalkit(house: Warehouse, shared: Path) -> None:
    examples = shared / "formats/vlmevalkit/examples"
    house.ingest(examples / "LMUData/MMBench_EX.tsv")
    (report,) = house.ingest(
        examples / "outputs/judged-vlm/T20260101-000000/judged-vlm_MMBench_EX.xlsx"
    )
    assert report.format == "vlmevalkit"
    run = house.sql("SELECT label, harness, produced_at FROM main.run").row(0)
    assert (run[0], run[1], str(run[2])) == (
        "T20260101-000000",
        "vlmevalkit",
        "2026-01-01 00:00:00",
    )
    assert house.sql("SELECT name FROM main.model").item() == "judged-vlm"


def test_seed_bench_as_vlmevalkit_writes_it(house: Warehouse, shared: Path) -> None:
    """Its column category holds the dimensions, which MMBench has no level of that name for."""
    examples = shared / "formats/vlmevalkit/examples"
    predictions = examples / "outputs/judged-vlm/T20260101-000000/judged-vlm_SEEDBench_EX.xlsx"
    house.ingest(examples / "LMUData/SEEDBench_EX.tsv", predictions)
    (board,) = house.leaderboard("SEED-Bench", level="dimension")
    assert board.dataset == "SEED-Bench/EX"
    assert board.columns[:2] == ("Overall", "Scene Understanding")
    assert "Instance Counting" in board.columns


def test_a_benchmark_that_does_not_come_with_the_package(house: Warehouse, shared: Path) -> None:
    examples = shared / "formats/vlmevalkit/examples"
    flags = {"benchmark": "Pictures", "version": "EX"}
    house.ingest(
        examples / "LMUData/SEEDBench_EX.tsv",
        examples / "outputs/judged-vlm/T20260101-000000/judged-vlm_SEEDBench_EX.xlsx",
        **flags,
        model="judged-vlm",
    )
    (board,) = house.leaderboard("Pictures", strategy="vanilla")
    assert board.columns[0] == "Overall"
    assert "Instances Counting" in board.columns
    assert board.dataset == "Pictures/EX"


def test_llava_answers(house: Warehouse, shared: Path) -> None:
    real = shared / "real/mmbench"
    with pytest.raises(InputError, match="ingest its question file first"):
        house.ingest(real / "llava-v1.5-7b.partial.jsonl", benchmark="MMBench")
    house.ingest(real / "llava-v1.5-13b.xlsx", benchmark="MMBench")
    (report,) = house.ingest(real / "llava-v1.5-7b.partial.jsonl", benchmark="MMBench")
    assert report.notes == []
    (board,) = house.leaderboard("MMBench", strategy="vanilla")
    models = {line.model: line.cells[0] for line in board.lines}
    cell = models["llava-v1.5-7b"]
    assert cell is not None
    assert (cell.n, cell.n_answered) == (1176, 114)
    rows = house.sql(
        "SELECT count(*) FILTER (resolved_by = 'rule'), count(*) FILTER (resolved_by = 'missing') "
        "FROM pass_result WHERE model = 'llava-v1.5-7b' AND pass = 0"
    )
    assert rows.row(0) == (114, 1062)


def test_categories_that_arrive_later(house: Warehouse, tmp_path: Path) -> None:
    """A submission knows no categories; the question file that comes later adds them."""
    frame = pl.DataFrame(_QUESTIONS[:2]).drop("category", "l2-category", "hint", "image")
    frame.with_columns(prediction=pl.Series(["B", "A"])).write_excel(tmp_path / "some-vlm.xlsx")
    house.ingest(tmp_path / "some-vlm.xlsx", benchmark="MMBench")
    assert house.leaderboard("MMBench")[0].columns == ("Overall",)
    write_jsonl(tmp_path / "MMBench.jsonl", _QUESTIONS[:2])
    (report,) = house.ingest(tmp_path / "MMBench.jsonl")
    assert "1 question filed under its abilities" in report.loaded
    (board,) = house.leaderboard("MMBench")
    there = [name for name, n in zip(board.columns, board.lines[0].cells, strict=True) if n]
    assert there == ["Overall", "CP"]
    assert house.sql("SELECT count(*) FROM main.dataset").item() == 1


def test_texts_that_a_spreadsheet_changed_are_reported(house: Warehouse, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "MMBench_X.jsonl", _QUESTIONS)
    house.ingest(tmp_path / "MMBench_X.jsonl")
    changed = [dict(row, prediction="A") for row in _QUESTIONS]
    changed[2] |= {"A": "4.0", "B": None}
    changed[0] |= {"A": "kitten"}
    write_jsonl(tmp_path / "m_MMBench_X.jsonl", changed)
    (report,) = house.ingest(tmp_path / "m_MMBench_X.jsonl")
    assert report.notes == [
        "1 choice text differs from the dataset's (such as one of 1); the dataset's hold"
    ]


def test_choices_that_a_spreadsheet_lost(house: Warehouse, tmp_path: Path) -> None:
    """A prediction file without the choice `None` binds all the same; the dataset's choices hold."""
    row = {"index": 1, "question": "q", "A": "yes", "B": "None", "answer": "B", "category": "ocr"}
    house.ingest(write_jsonl(tmp_path / "MMBench_X.jsonl", [row]))
    lost = row | {"B": None, "prediction": "B"}
    (report,) = house.ingest(write_jsonl(tmp_path / "m_MMBench_X.jsonl", [lost]))
    assert report.notes == []
    assert house.sql("SELECT score FROM pass_result").item() == 1


def test_no_benchmark_is_made_up(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(write_jsonl(tmp_path / "MMBench_X.jsonl", _QUESTIONS))
    row = {"index": 1, "question": "Another?", "A": "a", "B": "b", "answer": "A", "prediction": "A"}
    path = write_jsonl(tmp_path / "acme_OTHER_TEST.jsonl", [row])
    with pytest.raises(InputError, match="give it with --benchmark"):
        house.ingest(path)
    known = write_jsonl(
        tmp_path / "acme.jsonl",
        [
            {
                k: v
                for k, v in (_QUESTIONS[2] | {"prediction": "A"}).items()
                if k not in ("hint", "category", "l2-category")
            }
        ],
    )
    (report,) = house.ingest(known)
    assert "benchmark MMBench (the only one in the warehouse)" in report.inferred


def test_the_name_of_a_submission_tells_model_and_dataset(house: Warehouse, tmp_path: Path) -> None:
    row = {"index": 1, "question": "q", "A": "a", "B": "b", "answer": "A", "prediction": "A"}
    (report,) = house.ingest(write_jsonl(tmp_path / "my_vlm_MMBench_DEV_EN.jsonl", [row]))
    assert report.format == "mmbench_submission"
    assert house.sql("SELECT model, dataset FROM current_run").row(0) == (
        "my_vlm",
        "MMBench/dev/en",
    )


def test_the_same_file_again_is_a_no_op(house: Warehouse, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "MMBench_X.jsonl", _QUESTIONS)
    house.ingest(path)
    before = facts(house.path)
    (report,) = house.ingest(path)
    assert report.already
    assert facts(house.path) == before


def test_the_same_content_under_another_name_is_another_run(
    house: Warehouse, tmp_path: Path
) -> None:
    rows = [dict(row, prediction="A") for row in _QUESTIONS]
    for model in ("one", "two"):
        house.ingest(write_jsonl(tmp_path / f"{model}_MMBench_X.jsonl", rows))
    assert sorted(set(house.runs()["model"])) == ["one", "two"]


def test_own_benchmark_with_its_own_taxonomy_and_no_code(house: Warehouse, tmp_path: Path) -> None:
    taxonomy = tmp_path / "taxonomy.csv"
    taxonomy.write_text(
        "level,ability,parent,abbreviation,spellings\n"
        "field,Physics,,Ph,physics\nfield,Biology,,Bio,\n"
        "topic,Optics,Physics,Opt,light;optic\ntopic,Cells,Biology,Cell,\n",
        encoding="utf-8",
    )
    house.ingest(taxonomy, benchmark="Science")
    rows = [
        {
            "question_key": "a",
            "question": "q1",
            "choices": ["x", "y"],
            "answer": "A",
            "ability_field": "physics",
            "ability_topic": "LIGHT",
        },
        {
            "question_key": "b",
            "question": "q2",
            "choices": ["x", "y", "z"],
            "answer": "C",
            "ability_field": "Biology",
            "ability_topic": "Cells",
        },
    ]
    house.ingest(write_jsonl(tmp_path / "questions.jsonl", rows), benchmark="Science")
    answers = [{"question_key": "a", "prediction": "A"}, {"question_key": "b", "prediction": "B"}]
    house.ingest(write_jsonl(tmp_path / "said.jsonl", answers), model="m", benchmark="Science")
    (board,) = house.leaderboard("Science", level="field")
    assert board.columns == ("Overall", "Ph", "Bio")
    assert [cell and cell.score for cell in board.lines[0].cells] == [0.5, 1, 0]
    macro = house.leaderboard("Science", level="field", average="macro")[0].lines[0].cells[0]
    assert macro is not None
    assert macro.score == 0.5


def test_own_benchmark_without_a_taxonomy_file(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        {"question_key": k, "question": "q", "A": "x", "B": "y", "answer": "A", "ability_topic": t}
        for k, t in (("1", "zeta"), ("2", "alpha"), ("3", "zeta"))
    ]
    house.ingest(write_jsonl(tmp_path / "questions.jsonl", rows), benchmark="Own")
    answers = [{"question_key": k, "prediction": "A"} for k in "12"]
    house.ingest(write_jsonl(tmp_path / "said.jsonl", answers), model="m", benchmark="Own")
    (board,) = house.leaderboard("Own")
    assert board.columns == ("Overall", "zeta", "alpha")
    cells = board.lines[0].cells
    assert [cell and (cell.score, cell.score_answered) for cell in cells] == [
        (pytest.approx(2 / 3), 1),
        (0.5, 1),
        (1, 1),
    ]
    with pytest.raises(InputError, match="unknown category 'beta'"):
        house.ingest(
            write_jsonl(tmp_path / "more.jsonl", [rows[0] | {"ability_topic": "beta"}]),
            benchmark="Own",
            version="2",
        )


def test_a_key_that_turns_up_late_in_a_json_file(house: Warehouse, tmp_path: Path) -> None:
    n = 6000
    questions = [{"question_key": k, "question": "q", "A": "a", "B": "b", "answer": "A"} for k in range(n)]  # fmt: skip
    house.ingest(write_jsonl(tmp_path / "q.jsonl", questions), benchmark="Own")
    said: list[dict[str, object]] = [{"question_key": k, "prediction": "A"} for k in range(n - 1)]
    said.append({"question_key": n - 1, "prediction": "", "failed": True})
    house.ingest(write_jsonl(tmp_path / "said.jsonl", said), benchmark="Own", model="m")
    rows = house.sql("SELECT resolved_by, count(*) FROM pass_result GROUP BY 1 ORDER BY 1")
    assert rows.rows() == [("missing", 1), ("rule", n - 1)]


def test_a_duplicate_row_whose_image_others_refer_to(house: Warehouse, tmp_path: Path) -> None:
    rows = [_QUESTIONS[0], _QUESTIONS[0], _QUESTIONS[2]]
    house.ingest(write_jsonl(tmp_path / "MMBench_X.jsonl", rows), on_duplicate="first")
    assert house.sql("SELECT count(*) FROM main.choice").item() == 5
    assert house.sql("SELECT count(DISTINCT sha256) FROM main.question_image").item() == 1


def test_abilities_named_like_the_one_above(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        {
            "question_key": str(n),
            "question": "q",
            "A": "a",
            "B": "b",
            "answer": "A",
            "ability_field": one,
            "ability_topic": two,
        }
        for n, (one, two) in enumerate([("OCR", "OCR"), ("ocr", "OCR text"), ("Maths", "Sums")])
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    tree = house.sql(
        "SELECT a.level, a.ability, p.ability FROM ability_tree AS a "
        "LEFT JOIN ability_tree AS p ON a.parent_id = p.ability_id "
        "WHERE a.ability_id > 0 ORDER BY a.ordinal"
    )
    assert tree.rows() == [
        ("field", "OCR", "Overall"),
        ("field", "Maths", "Overall"),
        ("topic", "OCR", "OCR"),
        ("topic", "OCR text", "OCR"),
        ("topic", "Sums", "Maths"),
    ]


def test_the_hash_of_an_image_does_not_depend_on_the_kind_of_file(
    make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    frame = pl.DataFrame(_QUESTIONS[:1])
    frame.write_parquet(tmp_path / "MMBench_X.parquet")
    frame.write_csv(tmp_path / "MMBench_X.tsv", separator="\t")
    hashes = []
    for name in ("parquet", "tsv"):
        house = make_house(name)
        house.ingest(tmp_path / f"MMBench_X.{name}")
        hashes.append(house.sql("SELECT sha256 FROM main.question_image").item())
    assert hashes[0] == hashes[1]


def test_a_byte_order_mark_is_passed_over(
    make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    for suffix in ("jsonl", "json", "csv"):
        path = tmp_path / f"q.{suffix}"
        row = {"question_key": "1", "question": "q", "A": "a", "B": "b", "answer": "A"}
        text = ",".join(row) + "\n" + ",".join(row.values()) + "\n"
        if suffix != "csv":
            text = json.dumps(row) if suffix == "jsonl" else json.dumps([row])
        path.write_text(text, encoding="utf-8-sig")
        house = make_house(suffix)
        house.ingest(path, benchmark="Own")
        assert house.sql("SELECT question_key FROM main.question").item() == "1"


def test_keys_that_are_floating_point_numbers(house: Warehouse, tmp_path: Path) -> None:
    pl.DataFrame({"question_key": [1, 2], "question": "q", "A": "a", "B": "b"}).write_parquet(
        tmp_path / "q.parquet"
    )
    house.ingest(tmp_path / "q.parquet", benchmark="Own")
    pl.DataFrame({"question_key": [1.0, 2.0], "prediction": "A"}).write_parquet(
        tmp_path / "p.parquet"
    )
    house.ingest(tmp_path / "p.parquet", benchmark="Own", model="m")
    assert house.sql("SELECT count(*) FROM choice_match").item() == 2


def test_vanilla_without_pass_0(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        {"index": index, "question": "q", "A": "a", "B": "b", "answer": "A", "prediction": "A"}
        for index in (1, 1_000_002)
    ]
    house.ingest(write_jsonl(tmp_path / "m.jsonl", rows), benchmark="MMBench")
    scores = house.sql("SELECT strategy, n, score FROM ability_score ORDER BY 1")
    assert scores.rows() == [("circular", 2, 1), ("vanilla", 1, 1), ("vanilla_all", 2, 1)]


def test_model_facts_and_aliases(house: Warehouse, tmp_path: Path) -> None:
    rows = [dict(row, prediction="A") for row in _QUESTIONS]
    house.ingest(write_jsonl(tmp_path / "llava-13b_MMBench_X.jsonl", rows))
    models = tmp_path / "models.csv"
    models.write_text(
        "name,aliases,parameters_billion,access,released_on\n"
        "LLaVA-1.5-13B,llava-13b; llava_13b,13,open,2023-10-05\n",
        encoding="utf-8",
    )
    house.ingest(models)
    assert set(house.sql("SELECT model FROM current_run")["model"]) == {"LLaVA-1.5-13B"}
    house.ingest(write_jsonl(tmp_path / "llava_13b_MMBench_X.jsonl", rows))
    assert set(house.sql("SELECT model FROM current_run")["model"]) == {"LLaVA-1.5-13B"}
    models.write_text("name,parameters_billion\nLLaVA-1.5-13B,13.4\n", encoding="utf-8")
    house.ingest(models)
    now = house.sql("SELECT parameters_billion FROM main.model_fact WHERE superseded_by IS NULL")
    assert now["parameters_billion"].to_list() == [13.4]


def test_many_rows_go_through_the_engine(house: Warehouse, tmp_path: Path) -> None:
    """No row passes through Python; the figure itself is a benchmark's matter."""
    n_questions, n_models = 1000, 250
    questions = pl.DataFrame(
        {"question_key": range(n_questions), "question": "q", "A": "a", "B": "b", "answer": "A"}
    )
    questions.select(pl.all(), pl.lit(None).alias("pass")).write_parquet(tmp_path / "q.parquet")
    house.ingest(tmp_path / "q.parquet", benchmark="Large")
    said = pl.DataFrame({"model": [f"m{n:03}" for n in range(n_models)]}).join(
        pl.DataFrame({"question_key": range(n_questions)}), how="cross"
    )
    said = said.with_columns(
        prediction=pl.when(pl.col("question_key") % 4 == 0).then(pl.lit("B")).otherwise(pl.lit("A"))
    )
    said.write_parquet(tmp_path / "said.parquet")
    (report,) = house.ingest(tmp_path / "said.parquet", benchmark="Large")
    assert report.n_rows == 250_000
    scores = house.sql(
        "SELECT DISTINCT score FROM ability_score WHERE strategy = 'circular' AND level = 'overall'"
    )
    assert scores.rows() == [(0.75,)]
