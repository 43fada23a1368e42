"""What a release gets in addition to its views so that results can be kept: tables and views, in the
schema of what nobody queries.

A view in KEPT is installed as two halves. For runs that are fresh (fresh_run.sql) it reads the kept
rows; for the others it is the release's own definition, with the views below it that depend on the
runs written out inside, over those runs alone. A view in CONCERNED is the latter over the runs that
it can have rows of. Where a release replaces something below such a view with a file that does not
declare `-- @kept per run`, a row may rest on other runs: that view is as its file has it, and
nothing is kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from queries.heads import head, shared_column_comments
from queries.plan import PlannedObject, internal_schema, places
from queries.release import INTERNAL, SqlFile, shipped_names
from warehouse import statements

KEPT = ("ability_sum", "answered_ability", "answer_count", "judged_sum", "crossed_score")
"""The views whose rows are kept; each declares in its head that they are those of one run alone."""

NEEDED = "judge_need"
"""The view whose rows stand in kept_subject, next to the subjects of each run."""

TABLES = ("kept_run", "kept_subject", "kept_judging", *(f"kept_{view}" for view in KEPT))
"""The tables of a release's kept results."""

VIEWS = ("run_stamp", "fresh_run", "computed_live")
"""The views that go with the tables."""

_SHARES_IMAGES = (
    "r.dataset_id IN (SELECT c.dataset_id FROM {question_cluster} AS c WHERE c.n_sharing > 1)"
)
CONCERNED = {
    "shared_image_sum": _SHARES_IMAGES,
    # Open questions count for several capabilities.
    "shared_ability_sum": f"(r.task = 'open' OR {_SHARES_IMAGES})",
}
"""Views that have rows of some runs alone, and which: the answers of the others are not read for
them."""

SUBJECTS = "judged_subject"
"""The view of the subjects of each run."""

_STALE = {SUBJECTS: "r.run_id NOT IN (SELECT run_id FROM {fresh_run})"}
"""The view that only a refresh reads, of the runs without kept results."""

RUNS = "current_run"
SUBJECT_VIEWS = ("subject", "open_subject")
"""The views of what judges see of the answers of runs."""
VERDICTS = ("parsed_reply", "verdict", "shared_verdict")
_BY_SUBJECT = ("judged_pass", "open_judged")
"""These read verdicts of subjects alone."""
_JUDGED = (*SUBJECT_VIEWS, *VERDICTS, *_BY_SUBJECT)
"""Where these are as they ship, NEEDED reads no judgments but those of the subjects of its runs."""

_PER_ANSWER = ("choice_match", "answered_pass", "expected_pass", "pass_result", "question_result")
"""Written out at each use: of a name used twice the engine may store all rows, one for every
answer or question of every run, and those that the query leaves out too."""

_HERE = Path(__file__).parent
_TABLES = statements.of_module(str(_HERE / "tables"))
_LIVE = statements.of_module(str(_HERE / "computed_live"))


def tables(schema: str) -> str:
    """SQL that makes the empty tables of kept results; the views in KEPT have to be there."""
    both = places(schema)
    parts = [_TABLES["create"].format(**both)]
    parts += [_TABLES["kept_view"].format(**both, view=view) for view in KEPT]
    return "\n".join(parts)


def facts_hash(schema: str) -> str:
    """The query of a hash of all facts but judgments, of the runs in the table looked_at."""
    return _query("facts_hash", schema)


def _computed_live(planned: Sequence[PlannedObject]) -> str:
    """The query of the views that are not kept, and of what they rest on instead."""
    rows = [(view, name) for view in KEPT for name in undeclared(view, planned)]
    return _LIVE["some" if rows else "none"].format(
        rows=", ".join(f"('{view}', '{name}')" for view, name in rows)
    )


def views(schema: str, planned: Sequence[PlannedObject]) -> tuple[PlannedObject, ...]:
    """The views that go with the tables: what each run's results rest on, which runs are fresh,
    what is not kept."""
    queries = {
        "run_stamp": _query("run_stamp", schema),
        "fresh_run": _query("fresh_run", schema),
        "computed_live": _computed_live(planned),
    }
    made = []
    for name, sql in queries.items():
        path = _HERE / f"{name}.sql"
        file = SqlFile("view", name, "kept", "", path, statements.read(path))
        its_head = head(file)
        comments = {**shared_column_comments(), **its_head.columns}
        made.append(
            PlannedObject(file, internal_schema(schema), sql, (), its_head.comment, comments)
        )
    return tuple(made)


def installed(planned: Sequence[PlannedObject], schema: str) -> list[PlannedObject]:
    """The objects as they are installed, in their order."""
    gathered = _reading_more_than_once(planned, schema)
    return [
        replace(
            item,
            sql=_over_all(item.file.name, planned, schema)
            if item.file.name in gathered
            else divided(item, planned, schema),
        )
        for item in planned
    ]


def divided(item: PlannedObject, planned: Sequence[PlannedObject], schema: str) -> str:
    """The query of a view divided by runs where it can be, else as its file has it."""
    view = item.file.name
    if not _is_divided(view, planned):
        return item.sql
    if view == NEEDED and item.file.origin not in shipped_names():
        # It may have other columns than the table.
        return item.sql
    return (concerned if view in CONCERNED | _STALE else halves)(view, planned, schema)


def _is_divided(view: str, planned: Sequence[PlannedObject]) -> bool:
    return view in (*KEPT, NEEDED, *CONCERNED, *_STALE) and not undeclared(view, planned)


def _reading_more_than_once(planned: Sequence[PlannedObject], schema: str) -> frozenset[str]:
    """The views that read what is to be computed once in several places, themselves or below them.

    What stands above one of these reads it in one place.
    """
    views = {item.file.name: item for item in planned if item.file.kind == "view"}
    reads: dict[str, int] = {}
    found = set()
    for name, item in views.items():
        named = Counter(re.findall(rf'"{_either(schema)}"\."?(\w+)', item.sql))
        places = sum(n * reads.get(below, 0) for below, n in named.items())
        if _is_divided(name, planned):
            reads[name] = 0
        elif item.is_computed_once:
            reads[name] = 1
        else:
            reads[name] = min(places, 1)
            if places > 1:
                found.add(name)
    return frozenset(found)


def live(item: PlannedObject, planned: Sequence[PlannedObject], schema: str) -> str:
    """The query of a view where nothing is kept; arguments as those of `divided`."""
    view = item.file.name
    if view not in CONCERNED or undeclared(view, planned):
        return item.sql
    return concerned(view, planned, schema)


def undeclared(view: str, planned: Sequence[PlannedObject]) -> tuple[str, ...]:
    """What a release of the user's own puts below a view without declaring that it looks at one run
    alone.

    Args:
        view: one in KEPT or CONCERNED.
        planned: the release's objects.

    Returns:
        names of views and of macros that read tables, sorted; none: the view can be divided by
        runs.
    """
    shipped = shipped_names()
    items = {item.file.name: item for item in planned}
    below, left = {view}, [view]
    while left:
        new = set(items[left.pop()].depends_on) - below
        below |= new
        left += new
    return tuple(
        sorted(
            name
            for name in below
            if items[name].file.origin not in shipped
            and items[name].reads
            and not items[name].is_per_run
        )
    )


def halves(view: str, planned: Sequence[PlannedObject], schema: str) -> str:
    """The query of a view in KEPT, or NEEDED: kept rows, and the definition over the other runs.

    Args:
        view: its name.
        planned: the release's objects in the order in which they are created.
        schema: where they are installed.
    """
    internal = internal_schema(schema)
    parts = [
        f'fresh AS (SELECT run_id FROM "{internal}".fresh_run)',
        *_over(view, planned, schema, "r.run_id NOT IN (SELECT run_id FROM fresh)"),
    ]
    kept = (
        _query("kept_need", schema)
        if view == NEEDED
        else f'SELECT k.* FROM "{internal}".kept_{view} AS k WHERE k.run_id IN (SELECT run_id FROM fresh)'
    )
    return "WITH " + ",\n".join(parts) + f"\n{kept}\nUNION ALL\nSELECT * FROM live_{view}"


def concerned(view: str, planned: Sequence[PlannedObject], schema: str) -> str:
    """The query of a view over some runs alone; arguments as those of `halves`."""
    names = {item.file.name: item.qualified for item in planned}
    names["fresh_run"] = f'"{internal_schema(schema)}".fresh_run'
    parts = _over(view, planned, schema, (CONCERNED | _STALE)[view].format(**names))
    return "WITH " + ",\n".join(parts) + f"\nSELECT * FROM live_{view}"


def _over_all(view: str, planned: Sequence[PlannedObject], schema: str) -> str:
    """The query of a view with what it rests on written out, down to what is to be computed once,
    so that each part is planned once."""
    items = {item.file.name: item for item in planned if item.file.kind == "view"}
    inside = {view}
    left = [view]
    while left:
        one = left.pop()
        if one == view or not items[one].is_computed_once:
            below = {name for name in items[one].depends_on if name in items} - inside
            inside |= below
            left += below
    name = names(inside, schema)

    def body(one: str) -> str:
        if one != view and items[one].is_computed_once:
            return f"SELECT * FROM {items[one].qualified}"
        return name.sub(lambda found: f"live_{found[1]}", items[one].sql)

    # What is not to be computed once is no barrier: a query of few runs reads the answers of these.
    parts = [
        f"live_{one} AS {'' if items[one].is_computed_once else 'NOT MATERIALIZED '}(\n{body(one)}\n)"
        for one in items
        if one in inside
    ]
    return "WITH " + ",\n".join(parts) + f"\nSELECT * FROM live_{view}"


def _over(view: str, planned: Sequence[PlannedObject], schema: str, condition: str) -> list[str]:
    """What WITH needs so that `live_{view}` is a view over the runs r of which a condition
    holds."""
    items = {item.file.name: item for item in planned if item.file.kind == "view"}
    inside = resting_on_runs(view, items)
    order = [item.file.name for item in planned if item.file.name in inside]
    if view == NEEDED and all(items[one].file.origin in shipped_names() for one in _JUDGED):
        inside |= {*VERDICTS}
        order = verdicts_after_subjects(order, items)
    name = names(inside, schema)
    in_place = {one for one in _PER_ANSWER if one in items and not items[one].is_computed_once}

    def body(one: str) -> str:
        sql = name.sub(lambda found: source(found[1]), items[one].sql)
        return (
            of_subjects(sql, [source(view) for view in SUBJECT_VIEWS])
            if one == VERDICTS[0]
            else sql
        )

    def source(one: str) -> str:
        return f"(\n{body(one)}\n)" if one in in_place else f"live_{one}"

    return [
        f"live_{RUNS} AS (SELECT r.* FROM {items[RUNS].qualified} AS r WHERE {condition})",
        *(
            f"live_{one} AS (\n{body(one)}\n)"
            for one in order
            if one != RUNS and one not in in_place
        ),
    ]


def names(views: Iterable[str], schema: str) -> re.Pattern[str]:
    """Where a query names one of some views of a schema, or of the one next to it that nobody queries."""
    return re.compile(rf'"{_either(schema)}"\.({"|".join(sorted(views))})\b')


def _either(schema: str) -> str:
    return f"{re.escape(schema)}(?:{INTERNAL})?"


def are_of_subjects(views: Iterable[str], items: Mapping[str, PlannedObject]) -> bool:
    """Whether some views, as they ship, read no verdicts but those of the subjects of their runs."""
    readers = {one for one in views if not set(VERDICTS).isdisjoint(items[one].depends_on)}
    return bool(readers) and readers <= {*VERDICTS, *_BY_SUBJECT}


def of_subjects(sql: str, subjects: Iterable[str]) -> str:
    """The query of judges' replies, of some subjects alone.

    Args:
        sql: as its file has it, over all judgments.
        subjects: what the subjects are in, as FROM takes it.
    """
    hashes = " UNION ALL ".join(f"SELECT subject_hash FROM {one}" for one in subjects)
    few = f"(SELECT g.* FROM main.judgment AS g WHERE g.subject_hash IN ({hashes}))"
    return re.sub(r"\bFROM main\.judgment\b", f"FROM {few}", sql)


def verdicts_after_subjects(order: Sequence[str], items: Mapping[str, PlannedObject]) -> list[str]:
    """The order in which verdicts can be computed from the judgments of some subjects alone."""
    first: set[str] = set()
    left = list(SUBJECT_VIEWS)
    while left:
        one = left.pop()
        if one in order and one not in first:
            first.add(one)
            left += items[one].depends_on
    return [
        *(one for one in order if one in first),
        *VERDICTS,
        *(one for one in order if one not in first),
    ]


def _query(name: str, schema: str) -> str:
    """A query of this folder for a release."""
    lines = statements.read(_HERE / f"{name}.sql").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("--"))
    return text.format(**places(schema))


def resting_on_runs(view: str, items: Mapping[str, PlannedObject]) -> frozenset[str]:
    """The views that a view is made of, itself included, as far as they depend on the runs."""
    found: dict[str, bool] = {RUNS: True}

    def rests(name: str) -> bool:
        if name not in found:
            found[name] = False
            below = [rests(one) for one in items[name].depends_on if one in items]
            found[name] = any(below)
        return found[name]

    def below(name: str) -> frozenset[str]:
        if name == RUNS or not rests(name):
            return frozenset({name}) if name == RUNS else frozenset()
        parts = [below(one) for one in items[name].depends_on if one in items]
        return frozenset({name}).union(*parts)

    return below(view)
