"""LLaVA's files of a benchmark, JSON lines.

    questions.jsonl         LLaVA-Bench's questions; the references, GPT-4's answers, lie next to it:
                            answers_gpt4.jsonl, or …_gpt4_answer.jsonl for …_questions.jsonl (qa90: COCO's)
    question.jsonl          questions without images and references, of no benchmark that they name
    answers/MODEL.jsonl     answers to open questions; MME's and POPE's under ids of their own, MM-Vet's
                            without the beginning v1_ of theirs
    answers/…/MODEL.jsonl   answers to MMBench, with the round and the options as they were shown
    reviews/MODEL.jsonl     what GPT-4 said of answers; MODEL-eval2.jsonl of the same ones once more

Answers and reviews do not name their benchmark; folders do. A round of MMBench's is the pass whose options
stand in the same order. Ids such as 1 to 80 are in every data set, so that answers of which nothing says
what they are of have to have its texts: those of a file of questions in the folder or the one above, or the
prompts. A review begins with two scores: of the reference and of the answer. It is one judgment, of which
the view `pair_score` reads both; `tuple`, what the script read, is not kept.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ingest import fields, own_columns, yes_no_keys
from ingest.adapter import ByProductError
from ingest.fields import Field
from ingest.indexed_rows import PASS_STEP
from ingest.names import DatasetName, dataset_of_folder, timestamp_label
from ingest.reading import json_map
from ingest.reading.head import Format, Head, Seen
from ingest.reading.named_images import hash_of
from ingest.reading.records import json_records
from ingest.sample import Ability, About, Answer, Context, Judgment, Sample
from warehouse import judges
from warehouse.errors import InputError
from warehouse.wording import counted

FORMATS = {
    "llava_answers": Format(
        2, "LLaVA's JSONL: `question_id, round_id, prompt, text, options, model_id`", "BARE_ANSWERS"
    ),
    "llava_open_answers": Format(
        2,
        "LLaVA's answers to open questions, JSONL: `question_id, prompt, text, answer_id, model_id`",
        "BARE_ANSWERS",
    ),
    "llava_questions": Format(
        1,
        "LLaVA-Bench's questions, JSONL with `answers_gpt4.jsonl` next to it: `question_id, image, "
        "text, category`",
        "QUESTIONS",
    ),
    "llava_texts": Format(
        1,
        "LLaVA's questions without images, JSONL: `question_id, text, category`; `--benchmark` names a "
        "new benchmark",
        "QUESTIONS",
    ),
    "llava_reviews": Format(
        1,
        "LLaVA's GPT reviews, `{model}.jsonl` or `{model}-eval{n}.jsonl`: `question_id, content, "
        "tuple`; two scores in one reply",
        "REFERRING",
    ),
}
FIELDS = (
    Field("question_id", (str, int), "key"),
    Field("text", str, "said"),
    Field("options", (list, str), "choices", required=False),
    Field("model_id", str, "model", required=False),
    Field("content", str, "attempts", required=False),
)
_OTHERS = {
    "image", "prompt", "answer_id", "answer", "prediction", "options", "target", "label", "content",
    "metadata", "model_id",
}  # fmt: skip
_FORMS: tuple[tuple[str, set[str], set[str]], ...] = (
    ("llava_answers", {"round_id", "text"}, set()),
    ("llava_open_answers", {"text", "answer_id", "model_id"}, {"content"}),
    ("llava_questions", {"image", "text", "category"}, {"prompt", "answer_id", "prediction"}),
    ("llava_texts", {"text", "category"}, _OTHERS),
    ("llava_reviews", {"content", "tuple"}, set()),
    ("llava_reviews", {"review_id", "answer1_id", "text", "score"}, set()),
)
"""What the records of a format have in addition to an id, and what they have not; the first that fits holds."""
_BENCHMARK, _COCO, _MMVET = "LLaVA-Bench", "qa90", "MM-Vet"
_PARTS = ("version", "split", "language")
_QUESTION_FILES = ("questions.jsonl", "question.jsonl")
_LABELS = {
    yes_no_keys.MME: "MME's result files (OCR.txt …: image, question, truth and answer)",
    yes_no_keys.POPE: "POPE's label files (coco_pope_random.json …)",
}
_WHOLE = re.compile(r"\s*(\d{1,18})(\.0+)?\s*", re.ASCII)
_JUDGE = "gpt_review"
"""The script's own name for what it does; its files do not say which GPT-4 it called."""
_AGAIN = re.compile(r"(?<=.)-eval([1-9]\d*)\Z", re.DOTALL)
_FAILED = [-1.0, -1.0]
_Cells = Mapping[str, str | None]
_Read = tuple[About, Iterator[Sample]]


@dataclass(frozen=True)
class _File:
    """A file: the number, id and values of each record, and the dataset that the path names."""

    path: Path
    rows: Sequence[tuple[int, str, _Cells]]
    named: DatasetName | None

    @property
    def models(self) -> list[str]:
        names = {cells.get("model_id") or "" for _, _, cells in self.rows}
        return sorted(name for name in names if name.strip(" "))

    @property
    def whole(self) -> DatasetName:
        """The dataset without what says which part of it the file is of."""
        return replace(self.named or DatasetName(""), split=None, language=None)


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file is one of LLaVA's."""
    form = _form(head)
    return Seen("LLaVA's fields", format=form) if form else None


def sidecar(path: Path) -> str | None:
    """Say of COCO's references that they are read with a question file."""
    stem = path.stem.removesuffix("gpt4_answer")
    if stem != path.stem and path.with_name(f"{stem}questions.jsonl").is_file():
        return f"the references of {stem}questions.jsonl"
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read a file.

    Raises:
        InputError: it is none of LLaVA's, or a record is broken or has no id.
    """
    form = _form(Head(path))
    if not form:
        raise InputError(path, "has the fields of none of LLaVA's formats", row=1)
    rows: list[tuple[int, str, _Cells]] = []
    for row, record in fields.records(path):
        cells = {name: _cell(value) for name, value in record.items()}
        rows.append((row, (cells.get("question_id") or "").strip(" "), cells))
    is_coco, is_review = path.stem.startswith(_COCO), form == "llava_reviews"
    named = DatasetName(_BENCHMARK, "COCO") if is_coco else dataset_of_folder(path)
    file = _File(path, rows, named)
    if is_review and not any("content" in cells for _, _, cells in rows):
        problem = (
            "is a review of two models' answers, as LLaVA's first ones are (`text`, `score`): neither is "
            "the reference of the question, so it is no judgment of one model's answer"
        )
        raise InputError(path, problem, field="answer1_id")
    empty = next((row for row, key, _ in rows if not key), None)
    if form != "llava_answers" and empty is not None:
        raise InputError(path, "is empty", row=empty, field="question_id")
    return About(
        "llava",
        _AGAIN.sub("", path.stem) if is_review else next(iter(file.models), ""),
        "",
        path.stem,
        dataset=named or DatasetName(""),
        inferred=dict.fromkeys(("benchmark", *_PARTS), "the path")
        | dict.fromkeys(("model", "run"), "the file's name"),
        columns={"model": ""} if is_review else {},
        are_whole=True,
        are_questions=form in ("llava_questions", "llava_texts"),
        has_own_keys=False,
        n_rows=len(rows),
        with_context=partial(_READERS[form], file),
    ), iter(())


def _form(head: Head) -> str:
    """The format whose fields the first record has; '': none."""
    names = head.line.keys() if b'"question_id":' in head.start else set()
    fitting = (form for form, has, no in _FORMS if has <= names and not no & names)
    return next(fitting, "") if "question_id" in names else ""


def _cell(value: object) -> str | None:
    """A value as text: lists and objects as JSON without white space."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return json_map.text(value)


def _list(written: str | None) -> list[Any] | None:
    """The list that a text is as JSON; None: it is none."""
    try:
        found = json.loads(written or "null")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None


# Questions.


def _questions(file: _File, about: About, _: Context) -> _Read:
    """Read questions with images, and their references from another file.

    Raises:
        ByProductError: they are of another benchmark, and no right answers are there.
        InputError: the references are not there, or cannot be read.
    """
    path = _references(file)
    references: dict[str, list[str]] = defaultdict(list)
    for row, record in enumerate(json_records(path, "jsonl"), start=1):
        answer = record if isinstance(record, dict) else {}
        key, text = answer.get("question_id"), answer.get("text")
        if key is None or not isinstance(text, str):
            problem = f"is no answer: the references of {file.path.name}"
            raise InputError(path, problem, row=row)
        references[str(key).strip()].append(text)
    if not references:
        raise InputError(path, f"holds no answers: the references of {file.path.name}")
    return replace(
        about,
        dataset=file.whole if file.named else DatasetName(_BENCHMARK),
        questions="open",
        columns={"target": path.name},
        remarks=(f"references: {path.name} next to it",),
        inferred={**about.inferred, "benchmark": "the path" if file.named else "the format"},
    ), _asked(file, references)


def _references(file: _File) -> Path:
    begin = file.path.stem.removesuffix("questions")
    names = ("answers_gpt4.jsonl", f"{begin}gpt4_answer.jsonl")
    for path in (file.path.with_name(name) for name in names):
        if path.is_file():
            return path
    if file.named is not None and file.named.benchmark != _BENCHMARK:
        words = "without right answers; what has those holds the questions too"
        raise ByProductError(file.path, f"LLaVA's prompts of {file.named.benchmark}, {words}")
    words = f"GPT-4's answers, {' or '.join(names)}, have to be in the same folder"
    raise InputError(file.path, f"holds no references: {words}")


def _texts(file: _File, about: About, context: Context) -> _Read:
    """Read questions without images.

    Their ids are LLaVA-Bench's too, so that they are of no benchmark that is there unless it is named.
    """
    if context.settings.benchmark is None and file.named is None:
        problem = (
            "is a file of questions without images and references, and names no benchmark: `ingest FILE "
            "--benchmark NAME` makes one of that name (answers in words, which a judge grades); then the "
            "answers, with the same --benchmark NAME"
        )
        raise InputError(file.path, problem)
    questions = "open" if context.task else None
    about = replace(about, dataset=file.whole, questions=questions, may_be_hidden=True)
    return about, _asked(file, {})


def _asked(file: _File, references: Mapping[str, Sequence[str]]) -> Iterator[Sample]:
    for row, key, cells in file.rows:
        image, category = cells.get("image"), cells.get("category") or ""
        yield Sample(
            row=row,
            key=key,
            text=cells.get("text") or None,
            references=tuple(references.get(key, ())),
            images=(hash_of(image, file.path.parent),) if image else (),
            abilities=(Ability("category", category, "category"),) * bool(category.strip(" ")),
        )


# Answers.


def _answers(file: _File, about: About, context: Context) -> _Read:
    """Read answers to MMBench."""
    _require_one_model(file, context)
    samples = (_of_round(file.path, row, cells) for row, _, cells in file.rows)
    return replace(about, questions="choice", are_answers=True), samples


def _of_round(path: Path, row: int, cells: _Cells) -> Sample:
    index, turn = (_number(path, row, name, cells) for name in ("question_id", "round_id"))
    written = cells.get("options") or "[]"
    options = _list(written)
    if options is None:
        raise InputError(path, f"{written[:60]!r} is no JSON array", row=row, field="options")
    return Sample(
        row=row,
        key=str(index % PASS_STEP),
        text=cells.get("prompt"),
        pass_=index // PASS_STEP + turn,
        choices=tuple(_cell(one) or "" for one in options),
        answers=(_answer(cells),),
    )


def _number(path: Path, row: int, name: str, cells: _Cells) -> int:
    written = cells.get(name)
    found = _WHOLE.fullmatch(written or "")
    if found is None or int(found[1]) >= 2**31:
        problem = f"{written!r} is no whole number from 0, or too large"
        raise InputError(path, problem, row=row, field=name)
    return int(found[1])


def _answer(cells: _Cells) -> Answer:
    own = own_columns.OF_ANSWERS
    said = {name: cell for name, cell in cells.items() if cell and name.lower() in own}
    return Answer(cells.get("text"), attributes=said)


def _require_one_model(file: _File, context: Context) -> None:
    if len(file.models) > 1 and context.settings.model is None:
        raise InputError(file.path, f"mixes the models {', '.join(file.models)}", field="model_id")


def _open_answers(file: _File, about: About, context: Context) -> _Read:
    """Read answers to open questions, and the questions where nothing says what they are of.

    Raises:
        ByProductError: LLaVA's script has converted them for MM-Vet, and they are read in its own form.
        InputError: they are of several models, or no question of MME's or POPE's is there.
    """
    _require_one_model(file, context)
    if (found := _yes_no(file, about, context)) is not None:
        return found
    begin = ""
    if file.named is not None and file.named.benchmark == _MMVET:
        begin = "v1_"
        converted = file.path.absolute().parent.parent / "results" / f"{file.path.stem}.json"
        if converted.is_file():
            problem = f"LLaVA's answers, which results/{converted.name} holds as MM-Vet has them"
            raise ByProductError(file.path, problem)
    is_named = file.named is not None or context.settings.benchmark is not None
    source, texts = ("", {}) if is_named else _texts_of(file)
    samples = (
        Sample(
            row=row,
            key=f"{begin}{key}" if re.fullmatch(r"\d+", key, re.ASCII) else key,
            text=texts.get(key) if source else cells.get("prompt"),
            answers=(_answer(cells),),
        )
        for row, key, cells in file.rows
    )
    return replace(
        about,
        questions="open",
        may_be_hidden=True,
        are_answers=not source,
        columns={"text": source} if source else {},
        remarks=(f"questions: {source}",) if source else (),
    ), samples


def _texts_of(file: _File) -> tuple[str, dict[str, str]]:
    """What holds the questions that the answers are of, and their texts by id; '': nothing does."""
    answered = {key for _, key, _ in file.rows}
    for folder in (file.path.parent, file.path.parent.parent):
        for path in (folder / name for name in _QUESTION_FILES):
            texts = _texts_in(path) if path.is_file() else {}
            if answered <= texts.keys():
                return path.name, texts
    asked = [(key, (cells.get("prompt") or "").strip(" ")) for _, key, cells in file.rows]
    prompts = [(key, prompt) for key, prompt in asked if prompt]
    return ("prompt", dict(prompts)) if len(prompts) == len(answered) else ("", {})


def _texts_in(path: Path) -> dict[str, str]:
    """The texts of a file of questions by id; none where it is another file."""
    try:
        return {
            str(record["question_id"]).strip(): record["text"]
            for record in json_records(path, "jsonl")
            if isinstance(record, dict) and isinstance(record["text"], str)
        }
    except (InputError, OSError, KeyError):
        return {}


def _yes_no(file: _File, about: About, context: Context) -> _Read | None:
    """Bind answers to MME or POPE to the questions of its official files, by ids and prompts.

    Returns:
        None: they are of another benchmark, or of somebody's own questions of this one, under the ids as
            they are.

    Raises:
        InputError: no question is in the warehouse, or it may be several.
    """
    rows = [(row, key, cells.get("prompt") or "") for row, key, cells in file.rows]
    name = context.benchmark.name if context.benchmark else context.settings.benchmark
    if name is None and all(yes_no_keys.category_of_image(key) for _, key, _ in rows):
        name = yes_no_keys.MME
    if name not in _LABELS or not any("prompt" in cells for _, _, cells in file.rows):
        return None
    own = set()
    official: dict[DatasetName, dict[str, str]] = defaultdict(dict)
    settings = context.settings
    said = DatasetName(name, settings.version, settings.split, settings.language)
    for dataset, key, text, _ in context.asked(name):
        if dataset.version is None:
            own.add(key)
        elif dataset.is_of(said):
            official[dataset][key] = yes_no_keys.asked(text or "").lower()
    found = yes_no_keys.find(file.path, name, rows, official)
    if found is None and any(key in own for _, key, _ in rows):
        return None
    if found is None:
        problem = (
            f"no question of it is in the warehouse by id and text, as {_LABELS[name]} have them, with "
            "the right answers; ingest those first"
        )
        raise InputError(file.path, problem)
    dataset, keys = found
    left = [key for row, key, _ in rows if row not in keys]
    n, first = counted(len(left), "answer is", "answers are"), next(iter(left), "")
    note = f"{n} left out: {dataset} has no such question (the first is {first})"
    samples = (
        Sample(row, keys[row], prompt, answers=(Answer(cells.get("text"), attributes=said),))
        for (row, _, prompt), (*_, cells) in zip(rows, file.rows, strict=True)
        if row in keys
        for said in [{"prompt": prompt}]
    )
    return replace(
        about,
        dataset=dataset,
        are_answers=True,
        questions="open",
        # Of MME the official file of the same answers may be there, a category a part.
        is_part=True,
        notes=(note,) if left else (),
        inferred={**about.inferred, **dict.fromkeys(_PARTS, "the questions")},
    ), samples


# Reviews.


def _reviews(file: _File, about: About, context: Context) -> _Read:
    """Read a judge's replies; the file names neither the model nor the judge."""
    again = _AGAIN.search(file.path.stem)
    sample = int(again[1]) - 1 if again else 0
    samples, n_differing = [], 0
    for row, key, cells in file.rows:
        reply = cells.get("content")
        if reply is None:
            raise InputError(file.path, "is missing", row=row, field="content")
        n_differing += _pair(file.path, row, cells.get("tuple")) != read_pair(reply)
        said = Judgment(_JUDGE, reply, judge_sample=sample)
        samples.append(Sample(row, key, None, judgments=(said,)))
    n = counted(n_differing, "pair is", "pairs are")
    differing = f"{n} not what the reply begins with; replies hold"
    unnamed = f"the file does not name its judge: it is {_JUDGE} here, or what --judge says"
    timed = timestamp_label(file.path)
    return replace(
        about,
        label=context.settings.run or (timed[0] if timed else ""),
        dataset=file.whole,
        questions="open",
        are_judgments=True,
        reads_replies=True,
        judge_task=judges.PAIR,
        remarks=(unnamed,) * (context.settings.judge is None) + (differing,) * (n_differing > 0),
        inferred={**about.inferred, "run": "the folder's name"},
    ), iter(samples)


def read_pair(content: str) -> list[float]:
    """Read two scores as the script does from the first line; -1 twice if that fails."""
    words = content.split("\n")[0].replace(",", " ").split(" ")
    try:
        scores = [float(word) for word in words]
    except ValueError:
        return _FAILED
    return scores if len(scores) == 2 and all(map(math.isfinite, scores)) else _FAILED


def _pair(path: Path, row: int, written: str | None) -> list[Any]:
    pair = _list(written)
    if pair is None or [type(one) in (int, float) for one in pair] != [True, True]:
        raise InputError(path, f"{written!r} is no pair of numbers", row=row, field="tuple")
    return pair


_READERS: Mapping[str, Callable[[_File, About, Context], _Read]] = {
    "llava_answers": _answers,
    "llava_open_answers": _open_answers,
    "llava_questions": _questions,
    "llava_texts": _texts,
    "llava_reviews": _reviews,
}
