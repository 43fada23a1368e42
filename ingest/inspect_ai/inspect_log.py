"""Inspect's logs, `.eval` or `.json`: questions, answers, and what graders said.

The header has the model, the dataset, the time and how the log ended; an epoch is a sample of the
run. Ids that are another one plus millions are passes of CircularEval. Choices are labelled A, B, C
… by their order. Of a log that ended in an error, the samples that are there are loaded; a sample
whose own error left no answer is one where inference failed.

Scores are the harness's, and kept as its own. But where a model graded, its reply is a judgment: by
letter (`GRADE: C`, see the task letter_grade) or, where the scorer's values are numbers, a soft
score. A label that a scorer read is one of the judge `inspect:SCORER`, and what a person changed is
one of that person.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import duckdb

from ingest import capabilities
from ingest.adapter import Adapter
from ingest.checks import refuse_first
from ingest.facts import resolve
from ingest.facts.judgment_facts import Judgments
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.indexed_rows import PASS_STEP
from ingest.inspect_ai import (
    inspect_benchmark,
    inspect_figures,
    inspect_grades,
    inspect_header,
    inspect_letters,
    inspect_rows,
)
from ingest.names import DatasetName
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks, statements
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_NO_MODEL = (None, "", "none", "none/none")
_CAPABILITIES = ("capability", "capabilities")
_QUESTIONS = Questions(
    key="id",
    text="input",
    label="choices",
    answer="target",
    reference="target",
    # A task of an agent may have no target: its end state is scored.
    may_be_hidden=True,
    # Its options --limit, --sample-id and --sample-shuffle; and shuffle_choices.
    samples=True,
)
_GRADING = "scores.metadata.grading"
_JUDGMENTS = Judgments(key="id", reply=_GRADING, judge=_GRADING)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage what the samples hold.

    Raises:
        InputError: the header lacks a needed field, several models answered and none is named,
            or only some samples have choices.
    """
    refuse = partial(refuse_first, con, probe.path)
    header = inspect_rows.header(con)
    spec = inspect_header.spec(probe.path, header)
    model, model_source = _model(con, probe, settings, spec)
    name, written, mapped = inspect_header.dataset(spec, settings)
    dataset = _known_as(con, settings, written, mapped)
    refuse(
        _SQL["mixed_questions"],
        "choices",
        lambda row: "has choices where the first sample has none, or the reverse",
    )
    is_open = con.execute("SELECT choices IS NULL FROM raw WHERE __row = 1").fetchall() == [(True,)]
    step = PASS_STEP if not is_open and _is_circular(con, spec, dataset) else 0
    con.execute(_SQL["find_places"], {"step": step})
    con.execute(_SQL["join_places"])
    refuse(
        _SQL["passes_out_of_range"],
        "id",
        lambda row: f"pass {row[2]} of question {row[1]} is out of range",
    )
    con.execute(_SQL["stage_questions"])
    con.execute(_SQL["stage_references" if is_open else "stage_choices"])
    con.execute(_SQL["stage_predictions"], {"model": model})
    con.execute(_SQL["stage_errors"])
    levels = _stage_metadata(con, dataset, is_open=is_open)
    made = None
    if is_open and mapped is None and "capability" not in levels:
        made = inspect_benchmark.of_scorers(
            con, probe.path, spec, dataset, settings, has_categories="category" in levels
        )
    n_graders = inspect_grades.stage(con, spec, model)
    letters = [] if is_open else inspect_letters.stage_letters(con, spec, model)
    n_people, changes = inspect_letters.stage_changes(con, model, is_open=is_open)
    inspect_figures.stage_scores(con, model)
    inspect_figures.stage_figures(con, header, inspect_header.task(spec), model, letters)
    status = str(header.get("status", "success"))
    error = header.get("error")
    created = inspect_header.created(probe.path, spec)
    notes = _notes(con, header, spec, is_open=is_open)
    # All is staged, and a large log's texts need not be held twice.
    con.execute("DROP VIEW stage_sample; DROP VIEW raw; DROP TABLE raw_table")
    for table in ("said", "scored", "explained", "sample_fact"):
        con.execute(f"DROP TABLE stage_{table}")
    return Staged(
        dataset=written,
        task_name=mapped,
        split_column="metadata.split",
        inferred={
            "model": model_source,
            "run": "eval.created, eval.task and eval.eval_id",
            **dict.fromkeys(("benchmark", "version", "split", "language"), name),
        },
        notes=(*notes, *changes),
        alerts=(*notes, *changes),
        questions=replace(_QUESTIONS, task="open" if is_open else "choice"),
        answers=Answers(
            key="id",
            prediction="output.completion",
            model=model,
            run=inspect_header.label(created, spec),
            harness="inspect",
            produced_at=f"{created:%Y-%m-%d %H:%M:%S}",
            status=status,
            status_error=str(error.get("message", error)) if isinstance(error, dict) else None,
            joins=True,
        ),
        judgments=_JUDGMENTS if n_graders or letters or n_people else None,
        new_benchmark=made,
        said=inspect_figures.settings(header, spec),
    )


def _known_as(
    con: duckdb.DuckDBPyConnection, settings: Settings, written: DatasetName, mapped: str | None
) -> DatasetName:
    """The dataset as it is called here: whether ids are passes depends on what it is."""
    staged = Staged(dataset=written, task_name=mapped)
    return resolve.mapped(con, settings, staged).dataset or written


def _model(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, spec: dict[str, Any]
) -> tuple[str, str]:
    """The model, and where it is named: in the header, or else as the only one that answered."""
    if settings.model is not None:
        return settings.model, "given"
    named = spec.get("model")
    if isinstance(named, str) and named not in _NO_MODEL:
        return named, "eval.model"
    found = con.execute(_SQL["models"]).fetchall()
    if len(found) == 1:
        return str(found[0][0]), "output.model"
    if not found:
        raise InputError(
            probe.path, "does not name the model; give it with --model", row=0, field="eval.model"
        )
    raise InputError(
        probe.path,
        f"mixes the models {', '.join(str(name) for name, _ in found)}, and its header names none; "
        "say with --model what they are together",
        row=int(found[1][1]),
        field="output.model",
    )


def _is_circular(
    con: duckdb.DuckDBPyConnection, spec: dict[str, Any], dataset: DatasetName
) -> bool:
    """Whether ids are a question's plus a million times the pass.

    They are if for each id from a million on, the id a million below is there too. A benchmark with
    passes is known to have such ids.
    """
    of_data = spec.get("dataset")
    listed = of_data.get("sample_ids") if isinstance(of_data, dict) else None
    ids = {str(one) for one in listed or ()}
    ids |= {one for (one,) in con.execute("SELECT DISTINCT id FROM raw").fetchall()}
    if not all(one.isascii() and one.isdigit() and len(one) < 16 for one in ids):
        return False
    known = known_benchmarks.find(dataset.benchmark) if dataset.benchmark else None
    if known is not None and known.strategy == "circular":
        return True
    numbers = {int(one) for one in ids}
    later = [number for number in numbers if number >= PASS_STEP]
    return bool(later) and all(number - PASS_STEP in numbers for number in later)


def _stage_metadata(
    con: duckdb.DuckDBPyConnection, dataset: DatasetName, *, is_open: bool
) -> list[str]:
    """Stage what metadata say of the questions: their categories, and the rest as attributes.

    Returns:
        the levels of these categories.
    """
    con.execute(_SQL["find_metadata"])
    names = {str(name) for (name,) in con.execute("SELECT DISTINCT name FROM stage_metadata").fetchall()}  # fmt: skip
    filed: list[tuple[str, int, str]] = []
    known = known_benchmarks.find(dataset.benchmark) if dataset.benchmark else None
    has_capabilities = known is not None and known.has_level("capability")
    of_capabilities = [*_CAPABILITIES, *["category"] * has_capabilities] if is_open else []
    capability = next((name for name in of_capabilities if name in names), None)
    if capability is not None:
        # A list comes as JSON.
        written = "regexp_split_to_array(regexp_replace(value, '[\\[\\]\"]', '', 'g'), ',')"
        place = "row, split, question_key"
        source = f"stage_metadata WHERE name = '{capability}'"
        capabilities.stage(con, f"(FROM {source}) AS m", place, written, f"metadata.{capability}")
    elif is_open and "category" in names:
        filed = [("category", 0, "category")]
    elif not is_open:
        ((is_tree,),) = con.execute(_SQL["is_tree"]).fetchall()
        if is_tree or known is not None:
            filed.append(("l2-category", 0, "l2"))
        filed.append(("category", 1, "l3"))
    for name, depth, level in filed:
        con.execute(_SQL["stage_ability"], {"name": name, "depth": depth, "level": level})
    away = [name for name, _, _ in filed] + [capability] * (capability is not None)
    con.execute(_SQL["stage_attributes"], {"filed": away})
    return [level for _, _, level in filed] + ["capability"] * (capability is not None)


def _notes(
    con: duckdb.DuckDBPyConnection, header: dict[str, Any], spec: dict[str, Any], *, is_open: bool
) -> list[str]:
    notes = []
    status, error = str(header.get("status", "success")), header.get("error")
    if status != "success":
        message = error.get("message") if isinstance(error, dict) else None
        first = str(message).splitlines()[0][:200] if message else ""
        notes.append(f"the log's status is {status}" + (f": {first}" if first else ""))
    if header.get("invalidated"):
        notes.append("somebody has invalidated the log")
    ((n, n_failed, n_errors, n_several, n_hidden),) = con.execute(_SQL["counts"]).fetchall()
    planned = _n_planned(spec)
    if planned is not None and n < planned:
        notes.append(f"{n:,} of {planned:,} samples are there")
    of_data = spec.get("dataset")
    n_of_data = of_data.get("samples") if isinstance(of_data, dict) else None
    if isinstance(n_of_data, int) and planned is not None and planned < n_of_data:
        notes.append(f"{planned:,} of the dataset's {n_of_data:,} samples were to be run")
    if n_errors:
        notes.append(
            f"{counted(n_errors, 'sample')} ended in an error, {n_failed:,} of them without "
            "an answer"
        )  # fmt: skip
    ((n_votes,),) = con.execute("SELECT count(*) FROM stage_said WHERE reply IS NULL").fetchall()
    if n_votes:
        notes.append(
            f"of {n_votes:,} votes of graders the log does not have the replies; they are "
            "kept, and no view scores them"
        )
    if n_several and not is_open:
        notes.append(
            f"{counted(n_several, 'question has', 'questions have')} several right choices; "
            "they stay without an answer"
        )  # fmt: skip
    if n_hidden:
        notes.append(
            f"{counted(n_hidden, 'question has', 'questions have')} no target; their "
            "answers are not scored here, and the "
            "harness's scores are in main.harness_score"
        )
    return notes


def _n_planned(spec: dict[str, Any]) -> int | None:
    """How many samples were to be run: those listed, each so often; None: the header does not say."""
    of_data, config = spec.get("dataset"), spec.get("config")
    of_data = of_data if isinstance(of_data, dict) else {}
    config = config if isinstance(config, dict) else {}
    listed, n = of_data.get("sample_ids"), of_data.get("samples")
    if isinstance(listed, list) and listed:
        # Those left after --limit and --sample-id; `samples` counts them all.
        n = len(listed)
    epochs = config.get("epochs")
    return n * (epochs if isinstance(epochs, int) else 1) if isinstance(n, int) else None


ADAPTER = Adapter(
    name="inspect",
    version=2,
    description="Inspect's logs, `.eval` or `.json`: questions, answers by epoch, and what grading models said",
    needs=("answered_by",),
    accepts=lambda probe: probe.kind in inspect_rows.KINDS,
    stage=stage,
)
