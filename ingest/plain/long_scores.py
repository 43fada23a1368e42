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

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_first, refuse_rows
from ingest.facts.run_facts import Scores
from ingest.plain import long_cells
from ingest.plain.long_predictions import long_run, row_place
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)
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
    refuse_rows(
        con,
        probe.path,
        f"{component} NOT IN ('answer', 'text', 'image')",
        "component",
        lambda row: f"{row[1]!r} is neither answer, nor text, nor image",
        value=component,
    )
    n_tokens = long_cells.whole_number(con, probe, "n_tokens", "NULL", "INTEGER")
    staged_rows.select(
        con,
        "stage_score",
        **place,
        component=component,
        label=f"trim({long_cells.text(probe, 'label')})",
        score=score,
        n_tokens=n_tokens,
        scorer=_scorer(probe),
    )
    if probe.has("scorer"):
        refuse_first(
            con,
            probe.path,
            _SQL["questions_of_several_scorers"],
            "scorer",
            lambda row: f"the choices of question {row[1]} are scored by different models",
        )
    scores = Scores(
        pass_column="pass",
        method=settings.method,
        reduction=settings.reduction,
        scored=settings.scored,
    )
    return long_run(probe, settings, scores)


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
    description="ours: `question_key, label, score`; `model, pass, sample, split, component, "
    "n_tokens, scorer`; with `--method`, and for `loglik` with `--reduction` and `--scored`",
    needs=("question_key", "label", "score"),
    accepts=lambda probe: True,
    stage=stage,
    place=Place.BARE_ANSWERS,
)
