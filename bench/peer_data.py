"""Prediction files as VLMEvalKit writes them, with the dataset file that its loader looks for."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polars as pl

from bench import data
from bench.data import Shape
from warehouse import benchmark

N_MODELS = 4


@dataclass(frozen=True)
class PeerSet:
    """One dataset and the predictions of some models.

    Attributes:
        title: for the report.
        dataset: its name, `{dataset}.tsv` in the folder and `{model}_{dataset}` of its files.
        benchmark: its benchmark's name here.
        folder: where the dataset's file lies: VLMEvalKit's LMUData.
        files: the predictions.
        n_rows: rows of all prediction files.
        strategy: circular or vanilla.
    """

    title: str
    dataset: str
    benchmark: str
    folder: Path
    files: tuple[Path, ...]
    n_rows: int
    strategy: str

    @property
    def questions(self) -> Path:
        """The dataset's file."""
        return self.folder / f"{self.dataset}.tsv"

    @property
    def query(self) -> str:
        """The query that gives its scores."""
        return f"peer_{self.strategy}"

    def fresh(self, scratch: Path) -> list[Path]:
        """Copies of the prediction files in a folder that holds nothing else."""
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        return [Path(shutil.copy(file, scratch)) for file in self.files]


def circular(folder: Path, kind: str, n_questions: int = 2_974) -> PeerSet:
    """MMBench-like questions of 4 passes, for each of 4 models. A name of no known md5 is not
    checked."""
    shape = Shape(n_questions=n_questions, mixed=False)
    files = _write(folder, "MMBench_BENCH", shape, kind, N_MODELS)
    n_rows = n_questions * 4 * N_MODELS
    title = f"{n_rows:,} circular rows ({kind})"
    return PeerSet(title, "MMBench_BENCH", "MMBench", folder, files, n_rows, "circular")


def plain(folder: Path, n_questions: int) -> PeerSet:
    """Questions of one pass, answered by one model."""
    shape = Shape(n_questions=n_questions, mixed=False, circular=False)
    name = f"Plain{n_questions}"
    files = _write(folder, name, shape, "tsv", 1)
    title = f"{n_questions:,} plain rows (tsv)"
    return PeerSet(title, name, name, folder, files, n_questions, "vanilla")


def _write(folder: Path, dataset: str, shape: Shape, kind: str, n_models: int) -> tuple[Path, ...]:
    questions = data.write_questions(folder / f"{dataset}.tsv", shape)
    said = data.write_predictions(folder / f"{dataset}.parquet", 1, n_models, shape)
    of_file = pl.read_csv(questions, separator="\t", infer_schema=False).with_columns(
        pl.col("index").cast(pl.Int64)
    )
    answers = pl.read_parquet(said).select(
        "model",
        "prediction",
        index=pl.col("question_key").cast(pl.Int64) + 1_000_000 * pl.col("pass"),
    )
    files = []
    for model in sorted(answers["model"].unique()):
        file = folder / f"{model}_{dataset}.{kind}"
        files.append(file)
        if file.exists():
            continue
        of_model = answers.filter(pl.col("model") == model).drop("model")
        table = of_file.join(of_model, on="index", maintain_order="left")
        if kind == "xlsx":
            table.write_excel(file)
        else:
            table.write_csv(file, separator="\t")
    return tuple(files)


def peer_name(level: str, ability: str) -> str:
    """How VLMEvalKit's report calls an ability."""
    return "Overall" if level == "overall" else _names().get(ability, ability)


@cache
def _names() -> dict[str, str]:
    """By our name and by a file's: it shortens the second level alone."""
    names = {}
    for one in benchmark.load(data.TAXONOMY).abilities:
        if one.spellings:
            written = one.spellings[0]
            names[one.name] = one.abbreviation if one.level == "l2" else written
            names[written] = names[one.name]
    return names
