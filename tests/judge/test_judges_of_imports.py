"""`evalhouse judge` and the judges whose verdicts came with files: it says that there is nothing to ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.commands import Done, run
from tests.houses import QuickHouse
from tests.tables import facts

_RUN = "formats/vlmevalkit_field/outputs/Lynx-VL-2B/T20260110-093000"


@pytest.fixture(scope="module")
def lab(shared: Path, new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """LLaVA-Bench, whose judge gave pairs, and MMBench-Video, whose judge gave points."""
    path = tmp_path_factory.mktemp("imports") / "warehouse.duckdb"
    path.write_bytes(new_file.read_bytes())
    house = QuickHouse(path)
    for name in (
        "LLaVABench.xlsx", "LLaVABench_openai_result.xlsx",
        "MMBench-Video.xlsx", "MMBench-Video_gpt-4-turbo_tmp.pkl",
    ):  # fmt: skip
        found = sorted((shared / _RUN).glob(f"*_{name}"))
        for file in found:
            house.ingest(file)
    return house


def _judge(house: Warehouse, *words: object) -> Done:
    return run("evalhouse", "judge", *words, "--db", house.path, cwd=house.path.parent)


def test_their_tasks(lab: Warehouse) -> None:
    kinds = lab.sql("SELECT task, kind FROM main.judge ORDER BY 1").rows()
    assert ("pair", "import") in kinds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--model", "m"],
            "no rule of these benchmarks needs a judge that can be asked; the verdicts on LLaVA-Bench "
            "(pair) and MMBench-Video (points) come with files, which `ingest` reads",
        ),
        (
            ["--model", "m", "--benchmark", "LLaVA-Bench"],
            "the verdicts on LLaVA-Bench (pair) come with files",
        ),
        (
            ["--model", "m", "--task", "pair"],
            "--task pair: such verdicts come with files, which `ingest` reads; there is nothing to ask",
        ),
        (
            ["--name", "openai"],
            "the judge openai cannot be asked: its verdicts (pair) came with files; `ingest` reads more",
        ),
        (
            ["--name", "openai", "--offline"],
            "the judge openai cannot be asked: its verdicts (pair) came with files; `ingest` reads more",
        ),
    ],
)
def test_there_is_nothing_to_ask(lab: Warehouse, words: list[str], message: str) -> None:
    before = facts(lab.path)
    ended = _judge(lab, *words)
    assert ended.code == 2
    assert message in " ".join(ended.err.split())
    assert facts(lab.path) == before
