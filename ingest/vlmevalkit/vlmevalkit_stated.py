"""Verdicts that VLMEvalKit's files state of a judge without its replies.

    {model}_{dataset}_auxmatch.xlsx     yes or no: `extracted` and `score` of every answer
    {model}_{dataset}_tmp.pkl           {index: word}: those of them that were the judge's
    {model}_{dataset}_score.xlsx        choices: `score` of every answer (MVBench, Video-MME)

    index        the question's key
    prediction   the text that was judged
    extracted    of yes or no: the word that it read in the answer, or in the judge's reply
    score        whether that is right; -1 or nothing in `_score`: it had no verdict

Their names do not have the judge; `status.json` next to them has. Where rules alone matched, the
views compute what they hold. Without `_tmp.pkl`, and in `_score`, the file does not tell the judge's
words from what its rules read, and every row is kept.
"""

from __future__ import annotations

from pathlib import Path

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
from ingest.vlmevalkit import figure_rows
from ingest.vlmevalkit.figure_rows import FigureName
from ingest.vlmevalkit.vlmevalkit_verdicts import RULES
from warehouse import known_benchmarks
from warehouse.errors import InputError
from warehouse.wording import counted

_WORDS = "auxmatch"
_HITS = "score"
_TABLES = (".xlsx", ".tsv", ".csv")


def _is_one(probe: Probe) -> bool:
    """Whether a file has the columns and the name of such verdicts."""
    if not probe.has("index", "prediction", "score") or probe.has_any("hit", "log"):
        return False
    return probe.path.stem.endswith(f"_{_ending(probe)}")


def read(
    probe: Probe, model: str | None = None, judge: str | None = None, known: tuple[str, ...] = ()
) -> FigureName | None:
    """What a file's name and place say; None: it states no verdicts of a judge.

    Args:
        model: what the user said; None: nothing.
        judge: the same.
        known: names of benchmarks in addition to those with a folder.
    """
    if not _is_one(probe):
        return None
    name = figure_rows.of_ending(probe.path, _ending(probe), model, known)
    if name is None or (judge or name.judge) in (None, RULES):
        return None
    if probe.has("extracted"):
        return name
    # Elsewhere a score is a judge's grade, and not right or wrong.
    its_name = read_dataset_name(name.dataset, known)
    benchmark = known_benchmarks.find(its_name.benchmark) if its_name else None
    return name if benchmark is not None and benchmark.task == "choice" else None


def _words_of(path: Path) -> Path | None:
    """The file with the judge's words next to a file of verdicts; None: it is not there."""
    words = path.with_name(path.stem.removesuffix(f"_{_WORDS}") + "_tmp.pkl")
    return words if words.is_file() else None


def words_next_to(path: Path) -> bool:
    """Whether a file is one of a judge's words with the file of verdicts next to it."""
    if not path.name.endswith("_tmp.pkl"):
        return False
    stem = path.name.removesuffix("_tmp.pkl")
    return any(path.with_name(f"{stem}_{_WORDS}{kind}").is_file() for kind in _TABLES)


def _ending(probe: Probe) -> str:
    return _WORDS if probe.has("extracted") else _HITS


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
    name = read(probe, settings.model, settings.judge, known)
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
    path = _words_of(probe.path)
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
    accepts=_is_one,
    stage=stage,
    place=Place.REFERRING,
    stages_ahead=True,
)
