"""What two warehouses declare of a benchmark that both have: what is missing here comes along, and
where both have something else, what is here holds. Each of it is a note.

Rules are compared as a whole, since their order counts; groups, figures and levels by name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import duckdb

from warehouse import benchmark, benchmark_changes, known_benchmarks, statements, taxonomy
from warehouse.benchmark import Benchmark, Level
from warehouse.benchmark_rules import Figure, Group, KeyPart, Rule
from warehouse.errors import InputError, UsageError

_SQL = statements.of_module(__file__)
_OF_GROUP = "group:"
_CONVENTIONS = ("strategy", "average", "macro_level", "thinking")
_PATH = "evalhouse merge"


@dataclass
class _Side:
    """What one of the two declares of a benchmark, and what it had and took away."""

    conventions: tuple[str | None, ...] = ()
    rules: list[Rule] = field(default_factory=list)
    groups: dict[str, Group] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    levels: list[str] = field(default_factory=list)
    former: dict[str, set[str]] = field(
        default_factory=lambda: {"rule": set(), "group": set(), "figure": set(), "level": set()}
    )


@dataclass(frozen=True)
class Shared:
    """A benchmark that both have.

    Attributes:
        before: what is known of it here, as a folder says it; None: it comes with a package.
        rules, groups, figures, levels: what comes from there.
        filed: levels that one side alone has, under which the other's questions are not filed.
    """

    other_id: int
    benchmark_id: int
    name: str
    before: Benchmark | None
    rules: tuple[Rule, ...]
    groups: tuple[Group, ...]
    figures: tuple[Figure, ...]
    levels: tuple[str, ...]
    filed: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def is_more(self) -> bool:
        """Whether anything comes."""
        return bool(self.rules or self.groups or self.figures or self.levels)


def find(con: duckdb.DuckDBPyConnection) -> list[Shared]:
    """Compare the two, and write down in merge_declared what comes."""
    con.execute(_SQL["find_trees"])
    con.execute(_SQL["declare"])
    ours, theirs = _sides(con, "main"), _sides(con, "the_other.main")
    found = []
    for other_id, benchmark_id, name in con.execute(_SQL["shared"]).fetchall():
        one = _compared(con, (other_id, benchmark_id, name), ours[benchmark_id], theirs[other_id])
        found.append(one)
        n_here = len(ours[benchmark_id].figures)
        rows = [("benchmark_rule", other_id, "", 0)] if one.rules else []
        rows += [("benchmark_group", other_id, group.name, 0) for group in one.groups]
        rows += [
            ("benchmark_figure", other_id, figure.name, n_here + n)
            for n, figure in enumerate(one.figures)
        ]
        if rows:
            con.executemany("INSERT INTO merge_declared VALUES (?, ?, ?, ?)", rows)
    return found


def finish(con: duckdb.DuckDBPyConnection, shared: Sequence[Shared]) -> None:
    """File questions under the levels that came, and keep what holds now as a folder says it."""
    known_benchmarks.reread(con)
    for one in shared:
        for level in one.filed:
            parameters = {"benchmark_id": one.benchmark_id, "level": level}
            ((source_id,),) = con.execute(_SQL["source_of_level"], parameters).fetchall()
            declared = Level(level, _columns(one, level))
            benchmark_changes.file_stated(con, one.benchmark_id, declared, source_id=source_id)
    for one in shared:
        made = _together(one)
        if made is not None:
            taxonomy.register(con, made)
    known_benchmarks.reread(con)


def _columns(one: Shared, level: str) -> tuple[str, ...]:
    """The columns of a level, as either side's folder has them."""
    sides = filter(None, (one.before, known_benchmarks.find(one.name)))
    declared = (each.columns for side in sides for each in side.levels if each.name == level)
    return next(filter(None, declared), ())


def _sides(con: duckdb.DuckDBPyConnection, place: str) -> Mapping[int, _Side]:
    found: dict[int, _Side] = {}

    def rows(name: str) -> list[tuple[Any, ...]]:
        read = con.execute(_SQL[name].format(place=place)).fetchall()
        # `check` names what is of no benchmark; nothing comes of it.
        return [row for row in read if row[0] in found or name == "benchmark"]

    for number, *conventions in rows("benchmark"):
        found[number] = _Side(tuple(conventions))
    for number, holds, *values in rows("benchmark_rule"):
        if holds:
            found[number].rules.append(Rule(*values))
        else:
            found[number].former["rule"].add("rule")
    for number, holds, name, counts, *part in rows("benchmark_group"):
        if holds:
            before = found[number].groups.get(name)
            key = (*(before.key if before else ()), KeyPart(*part))
            found[number].groups[name] = Group(name, counts, key)
        else:
            found[number].former["group"].add(name)
    for number, holds, *values, parts, metrics in rows("benchmark_figure"):
        if holds:
            figure = Figure(*values, tuple(parts), tuple(metrics))  # type: ignore[call-arg]
            found[number].figures[figure.name] = figure
        else:
            found[number].former["figure"].add(values[0])
    for number, holds, level in rows("level"):
        if holds:
            found[number].levels.append(level)
        else:
            found[number].former["level"].add(level)
    return found


def _compared(
    con: duckdb.DuckDBPyConnection, which: tuple[int, int, str], ours: _Side, theirs: _Side
) -> Shared:
    known_here = bool(ours.rules or ours.former["rule"])
    rules = () if known_here else tuple(theirs.rules)
    groups = tuple(
        group
        for name, group in theirs.groups.items()
        if name not in ours.groups and name not in ours.former["group"]
    )
    levels = tuple(
        level
        for level in theirs.levels
        if level not in ours.levels and level not in ours.former["level"]
    )
    group_names = {*ours.groups, *(group.name for group in groups)}
    figures: dict[str, Figure] = {}
    left = []
    for name, figure in theirs.figures.items():
        if name in ours.figures or name in ours.former["figure"]:
            continue
        lacking = [
            *(part for part in figure.parts if part not in ours.figures and part not in figures),
            *([figure.level] if figure.level not in (None, *ours.levels, *levels) else ()),
        ]
        strategy = figure.strategy or ""
        if strategy.startswith(_OF_GROUP) and strategy.removeprefix(_OF_GROUP) not in group_names:
            lacking.append(strategy)
        if lacking:
            left.append(f"the figure {name} stays there: it needs {lacking[0]}, which is not here")
        else:
            figures[name] = figure
    coming = [
        *(["the rules " + _rules(rules)] if rules else ()),
        *_listed("group", [group.name for group in groups]),
        *_listed("figure", list(figures)),
        *_listed("level", levels),
    ]
    notes = []
    if coming:
        is_one = len(coming) == 1 and len([*groups, *figures, *levels]) == 1
        verb = "comes" if is_one else "come"
        notes.append(f"{_and(coming)} {verb} from there")
    notes += left
    notes += _differences(ours, theirs)
    return Shared(
        *which,
        before=_before(con, which[2]),
        rules=rules,
        groups=groups,
        figures=tuple(figures.values()),
        levels=levels,
        filed=(*levels, *(level for level in ours.levels if level not in theirs.levels)),
        notes=tuple(f"benchmark {which[2]}: {note}" for note in notes),
    )


def _before(con: duckdb.DuckDBPyConnection, name: str) -> Benchmark | None:
    try:
        return benchmark_changes.find(con, name)
    except UsageError:
        return None


def _differences(ours: _Side, theirs: _Side) -> Iterator[str]:
    if ours.rules and theirs.rules and ours.rules != theirs.rules:
        said = f"{_rules(ours.rules)} here and {_rules(theirs.rules)} there"
        yield f"the rules are others there, {said}; those here hold"
    sides = (
        ("group", ours.groups, theirs.groups),
        ("figure", ours.figures, theirs.figures),
        ("level", dict.fromkeys(ours.levels), dict.fromkeys(theirs.levels)),
    )
    for kind, here, there in sides:
        for name, one in here.items():
            if name in there and one != there[name]:
                said = ", ".join(_fields(one, there[name]))
                yield f"the {kind} {name} is another there, {said}; the one here holds"
    for kind, here, there in sides:
        for name in there:
            if name not in here and name in ours.former[kind]:
                yield f"the {kind} {name} was taken away here, and stays so"
        for name in here:
            if name not in there and name in theirs.former[kind]:
                yield f"the {kind} {name} was taken away there, and holds here"
    for key, one, other in zip(_CONVENTIONS, ours.conventions, theirs.conventions, strict=True):
        if one != other:
            said = f"{one or 'nothing'} here and {other or 'nothing'} there"
            yield f"{key} is {said}; what is here holds"


def _fields(ours: Any, theirs: Any) -> Iterator[str]:
    for each in fields(ours):
        one, other = getattr(ours, each.name), getattr(theirs, each.name)
        if one != other:
            yield f"{each.name} {_shown(one)} here and {_shown(other)} there"


def _shown(value: object) -> str:
    if value is None or value == ():
        return "nothing"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, KeyPart):
        return _words(asdict(value)) or "the key"
    return ", ".join(map(_shown, value)) if isinstance(value, tuple) else str(value)


def _words(given: Mapping[str, object]) -> str:
    return ", ".join(f"{key} {_shown(value)}" for key, value in given.items() if value is not None)


def _rules(rules: Sequence[Rule]) -> str:
    said = []
    for rule in rules:
        details = _words({key: value for key, value in asdict(rule).items() if key != "rule"})
        said.append(f"{rule.rule} ({details})" if details else rule.rule)
    return ", ".join(said)


def _listed(kind: str, names: Sequence[str]) -> list[str]:
    return [f"the {kind}{'s' if len(names) > 1 else ''} {', '.join(names)}"] if names else []


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _together(one: Shared) -> Benchmark | None:
    """What holds now as a folder says it, where the last folder that came says something else."""
    now = known_benchmarks.find(one.name)
    if one.before is None or now is None or now.origin != known_benchmarks.WAREHOUSE:
        return None
    if not one.is_more and now.text == one.before.text:
        return None
    # Of a benchmark that was known by its questions alone here, the names of the folder hold.
    is_of_folder = one.before.origin == known_benchmarks.WAREHOUSE
    theirs = tomllib.loads(now.text)
    given = {**({} if is_of_folder else theirs), **tomllib.loads(one.before.text)}
    if one.is_more:
        tables = {level["name"]: level for level in theirs.get("level", ())}
        more: dict[str, list[dict[str, Any]]] = {
            "level": [tables.get(name, {"name": name, "apart": True}) for name in one.levels],
            "rule": [_table_of_rule(rule) for rule in one.rules],
            "group": [_table(group) for group in one.groups],
            "figure": [_table(figure) for figure in one.figures],
        }
        for key, added in more.items():
            if added:
                there = given.get(key, []) if is_of_folder or key == "level" else []
                given[key] = [*there, *added]
    judge_template = one.before.judge_template or now.judge_template
    text = benchmark_changes.written(given) if one.is_more or not is_of_folder else one.before.text
    try:
        return benchmark.parse(text, _PATH, judge_template)
    except InputError:
        # Two folders that cannot be one: that of here is what `benchmarks edit` goes on from.
        return benchmark.parse(one.before.text, _PATH, one.before.judge_template)


def _table_of_rule(rule: Rule) -> dict[str, Any]:
    given = _table(rule)
    where = {key: given.pop(key) for key in ("attribute", "value") if key in given}
    return given | ({"where": where} if where else {})


def _table(one: Rule | Group | Figure | KeyPart) -> dict[str, Any]:
    found = {each.name: getattr(one, each.name) for each in fields(one)}
    return {
        key: [_table(part) if isinstance(part, KeyPart) else part for part in value]
        if isinstance(value, tuple)
        else value
        for key, value in found.items()
        if value is not None and value != ()
    }
