"""Verdicts that VLMEvalKit's files state of a judge without its replies: `_auxmatch`, `_score`.

    index        the question's key
    prediction   the text that was judged
    extracted    of yes or no: the word that it read in the answer, or in the judge's reply
    score        whether that is right; -1 or nothing in `_score`: it had no verdict

Which words are the judge's, that says `{model}_{dataset}_tmp.pkl` next to the file; without it, and in
`_score`, the file does not tell them from what its rules read, and every row is kept.
"""

from __future__ import annotations

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty, refuse_rows
from ingest.facts.judgment_facts import Judgments
from ingest.names import known_names, read_dataset_name, timestamp_label
from ingest.reading import json_map
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import stated_names
from warehouse.errors import InputError
from warehouse.wording import counted

_KEY = "trim(CAST(index AS VARCHAR))"
_SCORE = "lower(trim(CAST(score AS VARCHAR)))"
_NUMBER = f"CASE {_SCORE} WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0 ELSE TRY_CAST({_SCORE} AS DOUBLE) END"
_NOTHING = f"coalesce({_SCORE}, '') IN ('', 'nan')"


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the verdicts.

    Raises:
        InputError: a score that is none, an index that is empty, a word of an answer that the file
            does not have, or a name that does not say enough.
    """
    known = tuple(name for (name,) in con.execute("SELECT name FROM main.benchmark").fetchall())
    known += known_names(settings)
    name = stated_names.read(probe, settings.model, settings.judge, known)
    if name is None:
        raise InputError(
            probe.path,
            "does not say of which model, dataset and judge its verdicts are (expected "
            "{model}_{dataset}_auxmatch or _score, next to status.json); give them with --model and "
            "--judge",
        )
    refuse_empty(con, probe.path, _KEY, "index")
    has_words = probe.has("extracted")
    may_lack = _NOTHING if has_words else f"({_NOTHING} OR {_NUMBER} = -1)"
    wrong = f"NOT {may_lack} AND coalesce({_NUMBER} NOT IN (0, 1), true)"
    refuse_rows(
        con,
        probe.path,
        wrong,
        "score",
        lambda row: f"{row[1]!r} is no verdict, which is 0 or 1",
        value="CAST(score AS VARCHAR)",
    )
    where, notes = f"NOT {may_lack}", []
    if has_words:
        where += " AND nullif(trim(CAST(extracted AS VARCHAR)), '') IS NOT NULL"
        listed = _listed(con, probe)
        if listed:
            where += f" AND {_KEY} IN (SELECT key FROM stage_word)"
        else:
            notes.append(
                "no _tmp.pkl says which words are the judge's; every row is kept as its verdict"
            )
    prediction = "nullif(CAST(prediction AS VARCHAR), '')"
    staged_rows.select(
        con,
        "stage_judgment",
        f"raw WHERE {where}",
        model=literal(name.model),
        question_key=_KEY,
        judge=literal(settings.judge or name.judge or ""),
        # pandas read a blank cell as nothing, and handed that on as this.
        prediction=f"coalesce({prediction}, 'nan')",
        stated=literal("word" if has_words else "hit"),
        score=_NUMBER,
        word="CAST(extracted AS VARCHAR)" if has_words else "NULL",
    )
    ((n_out,),) = con.execute(f"SELECT count(*) FROM raw WHERE {may_lack}").fetchall()
    if n_out:
        notes.append(f"{counted(n_out, 'row')} left out: they have no verdict")
    timed = timestamp_label(probe.path)
    sources = dict.fromkeys(
        ("model", "benchmark", "version", "split", "language"), "the file's name"
    )
    return Staged(
        dataset=read_dataset_name(name.dataset, known),
        task_name=name.dataset,
        judgments=Judgments(
            key="index",
            reply="score",
            model=name.model,
            run=timed[0] if timed else None,
            harness="vlmevalkit",
            questions=None,
            task="choice_extraction",
        ),
        inferred=sources,
        notes=tuple(notes),
    )


def _listed(con: duckdb.DuckDBPyConnection, probe: Probe) -> bool:
    """Fill `stage_word` with the questions that the judge was asked about, if a file says which.

    Raises:
        InputError: that file is broken, or has a question that the verdicts do not have.
    """
    path = stated_names.words_of(probe.path)
    if path is None:
        return False
    keys = [key.strip() for key in json_map.read(path, "pickle")]
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_word AS SELECT unnest($keys) AS key", {"keys": keys}
    )
    for (key,) in con.execute(
        f"SELECT key FROM stage_word WHERE key NOT IN (SELECT {_KEY} FROM raw) ORDER BY key LIMIT 1"
    ).fetchall():
        raise InputError(
            path,
            f"has a judge's word for question {key}, which {probe.path.name} does not have",
            row=keys.index(key) + 1,
            field="key",
        )
    return True


ADAPTER = Adapter(
    name="vlmevalkit_stated",
    version=1,
    description="VLMEvalKit's verdicts without a judge's replies, "
    "`{model}_{dataset}_auxmatch.xlsx` (`extracted, score`) and `_score.xlsx` of choices",
    needs=("index", "prediction", "score"),
    accepts=stated_names.is_one,
    stage=stage,
    place=Place.REFERRING,
    stages_ahead=True,
)
