"""Turn staged judgments into facts, each bound to the run that it graded and the text it judged.

The run is what --run or the folder says, or else the only one. A judgment of a text that the run does
not have (any more) is kept under that text's own hash, so that it never counts for another answer.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, ClassVar

import duckdb

from ingest.checks import refuse_first
from ingest.facts import run_facts
from ingest.loading import Loading, Understood
from ingest.names import is_timestamp
from ingest.settings import Report, Settings
from warehouse import judges, statements
from warehouse.errors import InputError, UsageError
from warehouse.judges import Judge
from warehouse.judgment import (
    OF,
    Judgment,
    choice_extraction_hash,
    columns,
    open_answer_hash,
    stated_verdict_hash,
    tagged,
)
from warehouse.wording import counted

_SQL = statements.of_module(__file__)

_AT_A_TIME = 1_000
_Key = tuple[Any, ...]
_Value = tuple[str | None, str | None, float | None, str | None]


@dataclass
class _Tally:
    """What came of one judge's judgments."""

    stored: list[Judgment]
    n_repeated: int = 0
    n_conflicting: int = 0


def _add_of_judge(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    field: str,
    none_labels: tuple[str, ...],
    name: str,
    judge: Judge,
    judge_id: int,
    *,
    are_stated: bool,
) -> _Tally:
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
    tally = _Tally([])
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


@dataclass(frozen=True)
class _Graded:
    """What a file calls the columns that say what was judged, and the run that it names.

    Attributes:
        key: the question's id.
        model_column: the model that answered; None: the file has no such column.
        run: the label of the run that its folder is named after; None: it is not.
    """

    key: str
    model_column: str | None
    run: str | None


@dataclass(frozen=True)
class _GradedRun:
    """A run that judgments of a file are of."""

    run_id: int
    model: str
    dataset: str
    label: str


def _bind_graded_runs(
    con: duckdb.DuckDBPyConnection, path: Path, graded: _Graded, settings: Settings | None = None
) -> list[_GradedRun]:
    """Fill `stage_graded`: the question and run of each row with judgments; return the runs by id.

    Args:
        settings: how to find the runs in the warehouse; None: they are those that the file's own
            predictions have just become (`stage_run`), and are not returned.

    Raises:
        InputError: an unknown question, a run that is not there, or several that may be meant.
    """
    refuse = partial(refuse_first, con, path)

    def refuse_unknown() -> None:
        refuse(
            _SQL["unknown_questions"],
            graded.key,
            lambda row: f"the dataset has no question {row[1]}",
        )

    con.execute(_SQL["bind_rows"])
    found: list[_GradedRun] = []
    if settings is not None:
        try:
            found = _find_runs(con, path, settings, graded)
        except InputError:
            # An unknown question says more: the file may be of another dataset.
            refuse_unknown()
            raise
    con.execute(_SQL["bind"])
    if con.execute(_SQL["is_each_of_one_run"]).fetchall() != [(True,)]:
        refuse_unknown()
        refuse(
            _SQL["questions_without_run"],
            graded.key,
            lambda row: f"there is no run of {row[2]} on the dataset of question {row[1]}",
        )
        refuse(
            _SQL["questions_of_several_datasets"],
            graded.key,
            lambda row: (
                f"question {row[1]} is one of several datasets; say which with --version, --split or "
                "--language"
            ),
        )
    return found


def _find_runs(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, graded: _Graded
) -> list[_GradedRun]:
    """Find the run of each model and dataset of the file; fill `stage_run`."""
    rows = con.execute(_SQL["live_runs"]).fetchall()
    pairs = [(key, list(runs)) for key, runs in groupby(rows, key=itemgetter(0, 1, 2, 3, 4))]
    found: dict[int, _GradedRun] = {}
    places = []
    for (_, model, split_key, dataset_id, dataset), runs in pairs:
        live = [
            _GradedRun(run_id, name, dataset, label)
            for *_, name, run_id, label in runs
            if run_id is not None
        ]
        picked = _pick(path, settings, graded.run, (model, dataset), live)
        if picked is not None:
            found[picked.run_id] = picked
            places.append((picked.run_id, model, split_key, dataset_id))
    there = {(model, split_key) for _, model, split_key, _ in places}
    for (row, model, split_key, _, dataset), _ in pairs:
        if (model, split_key) not in there:
            label = f" {settings.run}" if settings.run else ""
            raise InputError(
                path,
                f"there is no run{label} of {model} on {dataset}; ingest its predictions first"
                if not label
                else f"there is no run{label} of {model} on {dataset}",
                row=row if graded.model_column else None,
                field=graded.model_column,
            )
    run_facts.note_runs(con, places)
    return [found[run_id] for run_id in sorted(found)]


def _pick(
    path: Path, settings: Settings, run: str | None, of: tuple[str, str], live: list[_GradedRun]
) -> _GradedRun | None:
    """The run that is meant of those of a model and dataset; None: there is none."""
    model, dataset = of
    wanted = settings.run or run
    named = [one for one in live if one.label == wanted]
    if named or settings.run is not None:
        return named[0] if named else None
    if wanted is not None and len(live) == 1 and is_timestamp(live[0].label):
        # Two work dirs of the same model: the folder's own run is not here.
        raise InputError(
            path,
            f"lies in the work dir of run {wanted} of {model}, which is not here ({live[0].label} "
            "is); ingest its predictions first, or say which run with --run LABEL",
        )
    if len(live) > 1:
        labels = ", ".join(one.label for one in live)
        raise InputError(
            path, f"{model} has several runs on {dataset} ({labels}); say which with --run LABEL"
        )
    return live[0] if live else None


@dataclass(frozen=True)
class Judgments:
    """Judgments of answers, in `stage_judgment`, or in `stage_log` until `explain` reads it.

    The first attributes are what the file calls its columns, for messages.

    Attributes:
        key: the question's id.
        reply: what the judge said.
        judge: the judge; None: the file has no such column.
        model_column: the model that answered; None: the file has no such column.
        pass_column: the pass; None: it is in the key.
        model: the model that answered; None: rows have theirs.
        run: the run that the file's folder names; None: it names none.
        harness: what wrote the file.
        questions: what the judged questions are: choice or open; None: either.
        kind: import or human.
        task: what the judges do, where the format says so.
        max_attempts: how often they try.
        chooses_task: whether --task may say that grades of open answers are marks.
        none_labels: what stands for none of the choices.
        keeps_blanks: whether its judges judged blank answers too.
        is_empty: whether nothing was staged, since no judge had a part in the file.
        explain: turns `stage_log`, which cannot be read without the run, into staged judgments once
            `stage_graded` has the question and run of each row; returns notes, and those of them that
            are said of files in folders too.
    """

    role: ClassVar[str] = "judgments"
    key: str = "question_key"
    reply: str = "reply"
    judge: str | None = None
    model_column: str | None = None
    pass_column: str | None = None
    model: str | None = None
    run: str | None = None
    harness: str = "unknown"
    questions: str | None = "choice"
    kind: str = "import"
    task: str | None = None
    max_attempts: int = 1
    chooses_task: bool = False
    none_labels: tuple[str, ...] = ("X",)
    keeps_blanks: bool = False
    is_empty: bool = False
    explain: Callable[[duckdb.DuckDBPyConnection], tuple[list[str], list[str]]] | None = None

    def bind(
        self, con: duckdb.DuckDBPyConnection, path: Path, settings: Settings | None = None
    ) -> list[_GradedRun]:
        """Find the question and run of each row, as `_bind_graded_runs` does; return the runs."""
        if self.is_empty:
            return []
        graded = _Graded(self.key, self.model_column, self.run)
        return _bind_graded_runs(con, path, graded, settings)

    def settled(self, con: duckdb.DuckDBPyConnection) -> Judgments:
        """The same once the file is staged: whether it is empty."""
        return replace(self, is_empty=not con.execute(_SQL["any_staged"]).fetchall())

    def understand(
        self, con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, of_benchmark: str
    ) -> Understood:
        """Check the judgments of the runs in `stage_graded`; nothing of the warehouse changes.

        Args:
            of_benchmark: the benchmark's task.

        Raises:
            InputError: an invalid verdict, a pass that is not there, or a missing judge.
            UsageError: --task does not fit the benchmark or the file.
        """
        if self.is_empty:
            # A file of which no judge had a part: rules alone read its answers.
            return Understood(_task(con, settings, self, of_benchmark))
        notes, alerts = self.explain(con) if self.explain is not None else ([], [])
        refuse_first(
            con,
            path,
            _SQL["unknown_passes"],
            self.pass_column or self.key,
            lambda row: (
                f"pass {row[2]} of question {row[1]} is out of range: the dataset has no such pass"
            ),
        )
        task = _task(con, settings, self, of_benchmark)
        names = _name_judges(con, path, settings, self.judge)
        if self.kind == "human":
            _check_verdicts(con, path, self.reply, task)
        con.execute(_SQL["collect_answers"])
        return Understood(task, tuple(names), tuple(notes), tuple(alerts))

    def load(self, con: duckdb.DuckDBPyConnection, loading: Loading) -> None:
        """Store the judgments of the runs in `stage_graded`.

        Raises:
            InputError: as `understand` says, or another verdict of the same judge on the same answer
                of the same run.
            UsageError: --task does not fit the benchmark or the file.
        """
        path, settings, source_id = loading.path, loading.settings, loading.source_id
        report = loading.report
        understood = loading.understood
        if understood is None:
            if loading.role == "predictions":
                self.bind(con, path)
            understood = self.understand(con, path, settings, loading.named_benchmark.task)
        if self.is_empty:
            return
        report.notes += understood.notes
        report.alerts += understood.alerts
        ((any_superseded,),) = con.execute(
            "SELECT EXISTS (FROM main.run WHERE superseded_by IS NOT NULL)"
        ).fetchall()
        if any_superseded:
            con.execute(_SQL["find_former_runs"], {"source_id": source_id})
        con.execute(_SQL["collect_subjects" if any_superseded else "collect_own_subjects"])
        if self.keeps_blanks:
            con.execute(_SQL["keep_blank_texts"])
        are_stated = _texts(con, report)
        for name in understood.judges:
            judge = _settle_name(con, _described(con, settings, self, name, understood.task))
            judge_id = judges.register(con, judge, source_id=source_id)
            tally = _add_of_judge(
                con,
                path,
                self.reply,
                self.none_labels,
                name,
                judge,
                judge_id,
                are_stated=are_stated,
            )
            judges.store(con, judge_id, tally.stored, source_id=source_id)
            n_samples = _plan(con, judge_id, name, source_id)
            report.loaded.append(_line(judge, tally, n_samples))
            report.notes += _notes(judge, name, tally)


def _described(
    con: duckdb.DuckDBPyConnection, settings: Settings, kind: Judgments, name: str, task: str
) -> Judge:
    """A judge as the file describes it; most files give its name only."""
    judge = Judge(
        name=name,
        task=task,
        kind=kind.kind,
        model=name,
        template=settings.judge_template or "unknown",
        max_attempts=kind.max_attempts,
    )
    for model, its_task, template, sampling, its_kind in con.execute(
        _SQL["description_of_a_judge"], {"judge": name}
    ).fetchall():
        return replace(
            judge,
            # A label that was read, and what a person said, is nothing else.
            task=settings.task if settings.task and _is_graded(its_task, its_kind) else its_task,
            kind=its_kind,
            model=model,
            template=settings.judge_template or template,
            sampling=json.loads(sampling),
        )
    return judge


def _is_graded(task: str, kind: str) -> bool:
    """Whether a judge that a file describes is a grader whose task --task may say."""
    return task != "choice_extraction" and kind == "import"


def _task(
    con: duckdb.DuckDBPyConnection, settings: Settings, kind: Judgments, of_benchmark: str
) -> str:
    usual = kind.task or judges.USUAL_TASK[of_benchmark]
    if settings.task in (None, usual):
        return usual
    described = con.execute("SELECT task, kind FROM stage_judge").fetchall()
    if any(_is_graded(*one) for one in described) and settings.task in judges.IMPORTED_TASKS[1:]:
        return settings.task
    if settings.task == "mark" and of_benchmark == "open" and kind.chooses_task:
        return "mark"
    raise UsageError(f"--task {settings.task} does not fit: here judgments are {usual}")


def _name_judges(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, field: str | None
) -> list[str]:
    """Settle who judged; return the names."""
    found = [name for (name,) in con.execute(_SQL["judges"]).fetchall()]
    names = [str(name) for name in found if name is not None and name.strip(" ")]
    if settings.judge is not None:
        if len(names) > 1:
            raise InputError(
                path,
                f"holds several judges ({', '.join(names)}), so --judge cannot name them all",
                field=field,
            )
        for table in ("stage_judgment", "stage_prompt", "stage_judge"):
            con.execute(f"UPDATE {table} SET judge = ?", [settings.judge])
        return [settings.judge] if found else []
    if names != found:
        refuse_first(
            con,
            path,
            _SQL["judgments_without_judge"],
            field or "judge",
            lambda row: "does not name the judge; give it with --judge NAME",
        )
    return names


def _check_verdicts(con: duckdb.DuckDBPyConnection, path: Path, field: str, task: str) -> None:
    """Refuse what people wrote that is no verdict; a model's reply may say anything."""
    refuse = partial(refuse_first, con, path)
    if task == "choice_extraction":
        refuse(
            _SQL["labels_that_are_no_choice"],
            field,
            lambda row: f"{row[2]!r} is no choice of question {row[1]}, and not X (none of them)",
        )
    elif task == "soft_score":
        refuse(
            _SQL["scores_out_of_range"], field, lambda row: f"{row[1]!r} is no score from 0 to 1"
        )
    else:
        refuse(
            _SQL["marks_out_of_range"],
            field,
            lambda row: f"{row[1]!r} is no mark, a whole number from 1 to 5",
        )
        con.execute(_SQL["write_marks_as_digits"])


def _texts(con: duckdb.DuckDBPyConnection, report: Report) -> bool:
    """Note what was judged; return whether all of it are verdicts without a reply."""
    ((n_without, n_other, are_stated),) = con.execute(_SQL["count_texts"]).fetchall()
    if n_without:
        report.notes.append(
            f"{n_without:,} grades left out: the run has no answer there, or a blank one"
        )
    if n_other:
        # A board says pending where a judge's reply of another answer lies.
        report.notes.append(
            f"{n_other:,} grades are of answers that the run does not have (any more); they are kept, "
            "and count for no answer of it"
        )
        report.alerts.append(report.notes[-1])
    return bool(are_stated)


def _settle_name(con: duckdb.DuckDBPyConnection, judge: Judge) -> Judge:
    """The judge under the name that it has in the warehouse, or gets."""
    known = judges.find_same(con, judge)
    # A person or model may judge by several tasks; our own calls to it are yet another judge.
    suffixes: tuple[str, ...] = ("(imported)", f"{judge.task} (imported)")
    if judge.kind == "human" or judge.task in judges.OF_ANSWERS:
        suffixes = (judge.task,)
    return replace(judge, name=known or judges.free_name(con, judge.name, *suffixes))


def _plan(con: duckdb.DuckDBPyConnection, judge_id: int, name: str, source_id: int) -> int:
    """Note the judge samples that the file holds, however it numbers them; return how many."""
    parameters = {"judge_id": judge_id, "judge": name, "source_id": source_id}
    con.execute(_SQL["plan_samples"], parameters)
    ((n_samples,),) = con.execute(_SQL["count_samples"], {"judge": name}).fetchall()
    return int(n_samples)


def _line(judge: Judge, tally: _Tally, n_samples: int) -> str:
    n_subjects = len({(one.run_id, one.subject_hash) for one in tally.stored})
    return (
        f"judge {judge.name} ({judge.kind}, {judge.task}): {counted(len(tally.stored), 'judgment')}, "
        f"{counted(n_subjects, 'subject')} × {counted(n_samples, 'judge sample')}"
    )


def _notes(judge: Judge, name: str, tally: _Tally) -> list[str]:
    notes = []
    if judge.name != name:
        notes.append(f"the judge is named {judge.name} here: {name} is another one")
    n_failed = sum(one.error is not None for one in tally.stored)
    if n_failed:
        notes.append(
            f"{counted(n_failed, 'call')} had failed; they are kept as failed, without a grade"
        )
    if tally.n_repeated:
        notes.append(f"{tally.n_repeated:,} grades left out: they are there already, word for word")
    if tally.n_conflicting:
        notes.append(
            f"{tally.n_conflicting:,} grades differ from an earlier one in the file of the same answer; "
            "both are kept, and the first counts"
        )
    return notes
