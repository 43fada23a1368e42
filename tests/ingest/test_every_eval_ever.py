"""Every Eval Ever: what goes out fits the schema and comes in equal; what others write; what is refused."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from typer.testing import CliRunner

from evalhouse import InputError, UsageError, Warehouse
from evalhouse.cli import app
from ingest.readers import eee_scores
from queries.eee_export import Publisher, eee_files
from tests.houses import QuickHouse
from tests.tables import facts, write_jsonl

_FIELDS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("every_eval_ever.toml").read_text("utf-8")
)
_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}
"""Those of the package every-eval-ever 0.3.0 (MIT), which itself needs a newer Python."""

# Everything that is known of questions and runs, without numbers that a warehouse gives on its own.
_SAME = (
    "SELECT d.name, d.version, d.split, d.language, b.name, b.task FROM main.dataset AS d "
    "JOIN main.benchmark AS b USING (benchmark_id)",
    "SELECT d.name, question_key, text FROM main.question JOIN main.dataset AS d USING (dataset_id)",
    "SELECT question_key, pass FROM main.question_pass JOIN main.question USING (question_id)",
    "SELECT question_key, c.pass, label, ordinal, c.text FROM main.choice AS c "
    "JOIN main.question USING (question_id)",
    "SELECT question_key, pass, label FROM main.answer JOIN main.question USING (question_id) "
    "WHERE superseded_by IS NULL",
    "SELECT question_key, ordinal, r.text FROM main.reference_answer AS r "
    "JOIN main.question USING (question_id)",
    "SELECT question_key, name, value FROM main.question_attribute "
    "JOIN main.question USING (question_id)",
    "SELECT question_key, ordinal, sha256 FROM main.question_image JOIN main.question USING (question_id)",
    "SELECT question_key, component FROM main.question_component JOIN main.question USING (question_id)",
    "SELECT question_key, a.level, a.name, p.name FROM main.question_ability "
    "JOIN main.question USING (question_id) JOIN main.ability AS a USING (ability_id) "
    "LEFT JOIN main.ability AS p ON a.parent_id = p.ability_id",
    "SELECT m.name, d.name, label, harness, method, reduction, scored, produced_at FROM main.run "
    "JOIN main.model AS m USING (model_id) JOIN main.dataset AS d USING (dataset_id)",
    "SELECT m.name, label, sample FROM main.run_sample JOIN main.run USING (run_id) "
    "JOIN main.model AS m USING (model_id)",
    "SELECT m.name, label, question_key, p.pass, p.sample, p.text, p.failed FROM main.prediction AS p "
    "JOIN main.run USING (run_id) JOIN main.model AS m USING (model_id) "
    "JOIN main.question USING (question_id)",
    "SELECT m.name, run.label, question_key, s.pass, s.sample, component, s.label, score, n_tokens, scorer "
    "FROM main.choice_score AS s JOIN main.run USING (run_id) JOIN main.model AS m USING (model_id) "
    "JOIN main.question USING (question_id)",
)


def _export(house: Warehouse, folder: Path, *more: str) -> list[Path]:
    done = CliRunner().invoke(
        app, ["export", "eee", "--out", str(folder), "--db", str(house.path), *more]
    )
    assert done.exit_code == 0, done.output
    return sorted(folder.rglob("*_samples.jsonl"))


def _records(path: Path) -> list[dict[str, Any]]:
    # As the package's own reader cuts a file, at every line end of Unicode.
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _require_fields(value: object, kind: str, path: str = "") -> None:
    """Every field is known, of its type and among its words, and none that has to be there is absent."""
    fields = _FIELDS[kind]
    if path:
        types, *words = fields[path].split()
        named = types.removesuffix("!").split("|")
        assert any(isinstance(value, _TYPES[name]) for name in named), (path, value)
        assert "boolean" in named or not isinstance(value, bool), (path, value)
        assert not words or value is None or value in words, (path, value)
    for member in value if isinstance(value, list) and f"{path}[]" in fields else ():
        _require_fields(member, kind, f"{path}[]")
    if not isinstance(value, dict):
        return
    below = f"{path}." if path else ""
    known = {name.removeprefix(below) for name in fields if name.startswith(below)}
    known = {name for name in known if not set(name) & set(".[")}
    absent = {name for name in known if fields[below + name].split()[0].endswith("!")} - set(value)
    assert not absent, (path, absent)
    for name in value if known else ():
        _require_fields(value[name], kind, below + name)


def _require_valid(samples: Path) -> dict[str, Any]:
    """Both files against the format's fields, and against each other as the package's validator does."""
    aggregate = json.loads(
        samples.with_name(samples.name.replace("_samples.jsonl", ".json")).read_text()
    )
    _require_fields(aggregate, "aggregate")
    records = _records(samples)
    for record in records:
        _require_fields(record, "record")
        assert (record["interaction_type"] == "single_turn") == (record.get("messages") is None)
        assert (record["interaction_type"] == "single_turn") == (record.get("output") is not None)
    details = aggregate["detailed_evaluation_results"]
    assert details["total_rows"] == len(records)
    assert details["checksum"] == sha256(samples.read_bytes()).hexdigest()
    assert samples.as_posix().endswith(details["file_path"])
    assert {one["evaluation_id"] for one in records} == {aggregate["evaluation_id"]}
    assert {one["model_id"] for one in records} == {aggregate["model_info"]["id"]}
    # The result that the records point at is the mean of their scores.
    (result,) = [
        one
        for one in aggregate["evaluation_results"]
        if one["evaluation_result_id"] == records[0]["evaluation_result_id"]
    ]
    assert result["score_details"]["score"] == pytest.approx(
        fmean(one["evaluation"]["score"] for one in records), abs=1e-12
    )
    return dict(aggregate)


def _same(one: Warehouse, other: Warehouse) -> None:
    for sql in _SAME:
        assert other.sql(f"{sql} ORDER BY ALL").rows() == one.sql(f"{sql} ORDER BY ALL").rows(), sql


@pytest.mark.long
def test_real_runs_out_and_in(
    house: Warehouse, make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path
) -> None:
    real = shared / "real"
    house.ingest(
        real / "mmbench/llava-v1.5-13b.xlsx", model="liuhaotian/llava-v1.5-13b", benchmark="MMBench"
    )
    names = ("mm-vet", "llava-v1.5-7b", "llava-v1.5-7b_gpt-4-grade-3runs")
    house.ingest(*(real / f"mmvet/{name}.json" for name in names))
    exported = _export(
        house, tmp_path / "out", "--all", "--organization", "us", "--developer", "liuhaotian"
    )
    assert [path.relative_to(tmp_path / "out").parts[:4] for path in exported] == [
        ("data", "MM-Vet", "liuhaotian", "llava-v1.5-7b"),
        ("data", "MMBench_dev", "liuhaotian", "llava-v1.5-13b"),
    ]
    mmvet, mmbench = (_require_valid(path) for path in exported)
    scores = {
        one["evaluation_result_id"]: one["score_details"]["score"]
        for one in (*mmvet["evaluation_results"], *mmbench["evaluation_results"])
    }
    # What the papers print.
    assert scores["circular/micro/overall/Overall"] == 796 / 1176
    assert scores["vanilla/micro/overall/Overall"] == 887 / 1176
    assert round(scores["graded/micro/overall/Overall"] * 100, 1) == 31.1
    assert (
        mmvet["evaluation_results"][0]["metric_config"]["llm_scoring"]["judges"][0]["model_info"][
            "id"
        ]
        == "gpt-4"
    )
    again = make_house("again")
    again.ingest(*exported)
    _same(house, again)
    before = [path.read_bytes() for path in exported]
    _export(house, tmp_path / "out", "2", "--organization", "us", "--developer", "liuhaotian")
    assert [path.read_bytes() for path in exported] == before
    # The aggregates say nothing that the records do not.
    state = facts(again.path)
    for path in exported:
        aggregate = path.with_name(path.name.replace("_samples.jsonl", ".json"))
        assert eee_scores.sidecar(aggregate) == f"the aggregate of {path.name}"
        assert "holds the run" in again.ingest(aggregate, format="eee_scores")[0].loaded[0]
    assert facts(again.path)["published_score"] == state["published_score"] == []


@pytest.mark.long
def test_everything_that_a_run_can_hold(
    house: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    """Passes, samples, labels with a gap, nothing said, failures, images, likelihoods, two components."""
    questions = [
        {
            "question_key": key,
            "pass": step,
            "question": f"What\u2028is\x85 {key} “?",
            **dict(zip("ACD" if key == "gap" else "ABC", texts[step:] + texts[:step], strict=True)),
            "answer": "A" if step == 0 else ("D" if key == "gap" else "C"),
            "ability_area": "seeing",
            "ability_skill": "reading" if key == "gap" else "counting",
            "hint": "look, 見て",
            "image": f"a picture of {key} that is long enough",
        }
        for key, texts in (("gap", ["C", "A", "A\nB"]), ("7", ["1", "0", "2"]))
        for step in (0, 1)
    ]
    own = write_jsonl(tmp_path / "own.jsonl", questions)
    said: list[dict[str, Any]] = [
        {"question_key": key, "pass": step, "sample": sample, "prediction": text}
        for key, step, sample, text in (
            ("gap", 0, 0, "A"),
            ("gap", 0, 1, "It is\x85 D"),
            ("gap", 1, 0, ""),
            ("gap", 1, 1, None),
            ("7", 0, 0, "  B\n"),
        )
    ]
    said.append({"question_key": "7", "pass": 0, "sample": 1, "prediction": None, "failed": True})
    answers = write_jsonl(tmp_path / "answers.jsonl", said)
    scores = write_jsonl(
        tmp_path / "scores.jsonl",
        [
            {"question_key": key, "pass": step, "label": label, "score": score, "n_tokens": 3}
            for key in ("gap", "7")
            for step in (0, 1)
            for label, score in zip(
                "ACD" if key == "gap" else "ABC", (-0.1, -1 / 3, -1e-300), strict=True
            )
        ],
    )
    house.ingest(own, benchmark="Own", split="dev", language="en")
    house.ingest(answers, model="us/vlm:1", run="first", benchmark="Own")
    house.ingest(
        scores,
        model="us/vlm:1",
        method="loglik",
        reduction="sum",
        scored="content",
        benchmark="Own",
    )
    exported = _export(house, tmp_path / "out", "--all")
    assert len(exported) == 2
    for path in exported:
        assert path.parent.name == "vlm_1"
        _require_valid(path)
    again = make_house("again")
    again.ingest(*exported)
    _same(house, again)
    boards = "SELECT run, strategy, level, ability, average, score, n, n_missing FROM leaderboard ORDER BY ALL"
    assert again.sql(boards).rows() == house.sql(boards).rows()
    # Into a warehouse that knows the questions from elsewhere, they line up.
    third = make_house("third")
    third.ingest(own, benchmark="Own", split="dev", language="en")
    third.ingest(*exported)
    assert third.sql(boards).rows() == house.sql(boards).rows()


@pytest.mark.slow
def test_what_has_no_score_is_not_exported(house: Warehouse, tmp_path: Path) -> None:
    questions = [
        {
            "question_key": str(n),
            "question": f"Q {n}",
            "A": "x",
            "B": "y",
            **({"answer": "A"} if n else {}),
        }
        for n in (0, 1)
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", questions), benchmark="Own")
    answers = [{"question_key": "1", "prediction": "who knows"}]
    house.ingest(write_jsonl(tmp_path / "m.jsonl", answers), model="m", benchmark="Own")
    with (
        house.reading() as con,
        pytest.raises(UsageError, match="the answers of 1 passes are hidden"),
    ):
        eee_files(con, 1)
    with (
        house.reading() as con,
        pytest.raises(UsageError, match="there is no run 9, or it is super"),
    ):
        eee_files(con, 9)
    words = [{"question_key": "1", "question": "Why?", "reference": "so"}]
    house.ingest(write_jsonl(tmp_path / "w.jsonl", words), benchmark="Words")
    house.ingest(write_jsonl(tmp_path / "v.jsonl", answers), model="v", benchmark="Words")
    with house.reading() as con, pytest.raises(UsageError, match="no judge gives a soft score"):
        eee_files(con, 2)
    verdict = [{"question_key": "1", "verdict": "0.5", "judge": "Ann"}]
    other = [{"question_key": "1", "prediction": "so it is"}]
    house.ingest(write_jsonl(tmp_path / "u.jsonl", other), model="u", benchmark="Words")
    house.ingest(write_jsonl(tmp_path / "g.jsonl", verdict), model="u", benchmark="Words")
    with (
        house.reading() as con,
        pytest.raises(UsageError, match=r"people alone .* say --judge Ann"),
    ):
        eee_files(con, 2)
    with house.reading() as con, pytest.raises(UsageError, match="1 verdict of Ann is pending"):
        eee_files(con, 2, judge="Ann")
    folder = tmp_path / "out"
    (path,) = _export(house, folder, "3", "--judge", "Ann")
    assert _records(path)[0]["evaluation"] == {"score": 0.5, "is_correct": False}
    path.write_text("")
    again = ["export", "eee", "3", "--judge", "Ann", "--out", str(folder), "--db", str(house.path)]
    refused = CliRunner().invoke(app, again)
    assert isinstance(refused.exception, UsageError)
    assert "is there with other content; --overwrite replaces it" in str(refused.exception)
    assert CliRunner().invoke(app, [*again, "--overwrite"]).exit_code == 0
    for more, words_of in (
        (["--all"], "say which runs, or --all"),
        (["--relationship", "friend"], "--relationship is one of first_party"),
        (["--developer", " "], "--developer cannot be blank"),
    ):
        assert words_of in str(CliRunner().invoke(app, [*again, *more]).exception)


@pytest.mark.slow
def test_all_that_can_be_exported(house: Warehouse, tmp_path: Path) -> None:
    """Some runs by name are all or none; of --all, those that cannot be are named."""
    row = {"question_key": "1", "question": "Q", "A": "x", "B": "y"}
    house.ingest(write_jsonl(tmp_path / "o.jsonl", [row | {"answer": "A"}]), benchmark="Own")
    house.ingest(write_jsonl(tmp_path / "h.jsonl", [row]), benchmark="Hidden")
    for model, benchmark, said in (
        ("good", "Own", "A"),
        ("m", "Hidden", "A"),
        ("fine", "Own", "B"),
    ):
        path = write_jsonl(tmp_path / f"{model}.jsonl", [{"question_key": "1", "prediction": said}])
        house.ingest(path, model=model, benchmark=benchmark)
    folder = tmp_path / "a" / "b"
    words = ["export", "eee", "--out", str(folder), "--db", str(house.path)]
    refused = CliRunner().invoke(app, [*words, "1", "2", "3"])
    assert isinstance(refused.exception, UsageError)
    assert "run 2 (m on Hidden): the answers of 1 passes are hidden" in str(refused.exception)
    assert not folder.parent.exists()
    done = CliRunner().invoke(app, [*words, "--all"])
    assert done.exit_code == 1
    lines = done.output.splitlines()
    assert lines[2].startswith("run 2 is left out: run 2 (m on Hidden): the answers of 1")
    assert lines[-1] == "1 of 3 runs are left out"
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    assert [path.parent.name for path in paths] == ["fine", "fine", "good", "good"]
    assert [path.name for path in folder.iterdir()] == ["data"]
    # A file of one run that says something else keeps those of all.
    for path in paths[2:]:
        path.unlink()
    paths[0].write_text("")
    refused = CliRunner().invoke(app, [*words, "1", "3"])
    assert "is there with other content" in str(refused.exception)
    assert sorted(path for path in folder.rglob("*") if path.is_file()) == paths[:2]


# In, from others.


def _foreign(folder: Path, records: list[dict[str, Any]], **more: Any) -> Path:
    """Records and their aggregate as a converter of the package writes them."""
    aggregate = {
        "schema_version": "0.3.0",
        "evaluation_id": "e/1",
        "retrieved_timestamp": "1790000000",
        "evaluation_timestamp": "1780000000.5",
        "source_metadata": {
            "source_type": "evaluation_run",
            "source_organization_name": "they",
            "evaluator_relationship": "third_party",
        },
        "eval_library": {"name": "lm_eval", "version": "0.4"},
        "model_info": {
            "name": "m",
            "id": "org/m",
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": [_result("Quiz", "Quiz", 0.5)],
        **more,
    }
    folder.mkdir(exist_ok=True)
    (folder / "u.json").write_text(json.dumps(aggregate))
    return write_jsonl(folder / "u_samples.jsonl", records)


def _result(dataset: str, name: str, score: object, **metric: Any) -> dict[str, Any]:
    return {
        "evaluation_result_id": f"{name}/acc",
        "evaluation_name": name,
        "source_data": {"dataset_name": dataset, "source_type": "other"},
        "metric_config": {"lower_is_better": False, **metric},
        "score_details": {"score": score},
    }


def _record(key: str, said: list[str], **more: Any) -> dict[str, Any]:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "e/1",
        "model_id": "org/m",
        "evaluation_name": "Quiz",
        "evaluation_result_id": "acc",
        "sample_id": key,
        "interaction_type": "single_turn",
        "input": {"raw": f"Q {key}", "reference": ["1"], "choices": ["red", "blue", "1"]},
        "output": {"raw": said},
        "answer_attribution": [],
        "evaluation": {"score": 1.0, "is_correct": True},
        **more,
    }


def test_records_of_a_harness(house: Warehouse, tmp_path: Path) -> None:
    """A record per metric, the right choice by text, letter or number, epochs, talks, and errors."""
    choices = {"choices": ["red", "blue"]}
    records = [
        _record("a", ["red"]),
        _record("a", ["red"], evaluation_result_id="acc_norm"),
        _record("b", ["B"], input={"raw": "Q b", "reference": ["1"], **choices}),
        _record("c", ["B"], input={"raw": "Q c", "reference": ["B"], **choices}),
        _record("d", ["A", "B"], input={"raw": "Q d", "reference": ["blue"], **choices}),
        _record("e", [], error="timed out", input={"raw": "Q e", "reference": [], **choices}),
        _record(
            "f",
            [],
            interaction_type="multi_turn",
            output=None,
            messages=[
                {"turn_idx": 0, "role": "user", "content": "?"},
                {"turn_idx": 1, "role": "assistant", "content": "hm"},
                {"turn_idx": 2, "role": "assistant", "content": "blue"},
                {"turn_idx": 3, "role": "tool", "content": "x"},
            ],
            input={"raw": "Q f", "reference": ["blue"], **choices},
        ),
    ]
    (report,) = house.ingest(_foreign(tmp_path, records))
    assert "1 record left out: other metrics of the same answers" in report.notes
    assert house.sql(
        "SELECT model, run, dataset, harness, produced_at::VARCHAR FROM current_run"
    ).rows() == [("org/m", "u", "Quiz", "lm_eval", "2026-05-28 20:26:40.5")]
    query = (
        "SELECT question_key, sample, p.text, failed, label FROM main.prediction AS p "
        "JOIN main.question USING (question_id) LEFT JOIN main.answer USING (question_id, pass) ORDER BY ALL"
    )
    assert house.sql(query).rows() == [
        ("a", 0, "red", False, "C"),
        ("b", 0, "B", False, "B"),
        ("c", 0, "B", False, "B"),
        ("d", 0, "A", False, "B"),
        ("d", 1, "B", False, "B"),
        ("e", 0, None, True, None),
        ("f", 0, "blue", False, "B"),
    ]


def test_what_was_made_of_each_answer_is_kept(house: Warehouse, tmp_path: Path) -> None:
    """By metric, also where the records of other metrics repeat the answer."""
    read = {
        "turn_idx": 0,
        "source": "output.raw",
        "extraction_method": "regex",
        "is_terminal": True,
    }
    records = [
        _record("a", ["It is red."], evaluation={"score": 0.5, "is_correct": False}),
        _record("a", ["It is "
                      "red."], evaluation_result_id="f1", answer_attribution=[{**read, "extracted_value": "red"}]),
    ]  # fmt: skip
    house.ingest(_foreign(tmp_path, records))
    rows = house.sql(
        "SELECT metric, value, score, answer FROM main.harness_score ORDER BY 1"
    ).rows()
    assert rows == [("acc", "0.5", 0.5, None), ("f1", "1.0", 1.0, "red")]


@pytest.mark.all_releases
def test_filters_are_runs(house: Warehouse, tmp_path: Path) -> None:
    """As lm-eval's filters, and a choice's text for an answer, which is how its likelihoods come out."""
    records = [
        _record(key, [said], evaluation_result_id=name)
        for name, texts in (("strict", ("[invalid]", "1")), ("raw", ("It is 1.", "1")))
        for key, said in zip("ab", texts, strict=True)
    ]
    path = _foreign(tmp_path, records)
    for name in ("strict", "raw"):
        house.ingest(path, run=name)
    said = "SELECT label, text FROM main.prediction JOIN main.run USING (run_id) ORDER BY ALL"
    assert house.sql(said).rows() == [
        ("raw", "1"),
        ("raw", "It is 1."),
        ("strict", "1"),
        ("strict", "[invalid]"),
    ]
    board = "SELECT run, score FROM leaderboard WHERE strategy = 'vanilla' AND level = 'overall' ORDER BY 1"
    # The paper takes labels alone, field_v1 an answer that is a choice's text, and the others one that holds it.
    assert house.sql(board, release="paper_v1").rows() == [("raw", 0.0), ("strict", 0.0)]
    assert house.sql(board, release="field_v1").rows() == [("raw", 0.5), ("strict", 0.5)]
    assert house.sql(board).rows() == [("raw", 1.0), ("strict", 0.5)]
    assert house.sql(board, release="vlmevalkit_0_0_20").rows() == [("raw", 1.0), ("strict", 0.5)]


def test_epochs_and_mmbench(house: Warehouse, tmp_path: Path) -> None:
    inputs = {"raw": "Q 5", "reference": ["A"], "choices": ["cat", "dog"]}
    records = [
        _record(key, [said], input=inputs, metadata={"epoch": str(epoch)})
        for key in ("5", "1000005")
        for epoch, said in ((1, "A"), (2, "B"))
    ]
    house.ingest(
        _foreign(tmp_path, records, evaluation_results=[_result("MMBench_DEV_EN", "x", 1)])
    )
    assert house.sql("SELECT dataset FROM current_run").rows() == [("MMBench/dev/en",)]
    query = (
        "SELECT question_key, pass, sample, p.text FROM main.prediction AS p JOIN "
        "main.question USING (question_id) ORDER BY ALL"
    )
    assert house.sql(query).rows() == [
        ("5", step, sample, said) for step in (0, 1) for sample, said in ((0, "A"), (1, "B"))
    ]


_BAD: tuple[tuple[Callable[[list[dict[str, Any]], dict[str, Any]], object], str], ...] = (
    (lambda r, a: r[1].update(sample_id=" "), "row 2, field sample_id: is empty"),
    (
        lambda r, a: r[1].update(evaluation_id="e/2"),
        "row 2, field evaluation_id: 'e/2' is not the evaluation of u.json, e/1",
    ),
    (
        lambda r, a: r[1].update(model_id="org/n"),
        "row 2, field model_id: 'org/n' is not the model of u.json, org/m",
    ),
    (
        lambda r, a: r[1].update(interaction_type="chat"),
        "row 2, field interaction_type: 'chat' is none of single_turn",
    ),
    (lambda r, a: r[1].update(interaction_type="agentic"), "row 2, field messages: is no list"),
    (lambda r, a: r[1].update(input="Q"), "row 2, field input.raw: is no text"),
    (lambda r, a: r[1]["input"].pop("raw"), "row 2, field input.raw: is no text"),
    (lambda r, a: r[1]["input"].update(raw=""), "row 2, field input.raw: question b has no text"),
    (
        lambda r, a: r[1]["input"].update(reference="1"),
        "row 2, field input.reference: is no list of texts",
    ),
    (
        lambda r, a: r[1]["input"].update(reference=[1]),
        "row 2, field input.reference: is no list of texts",
    ),
    (
        lambda r, a: r[1]["input"].update(reference=["9"]),
        "row 2, field input.reference: '9' is no choice's text, letter or number",
    ),
    (
        lambda r, a: r[1]["input"].update(reference=["red", "blue"]),
        "row 2, field input.reference: 'red, blue' is no choice's text",
    ),
    (
        lambda r, a: r[1]["input"].update(choices=[1, 2]),
        "row 2, field input.choices: is no list of texts",
    ),
    (
        lambda r, a: r[1]["input"].update(choices=["red"], reference=["red"]),
        "row 2, field input.choices: question b has 1 choice; it takes two",
    ),
    (
        lambda r, a: r[1]["input"].update(choices=[str(n) for n in range(27)]),
        "row 2, field input.choices: question b has 27 choices",
    ),
    (
        lambda r, a: r[1]["input"].pop("choices"),
        "row 2, field input.choices: is missing, where other records have choices",
    ),
    (lambda r, a: r[1].update(output="red"), "row 2, field output.raw: is no list of texts"),
    (lambda r, a: r[1].update(output=None), "row 2, field output.raw: is no list of texts"),
    (
        lambda r, a: r[1].update(metadata={"epoch": "one"}),
        "row 2, field metadata.epoch: 'one' is no whole number",
    ),
    (
        lambda r, a: r[1].update(metadata={"evalhouse_pass": "-1"}),
        "row 2, field metadata.evalhouse_pass: '-1' is no whole",
    ),
    (
        lambda r, a: r[1].update(metadata={"evalhouse_pass": "5"}),
        "row 2, field sample_id: pass 5 of question b is out of range",
    ),
    (
        lambda r, a: r[1].update(metadata={"evalhouse_question": "{"}),
        "row 2, field metadata.evalhouse_question: is no JSON",
    ),
    (
        lambda r, a: r.append(r[0]),
        "row 3, field sample_id: question a, pass 0 stands in rows 1 and 3",
    ),
    (
        lambda r, a: r.append(_record("a", ["blue"], evaluation_result_id="other")),
        "row 3, field "
        "output.raw: the "
        "answer to a "
        "under other is "
        "not that under "
        "acc: these are "
        "two runs; --run "
        "acc or --run other says which",
    ),
    (
        lambda r, a: a["evaluation_results"].append(_result("Other", "Other", 1)),
        "mixes the datasets Other, Quiz; give each a file",
    ),
    (
        lambda r, a: a.update(evaluation_results=[]),
        "holds no records|field evaluation_results: is no list of results",
    ),
    (lambda r, a: a.update(model_info={}), "u.json, field model_info.id: is missing"),
    (lambda r, a: a.update(evaluation_id=3), "u.json, field evaluation_id: is no text"),
    (
        lambda r, a: a.update(detailed_evaluation_results={"total_rows": 3}),
        "has 2 records, and u.json says 3",
    ),
    (
        lambda r, a: a.update(
            detailed_evaluation_results={"hash_algorithm": "sha256", "checksum": "00"}
        ),
        "is not the file that u.json describes, or not all of it: its sha256 is another",
    ),
    (
        lambda r, a: (
            a["source_metadata"].update(additional_details={"evalhouse_method": "loglik"}),
            r[1].update(metadata={"evalhouse_scores": '[["answer", "A", "x", 1, null]]'}),
        ),
        "row 2, field metadata.evalhouse_scores: .* is no component, label, number, tokens and scorer",
    ),
)


@pytest.fixture(scope="module")
def unchanged(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A warehouse that every bad file leaves as it was, so one does for all."""
    path = tmp_path_factory.mktemp("bad") / "house.duckdb"
    path.write_bytes(empty_file.read_bytes())
    return QuickHouse(path)


@pytest.mark.slow
@pytest.mark.parametrize(("spoil", "words"), _BAD)
def test_bad_records_leave_the_warehouse_as_it_was(
    unchanged: Warehouse,
    tmp_path: Path,
    spoil: Callable[[list[dict[str, Any]], dict[str, Any]], object],
    words: str,
) -> None:
    records = [_record("a", ["red"]), _record("b", ["blue"])]
    path = _foreign(tmp_path, records)
    aggregate = json.loads((tmp_path / "u.json").read_text())
    spoil(records, aggregate)
    (tmp_path / "u.json").write_text(json.dumps(aggregate))
    write_jsonl(path, records)
    before = facts(unchanged.path)
    with pytest.raises(InputError, match=words):
        unchanged.ingest(path)
    assert facts(unchanged.path) == before


def test_broken_files(unchanged: Warehouse, tmp_path: Path) -> None:
    path = _foreign(tmp_path, [_record("a", ["red"]), _record("b", ["blue"])])
    before = facts(unchanged.path)
    whole = path.read_text()
    path.write_text(whole[:-30])
    with pytest.raises(InputError, match="row 2: not valid JSON, or cut off"):
        unchanged.ingest(path)
    path.write_text(whole)
    aggregate = (tmp_path / "u.json").read_text()
    (tmp_path / "u.json").write_text(aggregate[:-30])
    with pytest.raises(InputError, match=r"u\.json: not valid JSON, or cut off"):
        unchanged.ingest(path)
    (tmp_path / "u.json").unlink()
    with pytest.raises(
        InputError, match=r"is no run without its aggregate, u\.json, in the same folder"
    ):
        unchanged.ingest(path)
    assert facts(unchanged.path) == before


# An aggregate alone.


def _alone(folder: Path, *results: dict[str, Any]) -> Path:
    _foreign(folder, [], evaluation_results=list(results)).unlink()
    return folder / "u.json"


def test_published_scores(house: Warehouse, tmp_path: Path) -> None:
    path = _alone(
        tmp_path,
        _result("MM-Vet", "MM-Vet", 0.311, metric_unit="proportion"),
        _result("MM-Vet", "MM-Vet/ocr", 22.5, metric_unit="percent"),
        _result("MM-Vet", "MM-Vet/Recognition", 0.1),
        _result("MM-Vet", "MM-Vet/rec", 0.2, metric_id="other"),
        _result("MM-Vet", "MM-Vet/hearing", 0.5),
        _result("MM-Vet", "MM-Vet/math", 3.5, min_score=1, max_score=5),
        _result("GSM8K", "GSM8K", 0.5),
    )
    (report,) = house.ingest(path)
    assert report.loaded[0] == "2 published scores of org/m"
    assert report.loaded[1].startswith("5 figures of org/m, as they are written: MM-Vet, GSM8K;")
    assert house.sql("SELECT task, metric, value FROM main.harness_figure ORDER BY ALL").rows() == [
        ("GSM8K", "GSM8K", "0.5"),
        ("MM-Vet", "MM-Vet/Recognition", "0.1"),
        ("MM-Vet", "MM-Vet/hearing", "0.5"),
        ("MM-Vet", "MM-Vet/math", "3.5"),
        ("MM-Vet", "MM-Vet/rec|other", "0.2"),
    ]
    assert house.sql(
        "SELECT model, ability, published FROM published_difference WHERE ability IS NOT NULL "
        "ORDER BY ability_ordinal"
    ).rows() == [("org/m", "Overall", 31.1), ("org/m", "OCR", 22.5)]


def test_schema_0_2_loads_every_figure(house: Warehouse, tmp_path: Path) -> None:
    """No library, no unit, no id of a result, and languages for names: each is kept as written."""
    names = ["Global MMLU Lite", "Culturally Sensitive", *(f"Language {n}" for n in range(13))]
    metric = {"score_type": "continuous", "min_score": 0.0, "max_score": 1.0}
    path = _alone(
        tmp_path, *(_result("global-mmlu-lite", name, 0.9145, **metric) for name in names)
    )
    found = json.loads(path.read_text("utf-8")) | {"schema_version": "0.2.0"}
    del found["eval_library"], found["model_info"]["additional_details"]
    for result in found["evaluation_results"]:
        del result["evaluation_result_id"]
    path.write_text(json.dumps(found), encoding="utf-8")
    (report,) = house.ingest(path)
    assert report.loaded[0].startswith("15 figures of org/m, as they are written: global-mmlu-lite")
    rows = house.sql("SELECT metric, value, label FROM main.harness_figure").rows()
    assert rows == [(name, "0.9145", "e/1") for name in names]
    assert house.ingest(path)[0].already


@pytest.mark.slow
def test_our_own_aggregate_alone(
    house: Warehouse, make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path
) -> None:
    real = shared / "real/mmvet"
    names = ("mm-vet", "llava-v1.5-7b", "llava-v1.5-7b_gpt-4-grade-3runs")
    house.ingest(*(real / f"{name}.json" for name in names))
    with house.reading() as con:
        made = eee_files(con, 1, publisher=Publisher(developer="us"))
    path = tmp_path / "u.json"
    path.write_text(next(iter(made.files.values())))
    house.ingest(path)
    rows = house.sql("SELECT abs(difference) < 1e-6 FROM published_difference").rows()
    assert rows == [(True,)] * (1 + 6 + 16)


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ([_result("", "GSM8K", 0.5)], "row 1, field source_data.dataset_name: is missing, and nothing else"),
        ([_result("MM-Vet", "MM-Vet", "good")], "row 1, field score_details.score: 'good' is no finite number"),
        ([_result("MM-Vet", "MM-Vet", float("nan"))], "row 1, field score_details.score: nan is no finite number"),
        ([_result("MM-Vet", "MM-Vet", 31.1)], "row 1, field score_details.score: 31.1 is out of its scale, 0 to 1"),
        ([_result("MM-Vet", "MM-Vet", True)], "row 1, field score_details.score: True is no finite number"),
    ],
)  # fmt: skip
def test_bad_aggregates(
    unchanged: Warehouse, tmp_path: Path, results: list[dict[str, Any]], words: str
) -> None:
    before = facts(unchanged.path)
    with pytest.raises(InputError, match=words):
        unchanged.ingest(_alone(tmp_path, *results))
    assert facts(unchanged.path) == before
