"""What a file says, read in a few lines of plain Python, against what ingest made of it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq

Record = dict[str, Any]

_TEXTS = {
    "predictions": "prediction",
    "vlmevalkit": "prediction",
    "llava_answers": "text",
    "seedbench_results": "prediction",
    "mmvet_answers": "value",
}
"""Where each format has its answers, word for word."""
_QUESTIONS = {"questions": "question", "mmbench_questions": "question"}


_COMMA_AT_END = re.compile(rb",\s*[\]}]")


class SaidTwice(Exception):
    """A key stands twice in one object, so that the file does not say what its value is."""


def check(
    con: duckdb.DuckDBPyConnection, path: Path, format_name: str, source_id: int, *, whole: bool
) -> str | None:
    """What differs between the file and the facts of a source; None: nothing, or no oracle knows.

    Args:
        whole: every record is a row (no duplicates are left out).
    """
    if format_name not in _TEXTS and format_name not in _QUESTIONS and format_name != "judgments":
        return None
    try:
        records = _records(path)
    except SaidTwice as error:
        return f"the key {error} stands twice in a record, and the file was read"
    except (ValueError, RecursionError, csv.Error) as error:
        # The engine goes deeper than Python, and forgives a comma at the end of a list.
        if isinstance(error, RecursionError) or _COMMA_AT_END.search(path.read_bytes()):
            return None
        return f"it was read, and Python cannot: {error}"[:300]
    if records is None:
        return None
    if format_name in _QUESTIONS:
        return _check_questions(con, records, source_id)
    if format_name == "judgments":
        stored = _column(con, f"SELECT reply FROM main.judgment WHERE source_id = {source_id}")
        name = "verdict" if any("verdict" in one for one in records) else "reply"
        said = Counter(_trim(one.get(name)) for one in records)
        return _difference(said, Counter(map(_trim, stored)), whole=False)
    name = _TEXTS[format_name]
    rows = con.execute(
        "SELECT q.question_key, p.pass, p.sample, p.text, p.failed FROM main.prediction AS p "
        "JOIN main.run USING (run_id) JOIN main.question AS q USING (question_id) "
        f"WHERE run.source_id = {source_id}"
    ).fetchall()
    difference = _difference(
        Counter(_text(one.get(name)) for one in records),
        Counter(text or "" for _, _, _, text, _ in rows),
        whole=whole,
    )
    if difference or format_name != "predictions":
        return difference
    said = Counter(
        (_text(one["question_key"]), _number(one.get("pass")), _number(one.get("sample")), _text(one.get(name)))
        for one in records
    )  # fmt: skip
    stored = Counter((key, step, sample, text or "") for key, step, sample, text, _ in rows)
    return _difference(said, stored, whole=whole)


def _check_questions(
    con: duckdb.DuckDBPyConnection, records: list[Record], source_id: int
) -> str | None:
    stored = _column(con, f"SELECT text FROM main.question WHERE source_id = {source_id}")
    said = Counter(_text(one.get("question")) for one in records)
    return _difference(said, Counter(stored), whole=False)


def _column(con: duckdb.DuckDBPyConnection, sql: str) -> list[str]:
    return [value or "" for (value,) in con.execute(sql).fetchall()]


def _difference(said: Counter[Any], stored: Counter[Any], *, whole: bool) -> str | None:
    if stored - said:
        return f"stored, and not in the file: {next(iter(stored - said))!r}"[:300]
    if whole and said - stored:
        return f"in the file, and not stored: {next(iter(said - stored))!r}"[:300]
    return None


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else _Written(value)


class _Written(str):
    """A list or an object, which is stored as JSON of whatever spacing."""

    def __new__(cls, value: Any) -> _Written:
        return super().__new__(cls, json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _trim(value: Any) -> str:
    return _text(value).strip(" ")


def _number(value: Any) -> int:
    text = _text(value).strip()
    return int(text.partition(".")[0]) if text else 0


def _records(path: Path) -> list[Record] | None:
    """The records of a file; None where it has lists, or is of a kind that is not read here."""
    content = path.read_bytes()
    if content.startswith((b"PK\x03\x04", b"PAR1")) and path.suffix != ".parquet":
        # A workbook or Parquet under the name of a text is read as what it is.
        return None
    if path.suffix in (".csv", ".tsv") and content[:1] not in b"[{":
        return _table(content.decode("utf-8-sig"))
    if path.suffix in (".json", ".jsonl"):
        found = _json(content.decode("utf-8-sig"))
        plain = all(
            not isinstance(value, list | dict) for one in found or () for value in one.values()
        )
        return found if plain else None
    if path.suffix == ".parquet":
        return _parquet(path)
    return None


def _table(text: str) -> list[Record]:
    csv.field_size_limit(2**30)
    first = next(line for line in text.split("\n") if line.strip())
    delimiter = "\t" if first.count("\t") > first.count(",") else ","
    rows: Iterable[list[str]] = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    header, *rest = [row for row in rows if row]
    names = [name.strip() for name in header]
    return [dict(zip(names, row, strict=True)) for row in rest]


def _json(text: str) -> list[Record] | None:
    def once(pairs: list[tuple[str, Any]]) -> Record:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise SaidTwice(
                next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
            )
        return found

    def load(one: str) -> Any:
        return json.loads(
            one,
            object_pairs_hook=once,
            parse_int=str,
            parse_float=str,
            parse_constant=lambda name: None if name == "NaN" else name,
        )

    try:
        data = load(text)
    except json.JSONDecodeError:
        data = [load(line.strip().removesuffix(",")) for line in text.split("\n") if line.strip()]
    if isinstance(data, dict):
        values = list(data.values())
        if all(isinstance(value, dict) for value in values):
            return [{"key": key, **value} for key, value in data.items()]
        if all(isinstance(value, str) for value in values) and "question_id" not in data:
            return [{"key": key, "value": value} for key, value in data.items()]
        return None if any(isinstance(value, list) for value in values) else [data]
    return data if all(isinstance(one, dict) for one in data) else None


def _parquet(path: Path) -> list[Record] | None:
    table = pq.read_table(path)
    plain = all(str(field.type) in ("string", "large_string") for field in table.schema)
    return table.to_pylist() if plain else None
