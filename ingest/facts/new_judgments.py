"""Which of a judge's staged judgments are new, with the hash of what each judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import duckdb

from warehouse import judges, statements
from warehouse.errors import InputError
from warehouse.judges import Judge
from warehouse.judgment import OF, Judgment, columns, tagged
from warehouse.subject import choice_extraction_hash, open_answer_hash, stated_verdict_hash

_SQL = statements.of_module(__file__)
_AT_A_TIME = 1_000
_Key = tuple[Any, ...]
_Value = tuple[str | None, str | None, float | None, str | None]


@dataclass
class Tally:
    """What came of one judge's judgments."""

    stored: list[Judgment]
    n_repeated: int = 0
    n_conflicting: int = 0


def of_judge(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    field: str,
    none_labels: tuple[str, ...],
    name: str,
    judge: Judge,
    judge_id: int,
    *,
    are_stated: bool,
) -> Tally:
    """What a judge's staged judgments add, once their subjects are collected.

    Args:
        field: what the file calls its replies, for messages.
        none_labels: what stands for none of the choices.
        name: the judge's in the file.
        judge: as the warehouse has it.
        are_stated: whether every judgment is a verdict without a reply, in a word or as a hit.

    Raises:
        InputError: the judge said something else of the same answer before.
    """
    known: dict[_Key, set[_Value]] = defaultdict(set)
    of = tagged(OF)
    key_of = attrgetter(*(columns()[name].field for name in of))
    for *key_columns, reply, error, score, word in con.execute(
        _SQL["known_judgments"].format(of=", ".join(of)), {"judge_id": judge_id}
    ).fetchall():
        known[tuple(key_columns)].add((reply, error, score, word))
    here: dict[_Key, set[_Value]] = defaultdict(set)
    tally = Tally([])
    prompts = {
        (row, sample): prompt
        for row, sample, prompt in con.execute(
            _SQL["prompts_of_a_judge"], {"judge": name}
        ).fetchall()
    }
    for (
        row,
        question_key,
        run_id,
        question_text,
        labels,
        texts,
        refs,
        text,
        sample,
        attempt,
        reply,
        error,
        log,
        stated,
        score,
        word,
        pass_number,
        answer_sample,
        own_question_id,
    ) in _subjects(con, name, are_stated=are_stated):
        if stated in ("word", "hit") and reply is None:
            subject = stated_verdict_hash(question_key, pass_number, text)
        elif labels is not None and judge.task not in judges.OF_ANSWERS:
            subject = choice_extraction_hash(
                question_text, dict(zip(labels, texts, strict=True)), text
            )
        else:
            subject = open_answer_hash(question_text, refs or (), text)
        # A verdict without a reply is one of this answer alone.
        place = (own_question_id, pass_number, answer_sample) if stated else (None, None, None)
        judgment = Judgment(
            subject_hash=subject,
            reply=reply,
            labels=(*labels, *none_labels)
            # An open question among choices has none.
            if judge.task == "choice_extraction"
            and labels is not None
            and stated in (None, "drawn")
            else None,
            judge_sample=sample,
            attempt=attempt,
            run_id=run_id,
            error=error,
            origin=judge.kind,
            log=log,
            prompt=prompts.get((row, sample)) if attempt == 0 else None,
            question_id=place[0],
            pass_=place[1],
            sample=place[2],
            stated=stated,
            score=score,
            word=word,
        )
        key, value = key_of(judgment), (reply, error, score, word)
        if value in known.get(key, ()) or value in here[key]:
            tally.n_repeated += 1
            continue
        if key in known:
            raise InputError(
                path,
                f"{judge.name} graded this answer to question {question_key} before, with "
                f"{_words(known[key])}, and says {_words({value})} here; another --judge NAME keeps "
                "both",
                row=row,
                field=field,
            )
        tally.n_conflicting += bool(here[key])
        here[key].add(value)
        tally.stored.append(judgment)
    return tally


def _subjects(
    con: duckdb.DuckDBPyConnection, name: str, *, are_stated: bool
) -> Iterator[tuple[Any, ...]]:
    """What a judge judged, some at a time: questions and answers are long, and needed once."""
    sql = _SQL["stated_subjects_of_a_judge" if are_stated else "subjects_of_a_judge"]
    found = con.execute(sql, {"judge": name})
    while rows := found.fetchmany(_AT_A_TIME):
        yield from rows


def _words(values: set[_Value]) -> str:
    (reply, error, score, word), *_ = sorted(values, key=str)
    said = next((one for one in (reply, error, word) if one is not None), None)
    if score is None:
        return repr(said or "no usable reply")
    return f"the score {score:g}" + (f" ({said!r})" if said is not None else "")
