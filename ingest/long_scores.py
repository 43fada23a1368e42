"""Our long format for choice scores: one row per choice, in Parquet, CSV or JSONL.

    question_key   the question's id
    label          the choice
    score          its log-likelihood, perplexity or similarity
    model, pass, sample, split   as for predictions
    n_tokens       tokens of what was scored
    scorer         the model that scored, where it is not the run's own (CLIP)

How the scores came about cannot be seen in the file, so the run declares it: --method, and for
loglik --reduction (sum, mean) and --scored (content, letter).
"""

from __future__ import annotations

from dataclasses import replace

import duckdb

from ingest import long_cells
from ingest.adapter import Adapter
from ingest.checks import refuse_first
from ingest.long_predictions import long_run, row_place
from ingest.probe import Probe
from ingest.settings import Settings, Staged
from warehouse.errors import InputError

METHODS = ("loglik", "perplexity", "clip")
REDUCTIONS = ("sum", "mean")
SCORED = ("content", "letter")


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the scores.

    Raises:
        InputError: the method is not declared, or a score is not a finite number.
    """
    if settings.method not in METHODS:
        raise InputError(
            probe.path,
            f"how choices were scored is not in the file; give --method {'|'.join(METHODS)}",
        )
    if settings.method == "loglik" and settings.reduction not in REDUCTIONS:
        raise InputError(probe.path, "log-likelihoods need --reduction sum|mean")
    if settings.method == "loglik" and settings.scored not in SCORED:
        raise InputError(probe.path, "log-likelihoods need --scored content|letter")
    place = row_place(con, probe, settings)
    score = long_cells.number(con, probe, "score")
    if probe.has("component"):
        refuse_first(
            con,
            probe.path,
            "SELECT __row, component FROM raw "
            "WHERE coalesce(nullif(component, ''), 'answer') <> 'answer' ORDER BY __row LIMIT 1",
            "component",
            lambda row: f"{row[1]!r}: only scores of the component answer can be ranked",
        )
    n_tokens = long_cells.whole_number(con, probe, "n_tokens", "NULL", "INTEGER")
    con.execute(
        f"INSERT INTO stage_score SELECT {place}, "
        "'answer', "
        f"trim({long_cells.text(probe, 'label')}), {score}, {n_tokens}, "
        f"nullif({long_cells.text(probe, 'scorer')}, '') FROM raw"
    )
    return replace(
        long_run(probe, "score", settings.method),
        reduction=settings.reduction,
        scored=settings.scored,
    )


ADAPTER = Adapter(
    name="choice_scores",
    version=1,
    description="long format: question_key, label, score (model, pass, sample, n_tokens, scorer)",
    needs=("question_key", "label", "score"),
    accepts=lambda probe: True,
    stage=stage,
)
