"""Ability taxonomies: the ones that come with the package, and the ones users bring."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import duckdb

from warehouse import sources

_DIRECTORY = Path(__file__).parent / "taxonomies"
HALF_UP, HALF_EVEN = "half_up", "half_even"
_STRATEGIES = {"choice": "circular", "open": "graded"}


@dataclass(frozen=True)
class Ability:
    """A node of the tree: its level, names, and its parent's name (None at the top).

    `parts` names the abilities that one outside the tree is made of (SEED-Bench-2's levels overlap).
    """

    level: str
    name: str
    abbreviation: str
    parent: str | None
    spellings: tuple[str, ...]
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Benchmark:
    """A benchmark's conventions and its abilities in the paper's order.

    `macro_level` is the level that macro averages are over; None: the level below each. `rounding` is how
    its figures are printed where they are a tie: half_up, or half_even.
    """

    name: str
    task: str
    strategy: str
    average: str
    aliases: tuple[str, ...]
    abilities: tuple[Ability, ...]
    macro_level: str | None = None
    rounding: str = HALF_UP


@cache
def shipped() -> tuple[Benchmark, ...]:
    """The benchmarks whose taxonomy comes with the package."""
    return tuple(_read(file) for file in sorted(_DIRECTORY.glob("*.toml")))


def find_shipped(name: str) -> Benchmark | None:
    """The shipped benchmark of that name or alias, in any case; None if there is none."""
    wanted = name.lower()
    for benchmark in shipped():
        if wanted == benchmark.name.lower() or wanted in benchmark.aliases:
            return benchmark
    return None


def rounding_of(name: str | None) -> str:
    """How figures of the benchmark of that name are rounded: half_up, unless its taxonomy says otherwise."""
    known = find_shipped(name) if name is not None else None
    return known.rounding if known else HALF_UP


def benchmark_id(con: duckdb.DuckDBPyConnection, name: str) -> int | None:
    """The id of the benchmark in this warehouse, by name in any case; None if it has none."""
    row = con.execute(
        "SELECT benchmark_id FROM main.benchmark WHERE lower(name) = lower(?)", [name]
    ).fetchone()
    return int(row[0]) if row else None


def ensure_benchmark(
    con: duckdb.DuckDBPyConnection, name: str, *, source_id: int, task: str = "choice"
) -> tuple[int, str]:
    """The benchmark's id and name, stored first where it is new.

    A shipped benchmark brings its taxonomy and task; any other starts without a taxonomy, with the
    task given and source_id as its source. What is there already keeps its task.
    """
    known = find_shipped(name)
    canonical = known.name if known else name
    found = benchmark_id(con, canonical)
    if found is not None:
        row = con.execute("SELECT name FROM main.benchmark WHERE benchmark_id = ?", [found])
        return found, str(row.fetchone()[0])  # type: ignore[index]
    if known is None:
        known = Benchmark(canonical, task, _STRATEGIES[task], "micro", (), ())
    else:
        source_id = _register_shipped(con, known)
    new_id = sources.next_id(con, "benchmark")
    con.execute(
        "INSERT INTO main.benchmark VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            new_id,
            known.name,
            known.task,
            known.strategy,
            known.average,
            source_id,
            known.macro_level,
        ],
    )
    add_abilities(con, new_id, known.abilities, source_id=source_id)
    return new_id, known.name


def task_of(con: duckdb.DuckDBPyConnection, benchmark: int) -> str:
    """A benchmark's task: choice or open."""
    rows = con.execute(
        "SELECT task FROM main.benchmark WHERE benchmark_id = ?", [benchmark]
    ).fetchall()
    return str(rows[0][0])


def settle_task(con: duckdb.DuckDBPyConnection, benchmark: int, task: str) -> str:
    """Give a benchmark that has no dataset yet the task of its first questions; return its task.

    A taxonomy that came before the questions could not tell it.
    """
    con.execute(
        "UPDATE main.benchmark SET task = $task, strategy = $strategy "
        "WHERE benchmark_id = $benchmark AND task <> $task "
        "AND NOT EXISTS (SELECT 1 FROM main.dataset WHERE benchmark_id = $benchmark) "
        "AND NOT list_contains($shipped, name)",
        {
            "task": task,
            "strategy": _STRATEGIES[task],
            "benchmark": benchmark,
            "shipped": [known.name for known in shipped()],
        },
    )
    return task_of(con, benchmark)


def add_abilities(
    con: duckdb.DuckDBPyConnection,
    benchmark: int,
    abilities: Sequence[Ability],
    *,
    source_id: int,
) -> None:
    """Append abilities to a benchmark's tree; parents stand before their children.

    An ability's own name and abbreviation are spellings of it too.
    """
    ids = {
        (level, name): ability_id
        for level, name, ability_id in con.execute(
            "SELECT level, name, ability_id FROM main.ability WHERE benchmark_id = ?", [benchmark]
        ).fetchall()
    }
    ordinal = len(ids)
    next_id = sources.next_id(con, "ability")
    for ability in abilities:
        parent = _parent(ids, ability)
        con.execute(
            "INSERT INTO main.ability VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                next_id,
                benchmark,
                ability.level,
                ability.name,
                ability.abbreviation,
                ordinal,
                parent,
                source_id,
            ],
        )
        spellings = dict.fromkeys((ability.name, ability.abbreviation, *ability.spellings))
        con.executemany(
            "INSERT INTO main.ability_spelling VALUES (?, ?, ?)",
            [[next_id, spelling, source_id] for spelling in spellings],
        )
        for part in ability.parts:
            part_id = next(ids[key] for key in ids if key[1] == part)
            con.execute(
                "INSERT INTO main.ability_part VALUES (?, ?, ?)", [next_id, part_id, source_id]
            )
        ids[ability.level, ability.name] = next_id
        next_id += 1
        ordinal += 1


def _parent(ids: Mapping[tuple[str, str], int], ability: Ability) -> int | None:
    """The id of an ability's parent: of that name, on the nearest level above its own."""
    if ability.parent is None:
        return None
    above = [level for level in dict.fromkeys(level for level, _ in ids) if level != ability.level]
    return next(
        ids[level, ability.parent] for level in reversed(above) if (level, ability.parent) in ids
    )


def _register_shipped(con: duckdb.DuckDBPyConnection, benchmark: Benchmark) -> int:
    file = next(f for f in _DIRECTORY.glob("*.toml") if _read(f).name == benchmark.name)
    content = file.read_bytes()
    return sources.add(
        con,
        sources.Source(
            path=f"evalhouse:warehouse/taxonomies/{file.name}",
            sha256=sha256(content).hexdigest(),
            bytes=len(content),
            format="taxonomy_toml",
            adapter_version=1,
            flags={},
            n_rows=len(benchmark.abilities),
        ),
    )


def _read(file: Path) -> Benchmark:
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return Benchmark(
        name=data["name"],
        task=data["task"],
        strategy=data["strategy"],
        average=data["average"],
        aliases=tuple(data["aliases"]),
        abilities=tuple(
            Ability(
                level=entry["level"],
                name=entry["name"],
                abbreviation=entry["abbreviation"],
                parent=entry.get("parent"),
                spellings=tuple(entry.get("spellings", ())),
                parts=tuple(entry.get("parts", ())),
            )
            for entry in data["ability"]
        ),
        macro_level=data.get("macro_level"),
        rounding=data.get("rounding", HALF_UP),
    )
