"""From staged predictions and choice scores to runs and facts.

A run may come in several files; a further part says the same as the others where they meet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import duckdb

from ingest.checks import refuse_first
from ingest.facts import (
    answer_columns,
    bulk_predictions,
    harness_scores,
    question_changes,
    question_facts,
)
from ingest.loading import ALL, Answered, Columns, Dataset, Loading
from ingest.settings import Report
from warehouse import models, sources, statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)


def bare_warnings(con: duckdb.DuckDBPyConnection, answers: Answers, report: Report) -> list[str]:
    """A warning where whole numbers alone bind staged answers to a benchmark that nothing names."""
    if not report.is_guessed or answers.stage_rows is not None:
        return []
    ((are_numbers,),) = con.execute(_SQL["are_numbers"].format(answers=answers.table)).fetchall()
    if not are_numbers:
        return []
    return [
        f"its answers are bound to {', '.join(report.datasets)} by whole numbers alone: nothing in it "
        "says which questions they are of; --benchmark NAME does"
    ]


@dataclass(frozen=True)
class _Part:
    """The answers of a file that are of a run.

    Attributes:
        path: the file.
        run: what the run is called, for messages.
        run_id: the new run, which supersedes the one of the parts before.
        model: its staged model.
        split_key: the split of the file, or nothing.
    """

    path: Path
    run: str
    run_id: int
    model: str
    split_key: str


def _begin_parts(con: duckdb.DuckDBPyConnection) -> None:
    """Make the table of the runs of earlier parts."""
    con.execute(_SQL["make_former"])


def _add_part(
    con: duckdb.DuckDBPyConnection,
    part: _Part,
    former: int,
    how: tuple[str, str | None, str | None],
    stored: str,
    field: str,
    *,
    replaces: bool,
) -> None:
    """Note that a run continues a former one.

    Args:
        former: the run of the parts before.
        how: the method, the reduction and what was scored.
        stored: `prediction` or `choice_score`.
        field: what the file calls the answer's text.
        replaces: where they meet, this one holds.

    Raises:
        InputError: it says something else than an earlier part, or came about otherwise.
    """
    ((method, *more),) = con.execute(_SQL["method_of_run"], {"run_id": former}).fetchall()
    if (method, *more) != how:
        raise InputError(part.path, f"is no part of run {part.run}: that is {method}, not {how[0]}")
    if not replaces:
        refuse_first(
            con,
            part.path,
            _SQL[f"other_{stored}s"],
            field if stored == "prediction" else "score",
            lambda row: (
                f"question {row[1]} has another answer in an earlier part of run {part.run} (run {former}); "
                "--replace supersedes that run, --run LABEL keeps both"
            ),
            {"model": part.model, "split_key": part.split_key, "former": former},
        )
    con.execute(_SQL["note_former"], {"run_id": part.run_id, "former": former})


def _join_parts(con: duckdb.DuckDBPyConnection, stored: str) -> None:
    """Add the answers of earlier parts to the runs that supersede them."""
    names = ("samples", "status", "sample_errors", "answer_attributes", f"{stored}s")
    for name in (f"join_{one}" for one in names):
        con.execute(_SQL[name])
    harness_scores.join_former(con)


_Pair = tuple[Answered, Dataset]
"""The answers of a model in a split of a file, and the dataset that the split is."""
_Live = tuple[int, tuple[Any, ...] | None]
"""A model's id, and the run of a dataset and label that it has, if it has one."""


class SameRunsError(Exception):
    """Every run of the file is there, row for row, from another file."""


@dataclass(frozen=True)
class Answers:
    """Answers of one or more models, in `stage_prediction`.

    The first attributes are what the file calls its columns, for messages.

    Attributes:
        key: the question's id.
        prediction: the answer's text.
        label: the choices that the file shows, to be compared with the dataset's.
        pass_column: the pass; None: it is in the key.
        model: the model; None: rows have theirs.
        run: the run's label.
        harness: what wrote the file.
        produced_at: when the answers were given, as ISO text (UTC).
        variants: the model and the run's label that a staged model stands for, where a file holds
            several runs of the same model.
        status: how the harness says that the run ended; None: it does not say.
        status_error: the error that it gives then.
        method: generation, or how the scores came about; so `reduction` and `scored`.
        further: its further columns, in `stage_answer_attribute`.
        joins: another file with the same answers, and with judgments, is of the same run.
        stage_rows: `stage_place` stands for the answers; this stages them one by one instead.
    """

    role: ClassVar[str] = "predictions"
    table: ClassVar[str] = "stage_prediction"
    stored: ClassVar[str] = "prediction"
    stored_as: ClassVar[str] = "predictions"
    columns: ClassVar[tuple[str, ...]] = ("pass", "sample", "text", "failed")
    key: str = "question_key"
    prediction: str = "prediction"
    label: str = "label"
    pass_column: str | None = None
    model: str | None = None
    run: str | None = None
    harness: str = "unknown"
    produced_at: str | None = None
    variants: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    status: str | None = None
    status_error: str | None = None
    further: Columns = field(default_factory=Columns)
    joins: bool = False
    stage_rows: Callable[[], object] | None = None
    method: str = "generation"
    reduction: str | None = None
    scored: str | None = None

    def load(self, con: duckdb.DuckDBPyConnection, loading: Loading) -> None:
        """Store the runs and their rows.

        Raises:
            Doubtful: `stage_place` is not enough.
            InputError: a question, pass or choice that the dataset does not have, a component that
                the question does not want, or a run that is there already with other content.
            SameRunsError: the file holds nothing new, and every run is there with the same content.
        """
        if self.stage_rows is not None:
            run = {"harness": self.harness, "method": self.method, "produced_at": self.produced_at}
            bulk_predictions.load(con, loading, run)
            return
        if not loading.has_questions or loading.questions_are_seen:
            question_facts.bind(con)
        if not loading.has_questions:
            loading.report.notes += question_facts.choice_differences(con, loading.path, self.label)
        components, dropped_questions = loading.memory.once(
            ALL, "exist", lambda: con.execute(_SQL["exist"]).fetchall()[0]
        )
        _check(con, loading.path, self, has_components=components)
        if self.stored == "prediction" and loading.may_have_choices:
            loading.report.alerts += _in_words(con)
        may_be_there = not loading.report.loaded and not loading.settings.replace
        may_be_there = may_be_there and (self.joins or not loading.has_judgments)
        in_part = loading.settings.part
        pairs = [
            (some, dataset)
            for some in loading.answered
            for dataset in loading.datasets
            if dataset.split_in_file == some.split
        ]
        live: dict[tuple[str, int, str], _Live] = {}
        if may_be_there and _are_there(con, self, pairs, loading.label, live, in_part=in_part):
            n_loaded = len(loading.report.loaded)
            has_scores = harness_scores.add_to_runs_there(con, loading, self.key, self.table)
            harness_scores.add_figures(con, loading, loading.label)
            if len(loading.report.loaded) == n_loaded and not loading.has_judgments:
                raise SameRunsError
            if not has_scores and loading.has_judgments:
                loading.report.notes.append("the answers are there already, word for word")
            return
        if dropped_questions:
            question_changes.note_answers_to_dropped(con, loading, self.table)
        _make_runs(con, loading, self, pairs, live)
        if self.status is not None:
            con.execute(_SQL["add_status"], {"status": self.status, "error": self.status_error})
        if "stage_error" in loading.also:
            con.execute(_SQL["add_sample_errors"])
        con.execute(_SQL[f"add_{self.stored}s"])
        harness_scores.add(con, loading, self.key, self.table)
        harness_scores.add_figures(con, loading, loading.label)
        are_left = answer_columns.settle(con, loading, self.table)
        if are_left and "stage_answer_attribute" in loading.also:
            con.execute(_SQL["add_answer_attributes"].format(staged=self.table))
        if loading.settings.part:
            _join_parts(con, self.stored)


@dataclass(frozen=True)
class Scores(Answers):
    """Scores of choices, in `stage_score`: what they are, and of which part of a choice.

    `method`, `reduction` and `scored` say how they came about, as `main.run` has them.
    """

    table: ClassVar[str] = "stage_score"
    stored: ClassVar[str] = "choice_score"
    stored_as: ClassVar[str] = "choice scores"
    columns: ClassVar[tuple[str, ...]] = (
        "pass", "sample", "component", "label", "score", "n_tokens", "scorer",
    )  # fmt: skip


def _check(
    con: duckdb.DuckDBPyConnection, path: Path, answers: Answers, *, has_components: bool
) -> None:
    refuse = partial(refuse_first, con, path)
    for row, key, pass_number in con.execute(
        _SQL["unknown"].format(staged=answers.table)
    ).fetchall():
        if pass_number is None:
            problem = "is missing" if key is None else f"the dataset has no question {key}"
            raise InputError(path, problem, row=row, field=answers.key)
        raise InputError(
            path,
            f"pass {pass_number} of question {key} is out of range: the dataset has no such pass",
            row=row,
            field=answers.pass_column or answers.key,
        )
    if has_components or isinstance(answers, Scores):
        _check_components(con, path, answers)
    if isinstance(answers, Scores):
        refuse(
            _SQL["unknown_choices"],
            answers.label,
            lambda row: f"{row[2]!r} is no choice of question {row[1]}",
        )


def _in_words(con: duckdb.DuckDBPyConnection) -> list[str]:
    """A note where most answers are a choice's text and no letter, which not every release reads."""
    ((n, n_in_words),) = con.execute(_SQL["count_in_words"]).fetchall()
    if n_in_words * 2 < n or not n_in_words:
        return []
    return [
        f"{n_in_words:,} of {n:,} answers are a choice's words, and no letter: latest takes "
        "such an answer for that choice; paper_v1 reads letters alone, and leaves it to a judge"
    ]


def _check_components(con: duckdb.DuckDBPyConnection, path: Path, answers: Answers) -> None:
    """Refuse answers in one piece to questions that want several things, and the reverse."""
    refuse = partial(refuse_first, con, path)
    if not isinstance(answers, Scores):
        refuse(
            _SQL["predictions_in_one_piece"],
            answers.prediction,
            lambda row: (
                f"question {row[1]} wants {row[2]}, which no text can be; "
                "give choice scores with a column component"
            ),
        )
        return
    refuse(
        _SQL["foreign_components"],
        "component",
        lambda row: f"{row[2]!r}: question {row[1]} wants {row[3]}",
    )


def answered(
    con: duckdb.DuckDBPyConnection, path: Path, answers: Answers | None
) -> tuple[Answered, ...]:
    """The staged answers of each model in each split, in the order of the file.

    Raises:
        InputError: some are of no model.
    """
    if answers is None or answers.stage_rows is not None:
        return ()
    rows = con.execute(_SQL["answered"].format(staged=answers.table)).fetchall()
    found = []
    for model, split, n, samples, first_row in rows:
        if model is None:
            problem = "is missing: neither the file nor --model says whose answer this is"
            raise InputError(path, problem, row=first_row, field="model")
        found.append(Answered(model, split, n, tuple(samples)))
    return tuple(found)


def _are_there(
    con: duckdb.DuckDBPyConnection,
    answers: Answers,
    pairs: Sequence[_Pair],
    label: str,
    live: dict[tuple[str, int, str], _Live],
    *,
    in_part: bool,
) -> bool:
    """Whether each run of the file is there with the same rows, read from another kind of file.

    Args:
        pairs: its models and datasets.
        live: gets the runs that were looked up, by model, dataset and label.
        in_part: the run may have more rows, of other parts.
    """
    places = []
    for some, dataset in pairs:
        name, its_label = answers.variants.get(some.model, (some.model, label))
        model_id = models.find(con, name)
        if model_id is None:
            return False
        found = _live_run(con, model_id, dataset.dataset_id, its_label)
        live[name, dataset.dataset_id, its_label] = model_id, found
        if found is None or found[2:] != (answers.method, answers.reduction, answers.scored):
            return False
        ended = con.execute(_SQL["status_of_run"], {"run_id": found[0]}).fetchall()
        how = answers.status, answers.status_error
        if answers.status is not None and ended != [how]:
            return False
        split_key = some.split or ""
        same = con.execute(
            _SQL["count_same_rows"].format(
                staged=answers.table,
                staged_columns=", ".join(f"s.{name}" for name in answers.columns),
                known=", ".join(answers.columns),
                stored=answers.stored,
            ),
            {"run_id": found[0], "model": some.model, "split_key": split_key},
        ).fetchall()
        ((n_stored, n_same),) = same
        if n_same != some.n or (n_stored != some.n and not in_part):
            return False
        places.append((found[0], some.model, split_key, dataset.dataset_id))
    note_runs(con, places)
    return bool(pairs)


def _live_run(
    con: duckdb.DuckDBPyConnection, model_id: int, dataset_id: int, label: str
) -> tuple[Any, ...] | None:
    """The run's id, source and the three parts of how it came about; None: there is none."""
    key = {"model_id": model_id, "dataset_id": dataset_id, "label": label}
    found = con.execute(_SQL["live_run"], key).fetchone()
    return None if found is None else tuple(found)


def note_runs(con: duckdb.DuckDBPyConnection, places: Sequence[tuple[int, str, str, int]]) -> None:
    """Fill `stage_run`."""
    columns = ("run_ids", "models", "split_keys", "dataset_ids")
    lists = {name: [place[n] for place in places] for n, name in enumerate(columns)}
    con.execute(_SQL["note_runs"], lists)


def _make_runs(
    con: duckdb.DuckDBPyConnection,
    loading: Loading,
    answers: Answers,
    pairs: list[_Pair],
    live: Mapping[tuple[str, int, str], _Live],
) -> None:
    source_id = loading.source_id
    if loading.settings.part:
        _begin_parts(con)
    # Of runs of the same time the last one is a model's latest.
    order = list(answers.variants)
    pairs.sort(key=lambda pair: order.index(pair[0].model) if pair[0].model in order else -1)
    places: list[tuple[int, str, str, int]] = []
    samples: list[tuple[int, int]] = []
    made = set()
    for some, dataset in pairs:
        name, its_label = answers.variants.get(some.model, (some.model, loading.label))
        dataset_id, split_key = dataset.dataset_id, some.split or ""
        known = live.get((name, dataset_id, its_label))
        model_id = models.ensure(con, name, source_id=source_id) if known is None else known[0]
        place = model_id, dataset_id, its_label
        if place in made:
            problem = f"two names in the file are the same model, {name}"
            raise InputError(loading.path, problem, field="model")
        made.add(place)
        there = _live_run(con, *place) if known is None else known[1]
        former = _give_way(con, loading, there, f"{its_label} of {name}", dataset.name)
        run_id = sources.next_id(con, "run")
        if former is not None:
            part = _Part(loading.path, f"{its_label} of {name}", run_id, some.model, split_key)
            how = answers.method, answers.reduction, answers.scored
            loading.report.n_continued += 1
            replaces = loading.settings.replace
            _add_part(con, part, former, how, answers.stored, answers.prediction, replaces=replaces)
        con.execute(
            "INSERT INTO main.run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
            [
                run_id,
                model_id,
                dataset_id,
                its_label,
                answers.harness,
                answers.method,
                answers.reduction,
                answers.scored,
                answers.produced_at,
                source_id,
            ],
        )
        places.append((run_id, some.model, split_key, dataset_id))
        samples += [(run_id, sample) for sample in some.samples]
        words = (
            f"run {run_id}: {name} on {dataset.name}, {its_label}: {some.n:,} {answers.stored_as}"
        )
        if former is not None:
            words += f", in addition to those of run {former}, which it supersedes"
        loading.report.loaded.append(words)
    note_runs(con, places)
    con.execute(
        _SQL["add_samples"],
        {"run_ids": [run for run, _ in samples], "samples": [sample for _, sample in samples]},
    )


def _give_way(
    con: duckdb.DuckDBPyConnection,
    loading: Loading,
    live: tuple[Any, ...] | None,
    run: str,
    dataset: str,
) -> int | None:
    """Take the run that is there out; return it where the file is a further part of it.

    Args:
        live: the run, if there is one.
        run: what it is called, for messages.

    Raises:
        InputError: there is one, and the user did not say what is to become of it.
    """
    if live is None:
        return None
    if not loading.settings.replace and not loading.settings.part:
        raise InputError(
            loading.path,
            f"there is a run {run} on {dataset} already (run {live[0]}), with "
            "other content; --replace supersedes it, --run LABEL keeps both, --part adds to it",
        )
    con.execute(
        "UPDATE main.run SET superseded_by = ? WHERE run_id = ?", [loading.source_id, live[0]]
    )
    return int(live[0]) if loading.settings.part else None
