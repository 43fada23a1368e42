"""VLMEvalKit's prediction files, out: what came in goes out equal, cell by cell, or an error says where."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from evalhouse import UsageError, Warehouse
from evalhouse.cli import app
from queries.export import table
from queries.export.submissions import prediction_file
from queries.export.table import Table
from tests.houses import QuickHouse
from tests.nasty import nasty
from tests.tables import facts, write_jsonl

_CASES = "formats/vlmevalkit/examples/outputs"
_MIXED = "formats/vlmevalkit/mixed600"


@pytest.fixture(scope="module")
def real(
    new_file: Path, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Warehouse, list[Path]]:
    """Every prediction file of the examples, and the first sixth of a large benchmark."""
    path = tmp_path_factory.mktemp("real") / "real.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    files = sorted((shared / _CASES).glob("*/*/*_EX.xlsx"))
    files += [shared / _MIXED / "synth-vlm-00_MMBench_SYN.xlsx"]
    files += [shared / _MIXED / f"synth-vlm-{n}_MMBench_SYN.tsv" for n in ("01", "02")]
    assert len(files) == 13
    house.ingest(*files)
    return house, files


def _cells(source: Path | bytes) -> pl.DataFrame:
    """A workbook as it stands, with a column that distinguishes numbers from texts."""
    content = io.BytesIO(source) if isinstance(source, bytes) else source
    frame = pl.read_excel(content, infer_schema_length=0, drop_empty_rows=False)
    if isinstance(content, io.BytesIO):
        content.seek(0)
    typed = pl.read_excel(content, drop_empty_rows=False)
    kinds = {f"{name}:kind": pl.lit(str(kind)) for name, kind in typed.schema.items()}
    return frame.with_columns(**kinds)


def _export(house: Warehouse, run_id: int, **choices: Any) -> Table:
    with house.reading() as con:
        return prediction_file(con, run_id, **choices)


def _runs_of(house: Warehouse, path: Path) -> list[int]:
    listed = house.runs().filter(pl.col("path") == str(path))
    return sorted(listed["run_id"].to_list())


def _command(house: Warehouse, *words: object) -> Any:
    return CliRunner().invoke(
        app, ["export", "vlmevalkit", "--db", str(house.path), *map(str, words)]
    )


# What came in.


@pytest.mark.slow
def test_what_came_in_goes_out_equal(real: tuple[Warehouse, list[Path]]) -> None:
    house, files = real
    for path in files:
        # One file may hold several splits, which are runs of their own: each gives the whole file.
        for run_id in _runs_of(house, path):
            made = _export(house, run_id)
            assert made.stem == path.stem
            if path.suffix == ".tsv":
                assert table.write(made, "tsv") == path.read_bytes(), path
                continue
            ours, theirs = _cells(table.write(made, "xlsx")), _cells(path)
            assert ours.columns == theirs.columns, path
            assert ours.equals(theirs), path
            records = json.loads(table.write(made, "json"))
            as_texts = [
                {k: v if k != "index" else str(v) for k, v in one.items()} for one in records
            ]
            assert as_texts == theirs.select(made.columns).to_dicts(), path


def test_after_the_question_files(
    make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path
) -> None:
    """Datasets that are known already have images too; and a folder of Parquet between changes nothing."""
    house = make_house("one")
    data = shared / "formats/vlmevalkit/examples/LMUData"
    house.ingest(*sorted(data.glob("*.tsv")))
    for name in ("judged-vlm_MMBench_EX", "judged-vlm_SEEDBench_EX", "judged-vlm_MMVet_EX"):
        path = shared / _CASES / "judged-vlm/T20260101-000000" / f"{name}.xlsx"
        house.ingest(path)
        (run_id, *_) = _runs_of(house, path)
        assert _cells(table.write(_export(house, run_id), "xlsx")).equals(_cells(path)), name
    with_image = tmp_path / "other-vlm_MMBench_EX.tsv"
    rows = pl.read_csv(data / "MMBench_EX.tsv", separator="\t", infer_schema=False)
    rows.with_columns(prediction=pl.lit("A")).write_csv(with_image, separator="\t")
    house.ingest(with_image)
    made = _export(house, _runs_of(house, with_image)[0])
    assert made.columns == tuple(name for name in [*rows.columns, "prediction"] if name != "image")
    assert "the column image is left out: the warehouse keeps a hash of each image" in made.notes


@pytest.mark.slow
@pytest.mark.parametrize("form", ["xlsx", "tsv", "json"])
def test_out_and_in_again(
    real: tuple[Warehouse, list[Path]],
    make_house: Callable[[str], Warehouse],
    tmp_path: Path,
    form: str,
) -> None:
    house, files = real
    again = make_house("again")
    chosen = [
        path for path in files if path.stem.startswith(("judged-", "missing-", "synth-vlm-01"))
    ]
    for path in chosen:
        # The folder's name is the run's label.
        label = path.parent.name if path.parent.name.startswith("T") else "."
        done = _command(house, _runs_of(house, path)[0], "--as", form, "-o", tmp_path / label)
        assert done.exit_code == 0, done.output
        assert str(tmp_path / label / f"{path.stem}.{form}") in done.output.replace("/./", "/")
    again.ingest(*sorted(tmp_path.rglob(f"*.{form}")))
    query = (
        "SELECT model, run, dataset, question_key, pass, c.text, prediction.text FROM current_run "
        "JOIN main.prediction USING (run_id) JOIN main.question USING (question_id) "
        "LEFT JOIN (SELECT question_id, pass, string_agg(label || text, '|' ORDER BY label) AS text "
        "FROM main.choice GROUP BY ALL) AS c USING (question_id, pass) "
        "WHERE model IN ('judged-vlm', 'missing-vlm', 'synth-vlm-01') ORDER BY ALL"
    )
    assert again.sql(query).rows() == house.sql(query).rows()
    hashes = (
        "SELECT dataset, content_hash, answer_hash, n_abilities FROM dataset_summary ORDER BY 1"
    )
    assert again.sql(hashes).rows() == house.sql(hashes).rows()


def test_reading_twice_with_an_older_evalhouse_between(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    """Columns are noted since lately: a source without them is the same source, and goes out too."""
    path = shared / _CASES / "rules-vlm/T20260101-000000/rules-vlm_MMBench_EX.xlsx"
    house.ingest(path)
    with house.writing() as con:
        con.execute("UPDATE main.source SET flags = json_merge_patch(flags, '{\"columns\": null}')")
        con.execute("DELETE FROM main.question_attribute WHERE name IN ('category', 'l2-category')")
    moved = tmp_path / "T20260101-000000"
    moved.mkdir()
    assert house.ingest(shutil.copy(path, moved))[0].already
    made = _export(house, 1)
    # Without a column that is empty in every row.
    wanted = _cells(path).select(pl.exclude("comment", "comment:kind"))
    assert _cells(table.write(made, "xlsx")).equals(wanted)
    assert any("the columns are VLMEvalKit's" in note for note in made.notes)


# What came from elsewhere.

_QUESTIONS = [
    {
        "question_key": "7",
        "pass": step,
        "question": "What?",
        "A": "cat",
        "B": "dog",
        "answer": "AB"[step],
        "hint": "look",
        "ability_l2": "coarse_perception",
        "ability_l3": "image_style",
    }
    for step in (0, 1)
]


def _other(house: Warehouse, folder: Path, texts: list[Any], **settings: Any) -> None:
    """A question of two passes, and what a model said to it."""
    questions = write_jsonl(folder / "q.jsonl", _QUESTIONS)
    house.ingest(questions, benchmark="MMBench", version="1.1", split="dev", language="en")
    said = [
        {"model": "lab/vlm", "question_key": "7", "pass": step, "prediction": text}
        for step, text in enumerate(texts)
    ]
    where = {"benchmark": "MMBench", "version": "1.1", "split": "dev", "language": "en"}
    house.ingest(write_jsonl(folder / "p.jsonl", said), **where, **settings)


def test_a_run_of_another_harness(house: Warehouse, tmp_path: Path) -> None:
    _other(house, tmp_path, ["A", None])
    made = _export(house, 1)
    assert made.stem == "lab_vlm_MMBench_DEV_EN_V11"
    assert [dict(zip(made.columns, row, strict=True)) for row in made.rows] == [
        {
            "index": 7,
            "question": "What?",
            "hint": "look",
            "A": "cat",
            "B": "dog",
            "answer": "A",
            "category": "image_style",
            "l2-category": "coarse_perception",
            "split": "dev",
            "prediction": "A",
        },
        {
            "index": 1_000_007,
            "question": "What?",
            "hint": "look",
            "A": "cat",
            "B": "dog",
            "answer": "B",
            "category": "image_style",
            "l2-category": "coarse_perception",
            "split": "dev",
            "prediction": None,
        },
    ]
    assert "the file's name cannot hold the model's name: read it back with --model" in made.notes
    # And back, into the warehouse that it came from: the same questions, and a run of the same answers.
    (tmp_path / f"{made.stem}.json").write_bytes(table.write(made, "json"))
    before = facts(house.path)
    house.ingest(tmp_path / f"{made.stem}.json", model="lab/vlm")
    assert house.sql("SELECT count(*), count(DISTINCT dataset) FROM current_run").row(0) == (2, 1)
    after = facts(house.path)
    for name in ("question", "choice", "answer", "question_pass", "dataset", "question_ability"):
        assert after[name] == before[name], name
    house.rename_run(1, model="vlm-2")
    assert _export(house, 1).stem == "vlm-2_MMBench_DEV_EN_V11"


def test_a_missing_pass_has_no_row(house: Warehouse, tmp_path: Path) -> None:
    _other(house, tmp_path, ["A"])
    made = _export(house, 1)
    assert len(made.rows) == 1
    assert "1 pass of the dataset has no answer, and so no row" in made.notes


# What a file cannot hold.


@pytest.mark.slow
@pytest.mark.parametrize("form", ["tsv", "json"])
def test_nasty_texts_in_tsv_and_json(
    make_house: Callable[[str], Warehouse], tmp_path: Path, form: str
) -> None:
    pick = random.Random(6)
    # JSON keeps the empty text; in a table it is the same as none.
    texts = [
        "x" * 40_000,
        "a\r\nb\rc\n",
        '"',
        "=1+1",
        "https://a.b/" + "c" * 3000,
        "None",
        "nan",
        "\x0b\x1f",
    ]
    texts += [text for text in (nasty(pick) for _ in range(120)) if text]
    house, again = make_house("one"), make_house("again")
    rows = [
        {"index": n, "question": f"Q {n}", "A": nasty(pick) or "a", "B": "b", "hint": nasty(pick), "prediction": text}
        for n, text in enumerate(texts)
    ]  # fmt: skip
    house.ingest(write_jsonl(tmp_path / "m_MMBench_X.jsonl", rows))
    made = _export(house, 1)
    folder = tmp_path / "out"
    assert _command(house, 1, "--as", form, "-o", folder).exit_code == 0
    if form == "tsv":
        content = (folder / f"{made.stem}.tsv").read_bytes().decode()
        csv.field_size_limit(10**6)
        read = list(csv.reader(io.StringIO(content, newline=""), delimiter="\t"))
        assert [row[-1] for row in read[1:]] == texts
    again.ingest(folder / f"{made.stem}.{form}", run="m_MMBench_X")
    query = (
        "SELECT question_key, text FROM main.prediction JOIN main.question AS q USING (question_id)"
    )
    query = query.replace("text", "prediction.text", 1) + " ORDER BY ALL"
    assert again.sql(query).rows() == house.sql(query).rows()
    choices = "SELECT * EXCLUDE (source_id) FROM main.choice ORDER BY ALL"
    assert again.sql(choices).rows() == house.sql(choices).rows()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x" * 32_768, r"has 32,768 characters, and a cell of a workbook takes 32,767"),
        ("🐈" * 16_384, r"has 32,768 characters, and a cell of a workbook takes 32,767"),
        ("a\rb", r"has the control character U\+000D, which a workbook loses"),
        ("a\x01b", r"has the control character U\+0001, which a workbook loses"),
        ("a\uffffb", r"has the control character U\+FFFF, which a workbook loses"),
    ],
)
def test_a_workbook_that_would_lose_a_text(
    house: Warehouse, tmp_path: Path, text: str, problem: str
) -> None:
    _other(house, tmp_path, ["A", text])
    folder = tmp_path / "out"
    place = r"lab_vlm_MMBench_DEV_EN_V11\.xlsx, row 2 \(index 1000007\), field prediction: "
    refused = _command(house, 1, "-o", folder)
    assert isinstance(refused.exception, UsageError)
    assert not folder.exists()
    with pytest.raises(UsageError, match=f"^{place}{problem}; --as tsv keeps it$"):
        table.write(_export(house, 1), "xlsx")
    assert _command(house, 1, "--as", "json", "-o", folder).exit_code == 0
    (path,) = folder.iterdir()
    assert json.loads(path.read_text("utf-8"))[1]["prediction"] == text


def test_what_a_workbook_holds_after_all(
    make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    """Links, formulas and numbers are written as the texts that they are."""
    texts = [
        "http://a.b/c",
        "https://" + "x" * 3000,
        "mailto:a@b",
        "file:///c",
        "=1+1",
        "1.0",
        "TRUE",
        "_x000D_",
        " a\n\tb ",
        "x" * 32_767,
        "#N/A",
        "'a",
    ]
    rows = [
        {"index": n, "question": "Q", "A": "a", "B": "b", "hint": "h", "prediction": text}
        for n, text in enumerate(texts)
    ]
    house, again = make_house("one"), make_house("again")
    house.ingest(write_jsonl(tmp_path / "m_MMBench_X.jsonl", rows))
    done = _command(house, 1, "-o", tmp_path)
    assert "1 cell is words such as None or nan" in done.output
    again.ingest(tmp_path / "m_MMBench_X.xlsx")
    query = "SELECT p.text FROM main.prediction AS p ORDER BY p.question_id"
    assert again.sql(query)["text"].to_list() == texts


# What cannot go out.


def test_runs_that_cannot_be_written(house: Warehouse, tmp_path: Path) -> None:
    _other(house, tmp_path, ["A", "B"])
    with pytest.raises(UsageError, match=r"^there is no run 9; `evalhouse runs` lists them$"):
        _export(house, 9)
    with pytest.raises(UsageError, match=r"^run 1 has no sample 3; there are 0$"):
        _export(house, 1, sample=3)
    with pytest.raises(UsageError, match="no release 'mine': neither"):
        _export(house, 1, release="mine")
    assert isinstance(_command(house, 1, "--as", "csv").exception, UsageError)
    assert isinstance(_command(house, 1, "--release", "mine").exception, UsageError)
    house.retract_run(1)
    with pytest.raises(UsageError, match=r"^run 1 is superseded or retracted: it is out of every"):
        _export(house, 1)


def test_runs_without_answers_in_words(house: Warehouse, tmp_path: Path) -> None:
    _other(house, tmp_path, ["A", "B"])
    scores = [
        {"model": "m", "question_key": "7", "pass": 0, "label": label, "score": -1.0}
        for label in "AB"
    ]
    where = {"benchmark": "MMBench", "version": "1.1", "split": "dev", "language": "en"}
    house.ingest(
        write_jsonl(tmp_path / "s.jsonl", scores),
        method="loglik",
        reduction="sum",
        scored="content",
        **where,
    )
    with pytest.raises(
        UsageError, match=r"^run 2 ranked the choices by loglik and has no answers in"
    ):
        _export(house, 2)
    with house.writing() as con:
        con.execute("DELETE FROM main.prediction WHERE run_id = 1")
    with pytest.raises(
        UsageError, match=r"^run 1 has no answer to any question of MMBench/1.1/dev/en"
    ):
        _export(house, 1)


def test_several_answers_to_each_question(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(write_jsonl(tmp_path / "q.jsonl", _QUESTIONS), benchmark="Own")
    said = [
        {"model": "m", "question_key": "7", "pass": 0, "sample": sample, "prediction": text}
        for sample, text in enumerate(("A", "B"))
    ]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", said), benchmark="Own")
    with pytest.raises(
        UsageError, match=r"^run 1 answered each question 2 times.*say --sample 0, 1$"
    ):
        _export(house, 1)
    assert [row[-1] for row in _export(house, 1, sample=1).rows] == ["B"]


def test_keys_that_give_no_index(house: Warehouse, tmp_path: Path) -> None:
    questions = [row | {"question_key": "q7"} for row in _QUESTIONS]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", questions), benchmark="Own")
    said = [
        {"model": "m", "question_key": "q7", "pass": step, "prediction": "A"} for step in (0, 1)
    ]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", said[:1]), benchmark="Own")
    assert _export(house, 1).rows[0][0] == "q7"
    house.ingest(write_jsonl(tmp_path / "p2.jsonl", said), benchmark="Own")
    with pytest.raises(UsageError, match=r"^pass 1 of question q7 has no index"):
        _export(house, 2)


def test_files_that_say_something_else_stay(house: Warehouse, tmp_path: Path) -> None:
    _other(house, tmp_path, ["A", "B"])
    path = tmp_path / "lab_vlm_MMBench_DEV_EN_V11.tsv"
    path.write_text("mine", "utf-8")
    refused = _command(house, 1, "--as", "tsv", "-o", tmp_path)
    assert "is there with other content; --overwrite replaces it" in str(refused.exception)
    assert path.read_text("utf-8") == "mine"
    for words in (["--overwrite"], []):
        done = _command(house, 1, "--as", "tsv", "-o", tmp_path, *words)
        assert done.exit_code == 0, done.output
    assert _command(house, 1, "-o", path).exit_code != 0
