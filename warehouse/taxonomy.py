"""The warehouse's tables of benchmarks and their abilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import zip_longest
from pathlib import PurePath

import duckdb

from warehouse import known_benchmarks, sources, statements
from warehouse.benchmark import FILE, JUDGE_FILE, Ability, Benchmark, require_task
from warehouse.benchmark_rules import Scoring
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)
_SCORING = ("benchmark_rule", "benchmark_group", "benchmark_figure")
_STRATEGIES = {"choice": "circular", "open": "graded"}
_AT_ONCE = 100


def benchmark_id(con: duckdb.DuckDBPyConnection, name: str) -> int | None:
    """The id of the benchmark in this warehouse, by name in any case; None if it has none."""
    row = con.execute(
        "SELECT benchmark_id FROM main.benchmark WHERE lower(name) = lower(?)", [name]
    ).fetchone()
    return int(row[0]) if row else None


def ensure_benchmark(
    con: duckdb.DuckDBPyConnection,
    name: str,
    *,
    source_id: int | None = None,
    task: str = "choice",
) -> tuple[int, str]:
    """The benchmark's id and name, stored first where it is new.

    A shipped benchmark brings its taxonomy and task; any other starts without a taxonomy, with the
    task given and source_id as its source (None: the one that is stored next). What is there already
    keeps its task.
    """
    known = known_benchmarks.find(name)
    canonical = known.name if known else name
    found = con.execute(
        "SELECT benchmark_id, name FROM main.benchmark WHERE lower(name) = lower(?)", [canonical]
    ).fetchall()
    if found:
        return int(found[0][0]), str(found[0][1])
    if known is None:
        known = Benchmark(canonical, task, _STRATEGIES[task], "micro", (), ())
        source_id = sources.next_id(con, "source") if source_id is None else source_id
    else:
        source_id = register(con, known)
    return _insert(con, known, source_id), known.name


def add(con: duckdb.DuckDBPyConnection, one: Benchmark) -> bool:
    """Store a benchmark's folder, so that this file is enough to know it; False: it was there.

    A known benchmark may be declared again with other names; its conventions and its
    abilities stay, since scores rest on them.

    Raises:
        InputError: one of its names means another benchmark, or the warehouse has the benchmark
            with other conventions or abilities.
    """
    require_free_names(one)
    if any(_is_same(one, other) for other in known_benchmarks.stored()):
        return False
    found = benchmark_id(con, one.name)
    if found is not None:
        _require_same(con, found, one)
    source_id = register(con, one)
    if found is None:
        _insert(con, one, source_id)
    elif not _stored_abilities(con, found):
        add_abilities(con, found, one.abilities, source_id=source_id)
        replace_scoring(con, found, one.scoring, source_id=source_id)
    else:
        add_spellings(con, found, one.abilities, source_id)
        replace_scoring(con, found, one.scoring, source_id=source_id)
    known_benchmarks.reread(con)
    return True


def require_free_names(one: Benchmark) -> None:
    """Refuse a benchmark of which a name means another one here.

    Raises:
        InputError: naming both.
    """
    others = [other for other in known_benchmarks.known() if other.name.lower() != one.name.lower()]
    shipped = [other for other in known_benchmarks.shipped() if other not in others]
    known_benchmarks.require_free_names(one, [*shipped, *others])


def _is_same(one: Benchmark, other: Benchmark) -> bool:
    return (one.text, one.judge_template) == (other.text, other.judge_template)


def _insert(con: duckdb.DuckDBPyConnection, known: Benchmark, source_id: int) -> int:
    new_id = sources.next_id(con, "benchmark")
    con.execute(
        "INSERT INTO main.benchmark VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            new_id,
            known.name,
            known.task,
            known.strategy,
            known.average,
            source_id,
            known.macro_level,
            known.thinking,
        ],
    )
    add_abilities(con, new_id, known.abilities, source_id=source_id)
    add_scoring(con, new_id, known.scoring, source_id=source_id)
    return new_id


def _require_same(con: duckdb.DuckDBPyConnection, found: int, one: Benchmark) -> None:
    """Refuse other conventions than the warehouse's, or other abilities where it has some."""
    for key, known in conventions(con, found).items():
        declared = getattr(one, key)
        if declared != known:
            raise InputError(
                one.path,
                f"is {declared!r}, and {known!r} in the warehouse, where it stays",
                field=key,
            )
    there = _stored_abilities(con, found)
    here = [(a.level, a.name, a.abbreviation, a.parent) for a in one.abilities]
    if there and here and here != there:
        pairs = zip_longest(here, there)
        name = next((ours or theirs)[1] for ours, theirs in pairs if ours != theirs)
        raise other_ability(one, name, len(there))
    ((n_datasets,),) = con.execute(
        "SELECT count(*) FROM main.dataset WHERE benchmark_id = ?", [found]
    ).fetchall()
    if here and not there and n_datasets:
        raise InputError(
            one.path, f"{one.name} has questions already, filed under no ability", field="ability"
        )


def other_ability(one: Benchmark, name: str, n: int) -> InputError:
    """The error of a benchmark whose abilities are others than the n that the warehouse has."""
    problem = f"{name!r} is not as in the warehouse, which has {n} abilities, and they stay"
    return InputError(one.path, problem, field="ability")


def _stored_abilities(
    con: duckdb.DuckDBPyConnection, found: int
) -> list[tuple[str, str, str, str | None]]:
    return con.execute(_SQL["abilities"], {"benchmark_id": found}).fetchall()


def add_spellings(
    con: duckdb.DuckDBPyConnection, found: int, abilities: Sequence[Ability], source_id: int
) -> None:
    """Know abilities by further spellings, where they have not got them."""
    for ability in abilities:
        for spelling in ability.spellings:
            con.execute(
                _SQL["add_spelling"],
                {
                    "spelling": spelling,
                    "source_id": source_id,
                    "benchmark": found,
                    "level": ability.level,
                    "name": ability.name,
                },
            )


def table(con: duckdb.DuckDBPyConnection) -> list[tuple[str, str, str, str, str]]:
    """Name, task, strategy, average and levels of each benchmark in the warehouse."""
    return con.execute(_SQL["benchmarks"]).fetchall()


def conventions(con: duckdb.DuckDBPyConnection, benchmark: int) -> dict[str, str | None]:
    """What the warehouse has of a benchmark, by the keys of its file: its name, task and so on."""
    row = con.execute(_SQL["conventions"], {"benchmark_id": benchmark}).fetchall()[0]
    keys = ("name", "task", "strategy", "average", "macro_level", "thinking")
    return dict(zip(keys, row, strict=True))


def task_of(con: duckdb.DuckDBPyConnection, benchmark: int) -> str:
    """A benchmark's task: choice or open.

    Raises:
        UsageError: it is neither, as after a change by hand.
    """
    ((task, name),) = con.execute(
        "SELECT task, name FROM main.benchmark WHERE benchmark_id = ?", [benchmark]
    ).fetchall()
    return require_task(task, name)


def settle_task(con: duckdb.DuckDBPyConnection, benchmark: int, task: str) -> str:
    """Give a benchmark that has no dataset yet the task of its first questions; return its task.

    A taxonomy that came before the questions could not state it.
    """
    if task_of(con, benchmark) == task:
        return task
    con.execute(
        _SQL["settle_task"],
        {
            "task": task,
            "strategy": _STRATEGIES[task],
            "benchmark": benchmark,
            "known": [known.name for known in known_benchmarks.known()],
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
    rows: dict[str, list[tuple[object, ...]]] = {
        "ability": [],
        "ability_spelling": [],
        "ability_part": [],
    }
    for ability in abilities:
        parent = _parent(ids, ability)
        rows["ability"].append(
            (
                next_id,
                benchmark,
                ability.level,
                ability.name,
                ability.abbreviation,
                ordinal,
                parent,
                source_id,
                None,
            )
        )
        spellings = dict.fromkeys((ability.name, ability.abbreviation, *ability.spellings))
        rows["ability_spelling"] += ((next_id, spelling, source_id) for spelling in spellings)
        for part in ability.parts:
            part_id = next(ids[key] for key in ids if key[1] == part)
            rows["ability_part"].append((next_id, part_id, source_id))
        ids[ability.level, ability.name] = next_id
        next_id += 1
        ordinal += 1
    for table, its_rows in rows.items():
        _insert_rows(con, table, its_rows)


def _insert_rows(
    con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[tuple[object, ...]]
) -> None:
    """Append rows, a hundred in a statement: each statement costs more than its rows."""
    for first in range(0, len(rows), _AT_ONCE):
        some = rows[first : first + _AT_ONCE]
        values = ", ".join([f"({', '.join('?' * len(some[0]))})"] * len(some))
        con.execute(f"INSERT INTO main.{table} VALUES {values}", [v for row in some for v in row])


def add_scoring(
    con: duckdb.DuckDBPyConnection, benchmark: int, scoring: Scoring, *, source_id: int
) -> None:
    """Store a benchmark's rules, groups and figures."""
    rules: list[list[object]] = [
        [benchmark, n, r.rule, r.attribute, r.value, r.normaliser, r.tolerance, source_id]
        for n, r in enumerate(scoring.rules)
    ]
    groups: list[list[object]] = [
        [benchmark, g.name, n, p.attribute, p.pattern, p.size, p.modulo, g.counts, source_id]
        for g in scoring.groups
        for n, p in enumerate(g.key)
    ]
    figures: list[list[object]] = [
        [
            benchmark,
            n,
            f.name,
            f.aggregate,
            f.strategy,
            f.level,
            f.scale,
            list(f.parts) or None,
            list(f.metrics) or None,
            source_id,
        ]
        for n, f in enumerate(scoring.figures)
    ]
    for table, rows in zip(_SCORING, (rules, groups, figures), strict=True):
        for row in rows:
            marks = ", ".join("?" * len(row))
            con.execute(f"INSERT INTO main.{table} VALUES ({marks}, NULL)", row)


def replace_scoring(
    con: duckdb.DuckDBPyConnection, benchmark: int, scoring: Scoring, *, source_id: int
) -> None:
    """The same in place of what holds, which is superseded and stays."""
    for table in _SCORING:
        con.execute(_SQL["supersede_scoring"].format(table=table), [source_id, benchmark])
    add_scoring(con, benchmark, scoring, source_id=source_id)


def _parent(ids: Mapping[tuple[str, str], int], ability: Ability) -> int | None:
    """The id of an ability's parent: of that name, on the nearest level above its own."""
    if ability.parent is None:
        return None
    above = [level for level in dict.fromkeys(level for level, _ in ids) if level != ability.level]
    return next(
        ids[level, ability.parent] for level in reversed(above) if (level, ability.parent) in ids
    )


def register(con: duckdb.DuckDBPyConnection, one: Benchmark) -> int:
    """Store where a benchmark comes from; of one that does not ship, all that its folder says."""
    content = one.text.encode()
    path, format_name = one.path, "taxonomy_toml"
    flags: dict[str, object] = {}
    if one in known_benchmarks.shipped():
        path = f"evalhouse:{PurePath(one.path).relative_to(known_benchmarks.DIRECTORY.parents[1]).as_posix()}"
    else:
        files = {FILE: one.text}
        if one.judge_template is not None:
            files[JUDGE_FILE] = one.judge_template
        flags, format_name = {"files": files}, known_benchmarks.STORED_AS
    return sources.add(
        con,
        sources.Source(
            path=path,
            sha256=sha256(content).hexdigest(),
            bytes=len(content),
            format=format_name,
            adapter_version=1,
            flags=flags,
            n_rows=len(one.abilities),
        ),
    )
