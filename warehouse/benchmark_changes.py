"""Changing a benchmark of the warehouse: another text takes the place of its `benchmark.toml`.

Name, task, names and abilities stay, since answers came under them and scores rest on them. Levels
that questions state can come and go. What is gone is superseded, and stays as history.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import duckdb

from warehouse import benchmark, known_benchmarks, statements, taxonomy
from warehouse.benchmark import Ability, Benchmark, Level
from warehouse.errors import InputError, UsageError

_SQL = statements.of_module(__file__)
_MOST_ABILITIES = 200
_CONVENTIONS = ("strategy", "average", "macro_level", "thinking")


def of_questions(con: duckdb.DuckDBPyConnection, name: str) -> Benchmark | None:
    """A benchmark that the warehouse knows by its questions alone, as a folder would say it."""
    found = taxonomy.benchmark_id(con, name)
    if found is None:
        return None
    stored = taxonomy.conventions(con, found)
    given: dict[str, Any] = {key: value for key, value in stored.items() if value is not None}
    given["level"] = [
        {"name": name, **({"apart": True} if is_apart and n else {})}
        for n, (name, is_apart) in enumerate(
            con.execute(_SQL["levels"], {"benchmark_id": found}).fetchall()
        )
    ]
    made = benchmark.parse(written(given), f"the questions of {stored['name']}")
    return replace(made, origin="the warehouse's rows")


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
    found = known or of_questions(con, name)
    if found is None:
        there = ", ".join(row[0] for row in taxonomy.table(con))
        raise UsageError(
            f"the warehouse has no benchmark {name!r}" + (f", only {there}" if there else "")
        )
    return found


def store(con: duckdb.DuckDBPyConnection, name: str, text: str, path: str) -> Benchmark:
    """Replace the toml of a benchmark, in the caller's transaction.

    Args:
        text: its `benchmark.toml` from now on, which is kept as a source.
        path: of the text, for messages.

    Raises:
        UsageError: there is no such benchmark, the text is not right, changes what stays, or
            changes nothing, or no question has a column that is to be a level.
    """
    one = find(con, name)
    made = benchmark.parse(text, path, one.judge_template)
    found = taxonomy.benchmark_id(con, one.name)
    if found is None:
        raise UsageError(f"the warehouse has no questions of {one.name}")
    if made == benchmark.parse(one.text, one.path, one.judge_template):
        raise UsageError(f"{one.name} is so already")
    _require_kept(one, made)
    taxonomy.require_free_names(made)
    there = {name.lower() for name, *_ in taxonomy.table(con)} - {one.name.lower()}
    taken = next((name for name in made.names if name.lower() in there), None)
    if taken is not None:
        problem = f"{taken!r} is another benchmark of the warehouse"
        raise InputError(made.path, problem, field="aliases")
    new = _new_levels(one, made)
    source_id = taxonomy.register(con, replace(made, path=f"benchmarks set {one.name}"))
    conventions = {key: getattr(made, key) for key in _CONVENTIONS}
    con.execute(_SQL["set_conventions"], {**conventions, "benchmark_id": found})
    if made.scoring != one.scoring:
        taxonomy.replace_scoring(con, found, made.scoring, source_id=source_id)
    _take_levels_away(con, found, one, made, source_id)
    for level in new:
        _give_level(con, found, made, level, source_id)
    if made.abilities != one.abilities:
        taxonomy.add_spellings(con, found, made.abilities, source_id)
    known_benchmarks.reread(con)
    return replace(made, origin=known_benchmarks.WAREHOUSE)


def _require_kept(one: Benchmark, made: Benchmark) -> None:
    """Refuse another name or task, names that are gone, and other abilities."""
    for key in ("name", "task"):
        here, there = getattr(made, key), getattr(one, key)
        if here != there:
            problem = f"is {here!r}, and {there!r} in the warehouse, where it stays"
            raise InputError(made.path, problem, field=key)
    lost = set(benchmark.parse(one.text, one.path, one.judge_template).names) - set(made.names)
    if lost:
        problem = f"{min(lost)!r} is missing: names stay, since answers came under them"
        raise InputError(made.path, problem, field="aliases")
    former = _former_levels(one, made)
    named = next((ability.level for ability in one.abilities if ability.level in former), None)
    if named is not None:
        problem = f"{named!r} is missing: it names its abilities, and these stay"
        raise InputError(made.path, problem, field="level")
    for here, known in zip_longest(made.abilities, one.abilities):
        if not (here and known) or replace(here, spellings=known.spellings) != known:
            raise taxonomy.other_ability(made, (here or known).name, len(one.abilities))
        spellings = set(known.spellings) - set(here.spellings)
        if spellings:
            problem = f"{min(spellings)!r} of {here.name!r} is missing: spellings stay"
            raise InputError(made.path, problem, field="ability.spellings")
    for row, figure in enumerate(made.scoring.figures, start=1):
        for level in former:
            if any(f"{{{level}}}" in metric for metric in figure.metrics):
                problem = f"names {{{level}}}, which is no level any more"
                raise InputError(made.path, problem, row=row, field="figure.metrics")


def _former_levels(one: Benchmark, made: Benchmark) -> list[str]:
    stay = {level.name for level in made.levels}
    return [level.name for level in one.levels if level.name not in stay]


def _new_levels(one: Benchmark, made: Benchmark) -> tuple[Level, ...]:
    """The levels that are added, which stand last and divide the questions anew.

    Raises:
        InputError: levels that stay are elsewhere, or the questions cannot be filed under a new one.
    """
    names = [level.name for level in made.levels]
    stay = [level for level in one.levels if level.name in names]
    if names[: len(stay)] != [level.name for level in stay]:
        there = ", ".join(level.name for level in stay)
        problem = f"levels that stay come first, in their order: {there}"
        raise InputError(made.path, problem, field="level")
    for row, (level, before) in enumerate(zip_longest(made.levels, stay), start=1):
        checks = (
            ("apart", before and level.apart != before.apart, "stays as it is"),
            ("name", not before and one.abilities, f"is new, and {one.name} names its abilities one by one"),
            ("apart", not before and row > 1 and not level.apart, "is missing: a new level divides the "
             "questions anew; give apart = true"),
            ("columns", not before and len(level.columns) > 1, "are several: give a new level one, and more later"),
            ("separator", not before and level.separator, "cannot be: a question has one ability of a new level"),
        )  # fmt: skip
        for key, is_wrong, problem in checks:
            if is_wrong:
                raise InputError(made.path, problem, row=row, field=f"level.{key}")
    return made.levels[len(stay) :]


def _take_levels_away(
    con: duckdb.DuckDBPyConnection, found: int, one: Benchmark, made: Benchmark, source_id: int
) -> None:
    for level in reversed(_former_levels(one, made)):
        parameters = {"benchmark_id": found, "level": level}
        below = con.execute(_SQL["below"], parameters).fetchall()
        if below:
            problem = f"{below[0][0]} divides {level}, which is missing; take both away, or none"
            raise InputError(made.path, problem, field="level")
        con.execute(_SQL["take_level_away"], {**parameters, "source_id": source_id})


def _give_level(
    con: duckdb.DuckDBPyConnection, found: int, made: Benchmark, level: Level, source_id: int
) -> None:
    """File questions under a new level, and under what one of its name had before."""
    parameters = {"benchmark_id": found, "level": level.name}
    former = con.execute(_SQL["former_abilities"], parameters).fetchall()
    stated = con.execute(_SQL["stated"], {**parameters, "column": _column(level)}).fetchall()
    problem = ""
    if not stated and not former:
        columns = con.execute(_SQL["attributes"], {"benchmark_id": found}).fetchall()
        there = ", ".join(str(name) for (name,) in columns) or "no columns besides the answers"
        problem = f"no question has a column {_column(level)!r}; there are {there}"
    elif len(stated) + len(former) > _MOST_ABILITIES:
        problem = f"{level.name} has {len(stated):,} different values; abilities are at most {_MOST_ABILITIES}"
    if problem:
        row = made.levels.index(level) + 1
        raise InputError(made.path, problem, row=row, field="level.columns")
    con.execute(_SQL["give_level_back"], parameters)
    file_stated(con, found, level, source_id=source_id)


def _column(level: Level) -> str:
    return level.columns[0] if level.columns else level.name.lower()


def file_stated(
    con: duckdb.DuckDBPyConnection, found: int, level: Level, *, source_id: int
) -> None:
    """File questions of a benchmark under a level that it has, as they state it in an attribute."""
    parameters = {"benchmark_id": found, "level": level.name}
    of_column = {**parameters, "column": _column(level)}
    names = [str(name) for (name,) in con.execute(_SQL["stated"], of_column).fetchall()]
    known = {str(name) for (name,) in con.execute(_SQL["abilities"], parameters).fetchall()}
    new = [
        Ability(level.name, name, level.abbreviations.get(name.lower(), name), None, ())
        for name in names
        if name.lower() not in known
    ]
    taxonomy.add_abilities(con, found, new, source_id=source_id)
    con.execute(_SQL["file_questions"], {**of_column, "source_id": source_id})


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
