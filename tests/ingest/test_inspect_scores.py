"""What Inspect's scorers, graders and people said, next to our own scores."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from tests.commands import run
from tests.houses import QuickHouse
from tests.inspect_logs import (
    SAID,
    calls,
    changed,
    figures,
    grading,
    head,
    load,
    picked,
    read,
    sample,
    scored,
    write,
)
from tests.tables import facts
from warehouse.check import run_checks


@pytest.fixture(scope="module")
def lab(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A warehouse for tests that look at datasets of their own alone."""
    path = tmp_path_factory.mktemp("lab") / "warehouse.duckdb"
    shutil.copy(new_file, path)
    return QuickHouse(path)


def board(lab: Warehouse, dataset: str) -> dict[str, float]:
    """What the only run of a dataset of choices scores, by judge."""
    rows = lab.sql(
        f"SELECT judge, score FROM ability_score WHERE dataset = '{dataset}' AND level = 'overall' "
        "AND strategy = 'vanilla' AND average = 'micro'"
    )
    return dict(rows.rows())


# What scorers read.


@pytest.mark.slow
@pytest.mark.parametrize("name", ["data_arc_sonnet.json", "data_pubmedqa_gpt4o_mini.json"])
def test_under_the_judge_of_a_scorer_figures_are_inspect_s(
    house: Warehouse, shared: Path, name: str
) -> None:
    path = shared / "wild" / "eee" / "tests" / "data" / "inspect" / name
    (report,) = house.ingest(path)
    stated = read(path)[0]["results"]["scores"][0]["metrics"]["accuracy"]["value"]
    (dataset,) = report.datasets
    assert board(house, dataset)["inspect:choice"] == stated == 1.0
    assert "judge inspect:choice (import, choice_extraction)" in " ".join(report.loaded)
    # It is the judge that boards take, since it is the only one.
    shown = run("evalhouse", "leaderboard", dataset, "--db", str(house.path), cwd=house.path.parent)
    assert "judge inspect:choice" in shown.out
    assert " 100.00 " in shown.out
    kept = house.sql("SELECT metric, filter, judge, value FROM main.harness_figure ORDER BY 1")
    assert kept.row(0) == ("accuracy", "choice", "inspect:choice", "1.0")


def test_what_a_scorer_reads_nothing_in_is_wrong_and_not_pending(lab: Warehouse) -> None:
    load(lab, "mc.eval", [picked(key) for key in SAID], head("mc"))
    rows = lab.sql(
        "SELECT question_key, predicted, score, resolved_by FROM pass_result "
        "WHERE dataset = 'mc' AND judge = 'inspect:choice' ORDER BY 1"
    ).rows()
    assert rows == [
        ("a", "A", 1.0, "judge"),
        ("b", "A", 1.0, "judge"),
        ("c", "X", 0.0, "judge"),
        ("d", "X", 0.0, "judge"),
    ]
    # Two letters are none of the choices, and what was read is kept next to it.
    kept = lab.sql(
        "SELECT question_key, value, h.score, answer FROM main.harness_score AS h "
        "JOIN main.question USING (question_id) JOIN main.dataset AS d USING (dataset_id) "
        "WHERE d.name = 'mc' AND metric = 'choice' ORDER BY 1"
    ).rows()
    assert kept == [
        ("a", "C", 1.0, "A"),
        ("b", "C", 1.0, "A"),
        ("c", "I", 0.0, ""),
        ("d", "I", 0.0, "A, B"),
    ]


def test_the_same_answer_in_several_epochs_is_read_once(lab: Warehouse) -> None:
    samples = [picked("a", epoch=n) for n in (1, 2, 3)]
    report = load(lab, "epochs.eval", samples, head("epochs", config={"epochs": 3}))
    assert any("1 judgment, 1 subject" in text for text in report.loaded)
    assert not any("left out" in text for text in report.notes)
    assert board(lab, "epochs") == {"none": 0.0, "inspect:choice": 1.0}


def test_another_scorer_is_a_judge_where_it_reads_labels_alone(lab: Warehouse) -> None:
    letters = {"own": scored("C", "A"), "match": scored("C", "Not B. ANSWER: A")}
    other = {"own": scored("I", "B"), "match": scored("I", "no idea")}
    samples = [picked("a", scores=letters), picked("c", scores=other)]
    load(lab, "own.eval", samples, head("own"))
    assert {name for name in board(lab, "own") if name.startswith("inspect:")} >= {"inspect:own"}
    # A scorer that calls another label right is none: it looks at something else.
    odd = [picked("a", scores={"odd": scored("I", "A")}), picked("c", scores={"odd": scored("C", "B")})]  # fmt: skip
    load(lab, "odd.eval", odd, head("odd"))
    judges = lab.sql("SELECT name FROM main.judge").to_series().to_list()
    assert "inspect:own" in judges
    assert not {"inspect:match", "inspect:odd"} & set(judges)


def test_every_scorer_s_value_is_a_row(lab: Warehouse) -> None:
    values = {
        "yes": scored("C", "the answer", explanation="it says so"),
        "part": scored("P"),
        "none": scored(float("nan")),
        "flag": scored(True),
        "f1": scored(0.33, "IT IS A CAT"),
        "parts": scored({"x y": 1, "z": "I"}, "cat"),
    }
    samples = [
        sample("a", "It is a cat", scores=values),
        sample("a", "dog", epoch=2, scores={"f1": scored(0)}),
    ]
    load(lab, "values.eval", samples, head("values", config={"epochs": 2}))
    rows = lab.sql(
        "SELECT metric, h.sample, value, score, answer FROM main.harness_score AS h "
        "JOIN main.question USING (question_id) JOIN main.dataset AS d USING (dataset_id) "
        "WHERE d.name = 'values' ORDER BY ALL"
    ).rows()
    assert rows == [
        # The whole answer is no answer that was read in it.
        ("f1", 0, "0.33", 0.33, None),
        ("f1", 1, "0", 0.0, None),
        ("flag", 0, "true", 1.0, None),
        ("none", 0, "NaN", None, None),
        ("part", 0, "P", 0.5, None),
        ("parts|x y", 0, "1", 1.0, "cat"),
        ("parts|z", 0, "I", 0.0, "cat"),
        ("yes", 0, "C", 1.0, "the answer"),
        ("yes|explanation", 0, "it says so", None, None),
    ]


@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_figures_are_kept_with_their_reducers(
    house: Warehouse, tmp_path: Path, suffix: str
) -> None:
    results = figures(
        ("includes", "mean", {"accuracy": 0.5, "stderr": 0.1}),
        ("includes", "at_least_2", {"accuracy": 1.0}),
        ("f1", "mean", {"mean": float("nan")}),
    )
    log = head("figures", "words", log_results=results)
    (report,) = house.ingest(write(tmp_path / f"log{suffix}", [sample("a", "yes")], log))
    assert "3 figures of the harness" in report.loaded
    rows = house.sql("SELECT task, label, filter, reducer, metric, value FROM main.harness_figure")
    label = house.sql("SELECT label FROM main.run").item()
    assert rows.rows() == [
        ("words", label, "includes", "mean", "accuracy", "0.5"),
        ("words", label, "includes", "at_least_2", "accuracy", "1.0"),
        ("words", label, "f1", "mean", "mean", None),
    ]
    listed = run("evalhouse", "runs", "--db", str(house.path), cwd=house.path.parent)
    assert re.search(r"inspect +1 +3 ", listed.out), listed.out


@pytest.mark.all_releases
def test_an_unknown_dataset_has_the_rule_of_its_scorer(house: Warehouse) -> None:
    answers = {"a": ("Yes, I think", "C"), "b": ("No", "I"), "c": ("a YES", "C")}
    samples = [
        sample(key, text, metadata={"category": "u"}, scores={"includes": scored(value, text)})
        for key, (text, value) in answers.items()
    ]
    scorers = [{"name": "inspect_ai/includes", "options": {}}]
    report = load(house, "rule.eval", samples, head("ruled", scorers=scorers))
    assert (
        "benchmark ruled is new: open, vanilla; rule contains; its abilities from category"
        in report.inferred
    )
    rows = house.sql(
        "SELECT p.question_key, p.score, h.score FROM field_v2.pass_result AS p "
        "JOIN main.harness_score AS h USING (run_id, question_id, pass, sample) "
        "WHERE p.dataset = 'ruled' AND h.metric = 'includes' ORDER BY 1"
    ).rows()
    assert rows == [("a", 1.0, 1.0), ("b", 0.0, 0.0), ("c", 1.0, 1.0)]
    # A scorer that no rule is like leaves it without one.
    other = [{"name": "match", "options": {"numeric": True}}, {"name": "f1", "options": {}}]
    report = load(house, "unruled.eval", [sample("a", "yes")], head("unruled", scorers=other))
    assert not any("is new: " in text for text in report.inferred)


def test_scores_of_any_shape_stop_no_log(lab: Warehouse) -> None:
    """What is no number, no text or no JSON, in samples and in the header."""
    scores: dict[str, Any] = {
        "nul": scored("a\x00b", "a\x00b"),
        "text": "C",
        "list": {"value": [1, 2]},
        "odd": {"value": None, "history": [3, {"x": 1}], "explanation": ["x"]},
        "number": scored("C", 3),  # type: ignore[arg-type]
        "qa": {"value": "C", "metadata": {"panel": {"votes": ["C", None]}, "grading": "x"}},
    }
    events = [
        3,
        {"event": "span_begin", "type": "scorer", "name": "qa"},
        {
            "event": "model",
            "model": "m",
            "output": {"completion": "x"},
            "input_refs": [[0, "a"], 1],
        },
    ]
    one = sample("a", "yes", scores=scores, events=events, total_time=float("nan"))
    results = {"scores": [3, {"name": None, "metrics": {"a": 3, "b": {"value": True}}}]}
    log = head("shapes", metadata={"x": float("nan")}, log_results=results, scorers=[3, {"name": 4}])  # fmt: skip
    path = lab.path.parent / "shapes.json"
    path.write_text(json.dumps({**log, "plan": "half \ud83d", "samples": [one]}))
    lab.ingest(path)
    rows = lab.sql(
        "SELECT metric, value, score, answer FROM main.harness_score AS h "
        "JOIN main.question USING (question_id) JOIN main.dataset AS d USING (dataset_id) "
        "WHERE d.name = 'shapes' AND metric <> 'sample' ORDER BY ALL"
    ).rows()
    assert rows == [
        ("list", "[1, 2]", None, None),
        ("nul", "a\x00b", None, "a\x00b"),
        ("number", "C", 1.0, "3"),
        ("odd", None, None, None),
        ("qa", "C", 1.0, None),
    ]
    # Settings stay JSON that SQL reads.
    kept = lab.sql("SELECT flags -> '$.harness.metadata' FROM main.source WHERE contains(path, 'shapes')")  # fmt: skip
    assert kept.item() == '{"x":"NaN"}'


# Panels of graders.


def panel(votes: list[str], value: str) -> dict[str, Any]:
    """A score of a panel: the messages of the first grader, and all votes."""
    score = grading(f"Hm. GRADE: {votes[0]}", value, judge="acme/one")
    score["metadata"]["panel"] = {"votes": votes, "size": len(votes), "failures": []}
    return score


MEMBERS = ["acme/one", "acme/two", "acme/three"]


@pytest.mark.parametrize("is_told", [True, False])
def test_each_grader_of_a_panel_is_a_judge(lab: Warehouse, is_told: bool) -> None:
    """Also where the log does not say that it is one, as those of older versions."""
    votes = {"a": ["C", "I", "C"], "b": ["I", "I", "C"]}
    samples = []
    for key, cast in votes.items():
        score = panel(cast, "C" if cast.count("C") > 1 else "I")
        if not is_told:
            del score["metadata"]["panel"]
        replies = {name: f"{name} says GRADE: {vote}" for name, vote in zip(MEMBERS, cast, strict=True)}  # fmt: skip
        samples.append(sample(key, "yes", scores={"qa": score}, **calls("qa", replies)))
    name = f"panel{is_told}"
    load(lab, f"{name}.eval", samples, head(name, scorers=[{"name": "qa", "options": {"seed": name}}]))  # fmt: skip
    rows = lab.sql(
        "SELECT g.model, q.score FROM letter_question AS q JOIN main.judge AS g USING (judge_id) "
        f"WHERE q.dataset = '{name}' ORDER BY q.question_key, g.judge_id"
    ).rows()
    assert sorted(rows) == sorted(
        (judge, float(vote == "C"))
        for cast in votes.values()
        for judge, vote in zip(MEMBERS, cast, strict=True)
    )
    replies = lab.sql(
        "SELECT DISTINCT prompt, reply FROM main.judgment JOIN main.run USING (run_id) "
        f"JOIN main.dataset AS d USING (dataset_id) WHERE d.name = '{name}' AND contains(reply, 'two')"
    ).rows()
    assert replies == [(grading("", "C")["metadata"]["grading"][0]["content"], "acme/two says GRADE: I")]  # fmt: skip


def test_votes_without_replies_are_kept(lab: Warehouse) -> None:
    options = {"model": [{"model": name} for name in MEMBERS]}
    log = head("votes", scorers=[{"name": "qa", "options": options}])
    report = load(lab, "votes.eval", [sample("a", "yes", scores={"qa": panel(["C", "C", "I"], "C")})], log)  # fmt: skip
    assert any(note.startswith("of 2 votes of graders the log does not have") for note in report.notes)  # fmt: skip
    rows = lab.sql(
        "SELECT g.model, j.reply, j.stated, j.word FROM main.judgment AS j "
        "JOIN main.judge AS g USING (judge_id) JOIN main.run USING (run_id) "
        "JOIN main.dataset AS d USING (dataset_id) WHERE d.name = 'votes' ORDER BY g.judge_id"
    ).rows()
    assert rows == [
        ("acme/one", "Hm. GRADE: C", None, None),
        ("acme/three", None, "word", "I"),
        ("acme/two", None, "word", "C"),
    ]


# Changes by people.


@pytest.mark.slow
def test_a_changed_log_adds_to_its_run(house: Warehouse, tmp_path: Path) -> None:
    samples = [picked(key) for key in SAID]
    log = head("changed", log_results=figures(("choice", None, {"accuracy": 0.5})))
    house.ingest(write(tmp_path / "log.eval", samples, log))
    choice = samples[2]["scores"]["choice"]
    samples[2]["scores"] = {"choice": changed(choice, "ann", value="C", answer="A")}
    # What is right without saying which choice that is.
    samples[3]["scores"] = {"choice": changed(samples[3]["scores"]["choice"], "ann", value="C")}
    log = head("changed", log_results=figures(("choice", None, {"accuracy": 1.0})))
    (report,) = house.ingest(write(tmp_path / "changed.eval", samples, log))
    assert not report.already
    assert "2 scores were changed by ann; each is a judgment of that person" in report.notes
    assert house.sql("SELECT count(*) FROM main.run").item() == 1
    assert house.sql("SELECT name, kind, task FROM main.judge ORDER BY judge_id").rows() == [
        ("inspect:choice", "import", "choice_extraction"),
        ("ann", "human", "choice_extraction"),
    ]
    rows = house.sql(
        "SELECT question_key, predicted FROM pass_result WHERE judge = 'ann' "
        "AND resolved_by = 'judge' ORDER BY 1"
    ).rows()
    assert rows == [("c", "A"), ("d", "A")]
    assert board(house, "changed")["inspect:choice"] == 0.5
    scores = house.sql(
        "SELECT question_key, filter, value FROM main.harness_score "
        "JOIN main.question USING (question_id) WHERE question_key IN ('c', 'd') ORDER BY ALL"
    ).rows()
    assert scores == [
        ("c", "changed by ann", "C"),
        ("c", None, "I"),
        ("d", "changed by ann", "C"),
        ("d", None, "I"),
    ]
    # Figures of what a person changed are no judge's.
    assert house.sql("SELECT judge, value FROM main.harness_figure ORDER BY source_id").rows() == [
        ("inspect:choice", "0.5"),
        (None, "1.0"),
    ]
    with house.reading() as con:
        assert not [found for found in run_checks(con) if found.n]
    # The same again changes nothing, in the other form neither.
    counts = {name: len(rows) for name, rows in facts(house.path).items() if name != "source"}
    assert house.ingest(tmp_path / "changed.eval")[0].already
    house.ingest(write(tmp_path / "changed.json", samples, log))
    after = {name: len(rows) for name, rows in facts(house.path).items() if name != "source"}
    counts.pop("dataset_source"), after.pop("dataset_source")
    assert after == counts


def test_a_changed_grade_of_an_open_answer_is_a_person_s_score(lab: Warehouse) -> None:
    first = grading("GRADE: I", "I") | {"history": []}
    # A change may take the grader's messages away; its reply stays a judgment.
    later = changed(first, "Ann B.", value="P", metadata={})
    report = load(lab, "grade.eval", [sample("a", "yes", scores={"qa": later})], head("grade"))
    assert any("1 score was changed by Ann B." in note for note in report.notes)
    rows = lab.sql(
        "SELECT g.kind, g.task, j.reply FROM main.judgment AS j JOIN main.judge AS g USING (judge_id) "
        "JOIN main.run USING (run_id) JOIN main.dataset AS d USING (dataset_id) "
        "WHERE d.name = 'grade' ORDER BY ALL"
    ).rows()
    assert rows == [("human", "soft_score", "0.500000"), ("import", "letter_grade", "GRADE: I")]
    rows = lab.sql(
        "SELECT o.score FROM open_result AS o JOIN current_run AS r USING (run_id) "
        "WHERE o.judge = 'Ann B.' AND r.dataset = 'grade'"
    ).rows()
    assert rows == [(0.5,)]
