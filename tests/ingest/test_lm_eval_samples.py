"""lm-evaluation-harness's samples: its figures from our views, filters as runs, and bad input."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalhouse import InputError, UsageError, Warehouse
from ingest import record_choices
from ingest.readers import lm_eval
from ingest.reading.head import Head
from tests.houses import QuickHouse
from tests.tables import facts, write_jsonl

_TIME = "2026-11-21T21-02-06.164606"


def _folder(shared: Path) -> Path:
    return shared / "formats/lm_eval_out/acme__model-A"


def _samples(shared: Path, task: str) -> Path:
    return _folder(shared) / f"samples_{task}_{_TIME}.jsonl"


def _records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def loaded(new_file: Path, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Both tasks, of a benchmark that their names do not contain."""
    path = tmp_path_factory.mktemp("lm_eval") / "lm_eval.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    tasks = ("seedlike_gen", "seedlike_ppl")
    house.ingest(*(_samples(shared, task) for task in tasks), benchmark="SEED-Bench")
    return house


def test_every_figure_of_the_results_file(loaded: Warehouse, shared: Path) -> None:
    """No exception: every figure is equal."""
    results = json.loads((_folder(shared) / f"results_{_TIME}.json").read_text("utf-8"))["results"]
    stated = {
        (task, metric): value
        for task, figures in results.items()
        for metric, value in figures.items()
        if isinstance(value, float)
    }
    ours: dict[tuple[str, str], float] = {}
    rows = loaded.sql(
        "SELECT run, score, stderr FROM ability_score WHERE level = 'overall' AND average = 'micro' "
        "AND strategy = 'vanilla' AND judge = 'none'"
    ).rows()
    for run, score, stderr in rows:
        way = run.removeprefix(f"{_TIME}_seedlike_")
        if way == "ppl":
            ours["seedlike_ppl", "acc,none"] = score
            ours["seedlike_ppl", "acc_stderr,none"] = stderr
        elif way != "gen_unfiltered":
            name = way.removeprefix("gen_")
            ours["seedlike_gen", f"exact_match,{name}"] = score
            ours["seedlike_gen", f"exact_match_stderr,{name}"] = stderr
    mean, error = loaded.sql(
        "SELECT avg(score_per_character), stddev_samp(score_per_character) / sqrt(count(*)) "
        "FROM length_ranking"
    ).row(0)
    ours["seedlike_ppl", "acc_norm,none"] = mean
    ours["seedlike_ppl", "acc_norm_stderr,none"] = error
    assert len(stated) == 8
    assert ours == pytest.approx(stated, abs=1e-12)


def test_each_filter_is_a_run(loaded: Warehouse) -> None:
    rows = loaded.sql(
        "SELECT r.run, r.model, r.method, r.reduction, r.scored, r.is_latest, "
        "CAST(r.produced_at AS VARCHAR) AS at, count(p.text) AS n, min(p.text) AS said "
        "FROM current_run AS r LEFT JOIN main.prediction AS p USING (run_id) "
        "GROUP BY ALL ORDER BY min(r.run_id)"
    ).rows()
    model, at = "acme/model-A", "2026-11-21 21:02:05"
    start = f"{_TIME}_seedlike_"
    assert rows == [
        # Two answers to each question, of which the filters keep one; none is the latest run.
        (f"{start}gen_unfiltered", model, "generation", None, None, False, at, 24, "lol"),
        (f"{start}gen_strict", model, "generation", None, None, False, at, 12, "[invalid]"),
        (f"{start}gen_raw", model, "generation", None, None, False, at, 12, "lol"),
        (f"{start}ppl", model, "loglik", "sum", "content", True, at, 0, None),
    ]
    # Three runs of the same questions do not make them three times.
    assert loaded.sql("SELECT count(*) FROM main.question_pass").item() == 12
    assert loaded.sql("SELECT count(*) FROM main.choice").item() == 48


def test_likelihoods_and_questions_are_the_files(loaded: Warehouse, shared: Path) -> None:
    for record in _records(_samples(shared, "seedlike_ppl")):
        doc = record["doc"]
        rows = loaded.sql(
            "SELECT q.text, c.label, c.text, s.score, a.label FROM main.question AS q "
            "JOIN main.choice AS c USING (question_id) "
            "JOIN main.choice_score AS s ON s.question_id = q.question_id AND s.label = c.label "
            "JOIN main.answer AS a ON a.question_id = q.question_id "
            f"WHERE q.question_key = '{doc['question_id']}' ORDER BY c.label"
        ).rows()
        assert rows == [
            (doc["question"], label, doc[f"choice_{label.lower()}"], float(one[0]), doc["answer"])
            for label, one in zip("ABCD", record["filtered_resps"], strict=True)
        ]
    kinds = loaded.sql("SELECT name, value, count(*) FROM main.question_attribute GROUP BY ALL")
    assert kinds.rows() == [("data_type", "image", 12)]
    dimensions = loaded.sql("SELECT count(DISTINCT ability_id) FROM main.question_ability").item()
    assert dimensions == len(
        {one["doc"]["question_type_id"] for one in _records(_samples(shared, "seedlike_ppl"))}
    )


def test_the_same_again_and_other_content(loaded: Warehouse, shared: Path, tmp_path: Path) -> None:
    path = tmp_path / "again.duckdb"
    shutil.copy(loaded.path, path)
    house, before = QuickHouse(path), facts(path)
    for task in ("seedlike_ppl", "seedlike_gen"):
        (report,) = house.ingest(_samples(shared, task), benchmark="SEED-Bench")
        assert report.already
    assert facts(path) == before
    changed = _copy(shared, tmp_path, "seedlike_gen")
    _change(changed, 1, lambda one: one.update(filtered_resps=["A"]))
    with pytest.raises(InputError, match=r"there is a run 2026.*_seedlike_gen_unfiltered of acme/model-A"):  # fmt: skip
        house.ingest(changed, benchmark="SEED-Bench")
    assert facts(path) == before
    house.ingest(changed, benchmark="SEED-Bench", run="mine")
    labels = house.sql("SELECT run FROM current_run WHERE run LIKE 'mine%' ORDER BY run_id")
    assert labels.to_series().to_list() == ["mine_unfiltered", "mine_strict", "mine_raw"]
    house.ingest(changed, benchmark="SEED-Bench", replace=True)
    gone = house.sql("SELECT count(*) FROM main.run WHERE superseded_by IS NOT NULL").item()
    assert gone == 3


@pytest.mark.parametrize("task", ["seedlike_gen", "seedlike_ppl"])
def test_the_same_answers_in_other_bytes_are_the_same_run(
    loaded: Warehouse, shared: Path, tmp_path: Path, task: str
) -> None:
    path = tmp_path / "bytes.duckdb"
    shutil.copy(loaded.path, path)
    house, before = QuickHouse(path), facts(path)
    copy = _copy(shared, tmp_path, task)
    copy.write_text("".join(f"{line} \n" for line in copy.read_text("utf-8").splitlines()), "utf-8")
    (report,) = house.ingest(copy, benchmark="SEED-Bench")
    assert report.already
    assert facts(path) == before


# Other forms of records and requests, as its own tasks write them.


def _line(number: int, doc: dict[str, Any], target: str, **more: Any) -> dict[str, Any]:
    return {"doc_id": number, "doc": doc, "target": target, "doc_hash": "x", **more}


def _ranked(
    number: int, doc: dict[str, Any], target: str, scores: dict[str, float], prompt: str = "Q:"
) -> dict[str, Any]:
    pairs = [[str(value), "False"] for value in scores.values()]
    return _line(
        number,
        doc,
        target,
        arguments={
            f"gen_args_{n}": {"arg_0": prompt, "arg_1": f" {text}"} for n, text in enumerate(scores)
        },
        resps=[[pair] for pair in pairs],
        filtered_resps=pairs,
        filter="none",
    )


def _said(
    number: int, doc: dict[str, Any], target: str, text: str, prompt: str = "Q:"
) -> dict[str, Any]:
    return _line(
        number,
        doc,
        target,
        arguments={"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"]}}},
        resps=[[text]],
        filtered_resps=[text],
        filter="none",
    )


def _write(folder: Path, task: str, records: list[dict[str, Any]]) -> Path:
    folder = folder / "acme__model-A"
    folder.mkdir(exist_ok=True)
    return write_jsonl(folder / f"samples_{task}_{_TIME}.jsonl", records)


def _passes(house: Warehouse) -> list[tuple[Any, ...]]:
    return house.sql(
        "SELECT question_key, pass, predicted, answer, score FROM pass_result "
        "WHERE judge = 'none' ORDER BY ALL"
    ).rows()


def test_choices_as_a_list_with_labels(house: Warehouse, tmp_path: Path) -> None:
    doc = {
        "id": "q1",
        "question": "Which?",
        "choices": {"text": ["cat", "dog"], "label": ["A", "B"]},
        "answerKey": "B",
    }
    house.ingest(
        _write(tmp_path, "arc", [_ranked(0, doc, "1", {"cat": -2, "dog": -1.5})]), benchmark="Arc"
    )
    assert _passes(house) == [("q1", 0, "B", "B", 1.0)]


_NUMBERS = ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("doc", "target", "answer"),
    [
        # The text of A and the place of B; the record's letter, or its text by another name, decides.
        ({"choices": _NUMBERS, "answer": "A"}, "1", "A"),
        ({"choices": _NUMBERS, "answer": "B"}, "1", "B"),
        ({"choices": _NUMBERS, "answerKey": "A"}, "1", "A"),
        ({"choices": {"text": _NUMBERS, "label": ["A", "B", "C", "D"]}, "answerKey": "B"}, "1", "B"),
        # Labels of the record's own.
        ({"choices": {"text": ["9", "8", "1", "0"], "label": ["1", "2", "3", "4"]}, "answerKey": "3"}, "2", "C"),
        ({"choices": {"text": ["2", "8", "1", "0"], "label": ["1", "2", "3", "4"]}, "answerKey": "3"}, "2", "C"),
        # Where choices are texts, a number is a place (MMLU).
        ({"choices": _NUMBERS, "answer": 1}, "1", "B"),
        # No doubt: nothing is called so, or place and text are one.
        ({"choices": _NUMBERS}, "0", "A"),
        ({"choices": _NUMBERS}, "4", "D"),
        ({"choices": ["0", "1", "2"]}, "1", "B"),
        ({"choices": ["3", "1", "1"]}, "1", "B"),
        ({"choices": _NUMBERS}, "C", "C"),
        ({"choices": _NUMBERS, "answer": "4"}, "", "D"),
    ],
)  # fmt: skip
def test_numbers_as_choices(doc: dict[str, Any], target: str, answer: str) -> None:
    choices = record_choices.choices_of(doc)
    assert record_choices.answer_of(doc, target, choices) == answer


@pytest.mark.parametrize(
    ("doc", "target"),
    [
        ({"choices": _NUMBERS}, "1"),
        ({"choices": _NUMBERS, "answer": "1"}, "1"),
        # It says neither of both, or is a number among numbers.
        ({"choices": _NUMBERS, "answer": "D"}, "1"),
        ({"choices": [1, 2, 3, 4], "answer": 1}, "1"),
        ({"choices": _NUMBERS, "answer": "2"}, ""),
        ({"choices": ["5", "0", "6", "0"]}, "0"),
    ],
)
def test_a_number_that_could_be_two_choices(doc: dict[str, Any], target: str) -> None:
    with pytest.raises(record_choices.NotRead, match="may be the place of choice") as caught:
        record_choices.answer_of(doc, target, record_choices.choices_of(doc))
    assert caught.value.field == "target"


def test_a_file_with_a_number_that_could_be_two_choices(house: Warehouse, tmp_path: Path) -> None:
    doc = {"id": 1, "question": "?", "choices": _NUMBERS}
    said = dict.fromkeys(_NUMBERS, -1.0)
    with pytest.raises(
        InputError, match="row 1, field target: '1' may be the place of choice B or"
    ):
        house.ingest(_write(tmp_path, "own", [_ranked(0, doc, "1", said)]), benchmark="Own")
    house.ingest(_write(tmp_path, "own", [_ranked(0, doc | {"answer": "A"}, "1", said)]), benchmark="Own")  # fmt: skip
    assert house.sql("SELECT DISTINCT answer FROM pass_result").item() == "A"


def test_choices_that_only_the_requests_tell(house: Warehouse, tmp_path: Path) -> None:
    """Also with the unconditional likelihoods behind them, which acc_mutual_info needs."""
    record = _ranked(
        7, {"passage": "P"}, "no", {"yes": -1, "no": -2, "maybe": -math.inf}, "P. True?"
    )
    record["arguments"] |= {
        f"gen_args_{n + 3}": {"arg_0": "", "arg_1": f" {text}"}
        for n, text in enumerate(("yes", "no", "maybe"))
    }
    record["filtered_resps"] += [["-9", "False"]] * 3
    house.ingest(_write(tmp_path, "boolq", [record]), benchmark="BoolQ")
    assert _passes(house) == [("7", 0, "A", "B", 0.0)]
    assert house.sql("SELECT text FROM main.question").item() == "P. True?"
    assert house.sql("SELECT list(text ORDER BY label) FROM main.choice").item().to_list() == [
        "yes",
        "no",
        "maybe",
    ]
    assert house.sql("SELECT min(score) FROM main.choice_score").item() == -math.inf


def test_letters_that_were_scored(house: Warehouse, tmp_path: Path) -> None:
    """MMBench's records: the pass is in the index, nan is no choice."""
    options = [("cat", "dog", "emu"), ("dog", "emu", "cat"), ("emu", "cat", "dog")]
    records = [
        _ranked(
            step,
            {
                "index": 5 + step * 1_000_000,
                "question": "Which?",
                "answer": "ACB"[step],
                "category": "ocr",
                "L2-category": "finegrained_perception (instance-level)",
            }
            | dict(zip("ABC", texts, strict=True))
            | {"D": "nan"},
            "ACB"[step],
            {"A": -1.0, "B": -2.0, "C": -3.0},
        )
        for step, texts in enumerate(options)
    ]
    house.ingest(_write(tmp_path, "mmbench_en_dev_ppl", records))
    assert house.sql("SELECT dataset, run, scored FROM current_run").rows() == [
        ("MMBench/dev/en", f"{_TIME}_mmbench_en_dev_ppl", "letter")
    ]
    assert _passes(house) == [("5", 0, "A", "A", 1.0), ("5", 1, "A", "C", 0.0), ("5", 2, "A", "B", 0.0)]  # fmt: skip
    # What is scored is a letter, so that its length says nothing.
    assert house.sql("SELECT count(*) FROM length_ranking").item() == 0


def test_length_is_in_characters_or_in_bytes(house: Warehouse, tmp_path: Path) -> None:
    doc = {"id": 1, "question": "?", "choices": ["ééé", "abcd", "x"]}
    house.ingest(
        _write(tmp_path, "own", [_ranked(0, doc, "0", {"ééé": -4.5, "abcd": -4.0, "x": -1.9})]),
        benchmark="Own",
    )
    row = house.sql(
        "SELECT picked, picked_per_character, picked_per_byte, score, score_per_character, "
        "score_per_byte FROM length_ranking"
    ).row(0)
    # -1.9 in all; -1.5, -1, -1.9 per character; -0.75, -1, -1.9 per byte.
    assert row == ("C", "B", "A", 0.0, 0.0, 1.0)


def test_questions_that_are_answered_in_words(house: Warehouse, tmp_path: Path) -> None:
    records = [
        _said(0, {"question": "1 + 1?"}, "2", " 2. "),
        _said(1, {"question": "Name a colour."}, "['red', 'blue']", "Blue"),
    ]
    house.ingest(_write(tmp_path, "sums", records), benchmark="Sums")
    rows = house.sql("SELECT question_key, score, n_references FROM exact_match ORDER BY 1").rows()
    assert rows == [("0", 1.0, 1), ("1", 1.0, 2)]
    assert house.sql("SELECT list(text ORDER BY text) FROM main.prediction").item().to_list() == [
        " 2. ",
        "Blue",
    ]
    # The only filter leaves everything as it is: one run, without a filter's name.
    assert house.sql("SELECT run FROM current_run").to_series().to_list() == [f"{_TIME}_sums"]


def test_a_results_file_holds_no_answers(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    results = _folder(shared) / f"results_{_TIME}.json"
    content = json.loads(results.read_text("utf-8")) | {"results": {"seedlike_gen": {"alias": "x"}}}
    bare = tmp_path / "bare" / results.name
    bare.parent.mkdir()
    bare.write_text(json.dumps(content), "utf-8")
    with pytest.raises(InputError) as caught:
        house.ingest(bare)
    assert (
        "holds no answers: it is a results file of lm-evaluation-harness, figures and settings of seedlike_gen"
        in str(caught.value)
    )
    # It may have a name of the user's own, which the samples do not.
    path = _copy(shared, tmp_path, "seedlike_gen")
    own = path.with_name(f"mine_{_TIME}.json")
    path.with_name(results.name).rename(own)
    seen = lm_eval.recognise(Head(own))
    assert seen is not None
    assert seen.are_figures
    (report,) = house.ingest(path, benchmark="SEED-Bench")
    assert f"model acme/model-A (the file {own.name})" in report.inferred


def test_a_missing_results_file_is_told(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    path = _copy(shared, tmp_path, "seedlike_gen")
    path.with_name(f"results_{_TIME}.json").unlink()
    (report,) = house.ingest(path, benchmark="SEED-Bench")
    assert "model acme/model-A (the folder's name)" in report.inferred
    assert f"there is no results_{_TIME}.json next to it, so its settings are not known" in report.notes  # fmt: skip


# Bad input.


def _copy(shared: Path, folder: Path, task: str) -> Path:
    target = folder / "acme__model-A"
    target.mkdir(exist_ok=True)
    shutil.copy(_folder(shared) / f"results_{_TIME}.json", target)
    return Path(shutil.copy(_samples(shared, task), target))


def _change(path: Path, row: int, change: Callable[[dict[str, Any]], object]) -> None:
    records = _records(path)
    change(records[row - 1])
    write_jsonl(path, records)


def _likelihood(path: Path, row: int, value: str) -> None:
    _change(path, row, lambda one: one["filtered_resps"].__setitem__(2, [value, "False"]))


_GEN, _PPL = "seedlike_gen", "seedlike_ppl"
_BAD: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "cut in half": (
        _GEN,
        lambda path: path.write_bytes(path.read_bytes()[:-400]),
        "row 24: not valid JSON, or cut off",
    ),
    "two models": (
        _GEN,
        lambda path: path.write_text(2 * path.read_text("utf-8"), "utf-8"),
        f"row 25, field doc_id: is one more than the 12 documents that results_{_TIME}.json lists "
        "for seedlike_gen",
    ),
    "a document twice under a filter": (
        _GEN,
        lambda path: write_jsonl(path, [*_records(path)[:23], _records(path)[12]]),
        "row 24, field doc: question 101000, pass 0 stands in rows 13 and 24 with the same value",
    ),
    "a document twice": (
        _PPL,
        lambda path: write_jsonl(path, [*_records(path)[:11], _records(path)[0]]),
        "row 12, field doc: question 101000, pass 0 stands in rows 1 and 12 with the same value",
    ),
    "no number": (
        _PPL,
        lambda path: _likelihood(path, 3, "low"),
        "row 3, field filtered_resps: 'low' is no finite number",
    ),
    "not a number": (
        _PPL,
        lambda path: _likelihood(path, 3, "nan"),
        "row 3, field filtered_resps: 'nan' is no finite number",
    ),
    "a likelihood above all": (
        _PPL,
        lambda path: _likelihood(path, 3, "inf"),
        "row 3, field filtered_resps: 'inf' is no finite number",
    ),
    "a likelihood missing": (
        _PPL,
        lambda path: _change(path, 2, lambda one: one["filtered_resps"].pop()),
        "row 2, field filtered_resps: has 3 likelihoods for 4 continuations",
    ),
    "a continuation of another question": (
        _PPL,
        lambda path: _change(
            path, 2, lambda one: one["arguments"]["gen_args_1"].update(arg_1=" emu")
        ),
        "row 2, field arguments: 'emu' is none of the choices of question 101001",
    ),
    "a target that is no choice": (
        _GEN,
        lambda path: _change(
            path, 4, lambda one: (one.update(target="F"), one["doc"].pop("answer"))
        ),
        "row 4, field target: 'F' is none of the choices (A, B, C, D)",
    ),
    "no document": (
        _GEN,
        lambda path: _change(path, 5, lambda one: one.update(doc="x")),
        "row 5, field doc: is no object",
    ),
    "no filter": (
        _GEN,
        lambda path: _change(path, 5, lambda one: one.update(filter=None)),
        "row 5, field filter: is empty",
    ),
    "no request": (
        _GEN,
        lambda path: _change(path, 5, lambda one: one.update(arguments={})),
        "row 5, field arguments: holds no request",
    ),
    "another kind of request": (
        _GEN,
        lambda path: _change(
            path, 5, lambda one: one["arguments"].update(gen_args_0={"arg_0": "x"})
        ),
        "row 5, field arguments: is neither a prompt with a continuation nor a prompt with settings",
    ),
    "no response": (
        _GEN,
        lambda path: _change(path, 5, lambda one: one.update(resps=None)),
        "row 5, field resps: is neither a text nor a list of texts",
    ),
}


@pytest.fixture(scope="module")
def bare(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """An empty warehouse in which nothing succeeds."""
    path = tmp_path_factory.mktemp("bare") / "bare.duckdb"
    shutil.copy(new_file, path)
    return QuickHouse(path)


@pytest.mark.parametrize("name", _BAD)
def test_bad_input(bare: Warehouse, shared: Path, tmp_path: Path, name: str) -> None:
    task, spoil, message = _BAD[name]
    path = _copy(shared, tmp_path, task)
    spoil(path)
    with pytest.raises(InputError) as caught:
        bare.ingest(path, benchmark="SEED-Bench")
    assert message in str(caught.value)
    assert bare.sql("SELECT count(*) FROM main.source").item() == 0


def test_an_unknown_task(bare: Warehouse, house: Warehouse, shared: Path) -> None:
    """It is a benchmark of its own, also where the warehouse has one: nothing says that it is of that."""
    house.ingest(_samples(shared, _PPL), benchmark="SEED-Bench")
    house.ingest(_samples(shared, _GEN))
    found = house.sql(
        "SELECT DISTINCT benchmark, dataset FROM current_run WHERE run LIKE '%seedlike_gen%'"
    )
    assert found.rows() == [("seedlike_gen", "seedlike_gen")]
    assert house.sql("SELECT strategy FROM main.benchmark WHERE name = 'seedlike_gen'").item() == "vanilla"  # fmt: skip
    with pytest.raises(UsageError, match="--method clip is for choice scores"):
        bare.ingest(_samples(shared, _PPL), benchmark="SEED-Bench", method="clip")


def test_tasks_with_names_that_begin_alike_are_apart_in_any_order(
    make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path
) -> None:
    path = _samples(shared, _GEN)
    names = ("colours", "colours_cot", "colours_hard_2")
    paths = []
    for name in names:
        paths.append(tmp_path / "model" / path.name.replace("seedlike_gen", name))
        paths[-1].parent.mkdir(exist_ok=True)
        shutil.copy(path, paths[-1])
    for n, order in enumerate((paths, paths[::-1])):
        house = make_house(f"order{n}")
        for one in order:
            house.ingest(one)
        assert house.sql(
            "SELECT DISTINCT dataset FROM current_run ORDER BY 1"
        ).to_series().to_list() == [*names]


def test_a_document_twice_where_the_last_counts(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    path = _copy(shared, tmp_path, _GEN)
    records = _records(path)
    twice = [{**one, "filtered_resps": ["D"]} for one in (records[0], records[12])]
    write_jsonl(path, [*records[:12], twice[0], *records[12:], twice[1]])
    house.ingest(path, benchmark="SEED-Bench", on_duplicate="last")
    rows = house.sql(
        "SELECT r.run, count(*), count(*) FILTER (p.text = 'D') FROM main.prediction AS p JOIN "
        "current_run AS r USING (run_id) GROUP BY 1 ORDER BY 1"
    ).rows()
    start = f"{_TIME}_seedlike_gen_"
    assert rows == [(f"{start}raw", 12, 1), (f"{start}strict", 12, 1), (f"{start}unfiltered", 24, 0)]  # fmt: skip


def test_files_of_earlier_warehouses_are_there_already(
    loaded: Warehouse, shared: Path, tmp_path: Path
) -> None:
    """Warehouses of before the reader know its files by these names and versions."""
    path = tmp_path / "earlier.duckdb"
    shutil.copy(loaded.path, path)
    house = QuickHouse(path)
    figures = _folder(shared) / f"results_{_TIME}.json"
    house.ingest(figures)
    known = house.sql(
        "SELECT DISTINCT format, adapter_version FROM main.source WHERE format LIKE 'lm_eval%' ORDER BY 1"
    )
    assert known.rows() == [("lm_eval_figures", 2), ("lm_eval_samples", 2)]
    before = facts(path)
    (report,) = house.ingest(figures)
    assert report.already
    assert facts(path) == before
    with pytest.raises(
        InputError, match="is no file of the format lm_eval_samples: lm-evaluation-harness"
    ):
        house.ingest(figures, format="lm_eval_samples")


@pytest.mark.parametrize(
    ("name", "field"), [("category", "doc.category"), ("L2-Category", "L2-Category")]
)
def test_a_category_that_the_benchmark_lacks_is_refused(
    house: Warehouse, shared: Path, tmp_path: Path, name: str, field: str
) -> None:
    path = _copy(shared, tmp_path, _GEN)
    records = _records(path)
    for one in records:
        one["doc"].pop("question_type_id")
    records[0]["doc"][name] = "nonsense"
    write_jsonl(path, records)
    with pytest.raises(InputError, match="unknown category 'nonsense': it is no ability") as caught:
        house.ingest(path, benchmark="MMBench")
    assert (caught.value.row, caught.value.field) == (1, field)


def test_half_a_character_is_named_with_its_row(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    path = _copy(shared, tmp_path, _GEN)
    records = _records(path)
    records[2]["doc"]["question"] = "\ud800"
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    with pytest.raises(InputError, match="can't encode character") as caught:
        house.ingest(path, benchmark="SEED-Bench")
    assert caught.value.row == 3
