"""Small files in the long format, and the tables of a warehouse as values to compare."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evalhouse import Warehouse
from tests import held
from tests.oracle import Ask
from warehouse import benchmark_changes, judges, sources
from warehouse.benchmark import Benchmark
from warehouse.connection import transaction
from warehouse.judgment import choice_extraction_hash


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def question_rows(questions: Sequence[Ask]) -> list[dict[str, Any]]:
    """Questions as rows of the long format; the text of a question is `Q {key}`."""
    return [
        {
            "question_key": question.key,
            "pass": step,
            "question": f"Q {question.key}",
            **choices,
            **({} if question.answers[step] is None else {"answer": question.answers[step]}),
        }
        for question in questions
        for step, choices in question.choices.items()
    ]


def facts(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of facts."""
    with held.looking(path) as con:
        names = con.execute(
            "SELECT table_name FROM duckdb_tables() "
            "WHERE schema_name = 'main' AND database_name = current_database()"
        ).fetchall()
        return {
            name: con.execute(f"SELECT * FROM main.{name} ORDER BY ALL").fetchall()
            for (name,) in names
        }


def toml_with(text: str, **keys: Any) -> str:
    """A benchmark's TOML with other values, or with what a function makes of those there.

    None takes a key out.
    """
    given = tomllib.loads(text)
    given |= {key: one(given.get(key, [])) if callable(one) else one for key, one in keys.items()}
    return benchmark_changes.written({key: one for key, one in given.items() if one is not None})


def set_benchmark(house: Warehouse, name: str, **keys: Any) -> Benchmark:
    """Change a benchmark's TOML so, and put it in the place of the one before."""
    return house.set_benchmark(name, toml_with(house.benchmark(name).text, **keys))


def with_column(name: str) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    """Levels and one more, which a column of the questions states."""
    more = {"name": name, "columns": [name]}
    return lambda there: [*there, more | ({"apart": True} if there else {})]


def without(*names: str) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    """Tables but for those of some names."""
    return lambda there: [one for one in there if one["name"] not in names]


def register_judge(house: Warehouse, name: str, *, max_attempts: int = 1) -> int:
    """A judge for choice extraction that has said nothing yet."""
    with house.writing() as con, transaction(con):
        source_id = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, 0))
        judge = judges.Judge(name, "choice_extraction", "llm", max_attempts=max_attempts)
        return judges.register(con, judge, source_id=source_id)


def add_replies(
    house: Warehouse,
    judge_id: int,
    replies: Iterable[tuple[Ask, int, str, str | list[str | None] | None]],
    **more: Any,
) -> None:
    """A judge's replies, or its attempts in order, on (question, pass, text); None: a failed call."""
    rows = [
        judges.Judgment(
            subject_hash=choice_extraction_hash(f"Q {question.key}", question.choices[step], text),
            reply=reply,
            error="timed out" if reply is None else None,
            labels=(*question.choices[step], "X"),
            attempt=number,
            **more,
        )
        for question, step, text, attempts in replies
        for number, reply in enumerate(attempts if isinstance(attempts, list) else [attempts])
    ]
    with house.writing() as con, transaction(con):
        source_id = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, len(rows)))
        judges.store(con, judge_id, rows, source_id=source_id)
