"""Generated data: MMBench-like questions, predictions in files, warehouses of them, and judgments.

    python -m bench.data --million 20 --db FILE [--direct]

makes a warehouse of so many million predictions (220: 20,000 submissions of 11,000 rows each):
Parquet files of 1,000 runs, 11 million rows in no order, which are ingested one by one. `--direct`
puts the same rows into the tables by SQL instead, which is quicker and measures nothing. Files stay
next to the warehouse, and are used again; they take about 7 bytes a prediction.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import duckdb
import polars as pl

from bench import measure
from bench.measure import LIMITS, ROOT, kept
from evalhouse import Warehouse
from warehouse import benchmark, judges, sources, statements
from warehouse.benchmark import Ability
from warehouse.connection import transaction

RUNS_PER_FILE = 1_000
_SQL = statements.of_module(__file__)
_TAXONOMY = ROOT / "warehouse" / "benchmarks" / "mmbench"
_SETTINGS = f"SET memory_limit = '{measure.MEMORY_LIMIT}'; SET threads = {measure.THREADS}"
_FORMATS = {
    ".parquet": "FORMAT parquet, COMPRESSION zstd",
    ".csv": "FORMAT csv, HEADER",
    ".tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
    ".jsonl": "FORMAT json",
}
TASK = "large_task"
"""That of the samples file of lm-evaluation-harness."""
_WORDS = ("alpha", "river", "stone", "cloud", "green", "seven", "motor", "paper", "light", "house")


@dataclass(frozen=True)
class Shape:
    """What the questions are like.

    Attributes:
        n_questions: how many.
        mixed: whether some have 2 or 3 choices; else all have 4.
        circular: whether each has a pass per choice; else one pass.
        seed: other seeds give other answers.
    """

    n_questions: int = 2_974
    mixed: bool = True
    circular: bool = True
    seed: int = 1


MMBENCH = Shape()
PASSES = 11_000
"""Rows of one submission of MMBENCH."""


@contextmanager
def _maker(shape: Shape, temp: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of the engine alone, with the questions in `item` and `item_pass`."""
    with duckdb.connect(config={"temp_directory": str(temp)}) as con:
        con.execute(f"SET enable_progress_bar = false; {_SETTINGS}")
        _make_items(con, shape)
        yield con


def _make_items(con: duckdb.DuckDBPyConnection, shape: Shape) -> None:
    """Make the temporary tables that predictions are drawn from."""
    spelling = {one.name: one.spellings[0] for one in _abilities()}
    leaves = [one for one in _abilities() if one.level == "l3"]
    names = [spelling[one.name] for one in leaves]
    con.execute(
        _SQL["make_leaves"],
        {"names": names, "parents": [spelling[str(one.parent)] for one in leaves]},
    )
    numbers = {"n_questions": shape.n_questions, "mixed": shape.mixed, "seed": shape.seed}
    con.execute(_SQL["make_items"], numbers)
    con.execute(_SQL["make_passes"], {"circular": shape.circular})


def _abilities() -> list[Ability]:
    return [one for one in benchmark.load(_TAXONOMY).abilities if one.spellings]


def _write(path: Path, sql: str, shape: Shape) -> Path:
    """Write a query's result into a file that is not there; its ending says of which kind."""

    def make(part: Path) -> None:
        with _maker(shape, path.parent / "temp") as con:
            con.execute(f"COPY ({sql}) TO '{part}' ({_FORMATS[path.suffix]})")

    return kept(path, make)


def write_questions(path: Path, shape: Shape = MMBENCH) -> Path:
    """The question TSV, in MMBench's own columns."""
    return _write(path, _SQL["question_rows"], shape)


def write_predictions(path: Path, first_run: int, n_runs: int, shape: Shape = MMBENCH) -> Path:
    """The predictions of some runs in one file.

    Args:
        path: .parquet, .csv, .tsv or .jsonl; left as it is where it exists.
        first_run: the first run's number, from 1; it is in the model's name, `model-00001`.
        n_runs: how many runs.
        shape: what the questions are like.
    """
    return _write(path, _numbered(_SQL["file_rows"], first_run, n_runs, shape), shape)


def _numbered(sql: str, first_run: int, n_runs: int, shape: Shape) -> str:
    """A statement with its numbers in place: COPY takes no parameters."""
    sql = sql.replace("{prediction_rows}", _SQL["prediction_rows"])
    numbers = {"first_run": first_run, "end_run": first_run + n_runs, "seed": shape.seed}
    for name, number in numbers.items():
        sql = sql.replace(f"${name}", str(number))
    return sql


def n_runs(million: float) -> int:
    """How many runs make so many million predictions, at least one."""
    return max(1, round(million * 1e6 / PASSES))


def _run_ranges(n: int) -> list[tuple[int, int]]:
    """First run and number of runs of each file."""
    return [(i, min(RUNS_PER_FILE, n - i + 1)) for i in range(1, n + 1, RUNS_PER_FILE)]


def _prediction_files(folder: Path, n: int) -> list[Path]:
    """The files of the first n runs."""
    return [
        write_predictions(folder / f"runs-{i:05d}-{i + count - 1:05d}.parquet", i, count)
        for i, count in _run_ranges(n)
    ]


def fill(house: Warehouse, folder: Path, n: int, *, direct: bool = False) -> None:
    """Put the questions and the first n runs into a warehouse that has none.

    Args:
        house: the warehouse.
        folder: where files are written, or are already.
        n: how many runs.
        direct: by SQL rather than by ingesting files.
    """
    house.ingest(write_questions(folder / "mmbench.tsv"), benchmark="MMBench", refresh=False)
    if not direct:
        for file in _prediction_files(folder, n):
            house.ingest(file, benchmark="MMBench", refresh=False)
        return
    with house.writing() as con:
        con.execute(_SETTINGS)
        _make_items(con, MMBENCH)
        for first, count in _run_ranges(n):
            with transaction(con):
                source_id = _add_source(con, first, count * PASSES)
                numbers = {"source_id": source_id, "first_run": first, "end_run": first + count}
                for name in ("insert_models", "insert_runs", "insert_samples"):
                    con.execute(_SQL[name], numbers)
                con.execute(_numbered(_SQL["insert_predictions"], first, count, MMBENCH))


def _add_source(con: duckdb.DuckDBPyConnection, what: int | str, n: int) -> int:
    return sources.add(con, sources.Source(f"evalhouse:bench/{what}", "-", 0, "bench", 1, {}, n))


def warehouse(folder: Path, n: int) -> Path:
    """The warehouse of so many runs, made by commands if it is not there; what its ingest cost is
    kept in a file next to it."""
    folder = folder / "growth"
    db = folder / f"runs-{n:05d}.duckdb"

    def make(part: Path) -> None:
        flags = ("--no-refresh", "--benchmark", "MMBench", "--db", part, *LIMITS)
        files = _prediction_files(folder, n)
        measure.evalhouse("ingest", write_questions(folder / "mmbench.tsv"), *flags)
        cost = measure.evalhouse("ingest", *files, *flags)
        made = {"date": time.strftime("%Y-%m-%d"), "wall": cost.wall, "peak": cost.peak}
        db.with_suffix(".ingest.json").write_text(json.dumps(made), encoding="utf-8")

    return kept(db, make)


def judged(folder: Path, n: int, n_judgments: int, *, person: bool = False) -> Path:
    """A copy of the warehouse of so many runs, with so many judgments of the judge `bench`; with a
    person, with all of its and so many of the person."""
    judged_by = [("bench", "llm", 10**9 if person else n_judgments)]
    judged_by += [("person", "human", n_judgments)] if person else []

    def make(part: Path) -> None:
        shutil.copy(warehouse(folder, n), part)
        measure.evalhouse("refresh", "--db", part, *LIMITS)
        with measure.house(part).writing() as con:
            con.execute(f"{_SETTINGS}; {_SQL['make_subjects']}")
            with transaction(con):
                source_id = _add_source(con, "judgments", n_judgments)
                for name, kind, most in judged_by:
                    judge = judges.Judge(name, "choice_extraction", kind, name, max_attempts=3)
                    judge_id = judges.register(con, judge, source_id=source_id)
                    judges.plan_samples(con, judge_id, 1, source_id=source_id)
                    numbers = {"judge_id": judge_id, "source_id": source_id, "n": most}
                    con.execute(_SQL["insert_judgments"], numbers)

    by = judged_by[-1][0]
    return kept(folder / "judge" / f"runs-{n:05d}-{n_judgments}-{by}.duckdb", make)


@dataclass(frozen=True)
class PeerSet:
    """A dataset and the predictions of some models, as VLMEvalKit writes and reads them.

    Attributes:
        dataset: its name, `{dataset}.tsv` in its LMUData and `{model}_{dataset}` of predictions.
        benchmark: its benchmark's name here.
        strategy: circular or vanilla.
        n_rows: rows of all prediction files.
    """

    dataset: str
    benchmark: str
    strategy: str
    questions: Path
    files: tuple[Path, ...]
    n_rows: int

    def fresh(self, scratch: Path) -> list[Path]:
        """Copies of the prediction files in a folder that holds nothing else."""
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        return [Path(shutil.copy(file, scratch)) for file in self.files]


def peer_set(folder: Path, kind: str, n_questions: int, strategy: str) -> PeerSet:
    """MMBench-like questions: 4 passes by 4 models (circular), or one pass by one (vanilla)."""
    is_circular = strategy == "circular"
    # VLMEvalKit does not check a dataset by whose name it knows no md5.
    dataset = "MMBench_BENCH" if is_circular else f"Plain{n_questions}"
    shape = Shape(n_questions, mixed=False, circular=is_circular)
    questions = write_questions(folder / f"{dataset}.tsv", shape)
    said = write_predictions(folder / f"{dataset}.parquet", 1, 4 if is_circular else 1, shape)
    index = pl.col("question_key").cast(pl.Int64) + 1_000_000 * pl.col("pass")
    answers = pl.read_parquet(said).select("model", "prediction", index=index).sort("model")
    asked = pl.read_csv(questions, separator="\t", infer_schema=False)
    asked = asked.with_columns(pl.col("index").cast(pl.Int64))
    made = []
    for (model,), of_model in answers.group_by("model", maintain_order=True):
        table = asked.join(of_model.drop("model"), on="index", maintain_order="left")
        write = table.write_excel if kind == "xlsx" else partial(table.write_csv, separator="\t")
        made.append(kept(folder / f"{model}_{dataset}.{kind}", write))
    benchmark = "MMBench" if is_circular else dataset
    return PeerSet(dataset, benchmark, strategy, questions, tuple(made), answers.height)


@cache
def peer_names() -> dict[str, str]:
    """How VLMEvalKit's report calls abilities, by our name and a file's: it shortens the second
    level alone."""
    names: dict[str, str] = {}
    for one in _abilities():
        named = one.abbreviation if one.level == "l2" else one.spellings[0]
        names |= {one.name: named, one.spellings[0]: named}
    return names


def lm_eval_samples(folder: Path, n: int) -> Path:
    """A samples file of lm-evaluation-harness, of so many documents, with the prompt in each of
    four requests."""
    path = folder / str(n) / "acme__model-A" / f"samples_{TASK}_2026-11-24T00-00-00.123456.jsonl"
    drawn = random.Random(17)

    def make(part: Path) -> None:
        with part.open("w", encoding="utf-8") as file:
            for number in range(n):
                file.write(json.dumps(_sample(drawn, number)) + "\n")

    return kept(path, make)


def _sample(drawn: random.Random, number: int) -> Mapping[str, object]:
    def words(n: int) -> str:
        return " ".join(drawn.choices(_WORDS, k=n))

    question = f"{words(20)} {number}?"
    choices = [f"{words(4)} {place}" for place in range(4)]
    prompt = f"The following are multiple choice questions.\n\n{words(105)}\n{question}\nAnswer:"
    right = drawn.randrange(4)
    values = [-drawn.random() * 20 for _ in choices]
    pairs = [[str(value), "False"] for value in values]
    asked = {f"gen_args_{i}": {"arg_0": prompt, "arg_1": f" {choices[i]}"} for i in range(4)}
    hashes = {
        f"{one}_hash": f"{drawn.getrandbits(256):064x}" for one in ("doc", "prompt", "target")
    }
    doc = {"question": question, "subject": words(1), "choices": choices, "answer": right}
    return {
        **{"doc_id": number, "doc": doc, "target": str(right), "arguments": asked},
        **{"resps": [[pair] for pair in pairs], "filtered_resps": pairs, "filter": "none"},
        **{"metrics": ["acc"], **hashes, "acc": float(values.index(max(values)) == right)},
    }


def main() -> None:
    """Make a warehouse."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--million", type=float, required=True)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--direct", action="store_true")
    options = parser.parse_args()
    begun = time.perf_counter()
    n = n_runs(options.million)
    fill(Warehouse(options.db), options.db.parent, n, direct=options.direct)
    print(
        f"{options.db}: {n:,} runs, {n * PASSES:,} predictions, "
        f"{options.db.stat().st_size / 1e9:,.2f} GB, {time.perf_counter() - begun:,.0f} s"
    )


if __name__ == "__main__":
    main()
