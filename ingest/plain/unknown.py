"""What to say of a file whose columns are not understood: its columns, and the --column that would do."""

from __future__ import annotations

import csv
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from string import ascii_uppercase
from typing import Any, NoReturn

from ingest.plain import aliases
from ingest.reading import json_rows
from ingest.reading.contents import UnknownFormatError
from ingest.reading.lines import text_lines
from ingest.reading.probe import Probe
from ingest.reading.records import json_records
from ingest.settings import Settings
from warehouse.errors import InputError
from warehouse.later import pl

_MOST_SHOWN = 20
_OF_PROSE = (".md", ".rst", ".log", ".html", ".yaml", ".yml")
"""How the names of files end that are no tables, whatever their first line looks like."""
_LOOKED_AT = 20
_MOST_COMPARED = 10_000
"""Records."""
# The words of a column's name that make it likely to be meant so, the likeliest first.
_TRUTH = (
    "gold", "target", "truth", "gt", "reference", "expected", "label", "correct", "answer",
    "solution",
)  # fmt: skip
_WORDS = {
    "prediction": (
        "prediction", "predicted", "response", "output", "reply", "generated", "generation",
        "completion", "pred", "hypothesis",
    ),
    "answer": _TRUTH,
    "reference": _TRUTH,
    "question_key": ("qid", "uid", "uuid", "id", "ids", "key", "index", "idx", "number", "no"),
    "question": ("question", "prompt", "query", "instruction", "input", "text"),
}  # fmt: skip
_OF_ANSWERS = ("text", "content", "said")
"""What may be a model's answer where a column names the model."""
_KEY = "KEY"
_ORDER = (
    "question_key", "question", "prediction", "answer", "reference", "choices", *ascii_uppercase,
)  # fmt: skip
_FEWEST = 2
"""Columns of a question file: a key, a text, and something that is right."""
_OF_QUESTIONS = {"question", "q", "qid", "sample", "example", "item"}
_LATER = {
    "prediction": {"norm", "normalized", "normalised", "parsed", "extracted", "clean", "letter"},
    "answer": {"is", "correct"},
    "reference": {"is", "correct"},
    "question_key": {"image", "img", "picture", "video", "file", "run", "model"},
    "question": {"type", "system"},
}
"""Words that make a name less likely than another one."""
_NEVER = {
    "time", "times", "latency", "seconds", "ms", "token", "tokens", "cost", "price", "length", "len",
    "score", "type", "path", "format", "finish", "status", "error", "version",
}  # fmt: skip
_TEXTS = ("question_key", "question", "prediction", "answer", "reference")
"""Of these a cell is a text. An answer may be a list of texts all the same."""
_MAY_BE_LISTS = ("answer", "reference")


def refuse(probe: Probe, settings: Settings, also: Iterable[str] = ()) -> NoReturn:
    """Say that a file is in no format, and what would make it one.

    Args:
        also: what else there is to say.

    Raises:
        InputError: a column has a name of ours, so that the file was to be read.
        UnknownFormatError: nothing says that it was.
    """
    shown = ", ".join(probe.columns[:_MOST_SHOWN]) + " …" * (len(probe.columns) > _MOST_SHOWN)
    words = (
        f"is in no format that is known here: its columns are {shown}{_way_out(probe, settings)}"
    )
    kind = InputError if probe.has_any("question_key", "prediction") else UnknownFormatError
    raise kind(probe.path, words + "".join(also))


def refuse_nested(probe: Probe, settings: Settings) -> None:
    """Refuse a file where a column that is read as a text holds objects.

    Raises:
        InputError: with what to do.
    """
    called = probe.called or probe.columns
    pairs = zip(called, probe.columns, strict=True)
    meant = {theirs: ours for theirs, ours in pairs if ours in _TEXTS}
    nested = _nested(probe, called)
    for theirs, ours in meant.items():
        if theirs in nested and (ours not in _MAY_BE_LISTS or nested[theirs]):
            written = [f"{theirs}={ours}" for theirs, ours in meant.items() if theirs != ours]
            is_answered = "prediction" in meant.values()
            command = _command(written, probe, settings, is_answered=is_answered)
            raise InputError(
                probe.path,
                _flatten(theirs, nested[theirs], command),
                row=0,
                field=theirs,
            )


def _way_out(probe: Probe, settings: Settings) -> str:
    """The --column that would do, where the names of the columns say so much."""
    said = _guessed(probe)
    if "prediction" not in said and not ("question" in said and len(said) > _FEWEST):
        return (
            "; of a table of your own --column THEIRS=OURS says which is our question_key, question, "
            "answer (of choices A, B …), reference (of others) or prediction; `ingest --help` lists "
            "the formats"
        )
    written = [f"{said[ours]}={ours}" for ours in _ORDER if said.get(ours, ours) != ours]
    command = _command(written, probe, settings, is_answered="prediction" in said)
    key = ""
    if said["question_key"] == _KEY:
        key = f", where {_KEY} is a column that is another one for each question: none of these is"
    nested = _nested(probe, probe.columns)
    if said.get("prediction") in nested:
        theirs = said["prediction"]
        return f"; {_flatten(theirs, nested[theirs], command)}{key}"
    return f"; of a table of your own, this says which is what: {command}{key}"


def _guessed(probe: Probe) -> dict[str, str]:
    """Of each of our columns, the one that is likely to be it."""
    # Said outright, they are good for files of any kind.
    known = aliases.of(replace(probe, kind=aliases.KINDS[0]))
    columns = known.probe.columns if known else probe.columns
    called = dict(zip(columns, probe.columns, strict=True))
    left = [
        name
        for name in columns
        if name not in aliases.OURS and name == name.strip() and not set(",=") & set(name)
    ]
    found = {name: called[name] for name in _ORDER if name in called}
    truth = "answer" if {"A", "B"} <= called.keys() or "choices" in called else "reference"
    is_answered = "model" in called
    if is_answered and truth == "reference" and "prediction" not in found:
        # The answer of a model, and not what is right.
        said = found.pop("answer", None) or (
            called["reference"] if known and "reference" in called else None
        )
        if said is not None and said.lower() == "answer":
            found.pop("reference", None)
            found["prediction"] = said
    for role in ("prediction", truth, "question_key", "question"):
        if role in found or (role == truth and {"answer", "reference"} & found.keys()):
            continue
        ranked = {name: rank for name in left if (rank := _rank(name, role)) is not None}
        likely = sorted(ranked, key=ranked.__getitem__)
        if role == "question_key":
            likely = [name for name in likely if _tells_apart(probe, called[name])]
        if not likely and role == "prediction" and is_answered:
            likely = [name for name in left if name.lower() in _OF_ANSWERS]
        if likely:
            found[role] = called[likely[0]]
            left.remove(likely[0])
    found.setdefault("question_key", _KEY)
    return found


def _tells_apart(probe: Probe, column: str) -> bool:
    """Whether a column is another one in each row, or in each of a model's."""
    seen = set()
    for record in islice(_records(probe), _MOST_COMPARED):
        if isinstance(record, dict):
            place = str(record.get("model")), str(record.get(column))
            if place in seen:
                return False
            seen.add(place)
    return True


_OF_MODELS = {"extracted", "parsed", "predicted", "prediction", "model", "pred"}
"""Words of what is no truth, whatever else a name says."""


def _rank(name: str, role: str) -> tuple[int, int, int] | None:
    """How likely a column is meant so, low first; None: its name does not say it."""
    words = re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    places = [_WORDS[role].index(word) for word in words if word in _WORDS[role]]
    if not places or _NEVER & set(words):
        return None
    if role in ("answer", "reference") and _OF_MODELS & set(words):
        return None
    return len(_LATER[role] & set(words)), -len(_OF_QUESTIONS & set(words)), min(places)


def _command(written: list[str], probe: Probe, settings: Settings, *, is_answered: bool) -> str:
    """The flags that say it, with those that the file would need besides."""
    words = [f"--column {shlex.quote(','.join(written))}"] if written else []
    columns = {name.lower() for name in (*probe.columns, *(probe.called or ()))}
    if settings.model is None and "model" not in columns and is_answered:
        words.append("--model NAME")
    if settings.benchmark is None:
        words.append("--benchmark NAME")
    return " ".join(words)


def _flatten(column: str, keys: tuple[str, ...], command: str) -> str:
    likely = [key for key in ("text", "content", "answer", "value") if key in keys]
    inner = [*likely, *keys, "0"][0]
    own = f"{column}_{inner}"
    what = f"objects ({', '.join(keys[:5])})" if keys else "lists"
    return (
        f"{column} holds {what} and no texts: write what counts of it, such as {column}.{inner}, into a "
        f"column of its own, such as {own}, and read the file with "
        + command.replace(f"{column}=", f"{own}=", 1)
    )


def _nested(probe: Probe, names: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """The columns that hold objects, with their keys, or lists, without any."""
    found: dict[str, tuple[str, ...]] = {}
    if probe.kind == "parquet":
        for name, kind in pl.read_parquet_schema(probe.path).items():
            if isinstance(kind, pl.Struct):
                found[name] = tuple(one.name for one in kind.fields)
            elif isinstance(kind, pl.List | pl.Array):
                found[name] = ()
        return found
    if probe.kind in ("csv", "tsv", "xlsx"):
        return found
    for record in islice(_records(probe), _LOOKED_AT):
        for name, value in (record if isinstance(record, dict) else {}).items():
            if name in names and isinstance(value, dict):
                found[name] = tuple(map(str, value)) or found.get(name, ())
            elif name in names and isinstance(value, list):
                found.setdefault(name, ())
    return found


def _records(probe: Probe) -> Iterable[Any]:
    """The records of a file, as far as they can be read."""
    try:
        if probe.kind in ("json", "jsonl"):
            yield from json_records(probe.path, probe.kind)
        elif probe.kind in ("json_list", "jsonl_commas"):
            yield from json_rows.read(probe.path, probe.kind)
        elif probe.kind in ("csv", "tsv"):
            delimiter = "," if probe.kind == "csv" else "\t"
            yield from csv.DictReader(text_lines(probe.path), delimiter=delimiter)
        elif probe.kind == "parquet":
            yield from (
                pl.scan_parquet(probe.path).head(_MOST_COMPARED).collect().iter_rows(named=True)
            )
        elif probe.sheet is not None:
            yield from probe.sheet.frame.iter_rows(named=True)
    except (InputError, csv.Error, pl.exceptions.PolarsError, OSError):
        return
