"""Match questions by content where a file numbers them differently from the dataset.

Keys come first: where at least half of a file's questions have the text and choices that their keys
have in the dataset, the keys hold, and only a key that the dataset lacks is matched by content.
Otherwise the harness numbered documents in its own way: every question is matched by content, and
no key is trusted. Content is the text, the choices in any order, and images where both sides have
them; a match has to be unique, in the file and in the dataset.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.facts.judgment_facts import Judgments
from ingest.facts.question_facts import Questions
from ingest.settings import Settings
from warehouse import models, statements
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_KEYED = (
    "stage_question",
    "stage_choice",
    "stage_attribute",
    "stage_ability",
    "stage_prediction",
    "stage_score",
    "stage_harness_score",
    "stage_answer_attribute",
    "stage_reference",
    "stage_component",
    "stage_judgment",
    "stage_log",
)


def are_of(con: duckdb.DuckDBPyConnection, dataset_id: int, split: str | None) -> bool:
    """Whether at least half of a split's staged questions are a dataset's by content."""
    _say_datasets(con, [(split, dataset_id)])
    _find_alike(con)
    con.execute(_SQL["find_same"], {"keys_hold": False})
    ((n_same, n),) = con.execute(_SQL["count_same"], {"split": split}).fetchall()
    return bool(n_same * 2 >= n)


def are_all_of(con: duckdb.DuckDBPyConnection, dataset_id: int, split: str | None) -> bool:
    """Whether all of a split's staged questions are a dataset's by content."""
    _say_datasets(con, [(split, dataset_id)])
    _find_alike(con)
    con.execute(_SQL["find_same"], {"keys_hold": False})
    ((n_same, n),) = con.execute(_SQL["count_same"], {"split": split}).fetchall()
    return bool(n_same == n)


def use_known_keys(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    questions: Questions,
    datasets: Sequence[tuple[str | None, int]],
) -> dict[str, str]:
    """Give staged rows the dataset's keys of their questions; return those that changed.

    Args:
        datasets: the file's splits, and the id of the dataset that each belongs to.

    Raises:
        InputError: keys do not hold, and a question is none of the dataset's by content, or may be
            several.
    """
    _say_datasets(con, datasets)
    if con.execute(_SQL["are_others"]).fetchall() == [(False,)]:
        return {}
    _find_alike(con)
    ((n, n_holding),) = con.execute(_SQL["keys_that_hold"]).fetchall()
    keys_hold = n_holding * 2 >= n
    con.execute(_SQL["find_same"], {"keys_hold": keys_hold})
    renamed = dict(con.execute(_SQL["renamed"]).fetchall())
    if not renamed:
        return {}
    if not keys_hold:
        refuse_first(
            con,
            path,
            _SQL["doubtful_keys"],
            questions.key,
            lambda row: (
                f"the file numbers questions otherwise than the dataset, and question {row[1]} is "
                + (f"{row[2]} of them" if row[2] else "none of them")
                + " by text and choices"
            ),
        )
    for table in _KEYED:
        con.execute(_SQL["rename"].format(table=table))
    return renamed


def any_renamed(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether there may be a file whose questions got other keys than it has."""
    ((found,),) = con.execute(_SQL["any_renamed"]).fetchall()
    return bool(found)


def use_keys_of_runs(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, judgments: Judgments
) -> None:
    """Give staged judgments the dataset's keys, as the answers that they judge got them.

    Raises:
        InputError: the runs that may be meant were numbered in several ways, or a key is none of
            the run's.
    """
    rows: list[list[str]] = []
    for (model,) in con.execute(
        "SELECT DISTINCT model FROM stage_judgment UNION SELECT DISTINCT model FROM stage_log"
    ).fetchall():
        rows += (
            [model, *pair] for pair in _keys_of(con, path, settings, judgments, str(model)).items()
        )
    if not rows:
        return
    con.execute(_SQL["create_renamed"])
    con.executemany("INSERT INTO stage_renamed VALUES (?, ?, ?)", rows)
    refuse_first(
        con,
        path,
        _SQL["keys_of_no_question"],
        judgments.key,
        lambda row: (
            f"question {row[1]} is none of the file that the answers of {row[2]} came from, which "
            "numbers questions otherwise than the dataset"
        ),
    )
    for table in ("stage_judgment", "stage_log"):
        con.execute(_SQL["rename_judged"].format(table=table))


def note(renamed: Mapping[str, str]) -> str:
    """What to say of the keys that changed."""
    here, there = next(iter(renamed.items()))
    return (
        f"{counted(len(renamed), 'question has', 'questions have')} other keys in the "
        f"dataset (such as {here}, which is {there} "
        "there); they are the same by text and choices"
    )


def _keys_of(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, judgments: Judgments, model: str
) -> dict[str, str]:
    parameters = {"model_id": models.find(con, model), "harness": judgments.harness}
    found = []
    for label in dict.fromkeys((settings.run or judgments.run, settings.run)):
        found = con.execute(_SQL["keys_of_runs"], parameters | {"label": label}).fetchall()
        if found:
            break
    if len(found) > 1:
        raise InputError(
            path,
            f"the runs of {model} number questions in several ways; say which is meant with --run LABEL",
        )
    return dict(json.loads(found[0][0])) if found and found[0][0] is not None else {}


def _say_datasets(
    con: duckdb.DuckDBPyConnection, datasets: Sequence[tuple[str | None, int]]
) -> None:
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_aligned_dataset (split_key VARCHAR, dataset_id INTEGER)"
    )
    con.executemany(
        "INSERT INTO stage_aligned_dataset VALUES (?, ?)",
        [[split or "", dataset_id] for split, dataset_id in datasets],
    )


def _find_alike(con: duckdb.DuckDBPyConnection) -> None:
    for name in ("find_content", "find_known", "find_alike"):
        con.execute(_SQL[name])
