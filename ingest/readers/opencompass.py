"""OpenCompass's work dir (0.5): a folder for each time.

    predictions/MODEL/DATASET.json   by place: the prompt, what the model said, and the right answer
    results/MODEL/DATASET.json       figures, and with dump_details what was made of each answer
    summary/summary_TIME.csv         the same figures, and those of groups of data sets
    configs/, logs/, summary/….txt, ….md

A question's key is its place: no file has another one. A right answer that is 0 or '' is left out by
the writer; where the details have it, it is taken from there.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ingest import fields, harness_metrics, prompts
from ingest.fields import Field
from ingest.harness_metrics import Metric
from ingest.messages import objects
from ingest.names import timestamp_label
from ingest.reading import json_map
from ingest.reading.head import Head, Seen, in_folder
from ingest.reading.lines import text_lines
from ingest.sample import About, Answer, Figure, Sample
from warehouse.errors import InputError
from warehouse.wording import counted

VERSION = 1
DESCRIPTION = "OpenCompass's work dir: answers of `predictions`, figures of `results` and of `summary_{time}.csv`"
HARNESS = "opencompass"
FIELDS = (
    Field("origin_prompt", (str, list), "text"),
    Field("prediction", (str, list), "said"),
    Field("gold", (str, int, float, list), "target", required=False),
)
_DETAIL = (
    Field("parsed", list, "parsed", required=False),
    Field("refr", list, "right", required=False),
    Field("correct", list, "correct", required=False),
)
_ACCURACY = "accuracy"
_SUMMARY = b"dataset,version,metric,mode,"
_OF_GROUP = "-"


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file holds predictions, or figures."""
    if head.start.startswith(b'{"0":{"origin_prompt":'):
        return Seen("origin_prompt in its first record")
    if head.start.startswith(_SUMMARY) and head.path.parent.name == "summary":
        return Seen("dataset, version, metric and mode in its header", are_figures=True)
    if (
        in_folder(head.path, "results") == head.path.absolute()
        and in_folder(head.path, "predictions").is_file()
    ):
        return Seen("predictions of the same name in a folder next to its own", are_figures=True)
    return None


def sidecar(path: Path) -> str | None:
    """Say why a file of OpenCompass's is no result."""
    head = Head(path)
    if path.suffix == ".csv" and head.start.startswith(_SUMMARY) and recognise(head) is None:
        return "OpenCompass's summary without groups, whose figures stand in results"
    above = [folder.name for folder in path.absolute().parents[:3]]
    is_summary = above[:1] == ["summary"] and path.with_suffix(".csv").is_file()
    is_of_run = {"logs", "configs"} & {*above} and path.suffix in (".out", ".py", ".log")
    if (is_summary and path.suffix in (".txt", ".md")) or is_of_run:
        return "OpenCompass's logs, settings or pages, in which no answers are"
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read predictions, results or a summary.

    Raises:
        InputError: a field is missing or of another type, or the file is broken.
    """
    if path.suffix == ".csv":
        return _of_groups(path), iter(())
    if path.absolute().parents[1].name == "results":
        return _about(path, figures=tuple(_figures(path))), iter(())
    results = in_folder(path, "results")
    notes = (
        [] if results.is_file() else ["there is no file of results, so its figures are not known"]
    )
    details = _details(results) if results.is_file() else {}
    samples = list(_samples(path, details))
    n_hidden = sum(not one.references and one.answer is None for one in samples)
    if n_hidden:
        n = counted(n_hidden, "question has", "questions have")
        notes.append(f"{n} no gold, which is left out where it is 0 or empty")
    return _about(path, notes=tuple(notes)), iter(samples)


def _about(path: Path, **more: Any) -> About:
    timed = timestamp_label(path)
    time = timed[0] if timed else path.absolute().parents[2].name
    return About(
        HARNESS,
        path.absolute().parent.name,
        path.stem,
        f"{time}_{path.stem}",
        produced_at=timed[1] if timed else None,
        **more,
    )


def _samples(path: Path, details: Mapping[str, Any]) -> Iterator[Sample]:
    for row, (key, record) in enumerate(json_map.read_object(path).items(), start=1):
        if not isinstance(record, dict):
            raise InputError(path, "is no object", row=row, field=key)
        found = fields.read(path, row, record, FIELDS)
        detail = fields.read(path, row, details.get(key) or {}, _DETAIL)
        asked = _prompt(found["text"])
        text, choices = prompts.choices_in(asked)
        gold = found["target"] if found["target"] is not None else _first(detail["right"])
        right = [
            str(one) for one in (gold if isinstance(gold, list) else [gold]) if one is not None
        ]
        is_label = len(right) == 1 and len(right[0]) == 1
        is_label = is_label and right[0] in prompts.LABELS[: len(choices)]
        said = found["said"] if isinstance(found["said"], list) else [found["said"]]
        correct = _first(detail["correct"])
        parsed = _first(detail["parsed"])
        yield Sample(
            row=row,
            key=key,
            text=text,
            choices=choices,
            answer=right[0] if is_label else None,
            references=() if is_label else tuple(right),
            answers=tuple(
                Answer(None if one is None else str(one), sample=n, attributes={"prompt": asked})
                for n, one in enumerate(said)
            ),
            metrics={}
            if correct is None
            else {
                _ACCURACY: Metric(
                    harness_metrics.written(correct),
                    harness_metrics.number(correct),
                    None if parsed is None else str(parsed),
                )
            },
        )


def _prompt(prompt: str | Sequence[object]) -> str:
    """The text of a prompt, of a chat what its turns say."""
    if isinstance(prompt, str):
        return prompt
    return "\n".join(str(one["prompt"]) for one in objects(prompt) if one.get("prompt"))


def _details(path: Path) -> dict[str, Any]:
    """What was made of each answer, by its place; empty: the results do not say."""
    found = json_map.read_object(path).get("details")
    if isinstance(found, dict):
        return {key: one for key, one in found.items() if isinstance(one, dict)}
    # A record's name ends in its place.
    named = ((str(one.get("example_abbr")), one) for one in objects(found))
    return {name.rpartition("_")[2]: one for name, one in named}


def _first(values: object) -> Any:
    return values[0] if isinstance(values, list) and values else None


def _figures(path: Path) -> Iterator[Figure]:
    found = json_map.read_object(path)
    figures = {
        name: value
        for name, value in found.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    if not figures:
        raise InputError(path, "holds no figures")
    for name, value in figures.items():
        yield Figure(name, repr(value))


def _of_groups(path: Path) -> About:
    """The figures of groups of data sets, which stand in a summary alone."""
    rows = list(csv.DictReader(text_lines(path)))
    figures = []
    time = timestamp_label(path)
    label = time[0] if time else path.absolute().parents[1].name
    for row, record in enumerate(rows, start=1):
        if record["version"] != _OF_GROUP:
            continue
        for model in [name for name in record if name][4:]:
            value = record[model]
            if value not in (None, _OF_GROUP) and harness_metrics.number(value) is None:
                raise InputError(path, "is no number", row=row, field=model)
            if value not in (None, _OF_GROUP):
                task = record["dataset"]
                figures.append(
                    Figure(record["metric"], value, model=model, task=task, label=f"{label}_{task}")
                )
    return About(HARNESS, "", "summary", label, figures=tuple(figures))
