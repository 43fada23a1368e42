"""Every Eval Ever's records of instances, `{uuid}_samples.jsonl` next to `{uuid}.json`.

A record is an answer: `sample_id` the question, `input.raw` its text, `input.choices` and
`input.reference`, `output.raw` what the model said, several times perhaps, or its last words in
`messages`. A harness writes a record per metric; the answer is one. The epochs of Inspect are
samples, and where their records have the mean of a question's epochs as the score of each, that is
said of the score (`mean of 3 epochs`, in the place of a filter). Answers that differ by metric, such as
those of lm-eval's filters, are runs of their own:
--run says which. Scores and what was extracted are kept as what the harness made of the answers
(`main.harness_score`), and never scored from. evalhouse's own records say more
(`OURS`): passes, likelihoods, what else is known of a question, and that an answer is missing.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import duckdb

from ingest.adapter import Adapter
from ingest.every_eval_ever import eee_aggregate, eee_checks
from ingest.every_eval_ever.eee_aggregate import Aggregate
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers, Scores
from ingest.names import DatasetName
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks, statements
from warehouse.errors import InputError
from warehouse.every_eval_ever import aggregate_of
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_QUESTIONS = Questions(
    key="sample_id",
    text="input.raw",
    label="input.choices",
    answer="input.reference",
    reference="input.reference",
)
_COLUMNS = (
    "evaluation_id",
    "model_id",
    "evaluation_name",
    "evaluation_result_id",
    "sample_id",
    "interaction_type",
    "input",
    "output",
    "messages",
    "error",
    "metadata",
    "evaluation",
    "answer_attribution",
)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions, answers and choice scores.

    Raises:
        InputError: the aggregate is not there or describes another file, a record is none, or
            records of several datasets or variants are mixed.
    """
    aggregate = _aggregate(probe.path)
    name = _dataset(con, aggregate, settings)
    cells = ", ".join(
        column if probe.has(column) else f"CAST(NULL AS VARCHAR) AS {column}" for column in _COLUMNS
    )
    benchmark = settings.benchmark or name.benchmark
    con.execute(_SQL["collect"].format(cells=cells))
    eee_checks.check(con, probe.path, aggregate)
    con.execute(_SQL["keep_variant"], {"run": settings.run})
    known = known_benchmarks.find(benchmark)
    is_circular = known is not None and known.strategy == "circular"
    con.execute(_SQL["number"], {"is_circular": is_circular and not aggregate.own})
    eee_checks.check_variants(con, probe.path)
    con.execute(_SQL["keep_one_a_metric"])
    is_open = _is_open(con, benchmark)
    has_questions = _stage_questions(con, probe.path, is_open)
    model = settings.model or aggregate.model
    parameters = {"model": model}
    method = aggregate.own.get("method", "generation")
    if method == "generation":
        con.execute(_SQL["stage_predictions"], parameters)
        if not aggregate.own:
            is_inspect = aggregate.harness.lower().startswith("inspect")
            con.execute(_SQL["stage_harness_scores"], {**parameters, "is_inspect": is_inspect})
    else:
        con.execute(_SQL["read_scores"])
        eee_checks.check_scores(con, probe.path)
        con.execute(_SQL["stage_scores"], parameters)
    ((n_records, n_answers),) = con.execute(_SQL["count_metrics"]).fetchall()
    notes = []
    if n_answers < n_records:
        notes.append(
            f"{counted(n_records - n_answers, 'record')} left out: other metrics of the same answers"
        )
    aggregate_source = f"the aggregate {aggregate.path.name}"
    questions = replace(_QUESTIONS, task="open" if is_open else "choice")
    of_method = Answers if method == "generation" else Scores
    return Staged(
        dataset=name,
        notes=tuple(notes),
        questions=questions if has_questions else None,
        answers=of_method(
            key="sample_id",
            prediction="output.raw",
            label="input.choices",
            model=model,
            run=aggregate.own.get("run", aggregate.path.stem),
            harness=aggregate.harness,
            produced_at=aggregate.produced_at,
            method=method,
            reduction=aggregate.own.get("reduction"),
            scored=aggregate.own.get("scored"),
        ),
        inferred=dict.fromkeys(
            ("model", "run", "benchmark", "version", "split", "language"), aggregate_source
        ),
    )


def _aggregate(path: Path) -> Aggregate:
    """The aggregate of the records, from the same folder.

    Raises:
        InputError: it is not there, or it describes another file.
    """
    aggregate_path = aggregate_of(path)
    if aggregate_path == path or not aggregate_path.is_file():
        raise InputError(
            path, f"is no run without its aggregate, {aggregate_path.name}, in the same folder"
        )
    aggregate = eee_aggregate.read(aggregate_path)
    algorithm, checksum = (aggregate.detail.get(key) for key in ("hash_algorithm", "checksum"))
    if algorithm in ("sha256", "md5") and checksum is not None:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, str(algorithm)).hexdigest()
        if found != str(checksum).lower():
            raise InputError(
                path,
                f"is not the file that {aggregate_path.name} describes, or not all of it: its "
                f"{algorithm} is another",
            )
    return aggregate


def _dataset(
    con: duckdb.DuckDBPyConnection, aggregate: Aggregate, settings: Settings
) -> DatasetName:
    names = {eee_aggregate.dataset_name(result) for result in aggregate.results}
    if len(names) > 1 and settings.benchmark is None:
        raise InputError(
            aggregate.path,
            f"mixes the datasets {', '.join(sorted(names))}; give each a file of its own, or say "
            "--benchmark",
            field="evaluation_results.source_data.dataset_name",
        )
    found = eee_aggregate.dataset_of(con, aggregate.results[0], settings)
    return found or DatasetName(names.pop() or aggregate.path.stem)


def _is_open(con: duckdb.DuckDBPyConnection, benchmark: str) -> bool:
    task = eee_aggregate.task_of(con, benchmark)
    if task is not None:
        return task == "open"
    ((n_choices,),) = con.execute(_SQL["count_with_choices"]).fetchall()
    return not n_choices


def _stage_questions(con: duckdb.DuckDBPyConnection, path: Path, is_open: bool) -> bool:
    """Stage the questions as far as the records hold them; return whether that is enough."""
    ((n_choices,),) = con.execute(_SQL["count_with_choices"]).fetchall()
    if not is_open and not n_choices:
        # Choices in the prompt alone: the dataset has to be known.
        return False
    if is_open:
        con.execute(_SQL["read_no_choices"])
    else:
        con.execute(_SQL["read_choices"])
        eee_checks.check_choices(con, path)
    con.execute(_SQL["stage_questions"], {"is_open": is_open})
    con.execute(_SQL["stage_references" if is_open else "stage_choices"])
    con.execute(_SQL["read_facts"])
    con.execute(_SQL["stage_abilities"])
    con.execute(_SQL["stage_attributes"])
    con.execute(_SQL["stage_components"])
    return True


ADAPTER = Adapter(
    name="eee_records",
    version=2,
    description="Every Eval Ever's records, `{uuid}_samples.jsonl` next to `{uuid}.json`: `sample_id, input, output`",
    needs=("evaluation_id", "model_id", "sample_id", "input", "evaluation"),
    accepts=lambda probe: probe.kind == "jsonl",
    stage=stage,
)
