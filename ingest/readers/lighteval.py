"""lighteval's output (0.13): details of each task, in Parquet, and the figures of all.

    details/MODEL/TIME/details_TASK|SHOTS_TIME.parquet    a row a document: doc, model_response, metric
    results/MODEL/results_TIME.json                       the figures by task, and the settings

Rows are in the order of requests; doc.id is the question. Log-likelihoods are sums over the tokens of
a choice. The task `all` is a mean over tasks that lighteval makes, and no task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from ingest import fields, harness_metrics, prompts
from ingest.fields import Field
from ingest.harness_metrics import Metric
from ingest.reading import json_map
from ingest.reading.head import Head, Seen
from ingest.sample import About, Answer, Figure, Sample
from warehouse.errors import InputError
from warehouse.later import pl

VERSION = 1
DESCRIPTION = (
    "lighteval's `details_{task}_{time}.parquet`, and the figures of `results_{time}.json`"
)
HARNESS = "lighteval"
FIELDS = (
    Field("doc.id", str, "key"),
    Field("doc.query", str, "text"),
    Field("doc.choices", list, "choices"),
    Field("doc.gold_index", (int, list), "target"),
    Field("doc.task_name", str, "task"),
    Field("doc.images", list, "images", required=False),
    Field("doc.specific", dict, "specific", required=False),
    Field("model_response.text", list, "said", required=False),
    Field("model_response.reasonings", list, "reasonings", required=False),
    Field("model_response.logprobs", list, "logprobs", required=False),
    Field("metric", dict, "metric"),
)
_COLUMNS = {"doc", "metric", "model_response"}
_FIGURES = (
    Field("config_general.model_name", str, "model", required=False),
    Field("config_general", dict, "settings", required=False),
    Field("results", dict, "results"),
)
_ALL = "all"


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file holds details, or figures."""
    if head.columns >= _COLUMNS:
        return Seen("the columns doc, metric and model_response")
    if b'"config_general":' in head.start and {"results", "config_tasks"} <= head.document.keys():
        return Seen("config_general, results and config_tasks", are_figures=True)
    return None


def sidecar(path: Path) -> str | None:
    """Say why a file of lighteval's is no result: it writes none that is not."""
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read details, or figures.

    Raises:
        InputError: a field is missing or of another type, or the file is broken.
    """
    if path.suffix == ".json":
        return _figures(path), iter(())
    samples, tasks = [], set()
    for row, record in enumerate(_rows(path), start=1):
        found = fields.read(path, row, record, FIELDS)
        tasks.add(found["task"])
        samples.append(_sample(path, row, found))
    if len(tasks) > 1:
        raise InputError(
            path, f"holds several tasks: {', '.join(sorted(tasks))}", field="doc.task_name"
        )
    time = path.absolute().parent.name
    above = path.absolute().parents
    top = next((one for one in above if one.name == "details"), None)
    model = ""
    settings: dict[str, Any] = {}
    if top is not None:
        model = "/".join(path.absolute().relative_to(top).parts[:-2])
        results = top.with_name("results") / model / f"results_{time}.json"
        if results.is_file():
            said = fields.read(results, None, json_map.read_object(results), _FIGURES)
            model, settings = said["model"] or model, said["settings"] or {}
    task = next(iter(tasks), path.stem)
    about = _about(model, task, time, said={"config_general": settings} if settings else {})
    return about, iter(samples)


def _about(model: str, task: str, time: str, **more: Any) -> About:
    day, _, clock = time.partition("T")
    is_time = len(day) == 10 and len(clock) >= 8
    return About(
        HARNESS,
        model,
        task.partition("|")[0],
        _label(time, task),
        produced_at=f"{day} {clock[:8].replace('-', ':')}" if is_time else None,
        reduction="sum",
        **more,
    )


def _label(time: str, task: str) -> str:
    return f"{time}_{task}"


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        yield from pl.read_parquet(path).iter_rows(named=True)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(path, f"not a whole Parquet file: {error}") from error


def _sample(path: Path, row: int, found: Mapping[str, Any]) -> Sample:
    listed = [str(one).strip() for one in found["choices"]]
    golds = found["target"] if isinstance(found["target"], list) else [found["target"]]
    if not all(isinstance(one, int) and 0 <= one < len(listed) for one in golds):
        raise InputError(path, "is no place in doc.choices", row=row, field="doc.gold_index")
    right = tuple(listed[one] for one in golds)
    values = [*(found["logprobs"] or [])]
    text = found["text"]
    choices: tuple[str, ...] = ()
    if values:
        if len(values) != len(listed) or not all(isinstance(one, float) for one in values):
            problem = f"is no number for each of the {len(listed)} choices"
            raise InputError(path, problem, row=row, field="model_response.logprobs")
        choices, places = tuple(listed), golds
    else:
        # Its choices are letters where the texts stand in the question.
        bare, in_text = prompts.choices_in(text)
        if len(in_text) > 1 and listed == [*prompts.LABELS[: len(listed)]]:
            text, choices, places = bare, in_text, golds
        else:
            places = []
    said = found["said"] or []
    reasonings = found["reasonings"] or []
    return Sample(
        row=row,
        key=found["key"],
        text=text,
        choices=choices,
        answer=prompts.LABELS[places[0]] if len(places) == 1 else None,
        references=() if len(places) == 1 else right,
        images=tuple(_images(found["images"])),
        attributes=fields.as_texts(found["specific"] or {}),
        answers=tuple(
            Answer(
                None if one is None else str(one),
                sample=number,
                reasoning=reasonings[number] if number < len(reasonings) else None,
                attributes={"prompt": found["text"]},
            )
            for number, one in enumerate(said)
        )
        if not values
        else (),
        scores=dict(zip(prompts.LABELS, values, strict=False)),
        metrics={
            name: Metric(harness_metrics.written(value), harness_metrics.number(value))
            for name, value in found["metric"].items()
            if value is not None
        },
    )


def _images(images: object) -> Iterator[str]:
    for one in images if isinstance(images, list) else []:
        content = one.get("bytes") if isinstance(one, dict) else one
        if isinstance(content, bytes):
            yield sha256(content).hexdigest()


def _figures(path: Path) -> About:
    found = fields.read(path, None, json_map.read_object(path), _FIGURES)
    time = path.stem.removeprefix("results_")
    figures = [
        Figure(metric, repr(value), task=task.partition("|")[0], label=_label(time, task))
        for task, of_task in found["results"].items()
        if task != _ALL and isinstance(of_task, dict)
        for metric, value in of_task.items()
        if not metric.endswith("_stderr") and isinstance(value, int | float)
    ]
    if not figures:
        raise InputError(path, "holds no figures", field="results")
    model = found["model"] or path.absolute().parent.name
    said = {"config_general": found["settings"]} if found["settings"] else {}
    return _about(model, _ALL, time, figures=tuple(figures), said=said)
