"""Leaderboards with scores corrected by what a person says of a judge's verdicts."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from queries import session, studies
from queries.choosing import (
    choose_benchmark,
    choose_level,
    choose_strategy,
    judges_of_datasets,
    levels_of,
)
from queries.install import LATEST
from warehouse import statements
from warehouse.errors import UsageError
from warehouse.later import pl
from warehouse.wording import counted

METHODS = ("ppi", "rg")
_MOST_NAMES = 3
"""More abilities than so many of which the same is said are counted."""

_BOUNDS = {"exact": "exact (Clopper-Pearson)", "partly exact": "partly exact"}
"""How intervals are called that are not normal."""

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class CorrectedBoard:
    """Models of a dataset with their scores under a judge and corrected, one row per model and ability.

    Attributes:
        frame: unrounded: judge, rank (by the corrected score of Overall), model, run, ability, score, estimate,
            low, high, interval_kind, n_judged, n_labelled, reason.
    """

    title: str
    frame: pl.DataFrame

    def wide(self, digits: int) -> pl.DataFrame:
        """A row per model as it is printed, in percent: the plain score, and the corrected ones with half of
        their 95 % intervals."""
        columns = self.frame.get_column("abbreviation").unique(maintain_order=True)
        rows = []
        for of_run in self.frame.partition_by("run_id", maintain_order=True):
            first = of_run.row(0, named=True)
            row = {
                "Rank": first["rank"],
                "Model": first["model"],
                "Judge alone": _percent(first["score"], digits),
            }
            cells = {cell["abbreviation"]: cell for cell in of_run.to_dicts()}
            for name in columns:
                row[f"{name}, corrected"] = _cell(cells.get(name), digits)
            row["Judged"], row["Labels"] = first["n_judged"], first["n_labelled"]
            row["Interval"], row["Why not"] = _kinds(of_run), _why(of_run)
            rows.append(row)
        frame = pl.DataFrame(rows, infer_schema_length=None)
        empty = [name for name in ("Interval", "Why not") if frame[name].is_null().all()]
        return frame.drop(empty)


def boards(
    con: duckdb.DuckDBPyConnection,
    benchmark: str,
    *,
    person: str,
    correction: str = METHODS[0],
    level: str | None = None,
    judge: str | None = None,
    average: str | None = None,
    release: str = LATEST,
    runs: str = "latest",
) -> tuple[CorrectedBoard, ...]:
    """The corrected boards of a benchmark, one a dataset, under the benchmark's own strategy.

    Args:
        person: who labelled.
        correction: one of METHODS.
        judge: by default each dataset's own (default_judge), or the one of whom the person labelled most.

    Raises:
        UsageError: no such benchmark, level, judge, person or method, or nothing that can be corrected.
    """
    if correction not in METHODS:
        raise UsageError(f"--corrected is {' or '.join(METHODS)}, not {correction!r}")
    if average not in (None, "micro", "macro"):
        raise UsageError(f"no average {average!r}; there are micro and macro")
    if runs not in ("latest", "all"):
        raise UsageError(f"--runs is latest or all, not {runs!r}")
    (source,) = studies.sources(con, ["corrected_score"], release).values()
    name, strategy, its_average, task, benchmark_id = choose_benchmark(con, benchmark)
    level = choose_level(level, levels_of(con, benchmark_id))
    people = [row[0] for row in con.execute(_SQL["people"]).fetchall()]
    if person not in people:
        raise UsageError(
            f"no person {person!r} has judged; there are {', '.join(people) or 'none'}"
        )
    judges = judges_of_datasets(
        con, judge, benchmark_id, task, choose_strategy(strategy, task, name)
    )
    frame = session.frame_of(
        con,
        _SQL["cells"].format(source=source),
        {
            "benchmark": name,
            "judge": judge,
            "datasets": list(judges),
            "judges": list(judges.values()),
            "person": person,
            "correction": correction,
            "level": level,
            "average": average or its_average,
            "all_runs": runs == "all",
        },
    )
    if not frame.height:
        raise UsageError(
            f"{person} has labelled no question of {name} that {judge or 'a judge'} decides; `evalhouse label "
            "plan` draws some"
        )
    method = "prediction-powered" if correction == "ppi" else "Rogan-Gladen"
    return tuple(
        CorrectedBoard(
            f"{of_dataset['dataset'][0]} · {strategy} · judge {of_dataset['judge'][0]} corrected by {person} "
            f"({method}) · {average or its_average} · release {release}",
            of_dataset,
        )
        for of_dataset in frame.partition_by("dataset", maintain_order=True)
    )


def _percent(value: float | None, digits: int) -> str | None:
    return None if value is None else f"{100 * value:.{digits}f}"


def _kinds(of_run: pl.DataFrame) -> str | None:
    """Which of a model's intervals rest on labels that show no spread, and on what bound."""
    named: dict[str, list[str]] = {}
    for name, kind in of_run.select("abbreviation", "interval_kind").rows():
        if kind in _BOUNDS:
            named.setdefault(_BOUNDS[kind], []).append(name)
    return "; ".join(f"{kind}: {_listed(names)}" for kind, names in named.items()) or None


def _listed(names: list[str]) -> str:
    return (
        ", ".join(names)
        if len(names) <= _MOST_NAMES
        else counted(len(names), "ability", "abilities")
    )


def _why(of_run: pl.DataFrame) -> str | None:
    """Why a model's cells have no estimate or no interval: Overall's reason first, and those of abilities that
    have another one."""
    overall, *abilities = of_run.select("abbreviation", "reason").rows()
    others: dict[str, list[str]] = {}
    for name, reason in abilities:
        if reason not in (None, overall[1]):
            others.setdefault(reason, []).append(name)
    parts = [overall[1]] if overall[1] is not None else []
    parts += [f"{_listed(names)}: {reason}" for reason, names in others.items()]
    return "; ".join(parts) or None


def _cell(cell: dict[str, float | None] | None, digits: int) -> str | None:
    if cell is None or cell["estimate"] is None:
        return None
    text = f"{100 * cell['estimate']:.{digits}f}"
    if cell["low"] is None or cell["high"] is None:
        return text
    return f"{text} ({100 * cell['low']:.{digits}f} … {100 * cell['high']:.{digits}f})"
