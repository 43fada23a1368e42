"""A large samples file of lm-evaluation-harness: 20,000 documents of 87 MB, compared with one document.

    python -m bench.lm_eval_samples

The file is generated: multiple choice with four choices, the prompt in each of four requests. `ingest`
of it and of its first line, into a warehouse that is there, are whole processes, in turn. What the
large one takes beyond the small one is reading; the share of right answers has to be the file's own.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bench import measure, options
from bench.measure import Cost
from bench.report import Report
from evalhouse import Warehouse

N_DOCUMENTS = 20_000
SECONDS, TIMES_BYTES = 4.0, 2.0
"""The targets: seconds, and memory over the file's bytes, beyond an ingest of one document."""
_TIME = "2026-11-24T00-00-00.123456"
_TASK = "large_task"
_WORDS = ("alpha", "river", "stone", "cloud", "green", "seven", "motor", "paper", "light", "house")


class Differ(Exception):
    """Our figure is not the one in the file."""


def main() -> None:
    """Measure and print."""
    chosen = options.read(__doc__)
    folder = chosen.data / "lm_eval"
    n = max(20, round(N_DOCUMENTS * chosen.scale))
    report = Report("A large samples file of lm-evaluation-harness", chosen.folder)
    empty, db = folder / "empty.duckdb", folder / "ours.duckdb"
    paths = {n_documents: write(folder / str(n_documents), n_documents) for n_documents in (1, n)}
    empty.unlink(missing_ok=True)
    with Warehouse(empty).writing():
        pass
    costs: dict[int, list[Cost]] = {1: [], n: []}

    def work(n_documents: int) -> Callable[[], float]:
        def once() -> float:
            shutil.copy(empty, db)
            words = ("--map", f"{_TASK}=Large", "--no-refresh", "--db", db)
            costs[n_documents].append(measure.evalhouse("ingest", paths[n_documents], *words))
            if n_documents == n:
                check(Warehouse(db), paths[n])
            return costs[n_documents][-1].wall

        return once

    walls = dict(zip(paths, measure.in_turn(chosen.pairs, *map(work, paths)), strict=True))
    size = paths[n].stat().st_size
    report.section(f"{n:,} documents, {size / 1e6:.1f} MB")
    peaks = {one: max(cost.peak for cost in costs[one]) for one in costs}
    for one, of_one in walls.items():
        cpu = median(cost.cpu for cost in costs[one])
        figure = f"{measure.spread(of_one)}, processor {cpu:.2f} s, {peaks[one] / 1e6:,.0f} MB"
        report.figure(f"ingest of {one:,}", figure)
    beyond = [large - small for large, small in zip(walls[n], walls[1], strict=True)]
    report.at_most("seconds beyond one document", measure.spread(beyond), median(beyond), SECONDS, "s")  # fmt: skip
    share = (peaks[n] - peaks[1]) / size
    report.at_most("memory beyond it, over the file's bytes", f"{share:.2f} ×", share, TIMES_BYTES)
    report.notes.append(f"Medians of {chosen.pairs} rounds in turn; memory is the greatest peak.")
    report.show()
    db.unlink()


def write(folder: Path, n: int) -> Path:
    """A samples file of so many documents."""
    folder = folder / "acme__model-A"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"samples_{_TASK}_{_TIME}.jsonl"
    drawn = random.Random(17)
    with path.open("w", encoding="utf-8") as file:
        for number in range(n):
            file.write(json.dumps(_record(drawn, number), ensure_ascii=False) + "\n")
    return path


def _record(drawn: random.Random, number: int) -> dict[str, object]:
    def words(n: int) -> str:
        return " ".join(drawn.choices(_WORDS, k=n))

    question = f"{words(20)} {number}?"
    choices = [f"{words(4)} {place}" for place in range(4)]
    prompt = f"The following are multiple choice questions.\n\n{words(105)}\n{question}\nAnswer:"
    right = drawn.randrange(4)
    values = [-drawn.random() * 20 for _ in choices]
    pairs = [[str(value), "False"] for value in values]
    return {
        "doc_id": number,
        "doc": {"question": question, "subject": words(1), "choices": choices, "answer": right},
        "target": str(right),
        "arguments": {
            f"gen_args_{place}": {"arg_0": prompt, "arg_1": f" {choice}"}
            for place, choice in enumerate(choices)
        },
        "resps": [[pair] for pair in pairs],
        "filtered_resps": pairs,
        "filter": "none",
        "metrics": ["acc"],
        **{
            f"{name}_hash": f"{drawn.getrandbits(256):064x}" for name in ("doc", "prompt", "target")
        },
        "acc": float(values.index(max(values)) == right),
    }


def check(house: Warehouse, path: Path) -> None:
    """Compare the file's own figure with ours.

    Raises:
        Differ: they are not the same.
    """
    with path.open(encoding="utf-8") as file:
        scores = [json.loads(line)["acc"] for line in file]
    ours = house.sql(
        "SELECT score FROM ability_score WHERE level = 'overall' AND strategy = 'vanilla' "
        "AND average = 'micro' AND judge = 'none'"
    ).item()
    theirs = sum(scores) / len(scores)
    if ours is None or abs(ours - theirs) > 1e-9:
        raise Differ(f"{path}: {ours} here, {theirs} there")


if __name__ == "__main__":
    main()
