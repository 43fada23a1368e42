"""VLMEvalKit's verdicts, from result files or pickles: what their names say, and what logs become.

A verdict is only what its log says of the judge: matching by rules is left out, a letter drawn at
random is kept as a judgment without a reply, with its `hit`, a failed call as failed. A question in
words among choices was put to the judge as one between two choices that are not the dataset's, so
its `hit` is kept with the reply. Where the log or the file holds the text that was judged, that
text is the subject, so that verdicts which VLMEvalKit kept for changed predictions stay with the
old texts. Logs without it are of the run's texts where more of them show one than contradict one,
and else of nobody knows which: they are left out, unless --run says whose they are. A circular log
shows `Z` (none of the choices) where the judge's own words are not kept; its reply is then X.

What VLMEvalKit's logs say, as its code at commit e8e78f0 writes them.

It stores a random letter as if the judge had said it, and matching by its rules under the judge's
name, so only the log shows what happened. What cannot be distinguished in it:

- a vanilla log holds the judge's reply or the text that the rules matched. The latter is known by
  being the prediction itself; where predictions changed since, an old one looks like a reply, so
  that logs count only with something that ties them to predictions;
- a circular log does not say whether a letter that was right had been drawn at random.

Texts stand in a log as they are, so that they can look like parts of it. A log that can be read in
several ways is not read, unless the run's own texts settle it.

VLMEvalKit's verdicts, `{model}_{dataset}_{judge}_result.xlsx` (MM-Vet's without `_result`).

    index        the row, as in the prediction file
    hit, log     multiple choice: what the verdict came from; with `g_index` under CircularEval
    score, log   MM-Vet
    prediction   the text that was judged, unless the log holds another

`{model}_{dataset}_openai_result` has the judge `openai`; `exact_matching` in the judge's place
stands for none. The run is the one of the work dir's timestamp, or the model's only one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import duckdb

from ingest import indexed_rows, staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_first
from ingest.facts.judgment_facts import Judgments
from ingest.names import DatasetName, known_names, read_dataset_name, timestamp_label
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.staged_rows import Grade
from ingest.vlmevalkit import vlmevalkit_run
from warehouse import statements
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def _stage_results(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the logs.

    Raises:
        InputError: an index that is none, a score out of range, or a name that does not say enough.
    """
    split = indexed_rows.split_expression(probe)
    prediction = "NULL"
    if probe.has("prediction"):
        prediction = "nullif(CAST(r.prediction AS VARCHAR), '')"
    log = "CAST(r.log AS VARCHAR)"
    if probe.has("score"):
        source = "raw AS r"
        place = {"question_key": "trim(CAST(r.index AS VARCHAR))"}
        place["score"] = "CAST(r.score AS VARCHAR)"
    else:
        indexed_rows.check_index(con, probe)
        source = "stage_index AS r"
        place = {"question_key": "r.__key", "pass_": "r.__pass", "score": "CAST(r.hit AS VARCHAR)"}
    staged_rows.select(
        con, "stage_log", source, split=split, prediction=prediction, log=log, **place
    )
    return stage(con, probe, settings, "index")


ADAPTER = Adapter(
    name="vlmevalkit_results",
    version=3,
    description="VLMEvalKit's verdicts, `{model}_{dataset}_{judge}_result.xlsx` (MM-Vet's without "
    "`_result`): `index, hit` or `score, log`",
    needs=("index", "log"),
    accepts=lambda probe: (
        probe.has_any("hit", "score") and not vlmevalkit_run.are_lines_of_others(probe)
    ),
    stage=_stage_results,
    place=Place.REFERRING,
    stages_ahead=True,
)


_RANDOM = "Failed to predict, thus randomly"
_DOWN = "Failed in Prefetch, no GPT-based"
_API_FAILURE = "Failed to obtain answer via API."
_MAX_TRIES = 50
_FAILED_TRY = re.compile(r", (?:failed to parse|invalid score: [^\n]*)\.\n")
_TAIL = r"(?:\n|\Z)"
_LETTER = "([A-Z])"


@dataclass(frozen=True)
class Said:
    """One attempt of the judge on one pass.

    Attributes:
        text: the prediction as the log has it; None: the log does not have it.
        reply: what the judge said; None with an error: the call failed; None without: the letter
            was drawn at random.
        maybe_random: whether the log leaves open that the letter was drawn at random.
    """

    pass_number: int
    attempt: int
    text: str | None
    reply: str | None
    error: str | None
    log: str
    maybe_random: bool = False


@dataclass(frozen=True)
class Unread:
    """Why a log gives no judgment: rules (no judge was called), down (none could be), unclear.

    `former` in place of rules: they read another text than the run has; `untied`: nothing says of
    which text it is.
    """

    why: str


@dataclass(frozen=True)
class Row:
    """A pass in the prediction file, in its order: the text, and the right label if known."""

    pass_number: int
    text: str | None
    answer: str | None


def vanilla(log: str, pass_number: int, texts: Sequence[str | None]) -> Said | Unread:
    """Read `Match Log: …`.

    Args:
        log: the cell `log`.
        pass_number: the pass that the row is about.
        texts: what is known to be the prediction: the run's, and the file's own.
    """
    said = _shown(log)
    if said is None:
        return Unread("unclear")
    if said.startswith(_DOWN):
        return Unread("down")
    if said.startswith(_RANDOM):
        return Said(pass_number, 0, None, None, None, log)
    if _plain(said) in {_plain(text) for text in texts}:
        return Unread("rules")
    return Said(pass_number, 0, None, said, None, log)


def _shown(log: str) -> str | None:
    """What `Match Log: …` shows: the judge's reply, or the text that rules read; None: it is none."""
    found = re.fullmatch(r"Match Log: (.*)\.\s?", log, re.DOTALL)
    return found[1] if found else None


def circular(log: str, rows: Sequence[Row]) -> list[Said] | Unread:
    """Read the log of a whole question.

    Args:
        log: the cell `log`.
        rows: the passes of the question in the prediction file; `Rolling i` is the i-th.
    """
    if log.startswith(_DOWN):
        return Unread("down")
    if log.strip() == "Succeed During Pre-fetching" or log.startswith("Failed in Prefetching"):
        return Unread("rules")
    readings = _readings(log, rows, own_texts=True) or _readings(log, rows, own_texts=False)
    if len(readings) != 1:
        return Unread("unclear")
    said = list(readings[0])
    return said or Unread("rules")


def graded(log: str, score: str | None) -> list[Said] | Unread:
    """Read the log of a soft score: attempts that failed, then `Succeed` or that all have failed.

    Where an output looks like the log itself, the reading with the shortest outputs holds.

    Args:
        log: the cell `log`.
        score: the cell `score`; None stands for nan.
    """

    @cache
    def from_attempt(place: int, number: int) -> tuple[Said, ...] | None:
        if log[place:].strip() == "Succeed":
            grade = "nan" if score is None else str(float(score))
            return (Said(0, number, None, grade, None, log[place:].strip()),)
        if log[place:].strip() == f"All {number} retries failed.":
            return ()
        head = f"Try {number}: output is "
        if number > _MAX_TRIES or not log.startswith(head, place):
            return None
        for end in _FAILED_TRY.finditer(log, place + len(head)):
            rest = from_attempt(end.end(), number + 1)
            if rest is not None:
                output = log[place + len(head) : end.start()]
                failed = _API_FAILURE in output
                reply, error = (None if failed else output), (output if failed else None)
                line = log[place : end.end()].rstrip("\n")
                return (Said(0, number, None, reply, error, line), *rest)
        return None

    found = from_attempt(0, 0)
    return list(found) if found else Unread("unclear")


def _readings(log: str, rows: Sequence[Row], *, own_texts: bool) -> list[tuple[Said, ...]]:
    """The ways to read a circular log, two at most.

    Args:
        own_texts: only with the run's own texts in their places.
    """

    @cache
    def from_row(place: int, number: int) -> tuple[tuple[Said, ...], ...]:
        if number == len(rows):
            return ((),) if not log[place:].strip() else ()
        found: list[tuple[Said, ...]] = []
        matched = re.compile(rf"Rolling {number} Matched\.{_TAIL}").match(log, place)
        if matched:
            found += from_row(matched.end(), number + 1)
        row = rows[number]
        text = re.escape("nan" if row.text is None else row.text) if own_texts else None
        for said, end in _rolling(log, place, number, row, text):
            found += [(said, *rest) for rest in from_row(end, number + 1)]
            if len(found) > 1:
                return tuple(found[:2])
        # The first wrong letter is the log's last word.
        found += [(said,) for said in _failed_rolling(log, place, number, row, text)]
        return tuple(found[:2])

    return list(from_row(0, 0))


def _rolling(
    log: str, place: int, number: int, row: Row, text: str | None
) -> Iterator[tuple[Said, int]]:
    head = rf"Rolling {number}: Answer is {row.answer or '[A-Z]'}, Prediction is "
    for before, letter, end in _splits(
        log, place, head, text, rf", Pre-fetched is {_LETTER}\.{_TAIL}"
    ):
        line = log[place:end].rstrip("\n")
        reply = "X" if letter == "Z" else letter
        yield Said(row.pass_number, 0, before, reply, None, line, maybe_random=True), end


def _failed_rolling(
    log: str, place: int, number: int, row: Row, text: str | None
) -> Iterator[Said]:
    head = rf"Failed in Rolling {number}: Answer is {row.answer or '[A-Z]'}; Prediction is "
    tail = rf"; Pre-fetched is {_LETTER}; Match Log is "
    for before, _, end in _splits(log, place, head, text, tail):
        match_log = re.sub(r"\.\s*\Z", "", log[end:])
        if match_log.startswith(_DOWN):
            continue
        reply = None if match_log.startswith(_RANDOM) else match_log
        yield Said(row.pass_number, 0, before, reply, None, log[place:].rstrip("\n"))


def _splits(
    log: str, place: int, head: str, text: str | None, tail: str
) -> Iterator[tuple[str, str, int]]:
    """The ways to split a log into a head, a text and a tail with a letter; and the tail's end."""
    begun = re.compile(head).match(log, place)
    if begun is None:
        return
    if text is not None:
        found = re.compile(f"({text}){tail}").match(log, begun.end())
        if found:
            yield found[1], found[2], found.end()
        return
    for found in re.compile(tail).finditer(log, begun.end()):
        yield log[begun.end() : found.start()], found[1], found.end()


def are_same(one: str | None, other: str | None) -> bool:
    """Whether two texts, or logs, differ by nothing but what spreadsheets make of one."""
    return _plain(one) == _plain(other)


def _plain(text: str | None) -> str:
    """A text for comparison: spreadsheets change white space, and pandas writes nan for nothing."""
    return " ".join((text or "nan").replace("_x000D_", " ").split()) or "nan"


RULES = "exact_matching"
"""What stands in the judge's place of a file that no judge had a part in."""

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
    staged_rows.stage_grades(con, grades)
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
        shown = _shown(log or "")
        own = next(
            (row.text for row in passes[run_id, question_id] if row.pass_number == step), None
        )
        if step is None or shown is None:
            continue
        if prediction is not None:
            balance += are_same(prediction, own)
        elif are_same(shown, own):
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
        return graded(log, score)
    if not log.startswith("Match Log: "):
        return circular(log, rows)
    own = [row.text for row in rows if row.pass_number == step]
    found = vanilla(log, step, own if prediction is None else [*own, prediction])
    if isinstance(found, Unread):
        is_former = found.why == "rules" and not any(are_same(_shown(log), text) for text in own)
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
