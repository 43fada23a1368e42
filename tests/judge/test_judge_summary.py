"""What is printed after judging, and asking again."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from evalhouse import Warehouse
from evalhouse.cli import app
from tests.judging import KEY, MODEL, JudgeServer, fill, rows, unclear


@pytest.mark.slow
def test_after_judging_and_again(
    house: Warehouse, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("COLUMNS", "200")
    said = {
        "mine": unclear(4, "fault=say_x") | {"4": ["fault=say_x cannot tell #4"]},
        "other": {"0": ["fault=unparsable #u"], "1": ["fault=500*9 #f"], "2": ["A"]},
    }
    fill(house, said)
    words = ["judge", "--model", MODEL, "--base-url", server.url, "--db", str(house.path)]
    words += ["--max-retries", "0"]
    first = CliRunner().invoke(app, words)
    out = first.stdout
    assert "; price not known" in out, first.output
    assert "$0.0000" not in first.output
    table = [
        line.split() for line in out.splitlines() if line.strip().startswith(("mine", "other"))
    ]
    #        model, dataset, run, read, X, refused, unparsable, failed, changed
    assert table == [
        ["other", "Own", "said", "0", "0", "0", "1", "1", "0"],
        ["mine", "Own", "said", "5", "5", "0", "0", "0", "0"],
    ]
    note = " ".join(first.stderr.split())
    assert f"every one of {MODEL}'s 5 verdicts is X (none of the choices)" in note

    before = rows(house, "SELECT judgment_id, reply FROM main.judgment ORDER BY 1")
    again = CliRunner().invoke(app, [*words, "--again", "--no-refresh"])
    assert "asked" in again.stdout, again.output
    after = rows(house, "SELECT judgment_id, reply FROM main.judgment ORDER BY 1")
    assert set(before) < set(after)
    series = rows(
        house,
        "SELECT judge_sample, count(DISTINCT subject_hash) FROM main.judgment WHERE reply IS NOT NULL "
        "GROUP BY 1 ORDER BY 1",
    )
    assert series == [(0, 6), (1, 6)]
    assert rows(house, "SELECT count(*) FROM main.judge WHERE name = ?", MODEL) == [(1,)]
    before = house.path.read_bytes()
    # 7 subjects once more, and the call that failed in each of the two samples.
    planned = CliRunner().invoke(app, [*words, "--again", "--dry-run"])
    assert "In all: 9 calls now" in planned.stdout, planned.output
    assert house.path.read_bytes() == before
