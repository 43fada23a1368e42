"""Throughput of judging, measured against a local server, side by side with a bare loop of the
client.

    python bench/judge_throughput.py

Prints, for servers of 500 ms and 50 ms latency at concurrency 64, the calls per second of `judge`
(from the first request that the server sees to the last reply; replies durable), of a bare loop of
the same client, and the share of the ideal or of the bare loop.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import openai  # noqa: E402  # the checkout first
from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from evalhouse import Warehouse  # noqa: E402
from evalhouse.judging import JudgeSettings, assign  # noqa: E402
from judge.budget import Budget  # noqa: E402
from judge.request import body_of  # noqa: E402

CONCURRENCY = 64


@contextmanager
def server(latency: float, log: Path) -> Iterator[str]:
    """A server in a separate process; gives its base URL."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.judge_server", "--log", str(log), "--latency", str(latency)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
    finally:
        process.kill()
        process.wait()


def filled(folder: Path, n: int) -> Warehouse:
    """A warehouse with so many answers that need a judge."""
    rows = [
        {"question_key": str(i), "question": f"What is in picture {i}?", "A": f"cat {i}"}
        | {"B": f"dog {i}", "C": f"owl {i}", "D": f"fox {i}", "answer": "B"}
        for i in range(n)
    ]
    said = [
        {"question_key": str(i), "model": "m", "prediction": f"it is an animal, number {i}"}
        for i in range(n)
    ]
    for name, lines in (("q", rows), ("p", said)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    house = Warehouse(folder / "bench.duckdb")
    house.ingest(folder / "q.jsonl", folder / "p.jsonl", benchmark="Bench")
    return house


def rate(log: Path) -> float:
    """Calls per second, from the first request to the last reply."""
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    replied = [e["t"] for e in events if e["event"] == "replied"]
    first = min(e["t"] for e in events if e["event"] == "request")
    return float(len(replied) / (max(replied) - first))


def judged(house: Warehouse, url: str, log: Path, seed: int) -> float:
    """Judge everything, under a separate judge; calls per second."""
    settings = JudgeSettings(
        model="bench-model",
        base_url=url,
        name=f"bench {log.stem}",
        sampling={"seed": seed},
        concurrency=CONCURRENCY,
    )
    (assignment,) = assign(house.path, settings)
    progress = assignment.run(Budget())
    assert (progress.failed, progress.error) == (0, None), progress
    return rate(log)


def bare(house: Warehouse, url: str, log: Path) -> float:
    """The same requests through the same client, in a loop that stores nothing."""
    (assignment,) = assign(
        house.path, JudgeSettings(model="bench-model", base_url=url, name="bare")
    )
    bodies = [body_of(request, assignment.template) for request in assignment.requests()]

    async def loop() -> None:
        waiting = iter(bodies)
        async with openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:

            async def work() -> None:
                for body in waiting:
                    await client.chat.completions.create(**body)

            await asyncio.gather(*(work() for _ in range(CONCURRENCY)))

    asyncio.run(loop())
    return rate(log)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--subjects", type=int, default=2_000)
    parser.add_argument("--pairs", type=int, default=3)
    options = parser.parse_args()
    os.environ.setdefault("OPENAI_API_KEY", "none")
    table = Table("latency", "ideal /s", "bare loop /s", "evalhouse judge /s", "share", "target")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        house = filled(folder, options.subjects)
        for latency, against in ((0.5, "ideal"), (0.05, "bare loop")):
            ours, theirs = [], []
            for pair in range(options.pairs):
                for what in ("bare", "ours"):
                    log = folder / f"{what}-{latency}-{pair}.jsonl"
                    with server(latency, log) as url:
                        if what == "bare":
                            theirs.append(bare(house, url, log))
                        else:
                            ours.append(judged(house, url, log, int(latency * 1000) + pair))
            ideal = CONCURRENCY / latency
            shares = [
                mine / (ideal if against == "ideal" else its)
                for mine, its in zip(ours, theirs, strict=True)
            ]
            share = median(shares)
            table.add_row(
                f"{latency * 1000:.0f} ms",
                f"{ideal:,.0f}",
                f"{median(theirs):,.1f}",
                f"{median(ours):,.1f}",
                f"{share:.1%} of the {against}",
                f"90 %: {'pass' if share >= 0.9 else 'falls short'}",
            )
    Console().print(table)
    print(
        time.strftime("%Y-%m-%d"),
        f"{os.cpu_count()} cores, {options.subjects:,} subjects,",
        end=" ",
    )
    print(f"concurrency {CONCURRENCY}, medians of {options.pairs} pairs")


if __name__ == "__main__":
    main()
