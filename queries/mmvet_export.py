"""MM-Vet's official files from a warehouse: the grades of a run, and its scores as its script prints them.

Figures are of the exact fractions, and as the script's sums of floats come out. The script joins Python
sets, whose order is another in each process: a published file's order and spelling follow from nothing,
and are taken from it, so that one written again is the same file. It may also hold several models' rows.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isqrt, sqrt
from pathlib import PurePath
from typing import Any

import duckdb

from queries import session
from queries.choosing import NONE, SOFT, choose_benchmark, judges_of_datasets
from queries.install import LATEST
from warehouse import models, statements
from warehouse.errors import UsageError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)

_Scores = Mapping[int, Sequence[float]]
"""Each question's scores by judge sample, the questions in the order of their file."""
_FEW = 8
"""From so many numbers on, NumPy adds in this many partial sums."""


@dataclass(frozen=True)
class _Figures:
    """What a score file says of some questions, in percent to one decimal.

    Attributes:
        mean: over the judge samples.
        spread: the population standard deviation of their totals.
        runs: the totals.
    """

    mean: float
    spread: float
    runs: tuple[float, ...]


def exact(totals: Sequence[Fraction]) -> _Figures:
    """From the totals per judge sample, in percent: exact fractions, ties to even."""
    mean = sum(totals, Fraction()) / len(totals)
    variance = sum(((one - mean) ** 2 for one in totals), Fraction()) / len(totals)
    return _Figures(_shown(mean), _root(variance), tuple(map(_shown, totals)))


def exact_totals(scores: _Scores, questions: Collection[int], n_samples: int) -> list[Fraction]:
    """The totals per judge sample over some questions, in percent."""
    by_question = [
        [Fraction(repr(one)) for one in scores[key]] for key in scores if key in questions
    ]
    return [
        100 * sum((of_question[place] for of_question in by_question), Fraction()) / len(questions)
        for place in range(n_samples)
    ]


def script(totals: Sequence[float]) -> _Figures:
    """The same as MM-Vet's script has it, with NumPy's arithmetic of floats."""
    mean = _numpy_sum(totals) / len(totals)
    spread = sqrt(_numpy_sum([(one - mean) * (one - mean) for one in totals]) / len(totals))
    return _Figures(_numpy_round(mean), _numpy_round(spread), tuple(map(_numpy_round, totals)))


def script_totals(scores: _Scores, questions: Collection[int], n_samples: int) -> list[float]:
    """Per judge sample, in percent: added up in the order of the questions, divided, times 100.

    In this order, since sums of floats that should be a tie fall to either side of it in others.
    """
    totals = []
    for place in range(n_samples):
        total = 0.0
        for key, of_question in scores.items():
            if key in questions:
                total += of_question[place]
        totals.append(total / len(questions) * 100)
    return totals


def _shown(total: Fraction) -> float:
    # A fraction's round takes ties to even.
    return float(round(total, 1))


def _root(variance: Fraction) -> float:
    """The root to one decimal, ties to even."""
    halves = isqrt(400 * variance.numerator // variance.denominator)
    tenths, is_over = divmod(halves, 2)
    is_tie = halves * halves == 400 * variance
    if is_over and (not is_tie or tenths % 2):
        tenths += 1
    return tenths / 10


def _numpy_round(value: float) -> float:
    return round(value * 10) / 10


def _numpy_sum(values: Sequence[float]) -> float:
    """One after the other; from eight on, eight sums side by side (up to 128 numbers)."""
    whole = len(values) // _FEW * _FEW
    total = 0.0
    if whole:
        sums = list(values[:_FEW])
        for place in range(_FEW, whole):
            sums[place % _FEW] += values[place]
        a, b, c, d, e, f, g, h = sums
        total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for value in values[whole:]:
        total += value
    return total


_TOTAL_NAMES = ("total", "std", "runs")


@dataclass(frozen=True)
class _Shape:
    """A score file that was read: its name, the abilities of its header, and the models of its
    rows."""

    name: str
    columns: tuple[str, ...]
    models: tuple[str, ...]


def _shapes(con: duckdb.DuckDBPyConnection) -> tuple[_Shape, ...]:
    """Those of the files that were read, the newest first."""
    found = []
    for path, flags, names in session.frame(con, "mmvet_published").iter_rows():
        # A file that an earlier evalhouse read has no header noted.
        header = (json.loads(flags).get("columns") or [])[1:]
        columns = tuple(column for column in header if column not in _TOTAL_NAMES)
        found.append(_Shape(PurePath(path.replace("\\", "/")).name, columns, tuple(names)))
    return tuple(found)


def _spelled(columns: Sequence[str], shape: _Shape | None) -> dict[str, str]:
    """The columns of a file, in its order, and what stands above each.

    Args:
        columns: ours, in the order and the spelling of the taxonomy.
        shape: a file with columns of these, in any order and spelling; None: there is none.
    """
    if shape is None:
        return {column: column for column in columns}
    ours = {_set(column): column for column in columns}
    theirs = {ours[_set(one)]: one for one in shape.columns if _set(one) in ours}
    if len(theirs) == len(columns):
        return theirs
    return {column: theirs.get(column, column) for column in columns}


def _like(shapes: Iterable[_Shape], columns: Sequence[str], model: str) -> _Shape | None:
    """The newest file of these abilities that has the model's row."""
    wanted = {_set(column) for column in columns}
    return next(
        (
            shape
            for shape in shapes
            if model in shape.models and wanted <= {_set(one) for one in shape.columns}
        ),
        None,
    )


def _set(column: str) -> tuple[str, ...]:
    return tuple(sorted(column.lower().split("_")))


_LEVELS = {"capability": "cap-score", "integration": "cap-int-score"}
_TOTALS = ("total", "std", "runs")
_NAME_BYTES = 100


@dataclass(frozen=True)
class Otherwise:
    """A figure of a score file that MM-Vet's own script, which adds floats, would print otherwise.

    The exact figure is a tie, or next to one, and the script's sum falls to its other side.
    """

    column: str
    printed: str
    script: str


@dataclass(frozen=True)
class RunFiles:
    """A run's files by name, and what they rest on.

    Attributes:
        n: questions, of the dataset or the subset.
        sample_totals: in percent, by judge sample, not rounded.
        total, spread: as the score files print them.
        n_pending: grades without a usable reply, written as 0.0; 0 unless that was requested.
        n_missing, n_blank: questions that score 0 without a grade; not in the grade file.
        otherwise: figures that the official script would print otherwise.
        other_models: the other models of the published score files of the same name, whose rows
            stand in these too as far as these models are exported.
        is_renamed: whether the model's name cannot stand in a file's name as it is.
    """

    model: str
    run: str
    dataset: str
    judge: str
    n: int
    sample_totals: tuple[float, ...]
    n_pending: int
    n_missing: int
    n_blank: int
    total: float
    spread: float
    otherwise: tuple[Otherwise, ...]
    is_renamed: bool
    other_models: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The run and its total as the score files print it, in one line."""
        return (
            f"{self.model} ({self.run}) on {self.dataset}, judge {self.judge}: "
            f"{self.total} ± {self.spread}, "
            f"{counted(self.n, 'question')} × {counted(len(self.sample_totals), 'judge sample')}"
        )


def mmvet_files(
    con: duckdb.DuckDBPyConnection,
    *,
    model: str | None = None,
    run: str | None = None,
    judge: str | None = None,
    subset: str | None = None,
    dataset: str | None = None,
    release: str = LATEST,
    pending_as_zero: bool = False,
) -> tuple[RunFiles, ...]:
    """The official files of MM-Vet's runs: one grade file and two score files each.

    A subset has score files alone: an official grade file's name has no place for one.

    Args:
        model: by name or alias; by default every model.
        run: its label; by default each model's latest.
        judge: by default the dataset's own (default_judge).
        subset: a subset of the dataset, by name.
        dataset: by name, where MM-Vet has several.
        release: a release by name, or the folder of one.
        pending_as_zero: write 0.0 for a grade that is not there, as the official script does.

    Raises:
        UsageError: no run fits, grades are pending, or the files cannot say what is there.
    """
    session.use_release(con, release)
    _, _, _, task, benchmark_id = choose_benchmark(con, "MM-Vet")
    judges = judges_of_datasets(con, judge, benchmark_id, task, SOFT)
    if dataset not in (None, *judges):
        raise UsageError("no run of MM-Vet fits; `evalhouse runs` lists them")
    # Where runs are of several datasets, one has to be said all the same.
    judge = judges[dataset] if dataset is not None else next(iter(judges.values()), NONE)
    model_id = None if model is None else models.find(con, model)
    if model is not None and model_id is None:
        raise UsageError(f"no model {model!r} here; `evalhouse runs` lists them")
    rows = session.frame(
        con,
        "mmvet_grades",
        {"judge": judge, "model_id": model_id, "run": run, "dataset": dataset},
    ).to_dicts()
    datasets = sorted({row["dataset"] for row in rows})
    if not datasets:
        raise UsageError("no run of MM-Vet fits; `evalhouse runs` lists them")
    if len(datasets) > 1:
        raise UsageError(f"runs of several datasets: say --dataset {' or '.join(datasets)}")
    questions = _questions(con, datasets[0], subset)
    columns = _score_columns(con, datasets[0], questions)
    by_run: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        if row["question_id"] in questions:
            by_run.setdefault(row["run_id"], []).append(row)
    _refuse_samples(by_run.values())
    if not pending_as_zero:
        _refuse_pending(by_run.values())
    written = _judge_model(con, judge)
    made = [
        _run_files(of_run, judge, written, subset, questions, columns) for of_run in by_run.values()
    ]
    known = _shapes(con) if subset is None else ()
    files = tuple(
        _with_score_files(one, {other.files.model: other for other in made}, columns, known)
        for one in made
    )
    _refuse_same_names(files)
    return files


def figures(totals: Sequence[float | Fraction]) -> tuple[float, float]:
    """Mean and population standard deviation of totals per judge sample, as the score files have
    them.

    Both to one decimal, of the exact fractions, ties to even: 24.25 is 24.2.
    """
    found = exact([Fraction(str(total)) for total in totals])
    return found.mean, found.spread


def _questions(con: duckdb.DuckDBPyConnection, dataset: str, subset: str | None) -> dict[int, str]:
    found = session.frame(con, "subset_questions", {"dataset": dataset, "subset": subset})
    if subset is not None and not found.height:
        known = con.execute(_SQL["subsets"], {"dataset": dataset}).fetchall()
        there = ", ".join(str(name) for (name,) in known) or "none"
        raise UsageError(f"{dataset} has no subset {subset!r}; there are {there}")
    return dict(found.iter_rows())


def _score_columns(
    con: duckdb.DuckDBPyConnection, dataset: str, questions: Mapping[int, str]
) -> dict[str, dict[str, set[int]]]:
    """By level, the questions of each column: those with most questions first, as the script
    does."""
    columns: dict[str, dict[str, set[int]]] = {level: {} for level in _LEVELS}
    rows = session.frame(con, "mmvet_filed", {"dataset": dataset})
    for question_id, level, _, name in rows.iter_rows():
        if question_id in questions:
            columns[level].setdefault(name, set()).add(question_id)
    for level, of_level in columns.items():
        filed: set[int] = set().union(*of_level.values())
        n_unfiled = len(questions) - len(filed)
        if n_unfiled:
            raise UsageError(
                f"{counted(n_unfiled, f'question of {dataset} has', f'questions of {dataset} have')} no {level}; "
                "ingest its question file first"
            )
    return {
        level: dict(sorted(of_level.items(), key=lambda item: -len(item[1])))
        for level, of_level in columns.items()
    }


def _refuse_samples(runs: Any) -> None:
    for of_run in runs:
        n_samples = len({row["sample"] for row in of_run})
        if n_samples > 1:
            raise UsageError(
                f"{of_run[0]['model']} answered each question {n_samples} times; MM-Vet's files hold "
                "one answer"
            )


def _refuse_pending(runs: Any) -> None:
    pending = [
        (of_run[0], sum(row["resolved_by"] == "pending" for row in of_run)) for of_run in runs
    ]
    pending = [(first, n) for first, n in pending if n]
    if pending:
        named = "; ".join(
            f"{first['model']} ({first['run']}): {n:,} pending" for first, n in pending[:5]
        )
        more = f"; and {counted(len(pending) - 5, 'run')} more" if len(pending) > 5 else ""
        raise UsageError(
            "MM-Vet's files cannot distinguish a missing grade from 0.0: "
            f"{named}{more}; judge first, or write them as zeros with --pending-as-zero"
        )


def _judge_model(con: duckdb.DuckDBPyConnection, judge: str) -> str:
    row = con.execute("SELECT coalesce(model, name) FROM main.judge WHERE name = ?", [judge])
    return str(row.fetchall()[0][0])


def _run_files(
    rows: Sequence[dict[str, Any]],
    judge: str,
    judge_model: str,
    subset: str | None,
    questions: Mapping[int, str],
    columns: Mapping[str, Mapping[str, set[int]]],
) -> _Scored:
    first = rows[0]
    samples = sorted({row["judge_sample"] for row in rows})
    scores: dict[int, list[float]] = {}
    graded: dict[str, dict[str, list[Any]]] = {}
    n_pending = n_missing = n_blank = 0
    for question_id, of_question in _grouped(rows).items():
        states = {row["resolved_by"] for row in of_question}
        n_pending += sum(row["resolved_by"] == "pending" for row in of_question)
        n_missing += "missing" in states
        n_blank += "unresolved" in states
        scores[question_id] = [row["score"] or 0.0 for row in of_question]
        if states <= {"graded", "pending"}:
            graded[of_question[0]["question_key"]] = {
                "model": [judge_model] * len(of_question),
                "content": [row["reply"] or "" for row in of_question],
                "score": scores[question_id],
            }
    name, its_judge = file_name(first["model"]), file_name(judge).replace("_", "-")
    # The official name of the subset bard_set is bardset.
    part = "" if subset is None else file_name(subset).replace("_", "") + "_"
    runs = f"{len(samples)}runs"
    by_level = {
        level: _score_row(scores, columns[level], set(questions), len(samples)) for level in _LEVELS
    }
    totals = exact_totals(scores, set(questions), len(samples))
    total, spread = figures(totals)
    made = RunFiles(
        model=first["model"],
        run=first["run"],
        dataset=first["dataset"],
        judge=judge,
        n=len(questions),
        sample_totals=tuple(
            script_totals(scores, set(questions), len(samples)),
        ),
        n_pending=n_pending,
        n_missing=n_missing,
        n_blank=n_blank,
        total=total,
        spread=spread,
        # Both files have the totals.
        otherwise=tuple(
            dict.fromkeys(one for _, of_level in by_level.values() for one in of_level)
        ),
        is_renamed=name != first["model"],
    )
    if subset is None:
        made.files[f"{name}_{its_judge}-grade-{runs}.json"] = json.dumps(graded, indent=4)
    names = {
        level: f"{name}_{part}{its_judge}-{suffix}-{runs}.csv" for level, suffix in _LEVELS.items()
    }
    return _Scored(made, names, {level: row for level, (row, _) in by_level.items()})


@dataclass(frozen=True)
class _Scored:
    """A run's files as far as they are its own, and by level the name and its row of its score
    files."""

    files: RunFiles
    names: dict[str, str]
    rows: dict[str, dict[str, str]]


def _with_score_files(
    scored: _Scored,
    by_model: Mapping[str, _Scored],
    columns: Mapping[str, Mapping[str, set[int]]],
    known: Sequence[_Shape],
) -> RunFiles:
    """A run's files with its score files, laid out as published ones that were read."""
    made, others = scored.files, []
    for level, name in scored.names.items():
        own = list(columns[level])
        published = _like((one for one in known if one.name == name), own, made.model)
        shape = published or _like(known, own, made.model)
        models = published.models if published else (made.model,)
        others += [model for model in models if model != made.model]
        header = _spelled(own, shape)
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["", *header.values(), *_TOTALS])
        for model in models:
            if model in by_model:
                row = by_model[model].rows[level]
                writer.writerow([model, *(row[column] for column in (*header, *_TOTALS))])
        made.files[name] = out.getvalue()
    return replace(made, other_models=tuple(dict.fromkeys(others)))


def _grouped(rows: Sequence[dict[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    grouped: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        grouped.setdefault(row["question_id"], []).append(row)
    return grouped


def _score_row(
    scores: Mapping[int, Sequence[float]],
    columns: Mapping[str, set[int]],
    questions: set[int],
    n_samples: int,
) -> tuple[dict[str, str], list[Otherwise]]:
    """A run's row of a score file by column, and where the official script would write another
    figure."""
    row: dict[str, str] = {}
    otherwise: list[Otherwise] = []
    for name, of_column in {**columns, "total": questions}.items():
        ours = exact(exact_totals(scores, of_column, n_samples))
        theirs = script(script_totals(scores, of_column, n_samples))
        figures_of: dict[str, tuple[object, object]] = {name: (ours.mean, theirs.mean)}
        if name == "total":
            figures_of |= {
                "std": (ours.spread, theirs.spread),
                "runs": (list(ours.runs), list(theirs.runs)),
            }
        row |= {column: str(one) for column, (one, _) in figures_of.items()}
        otherwise += [
            Otherwise(column, str(one), str(other))
            for column, (one, other) in figures_of.items()
            if one != other
        ]
    return row, otherwise


def file_name(text: str) -> str:
    """A name as a part of a file's name: letters, digits and -._+ stay, anything else becomes _."""
    kept = "".join(c if c.isalnum() or c in "-._+" else "_" for c in text)
    kept = kept.encode()[:_NAME_BYTES].decode(errors="ignore")
    return "_" + kept.lstrip(".") if kept.startswith(".") else kept


def _refuse_same_names(made: Sequence[RunFiles]) -> None:
    seen: dict[str, RunFiles] = {}
    for one in made:
        for name in one.files:
            other = seen.setdefault(name.casefold(), one)
            if other is not one:
                raise UsageError(
                    f"{other.model} and {one.model} would both be written to {name}; say which with "
                    "--model"
                )
