"""Every Eval Ever: what goes out fits the schema and comes in equal."""

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

from evalhouse import UsageError, Warehouse
from evalhouse.cli import app
from ingest.readers import eee_scores
from queries.eee_export import Publisher, eee_files
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
