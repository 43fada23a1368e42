"""deepeval's test runs (4.3).

    .deepeval/.latest_run_full.json   the last run, whole
    .deepeval/.latest_test_run.json   the same under testRunData, with a link where it was uploaded
    FOLDER/test_run_TIME.json         a run, where a folder for results was named

A test case is a question with its answer; its name is the key, or its place where several have one name.
No file says which model answered, but for a hyperparameter called model. A score, the threshold and what
was said for it are the metric's; the replies of judges are not there. Conversations are left.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from ingest import fields, harness_metrics, prompts
from ingest.fields import Field
from ingest.harness_metrics import Metric
from ingest.messages import as_object
from ingest.reading import json_map
from ingest.reading.head import Head, Seen
from ingest.reading.named_images import hash_of
from ingest.sample import About, Answer, Sample
from warehouse.errors import InputError
from warehouse.wording import counted

VERSION = 1
DESCRIPTION = "deepeval's test runs, `.deepeval/.latest_run_full.json` and `test_run_{time}.json`"
HARNESS = "deepeval"
FIELDS = (
    Field("name", str, "key"),
    Field("input", str, "text"),
    Field("actualOutput", str, "said", required=False),
    Field("expectedOutput", str, "target", required=False),
    Field("metricsData", list, "metrics", required=False),
    Field("imagesMapping", dict, "images", required=False),
)
_RUN = (
    Field("testCases", list, "cases"),
    Field("conversationalTestCases", list, "talks", required=False),
    Field("hyperparameters", dict, "hyperparameters", required=False),
    Field("datasetAlias", str, "dataset", required=False),
    Field("testFile", str, "file", required=False),
    Field("identifier", str, "label", required=False),
)
_METRIC = (
    Field("name", str, "name"),
    Field("score", float, "score", required=False),
    Field("reason", str, "explanation", required=False),
    Field("error", str, "error", required=False),
    Field("evaluationModel", str, "model", required=False),
    Field("threshold", float, "threshold", required=False),
)
_OF_QUESTION = ("context", "retrievalContext", "expectedTools", "tags", "metadata", "comments")
_OF_ANSWER = (
    "toolsCalled", "success", "completionTime", "tokenCost", "inputTokenCount", "outputTokenCount",
)  # fmt: skip
_OF_RUN = (
    "hyperparameters",
    "prompts",
    "metricsScores",
    "testPassed",
    "testFailed",
    "evaluationCost",
)
_WHOLE, _LINKED, _CACHE = ".latest_run_full.json", ".latest_test_run.json", ".deepeval-cache.json"
_DATA = "testRunData"
_TIMED = re.compile(r"test_run_(?P<time>\d{8}_\d{6}(_\d+)?)")
_IMAGE = re.compile(r"\[DEEPEVAL:(?:IMAGE|PDF):([^\]]+)\]")


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file holds a test run."""
    if (
        b'"testCases":' in head.start
        and {"testCases", "metricsScores"} <= _run(head.document).keys()
    ):
        return Seen("testCases and metricsScores")
    return None


def sidecar(path: Path) -> str | None:
    """Say why a file of deepeval's is no result."""
    if path.name == _CACHE:
        return "deepeval's cache of scores, whose test cases are in the test run"
    if path.name == _LINKED and path.with_name(_WHOLE).is_file():
        return f"the test run that {_WHOLE} has too"
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read a test run.

    Raises:
        InputError: a field is missing or of another type, or there is no test case.
    """
    document = json_map.read_object(path)
    under = f"{_DATA}." if _DATA in document else ""
    run = _run(document)
    found = fields.read(path, None, run, _RUN, under)
    n_talks = len(found["talks"] or [])
    if not found["cases"]:
        problem = "holds conversations alone, which are not read" if n_talks else "is empty"
        raise InputError(path, problem, field=f"{under}testCases")
    timed = _TIMED.fullmatch(path.stem)
    talks = (
        f"{counted(n_talks, 'conversation is', 'conversations are')} left: they are no questions"
    )
    model = (found["hyperparameters"] or {}).get("model")
    about = About(
        HARNESS,
        model if isinstance(model, str) else "",
        found["dataset"] or Path(found["file"] or HARNESS).stem,
        found["label"] or (timed["time"] if timed else "latest"),
        said={name: fields.plain(run[name]) for name in _OF_RUN if run.get(name)},
        notes=(talks,) if n_talks else (),
    )
    return about, _samples(path, found["cases"], f"{under}testCases.")


def _run(document: Mapping[str, Any]) -> Mapping[str, Any]:
    return as_object(document.get(_DATA, document))


def _samples(path: Path, cases: list[Any], under: str) -> Iterator[Sample]:
    every = [
        fields.read(path, n, one, FIELDS, f"{under}{n - 1}.")
        for n, one in enumerate(cases, start=1)
    ]
    named = Counter(one["key"] for one in every)
    for row, (case, found) in enumerate(zip(cases, every, strict=True), start=1):
        here = f"{under}{row - 1}."
        text, images = _images(path, row, found, here)
        bare, choices = prompts.choices_in(text)
        target = found["target"] or ""
        of_answer = fields.as_texts({name: case.get(name) for name in _OF_ANSWER})
        yield Sample(
            row=row,
            key=found["key"] if named[found["key"]] == 1 else f"{found['key']} ({row})",
            text=bare,
            choices=choices,
            **prompts.right(target, len(choices)),
            images=images,
            attributes=fields.as_texts({name: case.get(name) for name in _OF_QUESTION}),
            answers=(Answer(found["said"], attributes=of_answer),),
            metrics=dict(_metrics(path, row, found["metrics"] or [], f"{here}metricsData.")),
        )


def _images(
    path: Path, row: int, found: Mapping[str, Any], under: str
) -> tuple[str, tuple[str, ...]]:
    """A text in which images are numbered, and their hashes: their names there are made up."""
    known, hashes = as_object(found["images"]), []
    names = [*dict.fromkeys(_IMAGE.findall(found["text"]))]
    for name in names:
        image = as_object(known.get(name))
        written, url = image.get("dataBase64"), image.get("url")
        try:
            content = base64.b64decode(written, validate=True) if written is not None else None
        except (TypeError, ValueError) as error:
            field = f"{under}imagesMapping.{name}.dataBase64"
            raise InputError(path, "is no base64", row=row, field=field) from error
        # What is not listed stands by its own path or address.
        place = url if isinstance(url, str) else name
        hashes.append(
            hash_of(place, path.parent) if content is None else sha256(content).hexdigest()
        )
    text = _IMAGE.sub(lambda mark: f"<image {names.index(mark[1]) + 1}>", found["text"])
    return text, tuple(hashes)


def _metrics(path: Path, row: int, metrics: list[Any], under: str) -> Iterator[tuple[str, Metric]]:
    """Each metric's score, and apart from it what was said for it; a name that comes again is numbered."""
    seen: Counter[str] = Counter()
    for n, one in enumerate(metrics):
        found = fields.read(path, row, one, _METRIC, f"{under}{n}.")
        seen[found["name"]] += 1
        again = f" ({seen[found['name']]})" if seen[found["name"]] > 1 else ""
        name, score = f"{found['name']}{again}", found["score"]
        yield name, Metric(None if score is None else repr(score), harness_metrics.number(score))
        for part in ("explanation", "error", "model", "threshold"):
            if found[part] is not None:
                yield f"{name}|{part}", Metric(harness_metrics.written(found[part]), None)
