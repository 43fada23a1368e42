"""Inspect logs: the real ones to the figures that the harness wrote, and what made-up ones hold."""

from __future__ import annotations

import base64
import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bench import measure
from evalhouse import UsageError, Warehouse
from ingest.reading import json_stream
from queries import release as releases
from queries.plan import plan
from tests.commands import run
from tests.inspect_logs import PROMPT, grading, header, read, sample, write
from tests.tables import facts
from warehouse.check import run_checks

SCORES = {"C": 1.0, "P": 0.5, "I": 0.0}
# What was measured is 285 MB without, 345 MB with what is compared in the end.
MAX_BYTES = 400_000_000


def only(folder: Path, name: str = "") -> Path:
    (found,) = (path for path in folder.iterdir() if name in path.name)
    return found


def stated(head: dict[str, Any], metric: str = "accuracy") -> float:
    """A figure that the harness wrote into the log."""
    value = head["results"]["scores"][0]["metrics"][metric]["value"]
    assert isinstance(value, float)
    return value


def unbroken(house: Warehouse) -> bool:
    with house.reading() as con:
        return not [found for found in run_checks(con) if found.n]


# The real logs.


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["inspect_eval", "inspect_json"])
def test_a_circular_log(house: Warehouse, shared: Path, folder: str) -> None:
    path = only(shared / "formats" / folder, "circular")
    (report,) = house.ingest(path)
    head, samples = read(path)
    assert report.format == "inspect"
    assert "dataset MMBench/like/dev (new)" in report.inferred
    run_ = house.sql(
        "SELECT m.name, label, harness, produced_at, status FROM main.run JOIN main.model AS m "
        "USING (model_id) JOIN main.run_status USING (run_id)"
    )
    assert run_.row(0)[0] == head["eval"]["model"]
    begun = re.sub(r"[-:]|\+.*", "", head["eval"]["created"])
    label = f"{begun}_{head['eval']['task']}_{head['eval']['eval_id'][:8]}"
    assert run_.row(0)[1:3] == (label, "inspect")
    assert run_.row(0)[4] == "success"
    rows = house.sql(
        "SELECT strategy, level, ability, score, n FROM ability_score "
        "WHERE judge = 'none' AND average = 'micro'"
    )
    found = {
        (strategy, level, _plain(ability)): (score, n)
        for strategy, level, ability, score, n in rows.iter_rows()
    }
    # Every sample is a pass: the harness's accuracy is the share of passes.
    n = len(samples) // 4
    assert found["vanilla_all", "overall", "overall"] == (pytest.approx(stated(head)), n)
    grouped = [name for name, one in head["results"]["scores"][0]["metrics"].items() if one.get("group")]  # fmt: skip
    assert len(grouped) == 3
    for category in grouped:
        score, _ = found["vanilla_all", "l3", category]
        assert score == pytest.approx(stated(head, category))
    right: dict[int, list[bool]] = defaultdict(list)
    for one in samples:
        right[one["id"] % 1_000_000].append(one["scores"]["choice"]["value"] == "C")
    assert {len(passes) for passes in right.values()} == {4}
    assert found["circular", "overall", "overall"][0] == fmean(map(all, right.values()))


def _plain(ability: str) -> str:
    return ability.lower().replace(" ", "_")


def test_texts_choices_and_answers_are_the_log_s(house: Warehouse, shared: Path) -> None:
    path = only(shared / "formats" / "inspect_json")
    house.ingest(path)
    rows = house.sql(
        "SELECT CAST(q.question_key AS INT) + 1000000 * p.pass, q.text, p.text, a.label, "
        "list(c.text ORDER BY c.ordinal), any_value(t.value) FROM main.prediction AS p "
        "JOIN main.question AS q USING (question_id) JOIN main.answer AS a USING (question_id, pass) "
        "JOIN main.choice AS c USING (question_id, pass) "
        "JOIN main.question_attribute AS t ON t.question_id = q.question_id AND t.name = 'g_index' "
        "GROUP BY ALL ORDER BY 1"
    ).rows()
    assert rows == sorted(
        (
            one["id"],
            one["input"],
            one["output"]["completion"],
            one["target"],
            one["choices"],
            str(one["metadata"]["g_index"]),
        )
        for one in read(path)[1]
    )


def test_a_graded_log(house: Warehouse, shared: Path) -> None:
    path = only(shared / "formats" / "inspect_eval", "graded")
    (report,) = house.ingest(path)
    head, samples = read(path)
    assert (
        "judge mockllm/judge (import, letter_grade): 40 judgments, 40 subjects × 1 judge sample"
        in report.loaded
    )
    # The grader's prompt and reply, word for word, and what the harness read in it.
    rows = house.sql(
        "SELECT j.prompt, j.reply, g.grade FROM main.judgment AS j "
        "JOIN latest.letter_grade AS g USING (judgment_id)"
    ).rows()
    wanted = [
        (*(message["content"] for message in score["metadata"]["grading"]), score["value"])
        for one in samples
        for score in one["scores"].values()
    ]
    assert sorted(rows) == sorted(wanted)
    assert len(rows) == 40
    assert house.sql("SELECT count(*) FROM main.run_sample").item() == 5
    # By epoch, by capability, and in all.
    means = defaultdict(list)
    for one in samples:
        means[one["id"]].append(SCORES[one["scores"]["model_graded_qa"]["value"]])
    by_question = house.sql(
        "SELECT question_key, score, n_expected, n_pending FROM letter_question"
    )
    assert sorted(by_question.rows()) == sorted(
        (key, pytest.approx(fmean(of_key)), 5, 0) for key, of_key in means.items()
    )
    capability = {one["id"]: one["metadata"]["capability"].split(",") for one in samples}
    totals = {
        (level, ability): score
        for level, ability, score in house.sql(
            "SELECT level, ability, score FROM letter_total"
        ).iter_rows()
    }
    assert totals["overall", "Overall"] == pytest.approx(stated(head))
    assert totals["capability", "OCR"] == pytest.approx(
        fmean(fmean(means[key]) for key in means if "ocr" in capability[key])
    )
    # No other rule reads these replies, and no board counts them.
    assert house.sql("SELECT count(*) FROM open_result").item() == 0
    assert house.sql("SELECT name, model, template, sampling FROM main.judge").rows() == [
        ("mockllm/judge", "mockllm/judge", 'inspect model_graded_qa {"partial_credit": '
                                           'true}', '{"seed":42,"temperature":0.0}')
    ]  # fmt: skip
    assert unbroken(house)


def test_a_log_that_ended_in_an_error(house: Warehouse, shared: Path) -> None:
    path = only(shared / "formats" / "inspect_error")
    (report,) = house.ingest(path)
    head, samples = read(path)
    assert any(
        note.startswith("the log's status is error: ConnectionError(") for note in report.notes
    )
    assert "27 of 40 samples are there" in report.notes
    assert "27 samples ended in an error, 27 of them without an answer" in report.notes
    assert house.sql("SELECT status, error FROM main.run_status").rows() == [
        ("error", head["error"]["message"])
    ]
    rows = house.sql(
        "SELECT question_key, e.sample + 1, e.error, p.text, p.failed FROM main.sample_error AS e "
        "JOIN main.prediction AS p USING (run_id, question_id, pass, sample) "
        "JOIN main.question USING (question_id)"
    ).rows()
    assert sorted(rows) == sorted(
        (one["id"], one["epoch"], one["error"]["message"], None, True) for one in samples
    )
    assert house.sql("SELECT DISTINCT state FROM open_answer").rows() == [("failed",)]
    listed = run("evalhouse", "runs", "--db", str(house.path), cwd=house.path.parent)
    assert re.search(r"inspect +27 .* error ", listed.out)
    # The run that succeeded has the same questions, and its own figures.
    house.ingest(only(shared / "formats" / "inspect_eval", "graded"))
    assert house.sql(
        "SELECT status, count(*) FROM main.run_status GROUP BY ALL ORDER BY 1"
    ).rows() == [("error", 1), ("success", 1)]
    assert house.sql("SELECT count(*) FROM main.question").item() == 8
    assert house.sql("SELECT round(score, 4) FROM letter_total WHERE level = 'overall'").rows() == [
        (0.6125,)
    ]
    assert unbroken(house)


@pytest.mark.slow
def test_a_large_log_in_little_memory(house: Warehouse, shared: Path) -> None:
    path = only(shared / "formats" / "inspect_big")
    cost = measure.evalhouse("ingest", path, "--db", house.path)
    assert cost.peak < MAX_BYTES
    assert "big, 20261121T205447_big5000_" in cost.output
    found = house.sql(
        "SELECT score FROM ability_score WHERE strategy = 'vanilla' AND judge = 'none' "
        "AND level = 'overall' AND average = 'micro'"
    )
    assert found.item() == pytest.approx(0.254)
    # Its categories are no tree: they stand alone.
    assert house.sql("SELECT DISTINCT level FROM main.ability").rows() == [("l3",)]
    assert (
        house.sql("SELECT count(*) FROM main.question_attribute WHERE name = 'l2-category'").item()
        == 5_000
    )


def test_the_same_log_again_is_nothing_new(house: Warehouse, shared: Path) -> None:
    path = only(shared / "formats" / "inspect_eval", "graded")
    house.ingest(path)
    before = facts(house.path)
    (report,) = house.ingest(path)
    assert report.already
    assert facts(house.path) == before


# What made-up logs hold.


@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_attachments_messages_and_images(house: Warehouse, tmp_path: Path, suffix: str) -> None:
    image = b"\x89PNG not really"
    uri = "data:image/png;base64," + base64.b64encode(image).decode()
    messages = [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [
                {"type": "image", "image": "attachment://i1"},
                {"type": "text", "text": "attachment://t1"},
            ],
        },
    ]
    graded = grading("attachment://r1", "C", prompt="attachment://p1")
    one = sample(
        "a",
        "attachment://o1",
        input=messages,
        target=["forty-two", "42"],
        scores={"model_graded_qa": graded},
        attachments={"i1": uri, "t1": "How many?\u2028", "o1": "42 ☃", "r1": "Yes.\nGRADE: C", "p1": PROMPT},
    )  # fmt: skip
    # An older log has no completion, and content in parts.
    other = sample(
        "b",
        None,
        output={
            "choices": [
                {
                    "message": {
                        "role": "assistant",
                        "content": [
                            {"type": "reasoning", "reasoning": "hm"},
                            {"type": "text", "text": "no"},
                        ],
                    }
                }
            ]
        },
    )
    house.ingest(write(tmp_path / f"log{suffix}", [one, other]))
    rows = house.sql(
        "SELECT question_key, q.text, p.text FROM main.prediction AS p JOIN main.question AS q "
        "USING (question_id) ORDER BY 1"
    ).rows()
    assert rows == [("a", "How many?\u2028", "42 ☃"), ("b", "Q b", "no")]
    assert house.sql(
        "SELECT text FROM main.reference_answer ORDER BY source_id, question_id, ordinal"
    ).to_series().to_list() == ["forty-two", "42", "yes"]
    assert house.sql("SELECT sha256 FROM main.question_image").rows() == [
        (sha256(image).hexdigest(),)
    ]
    assert house.sql("SELECT prompt, reply FROM main.judgment").rows() == [
        (PROMPT, "Yes.\nGRADE: C")
    ]
    # 03:04 in Berlin.
    assert house.sql("SELECT label, CAST(produced_at AS VARCHAR) FROM main.run").rows() == [
        ("20260102T020405_words_task", "2026-01-02 02:04:05")
    ]


def test_metadata_of_any_shape(house: Warehouse, tmp_path: Path) -> None:
    odd = {
        'a"b': 1,
        "x.y": [1, "z"],
        "é'\\": "ü",
        "nan": math.nan,
        "none": None,
        "": "blank",
        "deep": {"k": True},
    }
    house.ingest(
        write(tmp_path / "log.eval", [sample("a", "yes", metadata=odd), sample("a", "no", epoch=2)])
    )
    found = dict(house.sql("SELECT name, value FROM main.question_attribute").rows())
    assert json.loads(found.pop("deep")) == {"k": True}
    assert json.loads(found.pop("x.y")) == [1, "z"]
    assert found == {'a"b': "1", "é'\\": "ü", "": "blank"}


def test_a_log_that_has_not_ended(house: Warehouse, tmp_path: Path) -> None:
    (report,) = house.ingest(write(tmp_path / "log.eval", [sample("a", "yes")], ended=False))
    assert report.notes == ["the log's status is started", "1 of 2 samples are there"]
    assert house.sql("SELECT status, error FROM main.run_status").rows() == [("started", None)]


def test_an_answer_before_an_error_is_an_answer(house: Warehouse, tmp_path: Path) -> None:
    error = {"message": "grader down"}
    house.ingest(
        write(
            tmp_path / "log.eval", [sample("a", "yes", error=error), sample("b", None, error=error)]
        )
    )
    rows = house.sql(
        "SELECT question_key, p.text, failed, error FROM main.prediction AS p JOIN main.question "
        "USING (question_id) JOIN main.sample_error USING (run_id, question_id, pass, sample) ORDER BY 1"
    ).rows()
    assert rows == [("a", "yes", False, "grader down"), ("b", None, True, "grader down")]
    assert [
        row[0] for row in house.sql("SELECT state FROM open_answer ORDER BY question_key").rows()
    ] == ["open", "failed"]


def test_the_mean_is_over_every_grade(house: Warehouse, tmp_path: Path) -> None:
    """Also where the same answer was graded three times, twice alike, and one could not be read."""
    said = [("yes", "C"), ("yes", "I"), ("yes", "C"), ("no", "I")]
    samples = [
        sample(
            "a",
            text,
            epoch=n,
            scores={"model_graded_qa": grading(f"1. So so.\nGRADE: {grade}", grade)},
        )
        for n, (text, grade) in enumerate(said, start=1)
    ]
    samples.append(sample("b", "yes", scores={"model_graded_qa": grading("GRADE: A", math.nan)}))
    samples += [sample("b", None, epoch=n) for n in (2, 3)]
    house.ingest(write(tmp_path / "log.eval", samples))
    rows = house.sql(
        "SELECT question_key, score, score_low, score_high, n_expected, n_missing, n_pending FROM "
        "letter_question ORDER BY 1"
    ).rows()
    assert rows == [("a", 0.5, 0.5, 0.5, 4, 0, 0), ("b", None, 0.0, 0.25, 4, 1, 1)]
    assert house.sql(
        "SELECT judge, verdicts, unusable FROM (SELECT g.name AS judge, count(*) FILTER (state = "
        "'ok') AS verdicts, count(*) FILTER (state = 'unparsable') AS unusable FROM letter_grade "
        "AS l JOIN main.judge AS g USING (judge_id) GROUP BY ALL)"
    ).rows() == [("acme/judge", 4, 1)]
    # `1.` at the beginning is no score of 1.
    assert house.sql("SELECT count(*) FROM open_judged").item() == 0


def test_two_scorers_and_numbers(house: Warehouse, tmp_path: Path) -> None:
    """The same model with two prompts is two judges; numbers are soft scores."""
    scores = {
        "model_graded_qa": grading("GRADE: C", "C"),
        "model_graded_fact": grading("GRADE: I", "I"),
        "rubric": grading("0.7 is fair", 0.7, judge="acme/other"),
    }
    scorers = [
        {
            "name": "model_graded_qa",
            "options": {
                "model": {"model": "acme/judge", "config": {"seed": 1}},
                "instructions": "x" * 200,
            },
        }
    ]
    house.ingest(
        write(tmp_path / "log.eval", [sample("a", "yes", scores=scores)], header(scorers=scorers))
    )
    rows = house.sql("SELECT name, task, model, sampling FROM main.judge ORDER BY 1").rows()
    assert rows == [
        ("acme/judge model_graded_fact", "letter_grade", "acme/judge", "{}"),
        ("acme/judge model_graded_qa", "letter_grade", "acme/judge", '{"seed":1}'),
        ("acme/other", "soft_score", "acme/other", "{}"),
    ]
    assert house.sql("SELECT judge, score FROM open_result").rows() == [("acme/other", 0.7)]
    assert house.sql("SELECT judge, score FROM letter_question ORDER BY 1").rows() == [
        ("acme/judge model_graded_fact", 0.0),
        ("acme/judge model_graded_qa", 1.0),
    ]


def test_a_judge_has_the_name_that_is_given(house: Warehouse, tmp_path: Path) -> None:
    one = sample("a", "yes", scores={"model_graded_qa": grading("GRADE: C", "C")})
    house.ingest(write(tmp_path / "log.eval", [one]), judge="J", task="soft_score", model="mine")
    assert house.sql("SELECT name, task, model FROM main.judge").rows() == [
        ("J", "soft_score", "acme/judge")
    ]
    assert house.sql("SELECT name FROM main.model").rows() == [("mine",)]
    assert house.sql("SELECT prompt FROM main.judgment").rows() == [(PROMPT,)]
    with pytest.raises(UsageError, match="--judge is for files of judgments"):
        house.ingest(write(tmp_path / "plain.eval", [sample("a", "yes")]), judge="J")


@pytest.mark.parametrize(
    ("ids", "keys"),
    [
        ([1, 1_000_001, 2, 1_000_002], [("1", 0), ("1", 1), ("2", 0), ("2", 1)]),
        # Ids of a million and more that are no passes of others.
        ([139, 1_000_777], [("1000777", 0), ("139", 0)]),
        (["1", "1000001", "x"], [("1", 0), ("1000001", 0), ("x", 0)]),
    ],
)
def test_which_ids_are_passes(
    house: Warehouse, tmp_path: Path, ids: list[int | str], keys: list[tuple[str, int]]
) -> None:
    samples = [sample(key, "A", choices=["x", "y"], target="y") for key in ids]
    dataset = {"name": "own", "sample_ids": ids}
    house.ingest(write(tmp_path / "log.eval", samples, header(dataset=dataset)))
    found = house.sql(
        "SELECT question_key, pass, label FROM main.answer JOIN main.question USING (question_id) ORDER BY 1, 2"
    )
    # A target may be the choice's text.
    assert found.rows() == [(*key, "B") for key in keys]


def test_several_right_choices_are_no_answer(house: Warehouse, tmp_path: Path) -> None:
    one = sample("a", "A", choices=["x", "y"], target=["A", "B"])
    (report,) = house.ingest(write(tmp_path / "log.eval", [one]))
    assert "1 question has several right choices; they stay without an answer" in report.notes
    assert house.sql("SELECT count(*) FROM main.answer").item() == 0


def test_a_member_written_again_counts_once(house: Warehouse, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = write(tmp_path / "log.eval", [sample("a", "first"), sample("a", "second")])
    house.ingest(path)
    assert house.sql("SELECT text FROM main.prediction").rows() == [("second",)]


# What a reply says, and what the harness's rule reads (model_graded_qa with its own instructions).

_SPACING = r"[\s\u200b\u200c\u200d\u200e\u200f\u2060\u2063\ufeff]*"
_RULE = re.compile(rf"(?is).*(?<!\w)GRADE(?!\w){_SPACING}:{_SPACING}(\w*)")
_WORDS = {"c": "C", "correct": "C", "p": "P", "partial": "P", "i": "I", "incorrect": "I"}
_PIECES = [
    "GRADE",
    "grade",
    ":",
    " ",
    "\n",
    "\u200b",
    "\u00a0",
    "C",
    "p",
    "I",
    "Partial",
    "Correct",
    "X",
    "**",
    "|",
    "down",
    "_",
    "1.",
    ".",
    "'",
]


@pytest.fixture(scope="module")
def macros() -> Iterator[duckdb.DuckDBPyConnection]:
    release = releases.load("field_v2")
    with duckdb.connect() as con:
        con.execute(f'CREATE SCHEMA "{release.name}"')
        for item in plan(release):
            if item.file.name in ("spaced", "python_lower", "final_grade"):
                con.execute(item.sql)
        yield con


@given(
    replies=st.lists(
        st.lists(st.sampled_from(_PIECES), max_size=9).map("".join), min_size=30, max_size=30
    )
)
@example(
    replies=["GRADE:|C", "GRADE|: C", "|GRADE: C", "GRADE: C|", "|", "GRADE: P\nGRADE:\u200bI"]
)
@settings(max_examples=60, deadline=None)
def test_the_last_grade_holds(macros: duckdb.DuckDBPyConnection, replies: list[str]) -> None:
    rows = macros.execute(
        "SELECT field_v2.final_grade(reply) FROM (SELECT unnest(?) AS reply)", [replies]
    ).fetchall()
    for reply, (word,) in zip(replies, rows, strict=True):
        found = _RULE.search(reply)
        assert _WORDS.get(word) == (_WORDS.get(found[1].lower()) if found else None), repr(reply)


def test_a_grade_that_was_not_offered_is_none(house: Warehouse, tmp_path: Path) -> None:
    without = "LETTER is one of CI.  Please choose"
    said = {"a": "GRADE: P", "b": "GRADE: C", "c": "Grade: I"}
    samples = [
        sample(key, "yes", scores={"model_graded_qa": grading(reply, "C", prompt=without)})
        for key, reply in said.items()
    ]
    house.ingest(write(tmp_path / "log.eval", samples))
    assert house.sql("SELECT reply, grade, state FROM letter_grade ORDER BY 1").rows() == [
        ("GRADE: C", "C", "ok"),
        ("GRADE: P", None, "unparsable"),
        ("Grade: I", "I", "ok"),
    ]


def test_json_in_pieces_of_any_size(
    make_house: Callable[[str], Warehouse], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = [sample(f"k{n}", "☃" * n, metadata={"n": n, "half": 0.5}) for n in range(40)]
    path = write(tmp_path / "log.json", samples)
    whole = list(json_stream.parts(path, "samples", ("version", "eval")))
    assert [json.loads(json.dumps(one)) for name, one in whole if name] == samples
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr(json_stream, "_CHUNK", size)
        assert list(json_stream.parts(path, "samples", ("version", "eval"))) == whole
