"""The views that a reader meets first: one figure per model, and everything about an answer."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from evalhouse import UsageError, Warehouse
from queries import listed, paired, render, show
from queries.install import LATEST
from queries.options import CompareOptions
from tests import commands
from tests.oracle import Ask, label_rule
from tests.tables import add_replies, question_rows, register_judge, write_jsonl

_QUESTIONS = [
    Ask(str(n), {0: {"A": "cat", "B": "dog"}, 1: {"A": "dog", "B": "cat"}}, {0: "A", 1: "B"})
    for n in range(1, 7)
]
_UNREAD = "that animal"
_SAID = {
    # run: (model, question, pass) where the answer is wrong, and where it is nothing that rules read
    "first": {("alpha", "1", 0), ("alpha", "2", 1), ("beta", "6", 0)},
    "second": {("alpha", "1", 0)},
}
_OPEN = {("beta", "2", 1), ("beta", "3", 0)}
_REPLIES = {"J": {("2", 1): "B", ("3", 0): "X"}, "Late": {("2", 1): "A"}}
"""What each judge says of an unread answer; Late leaves one pending."""


@pytest.fixture
def lab(house: Warehouse, tmp_path: Path) -> Warehouse:
    rows = [
        row | {"ability_topic": "odd" if int(row["question_key"]) % 2 else "even"}
        for row in question_rows(_QUESTIONS)
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    for run, mistakes in _SAID.items():
        said = [
            {
                "model": model,
                "question_key": q.key,
                "pass": p,
                "prediction": _text(run, model, q, p),
            }
            for model in ("alpha", "beta")[: 2 if run == "first" else 1]
            for q in _QUESTIONS
            for p in (0, 1)
        ]
        assert mistakes
        house.ingest(write_jsonl(tmp_path / f"{run}.jsonl", said), benchmark="Own", run=run)
    for name, replies in _REPLIES.items():
        judge = register_judge(house, name)
        add_replies(
            house,
            judge,
            [(_QUESTIONS[int(key) - 1], p, _UNREAD, reply) for (key, p), reply in replies.items()],
        )
    return house


def _text(run: str, model: str, q: Ask, p: int) -> str:
    if (model, q.key, p) in _OPEN:
        return _UNREAD
    right = q.answers[p]
    assert right is not None
    return {"A": "B", "B": "A"}[right] if (model, q.key, p) in _SAID[run] else right


def _taken(run: str, model: str, q: Ask, p: int, judge: str) -> str | None:
    text = _text(run, model, q, p)
    read = label_rule(text, q.choices[p])
    return read if read is not None else _REPLIES[judge].get((q.key, p))


@pytest.mark.slow
def test_views_of_one_warehouse(lab: Warehouse) -> None:
    _check_one_figure_per_model(lab)
    _check_an_answer_with_all_that_its_score_rests_on(lab)
    _check_the_views_that_matter_come_first(lab)
    _check_the_way_to_wrong_answers(lab)
    _check_what_a_board_rests_on(lab)


def _check_one_figure_per_model(lab: Warehouse) -> None:
    with lab.reading() as con:
        rows = con.execute(
            "SELECT model, run, ability, score, rank, strategy, average, judge, n_judges, n "
            f"FROM {LATEST}.score ORDER BY ability, model"
        ).fetchall()
        board = con.execute(
            f"SELECT model, score FROM {LATEST}.leaderboard WHERE is_latest AND judge = 'J' AND average = "
            "'micro' AND strategy = 'circular' AND level = 'overall' ORDER BY model"
        ).fetchall()
    expected = []
    for ability in ("Overall", "even", "odd"):
        asked = [q for q in _QUESTIONS if ability in ("Overall", ("even", "odd")[int(q.key) % 2])]
        scores = {}
        for model, run in (("alpha", "second"), ("beta", "first")):
            # The judge with the fewest pending answers, and of alpha the later run.
            right = [
                all(_taken(run, model, q, p, "J") == q.answers[p] for p in (0, 1)) for q in asked
            ]
            scores[model, run] = sum(right) / len(right)
        for (model, run), score in scores.items():
            rank = 1 + sum(other > score for other in scores.values())
            expected.append((model, run, ability, score, rank, "circular", "micro", "J", 2, len(asked)))  # fmt: skip
    assert [row[:3] for row in rows] == [row[:3] for row in expected]
    for row, wanted in zip(rows, expected, strict=True):
        assert row[3:] == pytest.approx(wanted[3:], abs=1e-12), row
    assert [row[:1] + row[3:4] for row in rows if row[2] == "Overall"] == board


@pytest.mark.slow
def test_a_benchmark_without_abilities_has_its_main_figure(
    house: Warehouse, tmp_path: Path
) -> None:
    folder = tmp_path / "bare"
    folder.mkdir()
    (folder / "benchmark.toml").write_text(
        'name = "Bare"\ntask = "open"\nstrategy = "vanilla"\naverage = "micro"\naliases = ["bare"]\n'
        'splits = []\n[[rule]]\nrule = "yes_no"\n'
        '[[figure]]\nname = "acc"\naggregate = "micro"\nscale = 100\n'
        '[[figure]]\nname = "half"\naggregate = "micro"\nscale = 50\n'
    )
    house.add_benchmark(folder)
    (tmp_path / "vlm_Bare.tsv").write_text(
        "index\tquestion\tanswer\tprediction\n1\tq1\tYes\tyes\n2\tq2\tNo\tyes\n3\tq3\tYes\tYes.\n"
    )
    house.ingest(tmp_path / "vlm_Bare.tsv")
    with house.reading() as con:
        rows = con.execute(
            f"SELECT model, ability, figure, round(score, 6), judge, n FROM {LATEST}.score"
        ).fetchall()
        sheet = con.execute(
            "SELECT question_key, question, choices, answer_text, prediction, reading, rule, score "
            f"FROM {LATEST}.answer_sheet WHERE judge = 'none' ORDER BY 1"
        ).fetchall()
    assert rows == [("vlm", "Overall", "acc", round(200 / 3, 6), "none", 3)]
    assert sheet == [
        ("1", "q1", None, "Yes", "yes", "yes", "yes_no", 1.0),
        ("2", "q2", None, "No", "yes", "yes", "yes_no", 0.0),
        ("3", "q3", None, "Yes", "Yes.", "yes", "yes_no", 1.0),
    ]


def _check_an_answer_with_all_that_its_score_rests_on(lab: Warehouse) -> None:
    with lab.reading() as con:
        rows = con.execute(
            "SELECT run, model, question_key, pass, judge, question, choices, answer, answer_text, prediction, "
            f"reading, rule, reply, verdict, score, resolved_by, abilities FROM {LATEST}.answer_sheet "
            "WHERE judge <> 'none'"
        ).fetchall()
        ((n_sheet, n_passes),) = con.execute(
            f"SELECT (SELECT count(*) FROM {LATEST}.answer_sheet), (SELECT count(*) FROM {LATEST}.pass_result)"
        ).fetchall()
    expected = []
    for run, models in (("first", ("alpha", "beta")), ("second", ("alpha",))):
        for model in models:
            for q in _QUESTIONS:
                for p in (0, 1):
                    for judge in _REPLIES:
                        text, answer = _text(run, model, q, p), q.answers[p]
                        assert answer is not None
                        read = label_rule(text, q.choices[p])
                        reply = None if read else _REPLIES[judge].get((q.key, p))
                        taken = read or reply
                        expected.append(
                            (
                                run, model, q.key, p, judge, f"Q {q.key}",
                                " | ".join(f"{label}: {t}" for label, t in sorted(q.choices[p].items())),
                                answer, q.choices[p][answer], text, read, "label" if read else None, reply,
                                taken, None if taken is None else float(taken == answer),
                                "rule" if read else "judge" if reply else "pending",
                                ("even", "odd")[int(q.key) % 2],
                            )
                        )  # fmt: skip
    assert sorted(rows, key=repr) == sorted(expected, key=repr)
    assert n_sheet == n_passes


def _check_the_views_that_matter_come_first(lab: Warehouse) -> None:
    with lab.reading() as con:
        first = listed.views(con, LATEST, every=False)
        every = listed.views(con, LATEST, every=True)
        what, columns = listed.described(con, LATEST, "score")
        _, facts = listed.described(con, LATEST, "main.prediction")
        with pytest.raises(UsageError, match="'scores' here; there is score"):
            listed.described(con, LATEST, "scores")
    assert tuple(first["name"]) == listed.FIRST
    assert tuple(every["name"])[: len(listed.FIRST)] == listed.FIRST
    assert every.height > 3 * first.height
    comments = dict(every.select("name", "comment").iter_rows())
    # Whole, also behind "Section 4.".
    assert comments["question_result"].endswith("question of the dataset has its rows.")
    assert what.startswith("latest.score: The one figure of each model")
    assert dict(columns.select("column", "comment").iter_rows())["rank"].startswith("Among the")
    assert all(comment for comment in columns["comment"])
    assert "text" in facts["column"].to_list()


def _check_the_way_to_wrong_answers(lab: Warehouse) -> None:
    with lab.reading() as con:
        wrong_of = partial(show.wrong_answers, con)
        of_beta = wrong_of("beta").select("question_key", "pass", "judge", "verdict").rows()
        odd = wrong_of("alpha", ability="ODD", judge="none").select("question_key", "pass").rows()
        for named, message in (
            ({"model": "gamma"}, "no model 'gamma' here; there is"),
            ({"model": "beta", "ability": "od"}, "no ability 'od' here; there is odd"),
            ({"model": "beta", "judge": "K"}, "no judge 'K' here"),
        ):
            with pytest.raises(UsageError, match=message):
                wrong_of(**named)
        found = paired.compare(con, CompareOptions("alpha", "beta", judge="J"))
        questions = show.differing_questions(con, found)
        (view,) = show.show(con, "2", judge="J")
        with pytest.raises(UsageError, match="no judge 'K'"):
            show.show(con, "2", judge="K")
    # Of a later run of alpha one answer is wrong, of beta one by the rules and one by the judge.
    assert of_beta == [("3", 0, "J", "X"), ("6", 0, "J", "B")]
    assert odd == [("1", 0)]
    assert questions["question_key"].to_list() == ["3", "6", "1"]
    assert questions.row(0, named=True) == {
        "question_key": "3", "score of alpha": 1.0, "score of beta": 0.0, "answer": "A B",
        "verdict of alpha": "A B", "verdict of beta": "X B", "question": "Q 3",
        "prediction of alpha": "A", "prediction of beta": _UNREAD, "abilities": "odd",
    }  # fmt: skip
    text = show.render(view)
    for line in ("alpha, first, pass 1, judge J: A by rule", "alpha, second, pass", "beta, first"):
        assert line in text, text
    assert "judge none" not in text
    done = commands.run(
        "evalhouse", "errors", "beta", "--limit", "1", "--db", lab.path, cwd=lab.path.parent
    )
    assert "1 of 2 wrong answers" in done.out, done.err


def _check_what_a_board_rests_on(lab: Warehouse) -> None:
    with lab.writing() as con:
        con.execute(
            "INSERT INTO main.run_status SELECT run_id, 'cancelled', NULL FROM main.run "
            "WHERE label = 'second'"
        )
    boards = lab.leaderboard("Own", judge="none", level="overall")
    assert boards[0].notes == (
        f"Not read, and counted as wrong: {len(_OPEN)} of beta's {2 * len(_QUESTIONS)} answers. "
        "`evalhouse judge` asks a judge.",
        "Their harness did not finish the runs of alpha (cancelled).",
    )
    said = {"csv": ",Unread", "json": '"n_unread": 2', "latex": "Unread", "html": "Unread"}
    for fmt, words in said.items():
        assert words in render.render_boards(boards, fmt), fmt
    (judged,) = lab.leaderboard("Own", judge="J", level="overall")
    assert judged.notes[0] == "J found none of the choices (X) in 1 of 2 answers."
    assert render.render_boards([judged], "csv").splitlines()[0].endswith(",X")
    (late,) = lab.leaderboard("Own", judge="Late", level="overall")
    assert [line.n_pending for line in late.lines if line.model == "beta"] == [1]
