"""The samples of an Inspect log as rows: what was asked, what was answered, and what a grader said.

A log repeats itself: texts and images that stand in several places are kept once, under `attachments`,
and a reference `attachment://HASH` stands for them.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from ingest import inspect_archive, inspect_json
from warehouse.errors import InputError

KINDS = ("inspect_eval", "inspect_json")
_REFERENCE = "attachment://"
_BATCH = 500
_SCHEMA = {
    "id": pl.String,
    "epoch": pl.Int64,
    "question": pl.String,
    "image_sha256": pl.String,
    "choices": pl.String,
    "target": pl.String,
    "prediction": pl.String,
    "error": pl.String,
    "answered_by": pl.String,
    "metadata": pl.String,
    "gradings": pl.String,
}
"""Choices, target, metadata and gradings are JSON."""
COLUMNS = tuple(_SCHEMA)


def kind_of_zip(path: Path) -> str | None:
    """`inspect_eval` if a zip is a log; None if it is another zip.

    Raises:
        InputError: it is no whole zip, and its name is a log's.
    """
    try:
        return KINDS[0] if inspect_archive.is_log(path) else None
    except InputError:
        if path.suffix == ".eval":
            raise
        return None


def kind_of_text(path: Path) -> str | None:
    """`inspect_json` if a text file begins as a log; None if it does not."""
    return KINDS[1] if inspect_json.is_log(path) else None


def header(con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """What the log that was read says about itself."""
    ((told,),) = con.execute("SELECT header FROM stage_header").fetchall()
    return dict(json.loads(told))


def read(con: duckdb.DuckDBPyConnection, path: Path, kind: str) -> None:
    """Fill `raw_table`, a row a sample; no more than some hundred samples are held at a time.

    Raises:
        InputError: the log is broken, a sample is not as samples are, or there is none.
    """
    con.execute("CREATE OR REPLACE TEMP TABLE stage_header (header VARCHAR)")
    rows: list[tuple[Any, ...]] = []
    _append(con, path, 0, rows)
    n_before = 0
    for name, told in (inspect_archive if kind == KINDS[0] else inspect_json).parts(path):
        if not name:
            con.execute("INSERT INTO stage_header VALUES (?)", [json.dumps(told)])
            continue
        rows.append(_row(path, n_before + len(rows) + 1, name, told))
        if len(rows) == _BATCH:
            _append(con, path, n_before, rows)
            n_before += len(rows)
            rows.clear()
    _append(con, path, n_before, rows)
    if not n_before + len(rows):
        raise InputError(path, "is a log without samples")


def _append(
    con: duckdb.DuckDBPyConnection, path: Path, n_before: int, rows: list[tuple[Any, ...]]
) -> None:
    columns = zip(*rows, strict=True) if rows else ((),) * len(_SCHEMA)
    try:
        frame = pl.DataFrame(dict(zip(_SCHEMA, columns, strict=True)), schema=_SCHEMA)
    except UnicodeEncodeError as error:
        for row, values in enumerate(rows, start=n_before + 1):
            try:
                json.dumps(values, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                raise InputError(path, f"cannot be read: {error}", row=row) from error
        raise
    con.register("sample_frame", frame.to_arrow())
    con.execute(
        "CREATE TEMP TABLE IF NOT EXISTS raw_table AS SELECT * FROM sample_frame WITH NO DATA"
    )
    con.execute("INSERT INTO raw_table SELECT * FROM sample_frame")
    con.unregister("sample_frame")


def _row(path: Path, row: int, name: str, sample: dict[str, Any]) -> tuple[Any, ...]:
    """A sample's values in the order of the columns."""

    def told(key: str, types: tuple[type, ...], words: str) -> Any:
        value = sample.get(key)
        if not isinstance(value, types) or isinstance(value, bool):
            raise InputError(path, f"is no {words} in {name}", row=row, field=key)
        return value

    none = type(None)
    attachments = told("attachments", (dict, none), "object") or {}
    output = told("output", (dict, none), "object") or {}
    choices = told("choices", (list, none), "list")
    target = told("target", (str, list, none), "text or list")
    error = told("error", (dict, none), "object") or told("invalidation", (dict, none), "object")
    epoch = told("epoch", (int,), "whole number")
    if not 1 <= epoch <= 32_767:
        raise InputError(path, f"{epoch} is no epoch in {name}", row=row, field="epoch")
    key = str(told("id", (int, str), "number or text")).strip()
    if not key:
        raise InputError(path, f"is empty in {name}", row=row, field="id")
    asked = told("input", (str, list), "text or list of messages")
    return (
        key,
        epoch,
        _text(attachments, asked, "user") or None,
        _first_image(attachments, asked),
        None if choices is None else _json([_text(attachments, one) for one in choices]),
        _json(
            [_text(attachments, one) for one in (target if isinstance(target, list) else [target])]
        ),
        _answer(attachments, output),
        None if error is None else str(error.get("message") or error.get("reason") or error),
        output.get("model") if isinstance(output.get("model"), str) else None,
        _json(told("metadata", (dict, none), "object") or {}),
        _gradings(attachments, told("scores", (dict, none), "object") or {}),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _answer(attachments: dict[str, str], output: dict[str, Any]) -> str | None:
    """What the model said; None: nothing came from it."""
    choices, completion = output.get("choices"), output.get("completion")
    if isinstance(completion, str) and (completion or choices):
        return _text(attachments, completion)
    first = choices[0] if isinstance(choices, list) and choices else None
    return _text(attachments, [first.get("message")]) if isinstance(first, dict) else None


def _gradings(attachments: dict[str, str], scores: dict[str, Any]) -> str | None:
    """What was said to a grader and what it said, for each scorer that asked one; None: none did."""
    found = []
    for scorer, score in scores.items():
        metadata = score.get("metadata") if isinstance(score, dict) else None
        messages = metadata.get("grading") if isinstance(metadata, dict) else None
        if not isinstance(messages, list):
            continue
        replies = [one for one in messages if isinstance(one, dict) and one.get("role") == "assistant"]  # fmt: skip
        if not replies:
            continue
        asked = messages[: messages.index(replies[-1])]
        found.append(
            {
                "scorer": scorer,
                "judge": replies[-1].get("model") or scorer,
                "prompt": _text(attachments, asked),
                "reply": _text(attachments, [replies[-1]]),
                "value": _json(score.get("value")),
            }
        )
    return _json(found) if found else None


def _text(attachments: dict[str, str], told: object, role: str | None = None) -> str:
    """The text of a message's content, or of messages (those of a role if there are any)."""
    if isinstance(told, str):
        return attachments.get(told.removeprefix(_REFERENCE), told) if told.startswith(_REFERENCE) else told  # fmt: skip
    messages = [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []
    if any(one.get("role") == role for one in messages):
        messages = [one for one in messages if one.get("role") == role]
    texts = [
        _text(attachments, part)
        for message in messages
        for part in _parts(message)
        if isinstance(part, str)
    ]
    return "\n".join(text for text in texts if text)


def _parts(message: dict[str, Any]) -> Iterator[object]:
    """The texts of a message, and its other parts as they are."""
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, dict) and part.get("type") == "text":
            yield part.get("text")
        else:
            yield part


def _first_image(attachments: dict[str, str], told: object) -> str | None:
    """The sha256 of the first image that the log holds; None: it holds none, or names a file."""
    for message in told if isinstance(told, list) else []:
        for part in _parts(message) if isinstance(message, dict) else ():
            if isinstance(part, dict) and part.get("type") == "image":
                head, _, content = _text(attachments, part.get("image")).partition(",")
                if head.startswith("data:") and head.endswith(";base64"):
                    try:
                        return sha256(base64.b64decode(content, validate=True)).hexdigest()
                    except binascii.Error:
                        return None
    return None
