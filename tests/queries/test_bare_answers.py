"""Rules that were guessed read bare answers, and what a text states; all else is unread, and counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from evalhouse import Warehouse
from evalhouse.judging import JudgeSettings, assign
from queries import release as releases
from queries.plan import plan
from tests.judging import MODEL

OURS = "field_v2"


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        release = releases.load(OURS)
        connection.execute(f'CREATE SCHEMA "{OURS}"')
        for item in plan(release, files=release.macros.values()):
            connection.execute(item.sql)
        yield connection


_READ = [
    ("7", ["8"], 0.0), ("8", ["8"], 1.0), (" 8. ", ["8"], 1.0), ("2", ["2.000"], 1.0), ("1,000", ["1000"], 1.0),
    ("-8", ["8"], 0.0), ("42", ["24"], 0.0), ("B", ["C"], 0.0), ("c", ["C"], 1.0), ("C.", ["C"], 1.0),
    ("A", ["A, C"], 0.0), ("A, B", ["A, C"], 0.0), ("dog", ["cat"], 0.0), ("red dog", ["big cat"], 0.0),
    ("red", ["cat", "dog"], 0.0), ("dog", ["cat", "dog"], 1.0), ("A", ["mint"], 0.0), ("3", ["cat"], 0.0),
    ("false", ["True"], 0.0), ("错", ["对"], 0.0), ("草", ["薄荷"], 0.0), ('{"a": 1}', ['{"a": 1}'], 1.0),
]  # fmt: skip
_UNREAD = [
    ("The answer is 8.", ["8"]), (r"\boxed{8}", ["8"]), ("8 cats", ["8"]), ("eight", ["8"]), ("24%", ["24"]),
    ("B", ["3"]), ("3", ["C"]), ("(C)", ["C"]), ("**C**", ["C"]), ("The answer is C.", ["C"]), ("C, A", ["A, C"]),
    ("AC", ["A, C"]), ("A and C", ["A, C"]), ("A, B", ["C"]), ("cat", ["C"]), ("It is a dog", ["cat"]),
    ("a cat", ["cat"]), ("yes", ["True"]), ("不对", ["对"]), ("答案是对", ["对"]), ('{"short answer": "8"}', ["8"]),
    ('{"a": 2}', ['{"a": 1}']), ("", ["8"]), ("  ", ["C"]), ("cat, black", ["black cat"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "answers", "score"), [*_READ, *((*one, None) for one in _UNREAD)])
def test_a_bare_answer_is_right_or_wrong_and_all_else_unread(
    con: duckdb.DuckDBPyConnection, text: str, answers: list[str], score: float | None
) -> None:
    found = con.execute(f"SELECT {OURS}.bare_score(?, ?::VARCHAR[])", [text, answers]).fetchall()
    assert found == [(score,)]


@pytest.mark.parametrize(
    ("text", "answers", "score"),
    [
        ("6*4, so the answer is 24.", ["24"], 1.0), ("so the answer is 31.", ["24"], None), ("31", ["24"], 0.0),
        ("I think it is mint tea", ["mint"], 1.0), ("That is not true", ["True"], None), ("这不对", ["对"], None),
        ("the answer is B", ["B"], None), ("A", ["mint"], 0.0), ("答案是24", ["24"], 1.0), ("", ["24"], None),
    ],
)  # fmt: skip
def test_words_among_choices_are_also_read_where_they_state_it(
    con: duckdb.DuckDBPyConnection, text: str, answers: list[str], score: float | None
) -> None:
    found = con.execute(f"SELECT {OURS}.worded_score(?, ?::VARCHAR[])", [text, answers]).fetchall()
    assert found == [(score,)]


def _figures(house: Warehouse) -> list[tuple[float, int, int]]:
    with house.reading() as con:
        return con.execute(
            "SELECT score, n, n_unread FROM latest.benchmark_score WHERE ability = 'Overall'"
        ).fetchall()


def _n_asked(house: Warehouse) -> dict[str, int]:
    return {
        one.template.task: len(list(one.requests()))
        for one in assign(house.path, JudgeSettings(model=MODEL))
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "figures"), [("08-logicvista", (6 / 7, 7, 0)), ("09-dynamath", (5 / 6, 6, 0))]
)
def test_an_inferred_rule_reads_what_answers_state(
    house: Warehouse, shared: Path, case: str, figures: tuple[float, int, int]
) -> None:
    outcomes = list(house.ingest_many(shared / "field" / case / "m"))
    assert [str(one.error) for one in outcomes if one.error] == []
    assert _figures(house) == [pytest.approx(figures, abs=1e-9)]
    assert _n_asked(house) == {"equivalence": 0}


_STATED = {
    "numbers": [
        ("8", "The answer is 8.", 1), ("8", r"So \boxed{8}", 1), ("8", "eight", 1), ("8", "答案是8。", 1),
        ("8", '{"solution": "I add 3.", "short answer": "8"}', 1),
        ("8", "The answer is 9. Wait, it is: Answer: 8", 1), ("8", "Answer: 8, because 3 + 5 = 8", 1),
        ("1000", "The answer is 1,000.", 1), ("-3.5", "the answer is -3.5", 1),
        ("8", "La respuesta es 9.", 0), ("8", "**9**", 0), ("8", "The answer is -8.", 0),
        ("24", "The answer is 24%.", None), ("8", "The answer is not 8.", None),
        ("8", "The answer is 8 or 9.", None), ("8", "I doubt the answer is 8", None),
        ("8", "The answer is 8. Wait, no.", None), ("8", "Is the answer 8? No.", None),
        ("8", "about 8", None), ("8", "The answer is 8 cats", None),
        ("8", "If I had seen it, the answer could be 8.", None), ("8", "", None),
    ],
    "letters": [
        ("D", "ANSWER: (D) B, D and F are turning", 1), ("A, C", "The correct options are A and C.", 1),
        ("A, C", "C, A", 1), ("B", r"\boxed{B}", 1), ("B", "The answer is B, not C.", 1),
        ("C, A", "The answer is A and C.", 1), ("B", "The answer is (C).", 0),
        ("A, C", "The answer is A.", 0), ("B", "Answer: B or C", None),
        ("B", "B, D and F are turning", None), ("B", "The answer is a cat", None),
        ("B", "The answer is B? Hardly.", None),
    ],
    "words": [
        ("fish", "It is a fish", 1), ("Café", "The answer is the café.", 1),
        ("no fish", "The answer is fish.", 0), ("red and blue", "Answer: red & blue", 1),
        ("cat", "The answer is: dog", 0), ("black cat", "The answer is cat, black", None),
        ("cat", "I see a dog. It has a tail.", None), ("cat", "The answer is no cat", None),
        ("dog", "cat or dog", None),
        ("对", "答案是对", 1), ("对", "答案是错。", 0), ("对", "这不对", None), ("True", "The answer is false.", None),
        ("True", "The answer is right.", None),
    ],
}  # fmt: skip


@pytest.mark.parametrize("kind", list(_STATED))
def test_what_a_text_states_is_compared_and_all_else_unread(
    house: Warehouse, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "vlm" / "vlm_Fresh.tsv"
    path.parent.mkdir()
    rows = [f"{n}\tq{n}\t{one}\t{text}" for n, (one, text, _) in enumerate(_STATED[kind])]
    path.write_text(
        "\n".join(["index\tquestion\tanswer\tprediction", *rows]) + "\n", encoding="utf-8"
    )
    list(house.ingest_many(path.parent))
    with house.reading() as con:
        found = con.execute(
            "SELECT CAST(q.question_key AS INTEGER) AS n, e.score_at_once FROM latest.extraction AS e "
            "JOIN main.question AS q USING (question_id) ORDER BY n"
        ).fetchall()
    assert found == [(n, score) for n, (_, _, score) in enumerate(_STATED[kind])]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "right", "figures"),
    [
        ([r"\boxed{A}", "The answer is (B).", "**D**", "C"], "ABDA", (0.75, 4, 0)),
        (["The answer is 3.", "6", "7", "about 9"], ["3", "6", "8", "9"], (0.5, 4, 1)),
        (["cat", "a dog", "bird", "Is it a fish?"], ["cat", "dog", "frog", "fish"], (0.5, 4, 1)),
    ],
)
def test_what_an_inferred_rule_does_not_read_is_counted(
    house: Warehouse,
    tmp_path: Path,
    said: list[str],
    right: list[str],
    figures: tuple[float, int, int],
) -> None:
    path = tmp_path / "vlm" / "vlm_Fresh.tsv"
    path.parent.mkdir()
    rows = [
        f"{n}\tq{n}\t{one}\t{text}" for n, (one, text) in enumerate(zip(right, said, strict=True))
    ]
    path.write_text(
        "\n".join(["index\tquestion\tanswer\tprediction", *rows]) + "\n", encoding="utf-8"
    )
    list(house.ingest_many(path.parent))
    assert _figures(house) == [pytest.approx(figures, abs=1e-9)]
    assert _n_asked(house) == {"equivalence": figures[2]}
