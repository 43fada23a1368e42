"""`judge --benchmark`, `--run` and `--subset`: what is judged, and what is left for later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evalhouse import UsageError, Warehouse
from evalhouse.judging import JudgeSettings, assign
from tests.commands import run
from tests.judging import MODEL, JudgeServer, fill, judged, rows, unclear
from tests.queries.test_graded import OpenAsk, add_open
from tests.tables import write_jsonl


@pytest.fixture
def runs(house: Warehouse, tmp_path: Path) -> Warehouse:
    """Two models of which one says what the other said, a second run of one, and a subset."""
    fill(house, {"m": unclear(3), "n": unclear(3)})
    said = [
        {
            "model": "m",
            "question_key": str(key),
            "pass": 0,
            "prediction": f"well cannot tell #{key}",
        }
        for key in range(3)
    ]
    house.ingest(write_jsonl(tmp_path / "later.jsonl", said), benchmark="Own", run="later")
    (tmp_path / "hard.json").write_text('["1"]', encoding="utf-8")
    return house


def _pending(house: Warehouse) -> list[tuple[str, str]]:
    """The run's label and question of each answer without a verdict."""
    return rows(
        house,
        "SELECT DISTINCT r.run, p.question_key FROM pass_result AS p "
        "JOIN current_run AS r USING (run_id) WHERE p.resolved_by = 'pending' ORDER BY ALL",
    )


@pytest.mark.slow
def test_a_run_alone(runs: Warehouse, server: JudgeServer) -> None:
    progress = judged(runs, server, run="later")
    assert progress.asked == len(server) == 3
    assert _pending(runs) == [("said", "0"), ("said", "1"), ("said", "2")]


@pytest.mark.slow
def test_what_runs_share_is_judged_for_the_one_asked_for(
    runs: Warehouse, server: JudgeServer
) -> None:
    """The answers of another run, which comes first, do not hide those of the run in scope."""
    said = [{"model": "z", "question_key": "0", "pass": 0, "prediction": "hmm cannot tell #0"}]
    folder = runs.path.parent
    runs.ingest(write_jsonl(folder / "same.jsonl", said), benchmark="Own", run="same")
    progress = judged(runs, server, run="same")
    assert progress.asked == 1
    # It is the same subject: every run has its verdict.
    assert [label for label, key in _pending(runs) if key == "0"] == ["later"]


@pytest.mark.slow
def test_a_subset_alone(runs: Warehouse, server: JudgeServer) -> None:
    folder = runs.path.parent
    runs.ingest(folder / "hard.json", benchmark="Own", subset="hard")
    progress = judged(runs, server, benchmark="own", subset="hard")
    assert progress.asked == 2
    assert {key for _, key in _pending(runs)} == {"0", "2"}


@pytest.mark.slow
def test_a_benchmark_alone_enrols_its_judge_alone(runs: Warehouse, server: JudgeServer) -> None:
    add_open(runs, [OpenAsk("1", references=("yes",))], {"m": {("1", 0): ("perhaps #1", False)}})
    (found,) = assign(
        runs.path, JudgeSettings(model=MODEL, base_url=server.url, benchmark="Own", run="later")
    )
    assert found.template.task == "choice_extraction"
    preview = found.preview()
    assert [(one.pending, one.calls) for one in preview.runs] == [(3, 3)]
    assert len(found.requests()) == 3


@pytest.mark.slow
def test_the_command(runs: Warehouse, tmp_path: Path) -> None:
    words = ("--benchmark", "Own", "--run", "later", "--db", runs.path)
    done = run("evalhouse", "judge", "--model", MODEL, *words, "--dry-run", cwd=tmp_path)
    assert (done.code, "In all: 3 calls now" in done.out) == (0, True)
    batch = tmp_path / "batch.jsonl"
    done = run("evalhouse", "judge", "export-batch", batch, "--model", MODEL, *words, cwd=tmp_path)
    assert (done.code, len(batch.read_text("utf-8").splitlines())) == (0, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scope", "message"),
    [
        ({"benchmark": "Other"}, "--benchmark: no benchmark 'Other'; there are Own"),
        ({"run": "first"}, "--run: the warehouse has no run 'first'; there are later, said"),
        ({"benchmark": "Own", "subset": "x"}, "--subset: Own has no subset 'x'"),
    ],
)
def test_what_is_not_there_is_named(runs: Warehouse, scope: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        assign(runs.path, JudgeSettings(model=MODEL, **scope))
    assert rows(runs, "SELECT name FROM main.judge") == []
