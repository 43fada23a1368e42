"""A benchmark of a dataset that nobody has heard of, from what its first file holds.

What is inferred becomes a `benchmark.toml` like any other, which the warehouse keeps.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb

from ingest import cells, staged_rows
from ingest.reading import python_lists
from ingest.reading.probe import Probe
from ingest.reading.raw import quoted
from ingest.sample import Rule
from warehouse import benchmark, statements
from warehouse.benchmark import INFERRED, Benchmark
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)
_SPLITS = {"dev", "test", "train", "val", "validation"}
# Columns that look like abilities, coarse ones first.
_COLUMNS = (
    "split", "domain", "duration", "l2-category", "category", "l2_category", "subcategory",
    "sub_category", "task", "task_type", "subject", "subfield", "topic", "dimension", "dimensions",
    "skill", "skills", "capability", "type",
)  # fmt: skip
_ABOVE = {
    "category": ("l2-category",),
    "l2_category": ("category",),
    "subcategory": ("category", "domain"),
    "sub_category": ("category", "domain"),
    "subfield": ("subject",),
}
REFERENCES = ("answer", "answers", "gpt4_ans")
"""The columns that have the reference; the first that is there counts."""
_ANNOTATORS = 10
_MOST_WORDS = 5
"""Longer references are sentences, which only a judge can compare."""
_MOST_LEVELS = 4
_MOST_ABILITIES = 200
_LONGEST = 100
"""Characters of an ability's name."""
_PASS_STEP = 1_000_000


def of_columns(con: duckdb.DuckDBPyConnection, probe: Probe, name: str) -> Benchmark:
    """The benchmark that the file in `raw` is taken for.

    Labelled choices, in columns or in lists, make it one of choice; passes make it circular. Levels
    are the columns that look like abilities, one below the other where they make a tree. Answers in
    words have the rule that all references fit; those in a benchmark of choices have the release's.

    Raises:
        InputError: the dataset's name can be no benchmark's.
    """
    is_labelled = probe.has("A", "B")
    task = "choice" if is_labelled or probe.has_any("candidates", "choices") else "open"
    strategy = "circular" if is_labelled and _has_passes(con) else "vanilla"
    lines = _head(name, "the columns of its first file", task, strategy)
    for column, separated, apart in _levels(con, probe, task):
        lines += ["", "[[level]]", f"name = {_text(column)}", f"columns = [{_text(column)}]"]
        lines += ['separator = ","'] if separated else []
        lines += ["apart = true"] if apart else []
    if task == "open":
        lines += _rule(con, probe)
    return _parsed(probe.path, name, lines)


def of_cells(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    name: str,
    cells_of: Mapping[int, Mapping[str, str | None]],
) -> Benchmark:
    """Infer the benchmark of questions that were read in Python, as `of_columns` does of a table's.

    Args:
        cells_of: by row, the cells of a question: index, A and B where it has choices, answers, and
            its attributes.

    Raises:
        InputError: the dataset's name can be no benchmark's.
    """
    names = {name for cells in cells_of.values() for name in cells}
    first = [name for name in ("index", "A", "B", "answers") if name in names]
    columns = [*first, *sorted(names - {*first})]
    listed = ", ".join(f"{quoted(name)} VARCHAR" for name in columns)
    con.execute(f"CREATE OR REPLACE TEMP TABLE stage_looked_into (__row BIGINT, {listed})")
    rows = [(row, *(cells.get(name) for name in columns)) for row, cells in cells_of.items()]
    staged_rows.add(con, "stage_looked_into", rows)
    con.execute("DROP VIEW IF EXISTS temp.raw")
    con.execute("CREATE TEMP VIEW raw AS SELECT * FROM stage_looked_into")
    return of_columns(con, Probe(path, "jsonl", tuple(columns)), name)


def of_references(con: duckdb.DuckDBPyConnection, path: Path, name: str) -> Benchmark | None:
    """The benchmark that the staged references are taken for; None: they are for a judge alone.

    Raises:
        InputError: the name can be no benchmark's.
    """
    ((n, fewest, most),) = con.execute(_SQL["count_staged_references"]).fetchall()
    if not n:
        return None
    are_lists = most > 1
    rule = (
        _of_lists(fewest, most)
        if are_lists
        else _of_references(con, cells.text("text"), "stage_reference")
    )
    if not rule:
        return None
    return _parsed(path, name, _head(name, "the columns of its first file", "open") + rule)


def of_rule(
    path: Path, name: str, task: str, rule: Rule, levels: Sequence[str]
) -> Benchmark | None:
    """Infer the benchmark from the rule that its harness states.

    Args:
        task: choice or open.
        levels: of the questions' abilities.

    Returns:
        None where its name can be no folder's.
    """
    lines = _head(name, rule.source, task)
    for level in levels:
        lines += ["", "[[level]]", f"name = {_text(level)}", f"columns = [{_text(level)}]"]
    if rule.settings:
        settings = (f"{key} = {json.dumps(value)}" for key, value in rule.settings.items())
        lines += ["", "[[rule]]", *settings]
    try:
        return benchmark.parse("\n".join(lines) + "\n", f"inferred from {rule.origin or path}")
    except InputError:
        return None


def _head(name: str, source: str, task: str, strategy: str = "vanilla") -> list[str]:
    return [
        f"name = {_text(name)}",
        f"description = {_text(f'{INFERRED}{source}')}",
        f'task = "{task}"',
        f'strategy = "{strategy}"',
        'average = "micro"',
    ]


def _parsed(path: Path, name: str, lines: list[str]) -> Benchmark:
    try:
        return benchmark.parse("\n".join(lines) + "\n", f"inferred from {path}")
    except InputError as error:
        raise InputError(
            path,
            f"no benchmark can be called {name!r}: {error.problem}; give one with --benchmark NAME",
        ) from error


def _rule(con: duckdb.DuckDBPyConnection, probe: Probe) -> list[str]:
    """The rule for answers in words; none where the references are sentences, or there are none."""
    column = next((name for name in REFERENCES if probe.has(name)), None)
    return [] if column is None else _of_references(con, cells.text(column), "raw")


def _of_lists(fewest: int, most: int) -> list[str]:
    return ["", "[[rule]]", f'rule = "{"vqa" if fewest == most == _ANNOTATORS else "anls"}"']


def _of_references(con: duckdb.DuckDBPyConnection, cell: str, source: str) -> list[str]:
    """The rule for references.

    Args:
        cell: SQL for each, over `source`.
    """
    ((n, n_yes_no, n_lists, n_numbers, most_words),) = con.execute(
        _SQL["look_at_references"].format(cell=cell, source=source)
    ).fetchall()
    if not n:
        return []
    if n_lists == n:
        python_lists.stage(con, "stage_looked_at", f"SELECT {cell} FROM {source}")
        ((fewest, most),) = con.execute(_SQL["count_items"]).fetchall()
        return _of_lists(fewest, most)
    if n_yes_no == n:
        return ["", "[[rule]]", 'rule = "yes_no"']
    if n_numbers == n or most_words <= _MOST_WORDS:
        return ["", "[[rule]]", 'rule = "extracted"', 'normaliser = "bare"']
    return []


def _text(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)


def _has_passes(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether the index of a row is that of another one and a number of millions."""
    ((found,),) = con.execute(_SQL["has_passes"], {"step": _PASS_STEP}).fetchall()
    return bool(found)


def _levels(
    con: duckdb.DuckDBPyConnection, probe: Probe, task: str
) -> list[tuple[str, bool, bool]]:
    """Each column that is a level, whether its cells hold several, and whether it stands apart."""
    names = {name.lower(): name for name in probe.columns}
    found: list[tuple[str, bool, bool]] = []
    for column in _COLUMNS:
        if column not in names or len(found) == _MOST_LEVELS:
            continue
        cell = cells.text(names[column])
        ((n, n_lists, longest, values),) = con.execute(
            _SQL["look_at_cells"].format(cell=cell)
        ).fetchall()
        is_dataset = column == "split" and {value.lower() for value in values} <= _SPLITS
        if not 2 <= n <= _MOST_ABILITIES or longest > _LONGEST or is_dataset:
            continue
        if n_lists and task == "choice":
            continue
        above = found[-1][0] if found else None
        is_below = (
            above in _ABOVE.get(column, ())
            and not n_lists
            and not found[-1][1]
            and _is_tree(con, names[above], names[column])
        )
        found.append((column, bool(n_lists), bool(found) and not is_below))
    return found


def may_be_level(con: duckdb.DuckDBPyConnection, cell: str, *, fewest: int) -> bool:
    """Whether cells of `raw` look like abilities: so many at least, not too many, and short."""
    ((n, _, longest, _),) = con.execute(_SQL["look_at_cells"].format(cell=cell)).fetchall()
    return bool(fewest <= n <= _MOST_ABILITIES and longest <= _LONGEST)


def _is_tree(con: duckdb.DuckDBPyConnection, above: str, column: str) -> bool:
    query = _SQL["is_tree"].format(above=quoted(above), column=quoted(column))
    ((found,),) = con.execute(query).fetchall()
    return bool(found)
