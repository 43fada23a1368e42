"""`evalhouse score-choices` and `score-images`: choice scores by models on this machine.

The scores go to a file, which is ingested as any other.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from evalhouse.api import Warehouse
from evalhouse.cli_shared import Db, NoRefresh, Wait, house_of
from evalhouse.printing import console, out
from ingest.plain.long_table import METHODS
from local_models import embeddings, output
from local_models.choices import MEAN, REDUCTIONS, score_choices
from local_models.image_model import ImageModel
from local_models.images import similarities
from local_models.language_model import DTYPES, LanguageModel
from local_models.manifest import read_manifest
from local_models.parts import (
    COMPONENTS,
    image_components,
    n_incomplete,
    read_scores,
    refuse_overlap,
)
from local_models.prompts import CONTENT, SCORED, WORDING
from local_models.questions import Dataset, find_dataset, read_questions, refuse_known_run
from warehouse.errors import EvalhouseError, UsageError
from warehouse.files.weights import model_name
from warehouse.wording import counted


@dataclass(frozen=True)
class Declared:
    """How the scores of a run came about, as `ingest` takes it."""

    method: str
    reduction: str | None = None
    scored: str | None = None

    @property
    def label(self) -> str:
        """The run's label where the user gives none."""
        return "-".join(part for part in (self.method, self.scored, self.reduction) if part)


@dataclass(frozen=True)
class Target:
    """Where scores go: the file, and the run in the warehouse."""

    house: Warehouse
    dataset: Dataset
    declared: Declared
    run: str
    file: Path
    replace: bool

    def finish(
        self,
        rows: Sequence[Mapping[str, object]],
        settings: Mapping[str, object],
        *,
        ingest: bool,
        refresh: bool,
    ) -> None:
        """Write the file, and read it into the warehouse or print how.

        Raises:
            EvalhouseError: the file cannot be written, or not be read into the warehouse.
        """
        output.write(self.file, rows, settings)
        out(f"  {self.file}: {counted(len(rows), 'choice score')}")
        stated = {
            "benchmark": self.dataset.benchmark,
            "version": self.dataset.version,
            "language": self.dataset.language,
            "method": self.declared.method,
            "reduction": self.declared.reduction,
            "scored": self.declared.scored,
            "run": self.run,
        }
        given: dict[str, Any] = {name: value for name, value in stated.items() if value is not None}
        words = [word for name, value in given.items() for word in (f"--{name}", value)]
        by_hand = f"  to read it: {shlex.join(['ingest', str(self.file), *words])}"
        if not ingest:
            out(by_hand)
            return
        try:
            (report,) = self.house.ingest(self.file, replace=self.replace, refresh=refresh, **given)
        except EvalhouseError:
            # What took hours is in the file, such as where another process holds the warehouse.
            out(by_hand)
            raise
        out("\n".join(report.lines()))


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar; yields its callback, called with how much is done, of how much."""
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


Benchmark = Annotated[
    str | None, typer.Option(help="Such as SEED-Bench; the only one, by default.")
]
Version = Annotated[str | None, typer.Option(help="The dataset's version.")]
Split = Annotated[str | None, typer.Option(help="The dataset's split.")]
Language = Annotated[str | None, typer.Option(help="The dataset's language.")]
Run = Annotated[
    str | None, typer.Option(help="The run's label, to keep it in addition to another one.")
]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", "--out", help="The Parquet file to write.")
]
NoIngest = Annotated[
    bool, typer.Option("--no-ingest", help="Write the file alone; print how to read it.")
]
Replace = Annotated[
    bool, typer.Option("--replace", help="Write the file anew, and supersede the run.")
]
Device = Annotated[
    str | None, typer.Option(help="cpu, cuda, …; by default the GPU if there is one.")
]


def score_choices_command(
    model: Annotated[
        str, typer.Option(help="A folder, a hub name or a GGUF file: causal or encoder-decoder.")
    ],
    db: Db = None,
    benchmark: Benchmark = None,
    version: Version = None,
    split: Split = None,
    language: Language = None,
    scored: Annotated[
        str,
        typer.Option(help="content: the choice after the question; letter: after both."),
    ] = CONTENT,
    reduction: Annotated[
        str, typer.Option(help="Over the choice's tokens: sum, or mean per token.")
    ] = MEAN,
    passes: Annotated[str, typer.Option(help="first (pass 0) or all.")] = "first",
    batch_size: Annotated[int, typer.Option(min=1, help="Texts that are computed together.")] = 16,
    device: Device = None,
    dtype: Annotated[str, typer.Option(help=" | ".join(DTYPES))] = "float32",
    name: Annotated[
        str | None, typer.Option(help="The model's name; by default the file's or folder's.")
    ] = None,
    run: Run = None,
    output_file: Output = None,
    no_ingest: NoIngest = False,
    no_refresh: NoRefresh = False,
    replace: Replace = False,
    wait: Wait = 0,
) -> None:
    """Score every choice with a language model that sees the questions' text alone.

    The scores are log-likelihoods, written to a file in the format choice_scores, and read as a
    run. Needs the extra local.
    """
    for option, value, known in (
        ("--scored", scored, SCORED),
        ("--reduction", reduction, REDUCTIONS),
        ("--passes", passes, ("first", "all")),
        ("--dtype", dtype, DTYPES),
    ):
        _require_word(option, value, known)
    declared = Declared("loglik", reduction, scored)
    its_name = _given(name, "--name") or _name_of(model)
    label = _given(run, "--run") or declared.label
    house = house_of(db, wait)
    with house.reading() as con:
        dataset = find_dataset(
            con, benchmark=benchmark, version=version, split=split, language=language
        )
        questions = read_questions(con, dataset, every_pass=passes == "all")
        if not (no_ingest or replace):
            refuse_known_run(con, its_name, dataset, label)
    file = output_file or output.default_path(house.path, its_name, dataset.name, label)
    output.require_free(file, replace=replace)
    loaded = LanguageModel(model, device=device, dtype=dtype)
    begun = time.perf_counter()
    with _bar(f"{its_name} on {dataset.name}") as on_progress:
        done = score_choices(
            questions,
            loaded,
            scored=scored,
            reduction=reduction,
            batch_size=batch_size,
            on_progress=on_progress,
        )
    seconds = time.perf_counter() - begun
    n = len(questions) - sum(done.skipped.values())
    out(
        f"{its_name} on {dataset.name}: {counted(len(done.scores), 'choice')} of {n:,} question passes, "
        f"{scored}, {reduction}; {seconds:,.1f} s on {loaded.device}"
    )
    for reason, count in sorted(done.skipped.items()):
        out(f"  {count:,} skipped, {reason}")
    if done.n_blank:
        out(
            f"  {counted(done.n_blank, 'choice is', 'choices are')} blank and have no "
            "score; their questions have no pick"
        )
    if done.n_tied:
        out(f"  {done.n_tied:,} have several best choices, of which the first counts")
    if not done.scores:
        raise UsageError(f"{dataset.name}: none of its questions can be scored; nothing is written")
    rows = [
        {
            "model": its_name,
            "split": dataset.split,
            "question_key": one.question_key,
            "pass": one.step,
            "component": one.component,
            "label": one.label,
            "score": one.score,
            "n_tokens": one.n_tokens,
        }
        for one in done.scores
    ]
    target = Target(house, dataset, declared, label, file, replace)
    settings = {
        "command": "score-choices",
        "model": model_name(model),
        "dataset": dataset.name,
        "scored": scored,
        "reduction": reduction,
        "wording": WORDING,
        "passes": passes,
        "dtype": dtype,
        "device": loaded.device,
        "batch_size": batch_size,
    }
    target.finish(rows, settings, ingest=not no_ingest, refresh=not no_refresh)


def score_images_command(
    generated: Annotated[
        Path,
        typer.Option(help="question_key, image (model): the generated images."),
    ],
    clip: Annotated[str, typer.Option(help="The CLIP model: a folder or hub name.")],
    choices: Annotated[
        Path | None,
        typer.Option(
            help="question_key, label, image: the choices' images; by default the columns label and "
            "choice_image of --generated."
        ),
    ] = None,
    images: Annotated[
        Path | None,
        typer.Option(help="The folder of the images; by default that of the file naming them."),
    ] = None,
    model: Annotated[str | None, typer.Option(help="Who generated the images.")] = None,
    db: Db = None,
    benchmark: Benchmark = None,
    version: Version = None,
    split: Split = None,
    language: Language = None,
    component: Annotated[
        str | None,
        typer.Option(
            help="answer | image; by default image where an answer is a text and an image."
        ),
    ] = None,
    with_file: Annotated[
        Path | None,
        typer.Option("--with", help="Choice scores of the same run, to stand in the same file."),
    ] = None,
    method: Annotated[
        str | None, typer.Option(help="How those of --with came about: loglik or perplexity.")
    ] = None,
    reduction: Annotated[str | None, typer.Option(help="loglik of --with: sum or mean.")] = None,
    scored: Annotated[str | None, typer.Option(help="loglik of --with: content or letter.")] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Images that are computed together.")] = 32,
    device: Device = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            help="The embeddings' directory; by default EVALHOUSE_EMBEDDING_CACHE, or next to the file."
        ),
    ] = None,
    run: Run = None,
    output_file: Output = None,
    no_ingest: NoIngest = False,
    no_refresh: NoRefresh = False,
    replace: Replace = False,
    wait: Wait = 0,
) -> None:
    """Score the choices of questions that are answered with an image, by CLIP similarity.

    Each generated image is compared with the image of each choice: cosine similarity, higher is
    better. Written to a file in the format choice_scores, and read as a run. Needs the extra local.
    """
    declared = _declared(with_file, method, reduction, scored)
    if component is not None:
        _require_word("--component", component, COMPONENTS)
    label = _given(run, "--run") or declared.label
    manifest = read_manifest(generated, choices, images=images, model=_given(model, "--model"))
    models = list(dict.fromkeys(one.model for one in manifest.comparisons))
    house = house_of(db, wait)
    with house.reading() as con:
        dataset = find_dataset(
            con, benchmark=benchmark, version=version, split=split, language=language
        )
        questions = {one.key: one for one in read_questions(con, dataset, every_pass=False)}
        if not (no_ingest or replace):
            for its_name in models:
                refuse_known_run(con, its_name, dataset, label)
    file = output_file or output.default_path(house.path, "+".join(models), dataset.name, label)
    output.require_free(file, replace=replace)
    components = image_components(manifest.comparisons, questions, dataset, component)
    others = read_scores(with_file, questions, dataset, models, method) if with_file else []
    rows: list[dict[str, object]] = [
        {
            "model": one.model,
            "split": dataset.split,
            "question_key": one.question_key,
            "pass": 0,
            "sample": 0,
            "component": part,
            "label": one.label,
            "scorer": model_name(clip),
        }
        for one, part in zip(manifest.comparisons, components, strict=True)
    ]
    if with_file:
        refuse_overlap(with_file, others, rows)
    store = embeddings.Embeddings(_embedding_cache(house.path, cache), model_name(clip))
    begun = time.perf_counter()
    try:
        with _bar(f"{', '.join(models)} on {dataset.name}") as on_progress:
            scores, n_embedded = similarities(
                manifest.comparisons,
                store,
                lambda: ImageModel(clip, device=device),
                batch_size=batch_size,
                on_progress=on_progress,
            )
    finally:
        store.close()
    for row, score in zip(rows, scores, strict=True):
        row["score"] = score
    seconds = time.perf_counter() - begun
    n = len({(one.model, one.question_key) for one in manifest.comparisons})
    out(
        f"{', '.join(models)} on {dataset.name}: {len(rows):,} similarities of {n:,} generated images; "
        f"{n_embedded:,} embedded, the others were in the cache; {seconds:,.1f} s"
    )
    if manifest.unanswered:
        out(
            f"  {counted(len(manifest.unanswered), 'question has', 'questions have')} choices, but no generated image"
        )
    incomplete = n_incomplete(manifest.comparisons, questions)
    if incomplete:
        out(f"  {incomplete:,} are not compared with every choice, so that they have no pick")
    target = Target(house, dataset, declared, label, file, replace)
    settings = {
        "command": "score-images",
        "clip": model_name(clip),
        "dataset": dataset.name,
        "with": str(with_file) if with_file else None,
    }
    target.finish([*others, *rows], settings, ingest=not no_ingest, refresh=not no_refresh)


def _declared(
    with_file: Path | None, method: str | None, reduction: str | None, scored: str | None
) -> Declared:
    given = {"--method": method, "--reduction": reduction, "--scored": scored}
    if with_file is None:
        for option, value in given.items():
            if value is not None:
                raise UsageError(f"{option} is for the scores of --with FILE")
        return Declared("clip")
    if method is None:
        raise UsageError(f"--with needs --method {' | '.join(METHODS)}: how its scores came about")
    _require_word("--method", method, METHODS)
    for option, value, known in (
        ("--reduction", reduction, REDUCTIONS),
        ("--scored", scored, SCORED),
    ):
        if method == "loglik" and value is None:
            raise UsageError(f"--method loglik needs {option} {' | '.join(known)}")
        if method != "loglik" and value is not None:
            raise UsageError(f"{option} is for --method loglik")
        if value is not None:
            _require_word(option, value, known)
    return Declared(method, reduction, scored)


def _require_word(option: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise UsageError(f"{option} is {' or '.join(known)}, not {value!r}")


def _given(value: str | None, option: str) -> str | None:
    if value is not None and not value.strip():
        raise UsageError(f"{option} cannot be blank")
    return value


def _name_of(path: str) -> str:
    """What a model is called in the warehouse: its file's or folder's name, or its hub name."""
    place = Path(path)
    if not place.exists():
        return path
    return place.stem if place.suffix == ".gguf" else place.absolute().name


def _embedding_cache(warehouse: Path, given: Path | None) -> Path:
    variable = os.environ.get("EVALHOUSE_EMBEDDING_CACHE")
    return given or (Path(variable) if variable else embeddings.default_directory(warehouse))
