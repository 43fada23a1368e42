"""lmms-eval's output: a folder for each model, with __ for the slash in its name.

    MODEL/TIME_samples_TASK.jsonl   a line a document
    MODEL/TIME_results.json         figures and settings of all tasks

    doc_id, target    the document's number, and what the harness takes for right
    filtered_resps    what was scored; resps, absent where it is the same, all that the model said
    input             the prompt: the question, its choices, and what the task adds to it
    doc               the data set's record, in files of earlier versions
    METRIC            a number, or an object with what it is computed from, and what was read

doc_hash is the same on every line, and no key. A sample's fields decide its form, whatever its task is:

MM-Vet        gpt_eval_score with question_id, and the grade of a judge; of a failed call without one
likelihoods   a [value, is greedy] for each choice, in order: the mean loss of its tokens, of which the
              lowest is best, unless --method loglik says otherwise. The folder's samples of the task
              without _ppl have the questions' ids, by the document's number.
SEED-Bench    seed_all: the question's id (SEED-Bench-2's has the dimension) and right letter; pred is
              the answer's first character, whatever it is, and is not read
MMBench       gpt_eval_score or submission with index: a row of the data set, where nan is nothing
any other     the question is in doc, in what metrics got, and in the prompt without what settings add

What is a benchmark's is in its `benchmark.toml`, under `[harness.lmms_eval]`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ingest import capabilities, fields, harness_metrics, prompts, record_questions, results_files
from ingest.fields import Field
from ingest.filtered_samples import FilteredSamples, attributes, likelihood
from ingest.messages import as_object
from ingest.names import read_dataset_name
from ingest.reading import json_map
from ingest.reading.head import Format, Head, Seen
from ingest.record_choices import NotRead
from ingest.sample import Ability, About, Answer, Context, Figure, Judgment, Sample
from warehouse import judges
from warehouse.benchmark import Benchmark
from warehouse.benchmark_records import Records
from warehouse.errors import InputError
from warehouse.wording import counted

HARNESS = "lmms-eval"
FORMATS = {
    "lmms_samples": Format(
        3,
        "lmms-eval's `{model}/{time}_samples_{task}.jsonl` of any task: `doc_id, target, filtered_resps`",
        "BARE_ANSWERS",
    ),
    "lmms_mmvet": Format(
        3, "lmms-eval's `{model}/{time}_samples_mmvet.jsonl`: questions, answers and grades"
    ),
    "lmms_figures": Format(
        1,
        "lmms-eval's own figures, `{model}/{time}_results.json`: kept as written and compared with ours",
        "REFERRING",
    ),
}
FIELDS = (
    *(Field("doc_id", int, name) for name in ("key", "number")),
    *(Field("input", str, name) for name in ("text", "choices")),
    Field("target", str, "target"),
    Field("filtered_resps", list, "said"),
)
_SAMPLES = re.compile(r"(?P<time>\d{8}_\d{4}(?:\d\d)?)_samples_(?P<task>.+)")
_RESULTS = re.compile(r"(?P<time>\d{8}_\d{4}(?:\d\d)?)_results\.json")
_ERROR = re.compile(r"_stderr(_\w+)?,")
_NEEDED, _OF_OTHERS = {"doc_id", "target", "filtered_resps"}, {"doc", "arguments", "filter"}
_OF_SAMPLE = _NEEDED | _OF_OTHERS | {
    "resps", "input", "input_media", "doc_hash", "prompt_hash", "target_hash", "token_counts",
}  # fmt: skip
_OF_ANSWER = {
    "score", "prediction", "pred", "pred_answer", "parsed_pred", "parsed", "ground_truth", "answer",
    "extraction", "true_false", "submission",
}  # fmt: skip
_GRADE, _SUBMITTED, _SEED = "gpt_eval_score", "submission", "seed_all"
_KEY_OF_SEED = f"{_SEED}.question_id"
_SECOND, _ID_OF_SECOND, _WANTS_BOTH = "SEED-Bench-2", re.compile(r"(\d+)_\d+"), "27"
_EXTRACTED, _DRAWN = "llm_as_judge_eval", "mmmu_acc"
_ASKS = re.compile(r"\s*Answer ?:\s*$")
_NO_FORM = (
    "no form that is known here: they have neither MMBench's gpt_eval_score or submission, nor "
    "SEED-Bench's seed_all, nor likelihoods of choices, nor the prompt in input"
)


@dataclass(frozen=True)
class _Form:
    """A form that samples have.

    Attributes:
        has: whether a sample is of it.
        read: reads the samples, as those of a benchmark.
        about: what is said of the file, as fields of `About`.
    """

    has: Callable[[Mapping[str, Any]], bool]
    read: Callable[[FilteredSamples, Benchmark | None], Iterator[Sample]]
    about: Mapping[str, Any]


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file holds samples or figures."""
    line = head.line if b'"doc_id":' in head.start else {}
    if line.keys() >= _NEEDED:
        is_named = _SAMPLES.fullmatch(head.path.stem) is not None
        # lm-evaluation-harness's lines have no input.
        is_other = line.keys() >= _OF_OTHERS and "input" not in line
        if is_other or (line.keys() & _OF_OTHERS and not is_named):
            return None
        name = "lmms_mmvet" if _is_mmvet(line) else "lmms_samples"
        return Seen("doc_id, target and filtered_resps in its first line", format=name)
    if _RESULTS.fullmatch(head.path.name) and any(
        results_files.figures(head.path, head.document, _ERROR)
    ):
        return Seen("results and configs", format="lmms_figures")
    return None


def sidecar(path: Path) -> str | None:
    """Say why a file of lmms-eval's is no result."""
    found = Head(path).document if _RESULTS.fullmatch(path.name) else {}
    if not results_files.is_results(found) or any(results_files.figures(path, found, _ERROR)):
        return None
    return results_files.without_answers(found, HARNESS)


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read samples, or figures.

    Raises:
        InputError: samples of no form that is known, one of another form than the first or with a
            cell that is not what it should be.
    """
    if of_results := _RESULTS.fullmatch(path.name):
        return _about_figures(path, of_results["time"]), iter(())
    records = [record for _, record in fields.records(path)]
    named = _SAMPLES.fullmatch(path.stem)
    task = named["task"] if named else path.stem.removeprefix("samples_")
    time = named["time"] if named else None
    place = path.with_name(f"{time}_results.json" if time else "results file")
    has_results = time is not None and place.is_file()
    results = json_map.read_object(place) if has_results else {}
    model, is_stated = results_files.model_of(path, results)
    plain, way = results_files.without_way(task)
    file = FilteredSamples(
        path, task, way or "", results_files.of_task(results, "configs", task), records
    )
    form = next((one for one in _FORMS if one.has(records[0])), None)
    if form is None:
        raise InputError(path, f"the samples of the task {task} are in {_NO_FORM}", row=1)
    inferred = results_files.inferred(place.name if is_stated else None)
    if form is _MMVET and read_dataset_name(plain) is None:
        plain, inferred = "MM-Vet", {**inferred, "benchmark": "the format"}
    about = {"of_benchmark": partial(form.read, file), "completed": file.completed, **form.about}
    if form is _LIKELIHOODS:
        others = _others(file)
        del about["completed"]
        about["of_benchmark"] = lambda _: _likelihoods(file, others or ())
        if others is None:
            about |= {"of_benchmark": None, "with_context": partial(_found, file)}
            about |= {"are_answers": True, "columns": {}}
    note = f"there is no {place.name} next to it, so its settings are not known"
    return About(
        HARNESS,
        model,
        task,
        results_files.label_of(time, task) if time else path.stem,
        dataset=plain,
        n_documents=results_files.n_documents(results, task),
        listed_in=place.name,
        inferred=inferred,
        produced_at=results_files.produced_at(time, results.get("date")),
        said=results_files.said_of(results, task),
        remarks=() if has_results else (note,),
        has_own_keys=False,
        are_whole=True,
        **about,
    ), iter(())


def _about_figures(path: Path, time: str) -> About:
    found = json_map.read_object(path)
    figures = tuple(
        Figure(metric, value, task=task, label=results_files.label_of(time, task))
        for task, metric, value in results_files.figures(path, found, _ERROR)
    )
    return About(HARNESS, results_files.model_of(path, found)[0], "", time, figures=figures)


def _is_mmvet(record: Mapping[str, Any]) -> bool:
    return _GRADE in record and _SUBMITTED not in record and _row(record) is None


def _mmvet(file: FilteredSamples, _: Benchmark | None) -> Iterator[Sample]:
    n_unnamed = 0
    for row, record in enumerate(file.records, start=1):
        cells = {name: json_map.text(one) for name, one in as_object(record.get(_GRADE)).items()}
        if not (key := cells.get("question_id")):
            raise file.error(row, f"{_GRADE}.question_id", "is empty")
        judge, score = cells.get("eval_model") or "", cells.get("score")
        is_graded = bool(judge.strip())
        number = harness_metrics.number(score)
        if is_graded and (number is None or not 0 <= number <= 1):
            raise file.error(row, f"{_GRADE}.score", f"{score!r} is no score from 0 to 1")
        n_unnamed += not is_graded
        question = {
            "key": key,
            "text": cells.get("question") or None,
            "references": tuple(filter(None, [cells.get("gt_answer")])),
            "abilities": capabilities.listed(
                (cells.get("capabilities") or "").split(","), f"{_GRADE}.capabilities"
            ),
        }
        yield from file.answered(row, question, [Judgment(judge, score)] if is_graded else ())
    if n_unnamed:
        file.notes.append(f"{n_unnamed:,} grades left out: they name no judge model")


def _are_likelihoods(record: Mapping[str, Any]) -> bool:
    """Whether a sample has pairs of a number and whether it is greedy, as texts."""
    found = record.get("filtered_resps")
    if not isinstance(found, list) or len(found) < 2:
        return False
    pairs = [one for one in found if isinstance(one, list) and len(one) == 2]
    return pairs == found and all(one[1] in ("True", "False") for one in pairs)


def _others(file: FilteredSamples) -> list[dict[str, Any]] | None:
    """The questions, by record, from the folder's samples of the task without _ppl; None: there are none."""
    base = "_".join(part for part in file.task.split("_") if part != "ppl")
    folder, own = file.path.parent, file.path.name.replace(file.task, base)
    found = sorted(folder.glob(f"*_samples_{base}.jsonl"), reverse=True) if base else []
    there = (one for one in (folder / own, *found) if one.is_file() and one != file.path)
    place = next(there, None) if base != file.task else None
    records = [record for _, record in fields.records(place)] if place is not None else []
    if place is None or not records or not isinstance(records[0].get(_SEED), dict):
        return None
    numbered = {
        other.get("doc_id"): (one, str(other.get("input", "")).lstrip())
        for one, other in zip(_seed(place, records), records, strict=True)
    }
    questions = []
    for row, record in enumerate(file.records, start=1):
        one, asked = numbered.get(record.get("doc_id"), ({}, ""))
        if not one or not asked.startswith(_asked(record)):
            words = f"{record.get('doc_id')!r} is not the same document in {place.name}"
            raise file.error(row, "doc_id", f"{words}, which has to hold the questions' ids")
        questions.append(one)
    return questions


def _found(file: FilteredSamples, about: About, context: Context) -> tuple[About, Iterator[Sample]]:
    """Find the questions in the warehouse by their texts and right choices."""
    keys: dict[tuple[str | None, str | None], set[str]] = defaultdict(set)
    for one in context.asked(context.name):
        keys[one.text, one.right].add(one.key)
    questions = []
    for row, record in enumerate(file.records, start=1):
        there = keys[_asked(record), str(record.get("target"))]
        if len(there) != 1:
            others = f"there are no samples of {file.task.replace('_ppl', '')} next to it"
            n = f"{len(there) or 'no'} questions in the warehouse have its text and right choice"
            raise file.error(row, "input", f"does not hold the question's id: {others}, and {n}")
        questions.append({"key": min(there), "text": None})
    return about, _likelihoods(file, questions)


def _likelihoods(file: FilteredSamples, questions: Sequence[Mapping[str, Any]]) -> Iterator[Sample]:
    for row, record in enumerate(file.records, start=1):
        pairs = record.get("filtered_resps")
        if not isinstance(pairs, list) or not pairs:
            raise file.error(row, "filtered_resps", "is no list of likelihoods")
        try:
            values = [likelihood(one) for one in pairs]
        except NotRead as error:
            raise file.error(row, error.field, error.problem) from error
        yield Sample(
            row=row,
            **questions[row - 1],
            answers=(Answer(None, attributes=attributes(record)),),
            scores=dict(zip(prompts.LABELS, values, strict=False)),
            metrics=dict(file.metrics(record)),
        )


def _asked(record: Mapping[str, Any]) -> str:
    return _ASKS.sub("", str(record.get("input", ""))).strip()


def _seed(path: Path, records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the samples have of SEED-Bench's questions, by id alone.

    Raises:
        InputError: a sample of another form, or without an id.
    """
    found: list[dict[str, Any]] = []
    for row, record in enumerate(records, start=1):
        seed = record.get(_SEED)
        if not isinstance(seed, dict):
            raise InputError(path, "is no object with question_id and answer", row=row, field=_SEED)
        key = str(seed.get("question_id") or "").strip()
        if not key:
            raise InputError(path, "is empty", row=row, field=_KEY_OF_SEED)
        kinds = [name for name in record if name.startswith("seed_") and name != _SEED]
        kind = kinds[0].removeprefix("seed_").replace("_", " ") if kinds else ""
        answer = str(seed.get("answer") or "").strip() or None
        found.append(record_questions.by_id(key, answer, kind))
    if all(_dimension(one) for one in found):
        for one in found:
            one["abilities"] = (Ability("dimension", _dimension(one), _KEY_OF_SEED),)
            one["components"] = ("text", "image") if _dimension(one) == _WANTS_BOTH else ()
    return found


def _dimension(question: Mapping[str, Any]) -> str:
    """The dimension in an id of SEED-Bench-2; '': it is none."""
    named = _ID_OF_SECOND.fullmatch(question["key"])
    return named[1] if named else ""


def _seed_samples(file: FilteredSamples, known: Benchmark | None) -> Iterator[Sample]:
    n_left = 0
    for row, one in enumerate(_seed(file.path, file.records), start=1):
        if known is not None and known.name == _SECOND and not _dimension(one):
            problem = f"{one['key']!r} is no id of {_SECOND}: those are like 9_85, dimension first"
            raise file.error(row, _KEY_OF_SEED, problem)
        wants_both = _dimension(one) == _WANTS_BOTH
        n_left += wants_both
        yield from [Sample(row=row, **one)] if wants_both else file.answered(row, one)
    if n_left:
        file.notes.append(
            f"{counted(n_left, 'answer')} left out: their questions want a text and an image, which no "
            "letter can be"
        )
    read = [one[_SEED].get("pred") for one in file.records]
    odd = [one for one in read if one not in ("A", "B", "C", "D")]
    if odd:
        file.notes.append(
            "readings of the harness that are no choice, but an answer's first character (such as "
            f"{odd[0]!r}): {len(odd):,}; answers are kept whole, and its readings are not"
        )


def _row(record: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The row of MMBench that a sample has; None: it has none."""
    rows = [one for name in (_GRADE, _SUBMITTED) if isinstance(one := record.get(name), dict)]
    return next((one for one in rows if "index" in one), None)


def _mmbench(file: FilteredSamples, _: Benchmark | None) -> Iterator[Sample]:
    for row, record in enumerate(file.records, start=1):
        found = _row(record)
        if found is None:
            raise file.error(row, _GRADE, "is no object with a question")
        for name in ("index", "question", "A", "B"):
            if name not in found:
                raise file.error(row, f"{_GRADE}.{name}", "is missing")
        try:
            # Where the model had to reason, what it said may stand in place of the right answer.
            question = record_questions.of_row(found, has_answer="reasoning" not in file.way)
        except NotRead as error:
            raise file.error(row, error.field, error.problem) from error
        yield from file.answered(row, question)


def _is_of_task(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("input"), str) or isinstance(record.get("doc"), dict)


def _task_samples(file: FilteredSamples, known: Benchmark | None) -> Iterator[Sample]:
    records = known.records_of(HARNESS) if known is not None else Records()
    is_unheard = known is None or known.is_inferred
    column = file.config.get("doc_to_target")
    column = column if isinstance(column, str) and column.isidentifier() else None
    # A name may stand in place of the references that a task does not have.
    is_named = any(str(one.get("target")) != column for one in file.records)
    if not is_named:
        file.notes.append(f"the samples have no references: their target is the word {column!r}")
    docs = []
    for row, record in enumerate(file.records, start=1):
        if record.get("doc_id") is None:
            raise file.error(row, "doc_id", "is missing")
        if not _is_of_task(record):
            raise file.error(row, "input", "is missing")
        docs.append(_doc(file, records, record, has_reference=is_named))
    first, n_judged = record_questions.first_number(docs), 0
    for row, (record, doc) in enumerate(zip(file.records, docs, strict=True), start=1):
        doc = records.completed(doc, record)
        question = record_questions.of_record(
            doc, record["doc_id"], records, first=first, may_be_words=is_unheard
        )
        if is_unheard and not question["choices"]:
            question["attributes"].setdefault("question_type", "open")
        judgments = _judgments(file, row, question, records.judge) if records.judge else ()
        n_judged += len(judgments)
        yield from file.answered(row, question, judgments)
    if n_judged:
        drawn = f"{n_judged:,} letters that the harness drew, as its rule found no choice"
        n = counted(n_judged, "answer")
        read = f"{n} of the judge that extracts; its name is in none of the files"
        file.notes.append(read if file.judge_task == judges.ANSWER_EXTRACTION else drawn)


def _doc(
    file: FilteredSamples, records: Records, record: Mapping[str, Any], *, has_reference: bool
) -> dict[str, Any]:
    """A sample as a record of the data set, as far as it holds one."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        if name in _OF_SAMPLE or not isinstance(value, dict):
            continue
        if name == _SUBMITTED:
            value = {k: v for k, v in value.items() if k == "question_id"}
        found |= {k: v for k, v in value.items() if k not in _OF_ANSWER}
        if records.metric is not None and name != "average":
            found[records.metric] = name
    whole = record.get("doc")
    found |= whole if isinstance(whole, dict) else {}
    found.setdefault(
        "question", results_files.without_prompt(file.config, str(record.get("input", "")))
    )
    if not has_reference and "doc" not in record:
        found["answer"] = None
    elif not isinstance(whole, dict) or found.get("answer") is None:
        target = record.get("target")
        found["answer"] = target[0] if isinstance(target, list) and len(target) == 1 else target
    return found


def _judgments(
    file: FilteredSamples, row: int, question: Mapping[str, Any], judge: str
) -> tuple[Judgment, ...]:
    """What no rule of the harness read: what a judge took out of an answer, or a letter that was drawn.

    A judge is called where the answer is not plainly the answer itself. The file has a letter that was
    drawn for an answer in which the rule finds no choice, and does not say that it was.
    """
    record, said = file.records[row - 1], file.said[row - 1][1][0]
    extracted, drawn = (as_object(record.get(name)) for name in (_EXTRACTED, _DRAWN))
    if isinstance(found := extracted.get("extraction"), str):
        file.judge_task = judges.ANSWER_EXTRACTION
        return () if _is_plain(said.strip(), question) else (Judgment(judge, found),)
    parsed, choices = drawn.get("parsed_pred"), question["choices"]
    letter = parsed[0] if isinstance(parsed, list) and parsed else None
    if not isinstance(letter, str) or not choices or prompts.names_choice(said, choices):
        return ()
    file.judge_task = "choice_extraction"
    score = 1.0 if letter == question["answer"] else 0.0
    return (Judgment(judge, log=letter, stated="drawn", score=score),)


def _is_plain(answer: str, question: Mapping[str, Any]) -> bool:
    """Whether an answer is nothing but the answer."""
    if not answer or answer in question["choices"]:
        return True
    numbers: dict[str, type] = {"integer": int, "float": float}
    try:
        return numbers[question["attributes"].get("answer_type")](answer) is not None
    except (KeyError, ValueError):
        return False


_ID_ALONE = {
    "questions": "choice",
    "by_id_alone": True,
    "columns": {
        "key": _KEY_OF_SEED,
        "components": _KEY_OF_SEED,
        "text": _KEY_OF_SEED,
        "choices": "filtered_resps",
        "target": f"{_SEED}.answer",
    },
}
_OF_GRADE = {"key": "question_id", "text": "question", "target": "gt_answer", "attempts": "score"}
_IN_GRADE = {to: f"{_GRADE}.{name}" for to, name in _OF_GRADE.items()}
_MMVET = _Form(
    _is_mmvet, _mmvet, {"questions": "open", "reads_replies": True, "columns": _IN_GRADE}
)
_LIKELIHOODS = _Form(_are_likelihoods, _seed_samples, {**_ID_ALONE, "method": "perplexity"})
_OF_ROW = {"key": "index", "text": "question", "choices": "A", "target": "answer"}
_FORMS = (
    _MMVET,
    _LIKELIHOODS,
    _Form(lambda record: isinstance(record.get(_SEED), dict), _seed_samples, _ID_ALONE),
    _Form(
        lambda record: _row(record) is not None,
        _mmbench,
        {"questions": "choice", "columns": _OF_ROW},
    ),
    _Form(_is_of_task, _task_samples, {"may_be_hidden": True, "reads_replies": True}),
)
