"""Changing single conventions of a benchmark: its `benchmark.toml` with other values.

strategy, average, macro_level,     as in the file; macro_level= and thinking= take them out
thinking
rule                                the rule for all of its questions, in place of those there
normaliser, tolerance               of that rule
level                               columns that become levels of their own, with commas between
group, figure                       a table of the file, or a list of them, to add or in place of one
without_figure, without_group,      what is taken away, with commas between
without_level
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from warehouse import (
    benchmark,
    benchmark_additions,
    benchmark_removals,
    known_benchmarks,
    statements,
    taxonomy,
)
from warehouse.benchmark import Ability, Benchmark
from warehouse.errors import InputError, UsageError

_SQL = statements.of_module(__file__)
_MOST_ABILITIES = 200
_CONVENTIONS = ("strategy", "average", "macro_level", "thinking")
KEYS = (
    *("rule", "normaliser", "tolerance", "strategy", "average", "macro_level", "thinking", "level"),
    *benchmark_additions.KEYS,
    *benchmark_removals.KEYS,
)


@dataclass(frozen=True)
class Changed:
    """A benchmark as it is from now on, the levels that are new, and those that it had."""

    benchmark: Benchmark
    new_levels: tuple[str, ...]
    former_levels: tuple[str, ...]


def read_pairs(words: Sequence[str]) -> dict[str, str]:
    """KEY=VALUE words as a dictionary.

    Raises:
        UsageError: one is written otherwise, or a key is not known or stands twice.
    """
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = (part.strip() for part in word.partition("="))
        if not equals:
            raise UsageError(f"{word!r} is not KEY=VALUE, such as rule=anls")
        if key not in KEYS:
            raise UsageError(f"{key!r} cannot be set; there are {', '.join(KEYS)}")
        if key in found:
            raise UsageError(f"{key} is given twice")
        found[key] = value
    if not found:
        raise UsageError(f"nothing to set: give KEY=VALUE; there are {', '.join(KEYS)}")
    return found


def find(con: duckdb.DuckDBPyConnection, name: str) -> Benchmark:
    """The warehouse's own benchmark of that name, which can be changed.

    Raises:
        UsageError: there is none, or it comes with evalhouse or a package.
    """
    known = known_benchmarks.find(name)
    if known is not None and known.origin != known_benchmarks.WAREHOUSE:
        raise UsageError(
            f"{known.name} comes with {known.origin}, and stays as it is; `benchmarks add DIR` adds "
            "one of another name"
        )
    if known is not None:
        return known
    found = taxonomy.benchmark_id(con, name)
    if found is None:
        there = ", ".join(row[0] for row in taxonomy.table(con))
        raise UsageError(
            f"the warehouse has no benchmark {name!r}" + (f", only {there}" if there else "")
        )
    row = con.execute(_SQL["conventions"], {"benchmark_id": found}).fetchall()[0]
    keys = ("name", "task", *_CONVENTIONS)
    given = {key: value for key, value in zip(keys, row, strict=True) if value is not None}
    given["level"] = [
        {"name": name, **({"apart": True} if is_apart and n else {})}
        for n, (name, is_apart) in enumerate(
            con.execute(_SQL["levels"], {"benchmark_id": found}).fetchall()
        )
    ]
    return benchmark.parse(written(given), f"the questions of {row[0]}")


def store(con: duckdb.DuckDBPyConnection, name: str, changes: Mapping[str, str]) -> Benchmark:
    """Change a benchmark of the warehouse; its toml is kept as a source, like one that was added.

    Raises:
        UsageError: there is no such benchmark, a value cannot be, or no question has a column that is
            to be a level.
    """
    one = find(con, name)
    made = changed(one, changes)
    found = taxonomy.benchmark_id(con, one.name)
    if found is None:
        raise UsageError(f"the warehouse has no questions of {one.name}")
    for level in made.former_levels:
        _require_lowest(con, found, level)
    stated = {level: _stated(con, found, level) for level in made.new_levels}
    source_id = taxonomy.register(con, made.benchmark)
    conventions = {key: getattr(made.benchmark, key) for key in _CONVENTIONS}
    con.execute(_SQL["set_conventions"], {**conventions, "benchmark_id": found})
    if made.benchmark.scoring != one.scoring:
        taxonomy.replace_scoring(con, found, made.benchmark.scoring, source_id=source_id)
    for level in made.former_levels:
        parameters = {"benchmark_id": found, "level": level, "source_id": source_id}
        con.execute(_SQL["take_level_away"], parameters)
    for level, abilities in stated.items():
        con.execute(_SQL["give_level_back"], {"benchmark_id": found, "level": level})
        taxonomy.add_abilities(con, found, abilities, source_id=source_id)
        con.execute(
            _SQL["file_questions"],
            {"benchmark_id": found, "level": level, "source_id": source_id},
        )
    known_benchmarks.reread(con)
    return made.benchmark


def _stated(con: duckdb.DuckDBPyConnection, found: int, level: str) -> list[Ability]:
    """The abilities that a new level has not yet, as the benchmark's questions state them."""
    parameters = {"benchmark_id": found, "level": level}
    former = con.execute(_SQL["former_abilities"], parameters).fetchall()
    known = {str(name) for (name,) in former}
    names = [str(name) for (name,) in con.execute(_SQL["stated"], parameters).fetchall()]
    if not names and not known:
        columns = con.execute(_SQL["attributes"], {"benchmark_id": found}).fetchall()
        there = ", ".join(str(name) for (name,) in columns) or "no columns besides the answers"
        raise UsageError(f"level: no question has a column {level!r}; there are {there}")
    if len(names) + len(known) > _MOST_ABILITIES:
        raise UsageError(
            f"level: {level} has {len(names):,} different values; abilities are at most "
            f"{_MOST_ABILITIES}"
        )
    return [Ability(level, name, name, None, ()) for name in names if name.lower() not in known]


def file_stated(con: duckdb.DuckDBPyConnection, found: int, level: str, *, source_id: int) -> None:
    """File questions of a benchmark under a level that it has, as they state it in an attribute."""
    parameters = {"benchmark_id": found, "level": level}
    names = [str(name) for (name,) in con.execute(_SQL["stated"], parameters).fetchall()]
    known = {str(name) for (name,) in con.execute(_SQL["abilities"], parameters).fetchall()}
    new = [Ability(level, name, name, None, ()) for name in names if name.lower() not in known]
    taxonomy.add_abilities(con, found, new, source_id=source_id)
    con.execute(_SQL["file_questions"], {**parameters, "source_id": source_id})


def _require_lowest(con: duckdb.DuckDBPyConnection, found: int, level: str) -> None:
    """Refuse to take away a level that another divides."""
    below = con.execute(_SQL["below"], {"benchmark_id": found, "level": level}).fetchall()
    if below:
        raise UsageError(
            f"without_level: the level {below[0][0]} divides {level}; take it away first"
        )


def changed(one: Benchmark, changes: Mapping[str, str]) -> Changed:
    """A benchmark with other values.

    Raises:
        UsageError: a value cannot be, or changes nothing.
    """
    given = dict(tomllib.loads(one.text))
    for key in _CONVENTIONS:
        if changes.get(key):
            given[key] = changes[key]
        elif key in changes:
            given.pop(key, None)
    _set_rule(given, changes)
    former_levels = benchmark_removals.take_away(given, changes)
    new_levels = _new_levels(one, changes)
    given["level"] = [*given.get("level", ()), *_level_tables(one, new_levels)]
    benchmark_additions.add(given, changes)
    text = written(given)
    try:
        made = benchmark.parse(text, f"benchmarks set {one.name}", one.judge_template)
    except InputError as error:
        field = str(error.field or "").split(".")[-1]
        raise UsageError(f"{field}: {error.problem}" if field else error.problem) from error
    if made == one:
        raise UsageError(f"{one.name} is so already")
    return Changed(made, new_levels, former_levels)


def _set_rule(given: dict[str, Any], changes: Mapping[str, str]) -> None:
    if "rule" in changes:
        given["rule"] = [{"rule": changes["rule"]}]
    details = {key: changes[key] for key in ("normaliser", "tolerance") if key in changes}
    if not details:
        return
    rules = given.get("rule", [])
    if len(rules) != 1:
        raise UsageError(
            f"{' and '.join(details)}: of which rule? There are {len(rules)}; give rule=NAME too"
        )
    rule = dict(rules[0])
    for key, value in details.items():
        rule[key] = value
        if key == "tolerance":
            rule[key] = _number(value)
        if not value:
            del rule[key]
    given["rule"] = [rule]


def _number(value: str) -> float | str:
    try:
        return float(value)
    except ValueError:
        return value


def _new_levels(one: Benchmark, changes: Mapping[str, str]) -> tuple[str, ...]:
    wanted = [name.strip() for name in changes.get("level", "").split(",")]
    if "level" in changes and not all(wanted):
        raise UsageError("level: names columns, with commas between; levels that are there stay")
    there = {level.name.lower() for level in one.levels}
    new = tuple(dict.fromkeys(name for name in wanted if name and name.lower() not in there))
    if new and one.abilities:
        raise UsageError(
            f"level: {one.name} names its abilities one by one; `benchmarks add` of its folder adds more"
        )
    return new


def _level_tables(one: Benchmark, names: Sequence[str]) -> list[dict[str, object]]:
    """Each is apart: it divides the questions anew."""
    return [
        {"name": name, "columns": [name.lower()], **({"apart": True} if one.levels or n else {})}
        for n, name in enumerate(names)
    ]


def written(given: Mapping[str, Any]) -> str:
    """A benchmark's tables as TOML: plain keys first, then each list of tables."""
    lines = [f"{key} = {_value(value)}" for key, value in given.items() if not _is_tables(value)]
    for key, value in given.items():
        if _is_tables(value):
            for table in value:
                lines += ["", f"[[{key}]]"]
                lines += [f"{_key(name)} = {_value(one)}" for name, one in table.items()]
    return "\n".join(lines) + "\n"


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _value(value: object) -> str:
    if isinstance(value, dict):
        pairs = ", ".join(f"{_key(name)} = {_value(one)}" for name, one in value.items())
        return f"{{ {pairs} }}"
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in value)}]"
    # JSON writes texts, numbers and booleans as TOML does, but for one control character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() else _value(name)
