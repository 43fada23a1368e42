"""HELM's requests for the likelihood of each choice by itself."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalhouse import InputError, Warehouse
from tests.tables import facts

_REAL = "wild/eee/tests/data/helm/mmlu-subject=philosophy,method=multiple_choice_joint,model=openai_gpt2"
_MEAN, _CALIBRATED = "multiple_choice_separate_original", "multiple_choice_separate_calibrated"
State = dict[str, Any]


def _tokens(text: str, drawn: random.Random) -> list[dict[str, Any]]:
    """As HELM has them: the text in pieces, a word with the blank before it."""
    pieces = re.findall(r" ?[^ ]{1,6}|.", text, re.DOTALL)
    return [{"text": piece, "logprob": -drawn.random() * 9} for piece in pieces]


def _separate(real: Path, folder: Path, method: str, seed: int = 5) -> Path:
    """The real run's folder as it is where each choice has its own request; HELM's rule is done here."""
    drawn = random.Random(seed)
    folder.mkdir(parents=True)
    found = json.loads((real / "scenario_state.json").read_text("utf-8"))
    found["adapter_spec"]["method"] = method
    modes = ["original"] + ["calibration"] * (method == _CALIBRATED)
    states: list[State] = []
    stats = []
    for state in found["request_states"]:
        instance = state["instance"]
        if instance.get("perturbation") is not None:
            continue
        values = []
        for place, reference in enumerate(instance["references"]):
            sums = {}
            for mode in modes:
                before = (
                    f"Question: {instance['input']['text']}\nAnswer:"
                    if mode == "original"
                    else "Answer:"
                )
                choice = _tokens(f" {reference['output']['text']}", drawn)
                tokens = [*_tokens(before, drawn), *choice]
                of_choice = [one["logprob"] for one in choice]
                sums[mode] = sum(of_choice) / (len(choice) if method == _MEAN else 1)
                text = "".join(one["text"] for one in tokens)
                completion = {
                    "text": text,
                    "logprob": sum(one["logprob"] for one in tokens),
                    "tokens": tokens,
                }
                states.append(
                    {
                        "instance": instance,
                        "reference_index": place,
                        "request_mode": mode,
                        "train_trial_index": 0,
                        "request": {"prompt": text, "max_tokens": 0, "echo_prompt": True},
                        "result": {
                            "success": True,
                            "completions": [completion],
                            "request_datetime": 1762354922,
                        },
                    }
                )
            values.append(sums["original"] - sums.get("calibration", 0.0))
        right = "correct" in instance["references"][values.index(max(values))]["tags"]
        name = {"name": "exact_match", "split": instance["split"]}
        stats.append(
            {
                "instance_id": instance["id"],
                "train_trial_index": 0,
                "stats": [{"name": name, "count": 1, "mean": float(right)}],
            }
        )
    found["request_states"] = states
    (folder / "scenario_state.json").write_text(json.dumps(found), encoding="utf-8")
    (folder / "per_instance_stats.json").write_text(json.dumps(stats), encoding="utf-8")
    spec = json.loads((real / "run_spec.json").read_text("utf-8"))
    spec["name"] = spec["name"].replace("multiple_choice_joint", method)
    (folder / "run_spec.json").write_text(json.dumps(spec), encoding="utf-8")
    return folder / "scenario_state.json"


@pytest.fixture(scope="module")
def real(shared: Path) -> Path:
    return shared / _REAL


@pytest.mark.slow
@pytest.mark.parametrize("method", [_MEAN, _CALIBRATED])
def test_the_answer_is_the_likeliest_choice(
    house: Warehouse, real: Path, tmp_path: Path, method: str
) -> None:
    path = _separate(real, tmp_path / "run", method)
    (report,) = house.ingest(path)
    assert not any("no likelihood" in note for note in report.notes)
    theirs = json.loads(path.with_name("per_instance_stats.json").read_text("utf-8"))
    wanted = {one["instance_id"]: one["stats"][0]["mean"] for one in theirs}
    rows = house.sql("SELECT question_key, score FROM pass_result WHERE judge = 'none'").rows()
    assert dict(rows) == wanted
    assert set(wanted.values()) == {0.0, 1.0}
    same = house.sql("SELECT is_same, count(*) FROM harness_sample_difference GROUP BY 1").rows()
    assert same == [(True, len(wanted))]
    made = house.sql("SELECT DISTINCT method, reduction, scored FROM current_run").rows()
    assert made == [("loglik", "mean" if method == _MEAN else None, "content")]


def test_what_scores_are_made_of_is_kept(house: Warehouse, real: Path, tmp_path: Path) -> None:
    path = _separate(real, tmp_path / "run", _CALIBRATED)
    house.ingest(path)
    kept = house.sql(
        "SELECT q.question_key, s.label, s.score, list(a.name ORDER BY a.name) AS names, "
        "max(CASE WHEN a.name = 'loglik' THEN a.value END) AS own, "
        "max(CASE WHEN a.name = 'loglik_without_question' THEN a.value END) AS alone "
        "FROM main.choice_score AS s JOIN main.answer_attribute AS a USING (run_id, question_id) "
        "JOIN main.question AS q USING (question_id) WHERE s.label = 'B' GROUP BY 1, 2, 3"
    ).rows()
    assert kept
    for _, _, score, names, own, alone in kept:
        assert names == ["loglik", "loglik_without_question", "prompt"]
        assert score == pytest.approx(json.loads(own)[1] - json.loads(alone)[1])
    assert house.sql("SELECT count(*) FROM length_ranking").item() == 0


def test_a_blank_may_be_a_token_by_itself(house: Warehouse, real: Path, tmp_path: Path) -> None:
    path = _separate(real, tmp_path / "run", _MEAN)
    found = json.loads(path.read_text("utf-8"))
    for state in found["request_states"]:
        choice = state["instance"]["references"][state["reference_index"]]["output"]["text"]
        before = [{"text": "A:", "logprob": -1.0}, {"text": " ", "logprob": -3.0}]
        state["result"]["completions"][0]["tokens"] = [*before, {"text": choice, "logprob": -1.0}]
    path.write_text(json.dumps(found), encoding="utf-8")
    house.ingest(path)
    assert set(house.sql("SELECT score, n_tokens FROM main.choice_score").rows()) == {(-2.0, 2)}


def test_a_choice_without_a_likelihood_is_told(
    house: Warehouse, real: Path, tmp_path: Path
) -> None:
    path = _separate(real, tmp_path / "run", _MEAN)
    found = json.loads(path.read_text("utf-8"))
    one, other, *_ = found["request_states"]
    one["result"] = {"success": False, "completions": [], "error": "503"}
    other["result"]["completions"][0]["tokens"].pop()
    path.write_text(json.dumps(found), encoding="utf-8")
    (report,) = house.ingest(path)
    assert any(note.startswith("2 of ") and "have no likelihood" in note for note in report.notes)
    key = one["instance"]["id"]
    states = house.sql(f"SELECT predicted, resolved_by FROM pass_result WHERE question_key = '{key}'")  # fmt: skip
    assert states.rows() == [(None, "missing")]


def _without(states: list[State]) -> None:
    del states[2]


def _twice(states: list[State]) -> None:
    states.insert(1, states[0])


def _far(states: list[State]) -> None:
    states[0]["reference_index"] = 9


def _mode(states: list[State]) -> None:
    states[0]["request_mode"] = "calibration"


def _several(states: list[State]) -> None:
    states[0]["result"]["completions"] *= 2


def _nan(states: list[State]) -> None:
    states[0]["result"]["completions"][0]["tokens"][-1]["logprob"] = float("nan")


def _bare(states: list[State]) -> None:
    for state in states:
        state["result"]["completions"][0]["tokens"] = []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_without, r"row 1, field reference_index: its instance has no request for choice 2 \(original\)"),
        (_twice, r"row 2, field reference_index: the request for choice 0 \(original\) is there already"),
        (_far, "row 1, field reference_index: is no reference of the instance"),
        (_mode, "row 1, field request_mode: 'calibration' is none of original"),
        (_several, r"row 1, field result\.completions: is not one completion"),
        (_nan, r"row 1, field result\.completions\.tokens\.logprob: nan is no number"),
        (_bare, "no completion ends in the tokens of its choice"),
    ],
)  # fmt: skip
def test_what_is_refused(
    house: Warehouse,
    real: Path,
    tmp_path: Path,
    change: Callable[[list[State]], None],
    words: str,
) -> None:
    path = _separate(real, tmp_path / "run", _MEAN)
    found = json.loads(path.read_text("utf-8"))
    change(found["request_states"])
    path.write_text(json.dumps(found), encoding="utf-8")
    before = facts(house.path)
    with pytest.raises(InputError, match=words):
        house.ingest(path)
    assert facts(house.path) == before


def test_the_folder_of_a_run_is_read(house: Warehouse, real: Path, tmp_path: Path) -> None:
    path = _separate(real, tmp_path / "run", _MEAN)
    shutil.copy(real / "stats.json", path.parent)
    outcomes = list(house.ingest_many(path.parent))
    assert [one.error for one in outcomes if one.error] == []
    assert house.sql("SELECT count(*) FROM main.harness_figure").item() == 54
