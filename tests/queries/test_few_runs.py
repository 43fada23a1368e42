"""Queries about a few runs: computed from views over these alone, they give what the release's views give."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from evalhouse import Warehouse
from queries import answers, few_runs, live, session
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl

_ASKS = [
    Ask(
        f"{n}",
        {0: {"A": f"cat {n}", "B": f"dog {n}"}, 1: {"A": f"dog {n}", "B": f"cat {n}"}},
        {0: "AB"[n % 2], 1: "BA"[n % 2]},
    )
    for n in range(8)
]
_SAID = {
    "one": ("A", "the dog", "Dog 2", "", "B.", "no idea", "cat 6", "A or B"),
    "two": ("B", "cat 1", "A", "A", "hmm", "B", "I cannot tell", "dog 7"),
}


@pytest.fixture(scope="module")
def path(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two benchmarks, two models each, and a judge of the one with choices."""
    folder = tmp_path_factory.mktemp("few")
    path = folder / "lab.duckdb"
    path.write_bytes(new_file.read_bytes())
    house = Warehouse(path)
    house.ingest(write_jsonl(folder / "q.jsonl", question_rows(_ASKS)), benchmark="Own")
    words = [
        {"question_key": f"{n}", "question": f"Is it {n}?", "reference": ("yes", "no")[n % 2]}
        for n in range(6)
    ]
    house.ingest(write_jsonl(folder / "w.jsonl", words), benchmark="Words")
    house.set_benchmark("Words", {"rule": "yes_no"})
    for model, said in _SAID.items():
        rows = [
            {"model": model, "question_key": f"{n}", "pass": turn, "prediction": text}
            for n, text in enumerate(said)
            for turn in (0, 1)
        ]
        house.ingest(write_jsonl(folder / f"{model}.jsonl", rows), benchmark="Own")
        rows = [
            {"model": model, "question_key": f"{n}", "prediction": f"{text}, yes"}
            for n, text in enumerate(said[:6])
        ]
        house.ingest(write_jsonl(folder / f"{model}_w.jsonl", rows), benchmark="Words")
    verdicts = [{"question_key": "5", "pass": 0, "reply": "A", "judge": "judge"}]
    house.ingest(write_jsonl(folder / "one_j.jsonl", verdicts), benchmark="Own", model="one")
    return path


def _asked(
    con: duckdb.DuckDBPyConnection, a: int, b: int, benchmark: str, strategy: str, judge: str
) -> list[tuple[str, list[int], Mapping[str, Any]]]:
    of_cell = dict.fromkeys(("side", "resolved_by", "pattern", "text", "page", "question", "most"))
    of_cell |= {"strategy": strategy, "ability": 0, "subset": "all", "show": "all", "judge": judge}
    pair = {"run_a": a, "run_b": b, "strategy": strategy, "judge": judge}
    con.execute(
        "CREATE TEMP TABLE page_other AS "
        "SELECT CAST(NULL AS VARCHAR) AS question_key, CAST(NULL AS DOUBLE) AS score LIMIT 0"
    )
    ids = [one for (one,) in con.execute("SELECT question_id FROM main.question").fetchall()]
    of_both = {"questions": ids, **answers.between([a, b])}
    return [
        ("page_questions", [b, a], {**answers.between([b, a]), **of_cell}),
        ("page_scores", [b], {"run": b, "judge": judge, "strategy": strategy}),
        ("page_sides", [a, b], pair),
        ("compare_abilities", [a, b], pair | {"subset": "all", "level": "overall"}),
        ("answers" if benchmark == "Own" else "answers_in_words", [a, b], of_both),
        ("page_model_reading", [a], {"model": None}),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("benchmark", "strategy", "judge"), [("Own", "vanilla", "judge"), ("Words", "vanilla", "none")]
)
def test_a_query_of_few_runs_gives_what_the_views_give(
    path: Path, benchmark: str, strategy: str, judge: str
) -> None:
    with Warehouse(path).reading() as con:
        session.use_release(con)
        ids = con.execute(
            "SELECT r.run_id FROM main.run AS r JOIN main.dataset USING (dataset_id) "
            "JOIN main.benchmark AS b USING (benchmark_id) WHERE b.name = ? ORDER BY r.run_id",
            [benchmark],
        ).fetchall()
        (a,), (b,) = ids
        n_rows = {}
        for query, runs, given in _asked(con, a, b, benchmark, strategy, judge):
            whole = session.frame(con, query, given)
            few = few_runs.frame_of_runs(con, query, runs, given)
            if query == "page_model_reading":
                whole = whole.filter(whole["run_id"] == a)
            assert sorted(few.rows(), key=repr) == sorted(whole.rows(), key=repr), query
            assert few.schema == whole.schema
            n_rows[query] = few.height
        assert all(n or query == "page_model_reading" for query, n in n_rows.items()), n_rows
        assert live.CATALOG in _catalogs(con)


def test_another_release_than_ships_is_asked_itself(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.duckdb"
    other.write_bytes(path.read_bytes())
    with duckdb.connect(str(other)) as con:
        con.execute("UPDATE main.release_object SET sha256 = 'x' WHERE name = 'pass_result'")
    with Warehouse(other, warn=lambda text: None).reading() as con:
        session.use_release(con)
        found = few_runs.frame_of_runs(
            con, "page_scores", [1], {"run": 1, "judge": "none", "strategy": "vanilla"}
        )
        assert found.height
        assert live.CATALOG not in _catalogs(con)


def _catalogs(con: duckdb.DuckDBPyConnection) -> set[str]:
    return {
        name for (name,) in con.execute("SELECT database_name FROM duckdb_databases()").fetchall()
    }
