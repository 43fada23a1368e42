"""evalscope's work dir (1.14, and 1.x before it): a folder for each time, with all models in it.

    reviews/MODEL/DATASET_SUBSET.jsonl       a line an answer: the question, the right answer, what
                                             the model said, what evalscope and its judges made of it
    predictions/MODEL/DATASET_SUBSET.jsonl   the same answers, with the stop reason; no right answer
    reports/MODEL/DATASET.json               figures, and how many calls failed
    configs/task_config….yaml                the settings, of the last model that ran there
    logs/, progress.json, reports/report.html

A folder's name has of the model what stands behind the slash. `group_id` is the question and
`generation_index` the repeat; both restart in each subset, so the subset is part of the key, and the
files of a data set's subsets are parts of one run. Where the data have an `index` of their own, it is
the key, and what is above a million the pass of CircularEval. A call that failed is in no file: the
report counts it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ingest import fields, harness_metrics, prompts
from ingest.fields import Field
from ingest.harness_metrics import Metric
from ingest.messages import last, objects, prompt, texts
from ingest.names import timestamp_label
from ingest.reading import json_map, yaml_blocks
from ingest.reading.head import Head, Seen, in_folder
from ingest.sample import About, Answer, Figure, Judgment, Sample
from warehouse.errors import InputError
from warehouse.images import listed
from warehouse.wording import counted

VERSION = 1
DESCRIPTION = (
    "evalscope's work dir: answers, verdicts and judges' calls of `reviews`, figures of `reports`"
)
HARNESS = "evalscope"
FIELDS = (
    Field("index", int, "index"),
    Field("target", (str, list), "target"),
    Field("messages", list, "text"),
    Field("sample_score.group_id", int, "key"),
    Field("sample_score.generation_index", int, "sample", required=False),
    Field("sample_score.sample_metadata", dict, "metadata", required=False),
    Field("sample_score.score.value", dict, "value"),
    Field("sample_score.score.status", str, "status", required=False),
    Field("sample_score.score.extracted_prediction", str, "extracted", required=False),
    Field("sample_score.score.prediction", str, "said", required=False),
    Field("sample_score.score.metadata.judge_attempts", list, "attempts", required=False),
)
_PREDICTION = (
    Field("index", int, "index"),
    Field("model_output.choices", list, "choices"),
    Field("model_output.usage.output_tokens", int, "tokens", required=False),
    Field("model_output.usage.input_tokens", int, "input_tokens", required=False),
    Field("model_output.time", float, "seconds", required=False),
    Field("model_output.error", str, "error", required=False),
)
_ATTEMPT = (
    Field("judge_id", str, "judge"),
    Field("status", str, "status"),
    Field("repeat_id", int, "repeat", required=False),
    Field("messages", list, "messages", required=False),
    Field("raw_response", str, "reply", required=False),
    Field("parsed_value.verdict", str, "verdict", required=False),
    Field("error", str, "error", required=False),
)
_REPORT = (
    Field("dataset_name", str, "dataset"),
    Field("metrics", list, "metrics"),
    Field("judge_summary.judge_models", list, "judges", required=False),
)
_METRIC = (
    Field("identity.name", str, "name", required=False),
    Field("identity.aggregation", str, "aggregation", required=False),
    Field("identity.dimensions", dict, "dimensions", required=False),
    Field("name", str, "older_name", required=False),
    Field("score", float, "score"),
    Field("macro_score", float, "macro", required=False),
    Field("categories", list, "categories", required=False),
)
_CATEGORY = (
    Field("name", (str, list), "name"),
    Field("score", float, "score", required=False),
    Field("macro_score", float, "macro", required=False),
    Field("subsets", list, "subsets", required=False),
)
_SUBSET = (Field("name", str, "name"), Field("score", float, "score", required=False))
_STEP = 1_000_000
_VERDICTS = {"A": 1.0, "B": 0.0, "C": 0.0}
"""What a judge's letter counts: correct, incorrect, not attempted."""
_METRICS = {"acc": "accuracy"}
"""What reviews call otherwise than reports."""
_WHOLE = "default"
"""The subset and category of what has none."""
_NO_ATTRIBUTE = re.compile("answer|gt_answer|parsed_pred|option[0-9]|index")
_ASKS = re.compile(
    r"^(Answer the (following|question)\b|The last line of your response|where \[LETTER\]"
    r"|Select from the following choices|Please answer YES or NO\b)|['\"]ANSWER: \[|\\boxed\b"
)
"""A line that evalscope adds to a question."""
_SETTINGS = ("evalscope_version", "eval_type", "generation_config", "repeats", "seed", "limit")
_OF_REPORT = {"dataset_name", "model_name", "metrics"}
_KEPT = ("metrics", "execution_summary", "judge_summary", "primary_metric_identity")
_OLDER = ({"model_spec"}, {"reviewer_spec"}, {"answer_id", "raw_input"})
"""Keys of records before 1.0, next to index and choices."""


@dataclass(frozen=True)
class _Work:
    """Where a file of a model lies in a work dir."""

    path: Path

    @property
    def folder(self) -> str:
        """The model's."""
        return self.path.absolute().parent.name

    @property
    def top(self) -> Path:
        return self.path.absolute().parents[2]

    @cached_property
    def config(self) -> dict[str, str]:
        """The settings, if they are of this model: each name with what stands below it."""
        for path in sorted(self.top.glob("configs/task_config*.y*ml"), reverse=True):
            found = yaml_blocks.read(path)
            if self.folder in (found.get("model_id"), found.get("model", "").rpartition("/")[2]):
                return found
        return {}

    @property
    def model(self) -> str:
        named = self.config.get("model", "")
        return named if named.rpartition("/")[2] == self.folder else self.folder

    @cached_property
    def names(self) -> set[str]:
        """What reports and settings call data sets."""
        names = {path.stem for path in self.top.glob("reports/*/*.json")}
        for path in self.top.glob("configs/task_config*.y*ml"):
            names.update(re.findall(r"\w+", yaml_blocks.read(path).get("datasets", "")))
        return names

    def dataset_of(self, path: Path) -> str:
        """The data set in the name of a file of the work dir."""
        fitting = [name for name in self.names if path.stem.startswith(f"{name}_")]
        return max(fitting, key=len, default=path.stem.removesuffix(f"_{_WHOLE}"))

    @property
    def dataset(self) -> str:
        return self.dataset_of(self.path)

    @property
    def subset(self) -> str:
        return self.path.stem.removeprefix(self.dataset).removeprefix("_") or _WHOLE

    @property
    def parts(self) -> tuple[Path, ...]:
        """All files of the data set."""
        every = sorted(self.path.parent.glob(f"{self.dataset}_*.jsonl"))
        return tuple(path for path in every if self.dataset_of(path) == self.dataset)

    @cached_property
    def report(self) -> dict[str, Any]:
        """The report of the data set; empty: there is none that can be read."""
        path = self.top / "reports" / self.folder / f"{self.dataset}.json"
        return Head(path).document if path.is_file() else {}

    @property
    def category(self) -> str:
        """The category that the report has for the subset, or else the subset."""
        for one in objects(self.report.get("metrics")):
            for category in objects(one.get("categories")):
                names = [subset.get("name") for subset in objects(category.get("subsets"))]
                if self.subset in names and (found := _name(category)) != _WHOLE:
                    return found
        return self.subset

    def about(self, dataset: str, report: Mapping[str, Any], **more: Any) -> About:
        """What is known of a file from its place; errors say how many calls failed."""
        timed = timestamp_label(self.path)
        label = timed[0] if timed else self.top.name
        failed = _failed(report)
        more["notes"] = (*more.get("notes", ()), *([failed] if failed else []))
        return About(
            harness=HARNESS,
            model=self.model,
            task=dataset,
            label=f"{label}_{dataset}",
            produced_at=timed[1] if timed else None,
            **more,
        )


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file is a review or a report."""
    line = _record(head)
    if isinstance(line.get("sample_score"), dict):
        return Seen("sample_score in its first line")
    if b'"dataset_name":' in head.start and head.document.keys() >= _OF_REPORT:
        return Seen("dataset_name, model_name and metrics", are_figures=True)
    return None


def sidecar(path: Path) -> str | None:
    """Say why a file of evalscope's is no result."""
    head = Head(path)
    line = _record(head)
    if isinstance(line.get("model_output"), dict):
        if in_folder(path, "reviews").is_file():
            return "evalscope's predictions, which are read with the reviews of the same name"
        return "evalscope's predictions, of which there are no reviews with the right answers"
    if isinstance(line.get("choices"), list) and any(keys <= line.keys() for keys in _OLDER):
        return "evalscope's files of versions before 1.0 are not read"
    if recognise(head) is None and _lies_in_work_dir(path):
        return "evalscope's settings, logs or page, in which no answers are"
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read a review or a report.

    Raises:
        InputError: a field is missing or of another type, a line is broken, or a review has no
            prediction.
    """
    head = Head(path)
    if b'"dataset_name":' in head.start:
        return _read_report(path), iter(())
    work = _Work(path)
    samples = list(_samples(work))
    notes = _notes(samples)
    if not in_folder(path, "predictions").is_file():
        notes.append("there is no file of predictions, so the stop reasons are not known")
    summary = work.report.get("execution_summary")
    is_incomplete = isinstance(summary, dict) and summary.get("incomplete") is True
    about = work.about(
        work.dataset,
        work.report,
        parts=work.parts,
        status="incomplete" if is_incomplete else None,
        status_error=_failed(work.report) if is_incomplete else None,
        said={name: work.config[name] for name in _SETTINGS if name in work.config},
        notes=tuple(notes),
    )
    return about, iter(samples)


def _samples(work: _Work) -> Iterator[Sample]:
    place = in_folder(work.path, "predictions")
    predictions = _predictions(place)
    for row, record in fields.records(work.path):
        found = fields.read(work.path, row, record, FIELDS)
        if predictions is not None and found["index"] not in predictions:
            problem = f"there is no prediction {found['index']} in {place}"
            raise InputError(work.path, problem, row=row, field="index")
        yield _sample(work, row, found, (predictions or {}).get(found["index"], {}))


def _sample(
    work: _Work, row: int, found: Mapping[str, Any], predicted: Mapping[str, Any]
) -> Sample:
    asked, images = prompt(found["text"], work.top)
    text, choices = prompts.choices_in(_bare(asked))
    target = _target(work.path, row, found["target"])
    label = target.strip().upper()
    is_label = label in prompts.LABELS[: len(choices)] and len(label) == 1
    right = (choices[prompts.LABELS.index(label)],) if is_label else _references(target)
    metadata = found["metadata"] or {}
    own, said = metadata.get("index"), found["said"]
    pass_, key = (
        divmod(own, _STEP) if type(own) is int and 0 <= own < 26 * _STEP else (0, found["key"])
    )
    reply, reasoning = texts(last(found["text"], "assistant"))
    sample = found["sample"] or 0
    status = found["status"] or "success"
    return Sample(
        row=row,
        key=str(key) if work.subset == _WHOLE else f"{work.subset}/{key}",
        pass_=pass_,
        text=text.strip(),
        choices=choices,
        answer=label if is_label else None,
        references=right,
        images=images,
        attributes=_attributes(work, metadata),
        answers=(
            Answer(
                said if reply is None else reply,
                sample=sample,
                reasoning=reasoning,
                stop_reason=predicted.get("stop_reason"),
                tokens=predicted.get("tokens"),
                error=predicted.get("error"),
                attributes={"prompt": asked}
                | ({"score_status": status} if status != "success" else {})
                | fields.as_texts(
                    {name: predicted.get(name) for name in ("input_tokens", "seconds")}
                ),
            ),
        ),
        metrics={
            _METRICS.get(name, name): Metric(
                harness_metrics.written(value),
                harness_metrics.number(value),
                # Of a yes or no it is all that was said, and not what was read.
                found["extracted"] if choices or found["extracted"] != said else None,
            )
            for name, value in found["value"].items()
        },
        judgments=tuple(_judgments(work.path, row, found["attempts"] or [])),
    )


def _judgments(path: Path, row: int, attempts: Sequence[object]) -> Iterator[Judgment]:
    under = "sample_score.score.metadata.judge_attempts."
    before = Counter[tuple[str, int]]()
    for attempt in attempts:
        if not isinstance(attempt, dict):
            raise InputError(path, "has what is no object", row=row, field=under.rstrip("."))
        found = fields.read(path, row, attempt, _ATTEMPT, under)
        is_read = found["status"] == "success"
        asked = "\n\n".join(filter(None, (texts(one)[0] for one in objects(found["messages"]))))
        call = (found["judge"], found["repeat"] or 0)
        yield Judgment(
            judge=call[0],
            reply=found["reply"],
            request=asked or None,
            error=None if is_read else ": ".join(filter(None, (found["status"], found["error"]))),
            score=_VERDICTS.get(found["verdict"] or "") if is_read else None,
            judge_sample=call[1],
            attempt=before[call],
        )
        before[call] += 1


def _predictions(path: Path) -> dict[int, dict[str, Any]] | None:
    """What predictions have of answers that reviews do not, by index; None: there is no such file."""
    if not path.is_file():
        return None
    by_index = {}
    for row, record in fields.records(path):
        found = fields.read(path, row, record, _PREDICTION)
        first = next(iter(objects(found["choices"])), {})
        reason = first.get("stop_reason")
        found["stop_reason"] = reason if isinstance(reason, str) else None
        by_index[found["index"]] = found
    return by_index


def _bare(asked: str) -> str:
    """A question without the lines that evalscope adds; all of it where nothing else is there."""
    lines = [line for line in asked.split("\n") if not _ASKS.search(line.strip())]
    return "\n".join(lines).strip() or asked


def _target(path: Path, row: int, target: str | list[object]) -> str:
    first = target[0] if isinstance(target, list) and len(target) == 1 else target
    if not isinstance(first, str):
        raise InputError(path, "is no text, nor a list of one", row=row, field="target")
    return first


def _references(target: str) -> tuple[str, ...]:
    """The right texts: one, or a list as JSON or Python writes it."""
    found = listed(target)
    if found and all(isinstance(one, str) for one in found):
        return tuple(str(one) for one in found)
    return (target,) if target.strip() else ()


def _attributes(work: _Work, metadata: Mapping[str, Any]) -> dict[str, str]:
    found = fields.as_texts({k: v for k, v in metadata.items() if not _NO_ATTRIBUTE.fullmatch(k)})
    if work.subset != _WHOLE:
        found = {"category": work.category, **found, "subset": work.subset}
    return found


def _notes(samples: Sequence[Sample]) -> list[str]:
    states = [one.answers[0].attributes.get("score_status") for one in samples]
    words = {
        "fallback": "is the rule's, as no judge gave a verdict (fallback)",
        "degraded": "rests on fewer verdicts than were asked for (degraded)",
        "excluded": "is left out, as no judge gave a verdict (excluded)",
    }
    return [
        f"the harness's score of {counted(n, 'answer')} {text}"
        for state, text in words.items()
        if (n := states.count(state))
    ]


def _failed(report: Mapping[str, Any]) -> str | None:
    """Say how many calls failed, which are in no file; None: none."""
    summary = report.get("execution_summary")
    summary = summary if isinstance(summary, dict) else {}
    n, asked = summary.get("errored"), summary.get("requested")
    if not isinstance(n, int) or not n:
        return None
    subsets = summary.get("subsets")
    by_subset = ", ".join(
        f"{name} {one['errored']}"
        for name, one in (subsets if isinstance(subsets, dict) else {}).items()
        if isinstance(one, dict) and one.get("errored")
    )
    words = f"{n} of {asked} calls failed, and are in no file"
    return f"{words}: {by_subset}" if by_subset else words


def _read_report(path: Path) -> About:
    """The figures of a report, and all else that it says of the run."""
    found = json_map.read_object(path)
    work = _Work(path)
    names = fields.read(path, None, found, _REPORT)
    judges = names["judges"] or []
    judge = judges[0] if len(judges) == 1 and isinstance(judges[0], str) else None
    figures = [
        figure for n, one in enumerate(names["metrics"]) for figure in _figures(path, n, one, judge)
    ]
    if not figures:
        raise InputError(path, "is empty", field="metrics")
    return work.about(
        names["dataset"],
        found,
        figures=tuple(dict.fromkeys(figures)),
        said={name: found[name] for name in _KEPT if found.get(name) is not None},
    )


def _figures(path: Path, number: int, metric: object, judge: str | None) -> Iterator[Figure]:
    """The figures of a metric: of the whole, and of each category and subset."""
    under = f"metrics.{number}."
    found = fields.read(path, None, metric, _METRIC, under)
    name, part, reducer = _identity(found)

    def of(value: float | None, group: str, by: str | None = reducer) -> Iterator[Figure]:
        if value is not None:
            where = (name, None) if group == _WHOLE else (f"grouped|{group}", name)
            yield Figure(where[0], repr(value), where[1], by, judge)

    macro = f"{reducer}, macro" if reducer else "macro"
    categories = fields.read_each(path, found["categories"], _CATEGORY, f"{under}categories.")
    yield from of(found["score"], part)
    # Of one alone it is the same figure.
    if len(categories) != 1 or found["macro"] != found["score"]:
        yield from of(found["macro"], part, macro)
    for n, category in enumerate(categories):
        its = part if _name(category) == _WHOLE else _name(category)
        subsets = fields.read_each(
            path, category["subsets"], _SUBSET, f"{under}categories.{n}.subsets."
        )
        yield from of(category["score"], its)
        if len(subsets) != 1 or category["macro"] != category["score"]:
            yield from of(category["macro"], its, f"{macro} of subsets")
        for subset in subsets:
            yield from of(subset["score"], part if subset["name"] == _WHOLE else subset["name"])


def _identity(found: Mapping[str, Any]) -> tuple[str, str, str | None]:
    """What a metric is called, the part of the questions that it is of, and how it sums up answers.

    HallusionBench's dimensions are the category, and the target whose answers all have to be right.
    """
    name, aggregation = found["name"] or str(found["older_name"]), found["aggregation"] or "mean"
    dimensions = {k: str(v) for k, v in (found["dimensions"] or {}).items() if k != "level"}
    part, target = dimensions.pop("category", _WHOLE), dimensions.pop("target", "answer")
    name += "" if aggregation == "mean" else f"/{aggregation}"
    name += "".join(f"|{k}={v}" for k, v in sorted(dimensions.items()))
    return name, part, None if target == "answer" else target


def _name(category: Mapping[str, Any]) -> str:
    name = category.get("name")
    return "/".join(map(str, name)) if isinstance(name, list) else str(name)


def _record(head: Head) -> dict[str, Any]:
    """The first line, where it is a record with an index; empty: it is none."""
    line = head.line if b'"index":' in head.start else {}
    return line if "index" in line else {}


def _lies_in_work_dir(path: Path) -> bool:
    """Whether a folder above is a work dir, which has settings next to answers or figures."""
    folders = ("predictions", "reviews", "reports", "configs", "logs")
    above = path.absolute().parents[:3]
    tops = [folder.parent for folder in above if folder.name in folders]
    tops += above[:1] if path.name == "progress.json" else []
    return any(
        any(top.glob("configs/task_config*")) and any((top / name).is_dir() for name in folders[:3])
        for top in tops
    )
