"""Our long format for choice scores: one row per choice, in Parquet, CSV or JSONL.

    question_key   the question's id
    label          the choice
    score          its log-likelihood, perplexity or similarity
    model, pass, sample, split   as for predictions
    n_tokens       tokens of what was scored
    scorer         the model that scored, where it is not the run's own (CLIP): its scores are
                   similarities, of which the highest is the best whatever the run's method
    component      answer unless said; text or image, where a question wants both

How the scores came about cannot be seen in the file, so the run declares it: --method, and for
loglik --reduction (sum, mean) and --scored (content, letter).
"""

from __future__ import annotations

from dataclasses import replace

import duckdb

from ingest.adapter import Adapter, Place
from ingest.checks import refuse_first
from ingest.plain import long_cells
from ingest.plain.long_predictions import long_run, row_place
from ingest.reading.probe import Probe
from ingest.settings import Settings, Staged
from warehouse.errors import InputError

METHODS = ("loglik", "perplexity", "clip")
REDUCTIONS = ("sum", "mean")
SCORED = ("content", "letter")


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the scores.

    Raises:
        InputError: the method is not declared, a score is no number that the method gives, or some
            choices of a question have another scorer than the others.
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
    score = long_cells.number(con, probe, "score", infinity=_infinity(probe, settings.method))
    component = f"coalesce(nullif(trim({long_cells.text(probe, 'component')}), ''), 'answer')"
    refuse_first(
        con,
        probe.path,
        f"SELECT __row, {component} FROM raw WHERE {component} NOT IN ('answer', 'text', 'image') "
        "ORDER BY __row LIMIT 1",
        "component",
        lambda row: f"{row[1]!r} is neither answer, nor text, nor image",
    )
    n_tokens = long_cells.whole_number(con, probe, "n_tokens", "NULL", "INTEGER")
    con.execute(
        f"INSERT INTO stage_score SELECT {place}, {component}, "
        f"trim({long_cells.text(probe, 'label')}), {score}, {n_tokens}, "
        f"{_scorer(probe)} FROM raw"
    )
    if probe.has("scorer"):
        refuse_first(
            con,
            probe.path,
            "SELECT row, question_key FROM (SELECT *, first_value(scorer) OVER ("
            "PARTITION BY model, split, question_key, pass, sample, component ORDER BY row"
            ") AS first_scorer FROM stage_score) "
            "WHERE scorer IS DISTINCT FROM first_scorer ORDER BY row LIMIT 1",
            "scorer",
            lambda row: f"the choices of question {row[1]} are scored by different models",
        )
    return replace(
        long_run(probe, settings, "score", settings.method),
        reduction=settings.reduction,
        scored=settings.scored,
    )


def _scorer(probe: Probe) -> str:
    return f"nullif(trim({long_cells.text(probe, 'scorer')}), '')"


def _infinity(probe: Probe, method: str) -> str:
    """SQL for the infinity that a row's score may be; NULL: none.

    A likelihood of 0 is a log-likelihood of minus infinity, and a perplexity of infinity.
    """
    worst = {"loglik": "-inf", "perplexity": "inf"}.get(method)
    if worst is None:
        return "NULL"
    return f"CASE WHEN {_scorer(probe)} IS NULL THEN '{worst}'::DOUBLE END"


ADAPTER = Adapter(
    name="choice_scores",
    version=1,
    description="ours: `question_key, label, score`; `model, pass, sample, split, component, n_tokens, scorer`; with `--method`, and for `loglik` with `--reduction` and `--scored`",
    needs=("question_key", "label", "score"),
    accepts=lambda probe: True,
    stage=stage,
    place=Place.BARE_ANSWERS,
)
