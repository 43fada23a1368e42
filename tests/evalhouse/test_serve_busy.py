"""Pages while other processes write, and the limits of the page SQL."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from evalhouse import Warehouse, cli_serve
from tests import held, judging
from tests.tables import write_jsonl
from tests.webpages import Seen, client_of, serving, site_of


def _page(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as answer:
        assert answer.status == 200
        return str(answer.read().decode())


def _asked_while(writing: subprocess.Popen[str], address: str) -> int:
    """Ask for a page until a process ends; return how often."""
    n = 0
    while writing.poll() is None:
        _page(address)
        n += 1
    out, err = writing.communicate()
    assert writing.returncode == 0, (out, err)
    return n


@pytest.mark.slow
def test_pages_while_other_processes_ingest_and_judge(
    make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    house = judging.fill(make_house("busy"), {"m": judging.unclear(40)})
    rows = [{"question_key": str(n), "prediction": "A"} for n in range(40)]
    file = write_jsonl(tmp_path / "m.jsonl", rows)
    ((benchmark,),) = house.sql("SELECT name FROM main.benchmark").rows()
    held.close()
    path = str(house.path)
    with judging.serving(tmp_path, latency=0.1) as server, serving(house.path) as address:
        words = ["--benchmark", benchmark, "--model", "new", "--db", path, "--wait", "60"]
        program = [sys.executable, "-c", "from evalhouse.cli import main; main()"]
        writing = subprocess.Popen(
            [*program, "ingest", str(file), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert _asked_while(writing, f"{address}/judges") > 0
        assert "/model?name=new" in _page(f"{address}/")
        list_of_m = f"{address}/questions?run=1&judge={judging.MODEL}"
        words = ["--model", judging.MODEL, "--base-url", server.url, "--cache", str(tmp_path / "c")]
        writing = judging.command("judge", *words, "--db", path, "--wait", 60, cwd=tmp_path)
        assert _asked_while(writing, f"{address}/") > 0
        assert len(server.lines()) == 40
        # Each page is of the file as it is now.
        shown = [row for row in Seen(_page(list_of_m)).rows[1:] if row]
        assert len(shown) == 40
        assert {row[3] for row in shown} == {"judge"}
        assert judging.MODEL in _page(f"{address}/judges")


@pytest.mark.slow
def test_a_query_has_a_time_and_a_number_of_rows(
    new_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_serve, "_TIMEOUT", 1.0)
    monkeypatch.setattr(cli_serve, "_MAX_ROWS", 1_000)
    path = tmp_path / "w.duckdb"
    path.write_bytes(new_file.read_bytes())
    client = client_of(site_of(Warehouse(path)))
    for query, why in (
        (
            "SELECT sum(hash(a.range, b.range)) FROM range(9000000000) AS a, range(1000) AS b",
            "1 second",
        ),
        ("SELECT range FROM range(1001)", "1,000 rows"),
    ):
        for address in ("/sql", "/sql.csv", "/sql.parquet"):
            answer = client.get(address, params={"q": query})
            assert answer.status_code == 400, (address, query)
            assert why in answer.text, (address, answer.text[-1000:])
            if why == "1 second":
                break
    assert (
        len(Seen(client.get("/sql", params={"q": "SELECT range FROM range(1000)"}).text).rows)
        == 501
    )
    whole = client.get("/sql.csv", params={"q": "SELECT range FROM range(1000)"})
    assert len(whole.text.splitlines()) == 1_001
