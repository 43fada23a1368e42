"""MM-Vet's files: JSON objects with an entry by a question's id, and a table of scores.

mm-vet.json                      questions: `question`, `capability`, a list of rec, ocr, know, gen,
                                 spat and math, and `answer`: one reference as it stands, with <AND>
                                 and <OR> between several; anything else is an attribute
MODEL.json                       answers: what the model said
MODEL_JUDGE-grade-Nruns.json     grades: the lists `model`, `content` and `score`; a place in them
                                 is a judge, what it said, and the score that the script read of it
MODEL_JUDGE-cap-score-Nruns.csv  published scores, and …-cap-int-score-…: a row a model, a score a
                                 capability (or set of them, in any order), `total`, `std`, and
                                 `runs`, the totals of the judge's samples as a Python list

The ids of the second MM-Vet begin with v2_. One file of grades may hold several judges; each has
its own samples, counted in the order of the lists. What the judge said is kept, and the score is
not, since the rules read it again. A failed grade cannot be distinguished from a real zero in such
a file. Published scores are kept as printed, and no view scores from them.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from ingest import capabilities, fields
from ingest.fields import Field
from ingest.names import DatasetName, read_dataset_name, timestamp_label
from ingest.reading import json_map
from ingest.reading.head import Format, Head, Seen
from ingest.reading.lines import text_lines
from ingest.reading.named_images import hash_of
from ingest.reading.records import csv_records
from ingest.sample import About, Answer, Context, Figure, Judgment, Published, Sample
from warehouse import known_benchmarks
from warehouse.errors import InputError
from warehouse.wording import counted

_BENCHMARK, _SECOND = "MM-Vet", "MM-Vet v2"
FORMATS = {
    "mmvet_questions": Format(
        1, "MM-Vet's `mm-vet.json`: `{id: {question, answer, capability: [], …}}`", "QUESTIONS"
    ),
    "mmvet_answers": Format(1, "MM-Vet's answers, `{model}.json`: `{id: text}`", "BARE_ANSWERS"),
    "mmvet_grades": Format(
        1,
        "MM-Vet's grades, `{model}_{judge}-grade-{n}runs.json`: `{id: {model: [], content: [], "
        "score: []}}`",
        "REFERRING",
    ),
    "mmvet_scores": Format(
        1,
        "MM-Vet's published scores, `{model}_{judge}-cap-score-{n}runs.csv` and "
        "`…-cap-int-score-…`: kept as printed and compared with ours in `published_difference`",
        "REFERRING",
    ),
}
FIELDS = (
    Field("key", str, "key"),
    Field("question", str, "text"),
    Field("answer", str, "target"),
    Field("value", str, "said"),
    Field("content", list, "attempts"),
    Field("model", list, "judge"),
)
_ASKED = (Field("question", str, "text", required=False),)
_LISTS = tuple(Field(name, list, name) for name in ("model", "content", "score"))
_FORMS = {
    "mmvet_questions": {"question", "answer", "capability"},
    "mmvet_answers": {"value"},
    "mmvet_grades": {field.path for field in _LISTS},
}
"""What the entries of a format have; the first that fits holds."""
_BEGINS = re.compile(rb'\{"(?:[^"\\]|\\.)*":["{]')
_SETTINGS = {"model", "name", "task", "dataset", "version", "config"}
"""Files of settings are maps as well; no question has one of these ids."""
_ID = re.compile(r"v[12]_\d+")
_NAME = re.compile(r"(?P<model>.+)_[^_]+-grade-\d+runs?")
_UNNAMED = (
    "the name does not contain the model (expected {model}_{judge}-grade-{n}runs); give it with "
    "--model"
)
_TOTALS = ("total", "std", "runs")
_FIRST = ("unnamed_0", "Unnamed: 0", "model")
"""What the column of the models is called: nothing, what pandas makes of that, or what it is."""
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_RUN = re.compile(r"(?:np\.float64\()?([0-9]+(?:\.[0-9]+)?)\)?")
"""One of the totals in `runs`; NumPy 2 writes its floats as np.float64(31.2)."""
_SUBSET = re.compile(r".+_bardset_[^_]+-cap-(int-)?score-\d+runs?")
_Read = tuple[About, Iterator[Sample]]


@dataclass(frozen=True)
class _File:
    """A file: its entries, and the number, id and cells of each, as text."""

    path: Path
    entries: Mapping[str, Any]
    rows: Sequence[tuple[int, str, Mapping[str, str | None]]]


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file is one of MM-Vet's."""
    if _header(head):
        return Seen("the totals of MM-Vet's scores", format="mmvet_scores")
    entries = head.by_id if _BEGINS.match(head.start) else {}
    form = _form(json_map.columns(entries)) if entries else ""
    is_answers = form == "mmvet_answers"
    if not form or (is_answers and _SETTINGS & entries.keys()):
        return None
    # Any texts by id may be answers.
    is_guess = is_answers and not any(_ID.fullmatch(key.strip(" ")) for key in entries)
    return Seen("MM-Vet's entries", format=form, is_sure=not is_answers, is_guess=is_guess)


def sidecar(path: Path) -> str | None:
    """Say that none of MM-Vet's files is left."""
    return None


def read(path: Path) -> _Read:
    """Read a file.

    Raises:
        InputError: it is no map by id, or none of MM-Vet's; a list is none, or of another length; a
            score is none.
    """
    if header := _header(Head(path)):
        return _scores(path, header), iter(())
    entries = json_map.read(path, "json_map")
    names = json_map.columns(entries)
    if "key" in names[1:]:
        raise InputError(path, "the column stands twice in the header", row=0, field="key")
    table = json_map.cells(path, entries, names)
    form = _form(table)
    if not form:
        raise InputError(path, "has the fields of none of MM-Vet's formats")
    records = (dict(zip(table, cells, strict=True)) for cells in zip(*table.values(), strict=True))
    rows = [(row, (cells["key"] or "").strip(" "), cells) for row, cells in enumerate(records, 1)]
    is_second = all(key.startswith("v2_") for _, key, _ in rows)
    about = About(
        "mmvet",
        "",
        "",
        "",
        dataset=DatasetName(_SECOND if is_second else _BENCHMARK),
        inferred={"benchmark": "the format", "model": "the file's name"},
        questions="open",
        are_whole=True,
        has_own_keys=False,
        n_rows=len(rows),
    )
    return _READERS[form](_File(path, entries, rows), about)


def _form(columns: Sequence[str] | Mapping[str, object]) -> str:
    return next((form for form, its in _FORMS.items() if its <= {*columns}), "")


def _questions(file: _File, about: About) -> _Read:
    context = partial(_asked, file)
    return replace(about, are_questions=True, with_context=context), iter(())


def _asked(file: _File, about: About, context: Context) -> _Read:
    """Read questions; the file's name may say of which benchmark they are."""
    named = read_dataset_name(file.path.stem, tuple(context.settings.map))
    dataset = named or about.dataset
    assert isinstance(dataset, DatasetName)
    known = known_benchmarks.find(dataset.benchmark)
    levels = {"capability", "integration"}
    if known is not None and not known.has_level("integration"):
        levels.remove("integration")
    source = "the file's name" if named else "the format"
    inferred = dict.fromkeys(("benchmark", "version", "split", "language"), source)
    for (row, _, _), entry in zip(file.rows, file.entries.values(), strict=True):
        fields.read(file.path, row, entry, _ASKED)
    samples = (_question(file.path, levels, *row) for row in file.rows)
    return replace(about, dataset=dataset, inferred=inferred), samples


def _question(
    path: Path, levels: set[str], row: int, key: str, cells: Mapping[str, str | None]
) -> Sample:
    written = cells["capability"]
    try:
        names = json.loads(written or "[]")
    except ValueError:
        names = None
    if not isinstance(names, list):
        problem = f"{str(written)[:60]!r} is no JSON array"
        raise InputError(path, problem, row=row, field="capability")
    listed = capabilities.listed([json_map.text(one) or "" for one in names], "capability")
    reference, image = cells["answer"], cells.get("image")
    own = {"", "key", "image", *_FORMS["mmvet_questions"]}
    return Sample(
        row,
        key,
        cells["question"] or None,
        references=(reference,) if reference else (),
        images=(hash_of(image, path.parent),) if image else (),
        attributes={name: cell for name, cell in cells.items() if cell and name not in own},
        abilities=tuple(ability for ability in listed if ability.level in levels),
    )


def _answers(file: _File, about: About) -> _Read:
    name = file.path.stem
    label, time = timestamp_label(file.path) or (name, None)
    run = "the folder's name" if time else "the file's name"
    samples = (
        Sample(row, key, None, answers=(Answer(cells["value"]),)) for row, key, cells in file.rows
    )
    return replace(
        about,
        model=name,
        label=label,
        produced_at=time,
        are_answers=True,
        inferred={**about.inferred, "run": run},
    ), samples


def _grades(file: _File, about: About) -> _Read:
    """Read judges' replies.

    Raises:
        InputError: an entry is not three lists of the same length, or a score is out of range.
    """
    n_differing = 0
    samples = []
    for (row, key, _), entry in zip(file.rows, file.entries.values(), strict=True):
        judgments = []
        seen: Counter[str] = Counter()
        for judge, reply, score in _graded(file.path, row, entry):
            judgments.append(Judgment(judge, reply, judge_sample=seen[judge]))
            seen[judge] += 1
            n_differing += _first_number(reply) != score
        samples.append(Sample(row, key, None, judgments=tuple(judgments)))
    n = counted(n_differing, "score is", "scores are")
    named, timed = _NAME.fullmatch(file.path.stem), timestamp_label(file.path)
    note = f"{n} not what the judge's reply begins with; replies hold"
    return replace(
        about,
        model=named["model"] if named else "",
        label=timed[0] if timed else "",
        unnamed=_UNNAMED,
        are_judgments=True,
        reads_replies=True,
        remarks=(note,) if n_differing else (),
        inferred={**about.inferred, "run": "the folder's name"},
    ), iter(samples)


def _graded(path: Path, row: int, entry: object) -> Iterator[tuple[str, str, float]]:
    """The judge, reply and score of each place of an entry's lists."""
    lists = fields.read(path, row, entry, _LISTS)
    for name, values in lists.items():
        if len(values) != len(lists["model"]):
            n, wanted = counted(len(values), "entry", "entries"), len(lists["model"])
            raise InputError(path, f"has {n} where model has {wanted}", row=row, field=name)
        for value in values:
            if name == "score":
                is_score = isinstance(value, int | float) and not isinstance(value, bool)
                problem = "" if is_score and 0 <= value <= 1 else "score from 0 to 1"
            else:
                is_text = isinstance(value, str) and (value.strip() or name == "content")
                problem = "" if is_text else "text"
            if problem:
                raise InputError(path, f"{value!r} is no {problem}", row=row, field=name)
    return zip(*lists.values(), strict=True)


def _first_number(reply: str) -> float | None:
    try:
        found = float(reply.split()[0])
    except (ValueError, IndexError):
        return None
    return found if math.isfinite(found) else None


def _header(head: Head) -> list[str]:
    """The columns of a file of scores; none: it is none."""
    if not all(name.encode() in head.start for name in _TOTALS):
        return []
    try:
        first = next(csv.reader(text_lines(head.path)), [])
    except (csv.Error, InputError, OSError):
        return []
    names = [name.strip() or f"unnamed_{n}" for n, name in enumerate(first)]
    return names if names and names[0] in _FIRST and {*_TOTALS} <= {*names} else []


def _scores(path: Path, header: list[str]) -> About:
    """Read published scores.

    Raises:
        InputError: a cell is no number from 0 to 100, a model is not named or stands twice, two
            columns are one set, or the scores are of a subset.
    """
    if _SUBSET.fullmatch(path.stem):
        raise InputError(path, "holds scores of a subset; only those of whole datasets are kept")
    names = [name for name in header[1:] if name not in _TOTALS]
    columns = {name: "_".join(sorted(name.lower().split("_"))) for name in names}
    for name, also in combinations(columns, 2):
        if columns[name] == columns[also]:
            raise InputError(path, f"is the same set as {name}", row=0, field=also)
    level, words = "capability", "capability"
    if any("_" in name for name in columns):
        level, words = "integration", "set of capabilities"
    figures = []
    n_empty, models = 0, set[str]()
    for row, record in csv_records(path, header):
        cells = {name: cell.strip(" ") for name, cell in record.items()}
        model = cells[header[0]]
        if not model or model in models:
            problem = f"{model} stands twice" if model else "is empty"
            raise InputError(path, problem, row=row, field="model")
        models.add(model)
        figure = partial(_published, path, row, model)
        spread = _percent(path, row, "std", cells["std"])
        samples = _runs(path, row, cells["runs"])
        figures.append(figure("total", cells["total"], spread=spread, samples=samples))
        for name, ability in columns.items():
            # A file that others were added to has empty cells where they have no such question.
            if not cells[name]:
                n_empty += 1
                continue
            unknown = f"is no {words} that {_BENCHMARK} has a question for"
            of = {"ability": ability, "level": level, "unknown": unknown}
            figures.append(figure(name, cells[name], **of))
    if not models:
        raise InputError(path, "has a header, but no rows")
    n = counted(n_empty, "empty cell is no score", "empty cells are no scores")
    return About(
        "unknown",
        "",
        "",
        "",
        dataset=DatasetName(_BENCHMARK),
        figures=tuple(figures),
        are_published=True,
        header=tuple(header),
        remarks=(n,) if n_empty else (),
        n_rows=len(models),
    )


def _published(path: Path, row: int, model: str, field: str, written: str, **of: Any) -> Figure:
    percent = _percent(path, row, field, written)
    score = Published(lambda _: DatasetName(_BENCHMARK), percent, row=row, field=field, **of)
    return Figure(field, percent, model=model, published=score)


def _percent(path: Path, row: int, field: str, written: str) -> str:
    if not _NUMBER.fullmatch(written) or float(written) > 100:
        raise InputError(path, f"{written!r} is no number from 0 to 100", row=row, field=field)
    return written


def _runs(path: Path, row: int, written: str) -> str:
    """The totals of the judge samples as a plain list."""
    if not (written.startswith("[") and written.endswith("]")):
        raise InputError(path, f"{written!r} is no list", row=row, field="runs")
    found = [_RUN.fullmatch(part.strip()) for part in written[1:-1].split(",")]
    totals = [_percent(path, row, "runs", one[1]) for one in found if one is not None]
    if len(totals) != len(found):
        raise InputError(path, f"{written!r} is no list of numbers", row=row, field="runs")
    return f"[{', '.join(totals)}]"


_READERS: Mapping[str, Callable[[_File, About], _Read]] = {
    "mmvet_questions": _questions,
    "mmvet_answers": _answers,
    "mmvet_grades": _grades,
}
