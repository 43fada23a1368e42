"""MM-Vet's published scores, `{model}_{judge}-cap-score-{n}runs.csv` and `…-cap-int-score-…`.

One row per model: its name in a first column without one, then a score per capability (or per set
of them), `total`, `std`, and `runs`, the totals of the judge samples as a Python list. The names of
sets are their capabilities in any order. A file may hold several models, graded by different
numbers of runs. The figures are kept as printed, and no view scores from them.
"""

from __future__ import annotations

import re
from functools import partial

import duckdb

from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty
from ingest.facts.other_facts import Facts
from ingest.reading.probe import Probe
from ingest.reading.raw import quoted
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks, models, statements, taxonomy
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_BENCHMARK = "MM-Vet"
_TOTALS = ("total", "std", "runs")
_FIRST = ("unnamed_0", "Unnamed: 0", "model")
"""What the column of the models is called: nothing, what pandas makes of that, or what it is."""
_NUMBER = re.compile(r"\d+(\.\d+)?")
_RUN = re.compile(r"(?:np\.float64\()?(\d+(?:\.\d+)?)\)?")
"""One of the totals in `runs`; NumPy 2 writes its floats as np.float64(31.2)."""
_SUBSET = re.compile(r".+_bardset_[^_]+-cap-(int-)?score-\d+runs?")


def load(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, source_id: int
) -> list[str]:
    """Store the figures; return what was loaded.

    Raises:
        InputError: an unknown capability, a cell that is no number from 0 to 100, a model that is
            not named or stands twice, or figures of another benchmark or of a subset.
    """
    path = probe.path
    if settings.benchmark and known_benchmarks.find(settings.benchmark) != known_benchmarks.find(
        _BENCHMARK
    ):
        raise InputError(path, f"is a score file of MM-Vet, not of {settings.benchmark}")
    if settings.model is not None:
        raise InputError(path, "names its models itself, in its first column: leave --model out")
    if _SUBSET.fullmatch(path.stem):
        raise InputError(path, "holds scores of a subset; only those of whole datasets are kept")
    name, *others = probe.columns
    if name not in _FIRST:
        raise InputError(path, "is where the models' names should stand", row=0, field=name)
    columns = [column for column in others if column not in _TOTALS]
    benchmark_id, _ = taxonomy.ensure_benchmark(con, _BENCHMARK, source_id=source_id)
    abilities: dict[int, str] = {}
    for column in columns:
        ability_id = _ability(con, probe, benchmark_id, column, columns)
        if ability_id in abilities:
            raise InputError(
                path, f"is the same set as {abilities[ability_id]}", row=0, field=column
            )
        abilities[ability_id] = column
    refuse_empty(con, path, f"trim({quoted(name)})", "model")
    cells = ", ".join(
        f"coalesce(trim(CAST({quoted(column)} AS VARCHAR)), '')"
        for column in (name, *_TOTALS, *columns)
    )
    rows = con.execute(f"SELECT __row, {cells} FROM raw ORDER BY __row").fetchall()
    seen: dict[int, str] = {}
    n_empty = n_scores = 0
    for row, model, total, spread, runs, *figures in rows:
        model_id = models.ensure(con, model, source_id=source_id)
        if model_id in seen:
            also = "" if seen[model_id] == model else f", as {seen[model_id]}"
            raise InputError(path, f"{model} stands twice{also}", row=row, field="model")
        seen[model_id] = model
        stated = [(0, _percent(probe, row, "total", total))]
        for ability_id, figure in zip(abilities, figures, strict=True):
            # A file that others were added to has empty cells where they have no such question.
            if figure:
                stated.append((ability_id, _percent(probe, row, abilities[ability_id], figure)))
            else:
                n_empty += 1
        spread_and_totals = (_percent(probe, row, "std", spread), _runs(probe, row, runs))
        con.executemany(
            _SQL["add_score"],
            [
                [
                    benchmark_id, model_id, ability, figure,
                    *(spread_and_totals if ability == 0 else (None, None)), source_id,
                ]
                for ability, figure in stated
            ],
        )  # fmt: skip
        n_scores += len(stated)
    loaded = [f"{counted(n_scores, 'published score')} of {counted(len(rows), 'model')}"]
    if n_empty:
        loaded.append(f"{counted(n_empty, 'empty cell is no score', 'empty cells are no scores')}")
    return loaded


def _ability(
    con: duckdb.DuckDBPyConnection, probe: Probe, benchmark_id: int, column: str, columns: list[str]
) -> int:
    """The ability that a column is about; a file is about capabilities or about sets of them."""
    sets = any("_" in one for one in columns)
    level = "integration" if sets else "capability"
    wanted = sorted(column.lower().split("_"))
    for ability_id, name, abbreviation in con.execute(
        _SQL["abilities_of_level"], [benchmark_id, level]
    ).fetchall():
        if wanted == (name.split("_") if sets else [abbreviation]):
            return int(ability_id)
    what = "set of capabilities" if sets else "capability"
    raise InputError(
        probe.path, f"is no {what} that MM-Vet has a question for", row=0, field=column
    )


def _percent(probe: Probe, row: int, field: str, written: str) -> str:
    if not _NUMBER.fullmatch(written) or float(written) > 100:
        raise InputError(
            probe.path, f"{written!r} is no number from 0 to 100", row=row, field=field
        )
    return written


def _runs(probe: Probe, row: int, written: str) -> str:
    """The totals of the judge samples as a plain list."""
    if not (written.startswith("[") and written.endswith("]")):
        raise InputError(probe.path, f"{written!r} is no list", row=row, field="runs")
    found = [_RUN.fullmatch(part.strip()) for part in written[1:-1].split(",")]
    totals = [_percent(probe, row, "runs", one[1]) for one in found if one is not None]
    if len(totals) != len(found):
        raise InputError(probe.path, f"{written!r} is no list of numbers", row=row, field="runs")
    return f"[{', '.join(totals)}]"


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage nothing; `load` stores the facts."""
    return Staged(
        facts=Facts(partial(load, con, probe, settings), {"columns": list(probe.columns)})
    )


ADAPTER = Adapter(
    name="mmvet_scores",
    version=1,
    description="MM-Vet's published scores, `{model}_{judge}-cap-score-{n}runs.csv` and "
    "`…-cap-int-score-…`: kept as printed and compared with ours in `published_difference`",
    needs=_TOTALS,
    accepts=lambda probe: probe.columns[0] in _FIRST,
    stage=stage,
    place=Place.REFERRING,
)
