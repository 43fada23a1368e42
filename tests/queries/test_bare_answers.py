"""Rules that were guessed read what is nothing but an answer; all else is unread, and counted."""

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

OURS = "field_v1"


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
    ("case", "figures", "asked"),
    [("08-logicvista", (2 / 7, 7, 4), 4), ("09-dynamath", (0.0, 6, 6), 4)],
)
def test_what_an_inferred_rule_does_not_read_is_counted(
    house: Warehouse, shared: Path, case: str, figures: tuple[float, int, int], asked: int
) -> None:
    outcomes = list(house.ingest_many(shared / "field" / case / "m"))
    assert [str(one.error) for one in outcomes if one.error] == []
    assert _figures(house) == [pytest.approx(figures, abs=1e-9)]
    # The same question and answer is asked about once.
    assert _n_asked(house) == {"equivalence": asked}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "right", "figures"),
    [
        ([r"\boxed{A}", "The answer is (B).", "**D**", "C"], "ABDA", (0.0, 4, 3)),
        (["The answer is 3.", "6", "7", "about 9"], ["3", "6", "8", "9"], (0.25, 4, 2)),
        (["cat", "a dog", "bird", "It is a fish"], ["cat", "dog", "frog", "fish"], (0.25, 4, 2)),
    ],
)
def test_other_inferred_benchmarks(
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
