"""VLMEvalKit's verdicts, from result files or pickles: what their names say, and what logs become.

A verdict is only what its log says of the judge: matching by rules is left out, a letter drawn at
random is kept as a judgment without a reply, with its `hit`, a failed call as failed. A question in
words among choices was put to the judge as one between two choices that are not the dataset's, so
its `hit` is kept with the reply. Where the log or the file holds the text that was judged, that
text is the subject, so that verdicts which VLMEvalKit kept for changed predictions stay with the
old texts. Logs without it are of the run's texts where more of them show one than contradict one,
and else of nobody knows which: they are left out, unless --run says whose they are. A circular log
shows `Z` (none of the choices) where the judge's own words are not kept; its reply is then X.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import duckdb

from ingest import grade
from ingest.checks import refuse_first
from ingest.facts.judgment_facts import Judgments
from ingest.grade import Grade
from ingest.names import DatasetName, known_names, read_dataset_name, timestamp_label
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import vlmevalkit_logs
from ingest.vlmevalkit.vlmevalkit_logs import Row, Said, Unread
from warehouse import statements
from warehouse.errors import InputError
from warehouse.wording import counted

RULES = "exact_matching"
"""What stands in the judge's place of a file that no judge had a part in."""

_SQL = statements.of_module(__file__)
# Its prompt instructs the judge to say Z for none of the choices; a release reads it as X.
_NONE_LABELS = ("X", "Z")
_MAX_ATTEMPTS = 5
"""How often it tries to get a soft score."""
_LEFT_OUT = {
    "rules": (
        "verdict left out: rules gave it, no judge was called",
        "verdicts left out: rules gave them, no judge was called",
    ),
    "former": (
        "verdict left out: rules gave it, of another answer than the run has",
        "verdicts left out: rules gave them, of other answers than the run has",
    ),
    "untied": (
        "verdict left out: nothing says of which answer it is, no table next to the file and no other log; "
        "--run LABEL says that it is of that run's",
        "verdicts left out: nothing says of which answers they are, no table next to the file and no log; "
        "--run LABEL says that they are of that run's",
    ),
    "down": (
        "verdict left out: the judge was down, or there was none",
        "verdicts left out: the judge was down, or there was none",
    ),
    "unclear": (
        "verdict left out: its log does not say, or not in one way, what was said of which answer",
        "verdicts left out: their log does not say, or not in one way, what was said of which answer",
    ),
    "random": (
        "letter was drawn at random; it is kept as a judgment without a reply, with its hit",
        "letters were drawn at random; they are kept as judgments without a reply, with their hit",
    ),
    "maybe": (
        "letter is a right one from a circular log, which does not say whether it was drawn at random",
        "letters are right ones from circular logs, which do not say whether they were drawn at random",
    ),
}
"""What is said of one, and of several."""
_OF_OTHERS = ("former", "untied")
"""Said of files in folders too: a judge that seems to have judged did not, or not these answers."""
_READ_BY_ANY_RULE = re.compile(r"[AB]\W*")


@dataclass(frozen=True)
class ResultName:
    """What `{model}_{dataset}_{judge}_result` says; judge None: nothing stands in its place."""

    model: str
    dataset: DatasetName | None
    judge: str | None
    task_name: str


def read_name(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, ending: str = "_result"
) -> ResultName:
    """Take the file's name apart, with the help of the prediction file next to it and the datasets.

    Args:
        ending: what may stand behind the judge.

    Raises:
        InputError: it does not contain the model, or the judge without --judge.
    """
    path = probe.path
    stem = path.stem.removesuffix(ending)
    known = tuple(name for (name,) in con.execute("SELECT name FROM main.benchmark").fetchall())
    known += known_names(settings)
    model, rest = settings.model, stem
    folders = (folder.name for folder in path.absolute().parents[:2])
    places = (place for place, character in enumerate(stem) if character == "_" and place)
    heads = (stem[:at] for at in places if read_dataset_name(stem[at + 1 :], known))
    for head in (settings.model, *folders, *heads):
        if head and stem.startswith(f"{head}_"):
            model, rest = settings.model or head, stem.removeprefix(f"{head}_")
            break
    if model is None:
        raise InputError(
            path,
            "the name does not contain the model (expected {model}_{dataset}_{judge}_result); give it "
            "with --model",
        )
    dataset, judge = _dataset_and_judge(con, probe, settings, model, rest, known)
    name = ResultName(model, read_dataset_name(dataset, known), judge, dataset)
    if judge is None and settings.judge is None:
        raise InputError(
            path,
            "the name does not contain the judge (expected {model}_{dataset}_{judge}_result); give it "
            "with --judge",
        )
    return name


def _dataset_and_judge(
    con: duckdb.DuckDBPyConnection,
    probe: Probe,
    settings: Settings,
    model: str,
    rest: str,
    known: tuple[str, ...],
) -> tuple[str, str | None]:
    for known_judge in (RULES, "openai"):
        if rest.endswith(f"_{known_judge}"):
            return rest.removesuffix(f"_{known_judge}"), known_judge
    places = [place for place, character in enumerate(rest) if character == "_"]
    parted: list[tuple[str, str | None]] = [
        (rest, None),
        *((rest[:at], rest[at + 1 :]) for at in reversed(places)),
    ]
    siblings = {
        path.stem
        for path in probe.path.absolute().parent.glob("*")
        if path.suffix in (".xlsx", ".tsv", ".json") and path != probe.path.absolute()
    }
    versions = {
        str(version).lower()
        for (version,) in con.execute("SELECT DISTINCT version FROM main.dataset").fetchall()
    }
    for dataset, judge in parted:
        if f"{model}_{dataset}" in siblings and (judge or settings.judge):
            return dataset, judge
    for dataset, judge in parted:
        name = read_dataset_name(dataset, known)
        if name and str(name.version).lower() in versions and (judge or settings.judge):
            return dataset, judge
    return parted[0] if settings.judge or len(parted) == 1 else parted[1]


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, key: str) -> Staged:
    """What the file is about. The adapter has filled `stage_log`, except for the model and judge.

    Raises:
        InputError: the name does not say enough, or a score is out of range.
    """
    is_graded = probe.has("score")
    name = read_name(con, probe, settings)
    notes: tuple[str, ...] = ()
    if name.judge == RULES:
        con.execute("DELETE FROM stage_log")
        notes = ("nothing to import: no judge had a part in it, rules matched the answers",)
    con.execute("UPDATE stage_log SET model = ?, judge = ?", [name.model, name.judge])
    if is_graded:
        con.execute(_SQL["scores_that_are_nan"])
        refuse_first(
            con,
            probe.path,
            _SQL["scores_out_of_range"],
            "score",
            lambda row: f"{row[1]!r} is no score from 0 to 1",
        )
    else:
        refuse_first(
            con,
            probe.path,
            _SQL["hits_that_are_none"],
            "hit",
            lambda row: f"{row[1]!r} is no hit, which is 0 or 1",
        )
        con.execute(_SQL["read_hits"])
    timed = timestamp_label(probe.path)
    # What VLMEvalKit reads again for other answers is the pickle; it writes tables anew.
    is_given = settings.run is not None or probe.kind not in ("pickle", "json_map")
    return Staged(
        dataset=name.dataset,
        # Where a file's judge begins is a guess, so only what is known counts as a name.
        task_name=name.task_name if name.task_name in settings.map else None,
        judgments=Judgments(
            key=key,
            reply="log",
            model=name.model,
            run=timed[0] if timed else None,
            harness="vlmevalkit",
            questions="open" if is_graded else "choice",
            max_attempts=_MAX_ATTEMPTS if is_graded else 1,
            none_labels=("X",) if is_graded else _NONE_LABELS,
            explain=partial(_explain, is_given=is_given),
        ),
        inferred=dict.fromkeys(
            ("model", "benchmark", "version", "split", "language"), "the file's name"
        ),
        notes=notes,
    )


def _explain(con: duckdb.DuckDBPyConnection, *, is_given: bool) -> tuple[list[str], list[str]]:
    """Turn logs into judgments; return notes on what they left open, and those for folders too.

    Args:
        is_given: the user says of which run they are, or the file is none that outlives answers.
    """
    passes: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for run_id, question_id, *row in con.execute(_SQL["rows_of_the_runs"]).fetchall():
        passes[run_id, question_id].append(Row(*row))
    counts: Counter[str] = Counter()
    grades = []
    logs = con.execute(_SQL["logs"]).fetchall()
    are_tied = is_given or _are_tied(logs, passes)
    for (
        row,
        model,
        split,
        key,
        step,
        judge,
        prediction,
        log,
        score,
        question_id,
        run_id,
        has_choices,
    ) in logs:
        rows = passes[run_id, question_id]
        found = _read(log or "", step, prediction, score, rows, are_tied=are_tied)
        if isinstance(found, Unread):
            counts[found.why] += 1
            continue
        for said in found:
            counts["random"] += said.reply is None and said.error is None
            counts["maybe"] += said.maybe_random
            made = _grade(said, row, model, split, key, judge, prediction)
            if step is not None:
                made = _with_text(made, rows)
                hit = _hit(log or "", score)
                if said.reply is None and said.error is None:
                    made = replace(made, stated="drawn", score=hit)
                elif not has_choices and hit is not None:
                    made = replace(made, stated="hit", score=hit)
            grades.append(made)
    grade.stage(con, grades)
    said_of = {why: counted(counts[why], *words) for why, words in _LEFT_OUT.items() if counts[why]}
    return list(said_of.values()), [said_of[why] for why in _OF_OTHERS if why in said_of]


def _are_tied(
    logs: Sequence[tuple[Any, ...]], passes: Mapping[tuple[int, int], Sequence[Row]]
) -> bool:
    """Whether logs are of the texts that the run has: more of them show one than contradict one.

    A text that is a letter and nothing more is read by rules, which would have logged it.
    """
    balance = 0
    for _, _, _, _, step, _, prediction, log, _, question_id, run_id, _ in logs:
        shown = vlmevalkit_logs.shown(log or "")
        own = next(
            (row.text for row in passes[run_id, question_id] if row.pass_number == step), None
        )
        if step is None or shown is None:
            continue
        if prediction is not None:
            balance += vlmevalkit_logs.are_same(prediction, own)
        elif vlmevalkit_logs.are_same(shown, own):
            balance += 1
        else:
            balance -= _READ_BY_ANY_RULE.fullmatch((own or "").strip()) is not None
    return balance > 0


def _read(
    log: str,
    step: int | None,
    prediction: str | None,
    score: str | None,
    rows: list[Row],
    *,
    are_tied: bool,
) -> list[Said] | Unread:
    if step is None:
        return vlmevalkit_logs.graded(log, score)
    if not log.startswith("Match Log: "):
        return vlmevalkit_logs.circular(log, rows)
    own = [row.text for row in rows if row.pass_number == step]
    found = vlmevalkit_logs.vanilla(log, step, own if prediction is None else [*own, prediction])
    if isinstance(found, Unread):
        is_former = found.why == "rules" and not any(
            vlmevalkit_logs.are_same(vlmevalkit_logs.shown(log), text) for text in own
        )
        return Unread("former") if is_former else found
    return [found] if are_tied or prediction is not None else Unread("untied")


def _hit(log: str, score: str | None) -> float | None:
    """What a pass was scored; a circular log ends with the pass that was wrong."""
    if not log.startswith("Match Log: "):
        return 0.0
    return None if score is None else float(score)


def _with_text(made: Grade, rows: list[Row]) -> Grade:
    """The same with the text that pandas made of a cell that it read as nothing."""
    own = next((row.text for row in rows if row.pass_number == made.pass_number), "")
    if made.prediction is None and not (own or "").strip():
        return replace(made, prediction="nan")
    return made


def _grade(
    said: Said,
    row: int,
    model: str,
    split: str | None,
    key: str,
    judge: str | None,
    prediction: str | None,
) -> Grade:
    return Grade(
        row,
        model,
        split,
        key,
        said.pass_number,
        judge,
        attempt=said.attempt,
        prediction=said.text if said.text is not None else prediction,
        reply=said.reply,
        error=said.error,
        log=said.log,
    )
