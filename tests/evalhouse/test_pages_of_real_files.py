"""The boards of the real files as pages, each cell next to what the command prints."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from evalhouse import Warehouse
from queries import render
from tests.webpages import Seen, client_of, site_of


@pytest.fixture(scope="module")
def real(shared: Path, new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    path = tmp_path_factory.mktemp("real") / "real.duckdb"
    shutil.copy(new_file, path)
    # As a user's, opened anew for each step: upon one connection DuckDB 2.0.0 ends the refresh of all three
    # at once in an internal error (its issue 24807).
    house = Warehouse(path)
    house.ingest(shared / "real/mmbench/llava-v1.5-13b.xlsx", benchmark="MMBench")
    house.ingest(shared / "real/seedbench/SEED-Bench-2.GPT-4V.json", on_duplicate="first")
    names = ("mm-vet", "bard_set", "llava-v1.5-7b", "llava-v1.5-7b_gpt-4-grade-3runs")
    files = [shared / f"real/mmvet/{name}.json" for name in names]
    house.ingest(*files, *sorted((shared / "real/mmvet").glob("*.csv")), benchmark="MM-Vet")
    return house


@pytest.fixture(scope="module")
def client(real: Warehouse) -> TestClient:
    return client_of(site_of(real))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("benchmark", "options"),
    [
        ("MMBench", {"level": "l2"}),
        ("MMBench", {"level": "l3", "strategy": "vanilla"}),
        ("MM-Vet", {}),
        ("SEED-Bench-2", {}),
    ],
)
def test_a_board_has_the_figures_of_the_command(
    client: TestClient, real: Warehouse, benchmark: str, options: dict[str, str]
) -> None:
    answer = client.get(f"/board?{urlencode({'benchmark': benchmark, **options})}")
    assert answer.status_code == 200, answer.text[-2000:]
    shown = [row for row in Seen(answer.text).rows if row]
    text = render.render_boards(real.leaderboard(benchmark, **options), "csv", digits=2)
    boards = list(csv.reader(io.StringIO(text)))
    heading, rows = boards[0], boards[1:]
    left = [n for n, name in enumerate(heading) if name not in ("Dataset", "Run")]
    assert rows
    for row in (heading, *rows):
        # What is empty in a CSV is a dash on a page.
        assert [row[n] or "-" for n in left] in shown


def test_the_published_figure_is_on_its_page(client: TestClient) -> None:
    """LLaVA-1.5-13B on MMBench dev under CircularEval: 67.69, as MMBench's board has it."""
    answer = client.get("/board?benchmark=MMBench&level=overall&strategy=circular")
    (row,) = [row for row in Seen(answer.text).rows if "llava-v1.5-13b" in row]
    assert "67.69" in row
