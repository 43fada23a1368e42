"""VLMEvalKit's verdicts, from result files or pickles: what their names say, and what logs become.

A verdict is only what its log says of the judge: matching by rules is left out, a letter drawn at
random is kept as a judgment without a reply, with its `hit`, a failed call as failed. A question in
words among choices was put to the judge as one between two choices that are not the dataset's, so
its `hit` is kept with the reply. Where the log holds the text
that was judged, that text is the subject, so that verdicts which VLMEvalKit kept for changed
predictions stay with the old texts. A circular log shows `Z` (none of the choices) where the
judge's own words are not kept; its reply is then X.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace

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
            explain=_explain,
        ),
        inferred=dict.fromkeys(
            ("model", "benchmark", "version", "split", "language"), "the file's name"
        ),
        notes=notes,
    )


def _explain(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Turn logs into judgments; return notes on what they left open."""
    passes: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for run_id, question_id, *row in con.execute(_SQL["rows_of_the_runs"]).fetchall():
        passes[run_id, question_id].append(Row(*row))
    counts: Counter[str] = Counter()
    grades = []
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
    ) in con.execute(_SQL["logs"]).fetchall():
        rows = passes[run_id, question_id]
        found = _read(log or "", step, prediction, score, rows)
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
    return [counted(counts[why], *words) for why, words in _LEFT_OUT.items() if counts[why]]


def _read(
    log: str, step: int | None, prediction: str | None, score: str | None, rows: list[Row]
) -> list[Said] | Unread:
    if step is None:
        return vlmevalkit_logs.graded(log, score)
    if log.startswith("Match Log: "):
        own = [row.text for row in rows if row.pass_number == step]
        texts = own if prediction is None else [*own, prediction]
        found = vlmevalkit_logs.vanilla(log, step, texts)
        return found if isinstance(found, Unread) else [found]
    return vlmevalkit_logs.circular(log, rows)


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
