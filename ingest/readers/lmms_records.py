"""The records of lmms-eval's data sets, `TASK.jsonl`: a line is a document, as samples number them.

The file's name is the task's, or the data set's. Records have what samples do not: TextVQA's ten answers,
POPE's categories, the ids of DocVQA. Which data sets' files are known says their `benchmark.toml`, under
`[harness.lmms_eval]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ingest import fields, record_questions, results_files
from ingest.fields import Field
from ingest.reading.head import Format, Head, Seen
from ingest.sample import About, Sample
from warehouse import known_benchmarks
from warehouse.benchmark import Benchmark
from warehouse.errors import InputError

HARNESS = "lmms-eval"
FORMATS = {
    "lmms_records": Format(
        1,
        "Records of a dataset of lmms-eval's, `{task}.jsonl`, of AI2D, ChartQA, DocVQA, MathVista, "
        "MME, MMMU, MMStar, OCRBench, POPE, RealWorldQA or TextVQA: `question`, `answer` or "
        "`answers`, `options` or `choices`",
        "QUESTIONS",
    )
}
FIELDS = (
    Field("id", str, "key", required=False),
    Field("question", str, "text"),
    Field("options", (list, str), "choices", required=False),
    Field("answer", (str, list), "target", required=False),
)
_TEXTVQA = re.compile(r"textvqa_submission_[0-9-]+\.json")
_NO_OTHERS = "holds no other answers than the samples files"
_NO_RECORD = {"prediction", "doc_id", "text", "A"}


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file holds the records of a data set that is known."""
    line = head.line if b'"question":' in head.start else {}
    if not line.keys() & {*record_questions.ANSWERS} or line.keys() & _NO_RECORD:
        return None
    known = known_benchmarks.find(head.path.stem.split("_")[0])
    if "question" not in line or known is None or "lmms_eval" not in known.records:
        return None
    return Seen("a data set's name, question and answer", is_sure=False)


def sidecar(path: Path) -> str | None:
    """Say what a file of the harness's submissions is, if all of it is elsewhere too."""
    folder = path.absolute().parent
    is_submission = folder.name == "submissions"
    if is_submission and _TEXTVQA.fullmatch(path.name):
        return f"{_NO_OTHERS}: it is a submission of lmms-eval"
    if path.name == "ocrbench_results.txt":
        return "holds no answers: it is lmms-eval's own figures of OCRBench"
    if (named := re.fullmatch(r"(\w+)_results", path.stem)) is None:
        return None
    if path.suffix == ".xlsx" and is_submission:
        if not any(folder.parent.glob(f"*/*_samples_{named[1]}.jsonl")):
            return None
        return (
            f"{_NO_OTHERS}: it is a submission of lmms-eval, which does not name the model "
            "(--format lmms_submission reads it all the same)"
        )
    figures = Head(path).document.keys() if path.suffix == ".json" else ()
    is_theirs = figures == {"overall_acc", "category_acc", "l2_category_acc"}
    return "holds no answers: it is lmms-eval's own figures of MMBench" if is_theirs else None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read records.

    Raises:
        InputError: one is broken.
    """
    records = [record for _, record in fields.records(path)]
    return About(
        HARNESS,
        "",
        path.stem,
        path.stem,
        dataset=results_files.without_way(path.stem)[0],
        inferred=dict.fromkeys(("benchmark", "version", "split", "language"), "the file's name"),
        are_questions=True,
        are_whole=True,
        may_be_hidden=True,
        has_own_keys=False,
        of_benchmark=partial(_questions, path, records),
    ), iter(())


def _questions(
    path: Path, records: Sequence[Mapping[str, Any]], known: Benchmark | None
) -> Iterator[Sample]:
    if known is None:
        raise InputError(path, "its name is no dataset's; give it with --benchmark NAME")
    its = known.records_of(HARNESS)
    for row, record in enumerate(records, start=1):
        doc = its.completed(record, {})
        if not str(doc.get("question") or "").strip():
            raise InputError(path, "is missing", row=row, field="question")
        yield Sample(row=row, **record_questions.of_record(doc, row - 1, its))
