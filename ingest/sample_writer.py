"""From a reader's samples to the staging tables; its figures are stored as they are."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from itertools import chain, count, islice
from pathlib import Path

import duckdb

from ingest import conventions, new_benchmark, readers, results_files, staged_rows
from ingest.adapter import Adapter, Place
from ingest.facts import resolve
from ingest.facts.judgment_facts import Judgments
from ingest.facts.other_facts import Facts
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers, Scores
from ingest.names import DatasetName, is_beyond, known_names, read_dataset_name
from ingest.plain.long_table import REDUCTIONS, SCORED
from ingest.prompts import LABELS
from ingest.published_figures import published
from ingest.readers import Reader
from ingest.reading.head import Head
from ingest.reading.probe import Probe
from ingest.sample import About, Asked, Context, Figure, Sample
from ingest.settings import Settings, TaskMap
from ingest.staged import Staged
from ingest.staged_rows import Grade
from warehouse import known_benchmarks, models, statements, taxonomy
from warehouse.benchmark import Benchmark
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_OF_DATASET = ("benchmark", "version", "split", "language")
_FROM_FILE = dict.fromkeys(("model", "run", *_OF_DATASET), "the file and its folder")
_OPEN = "question_type"
_ELSEWHERE = " of the harness"
_AT_ONCE = 500
"""Samples; they are not held as a whole where nothing needs them so."""


def adapters(of: Sequence[Reader]) -> tuple[Adapter, ...]:
    """The formats of each reader."""
    return tuple(
        Adapter(
            name=name,
            version=one.version,
            description=one.description,
            needs=(name,),
            accepts=partial(_accepts, name),
            stage=partial(stage, reader),
            place=Place[one.place] if one.place else partial(_place, reader),
            reads_itself=True,
        )
        for reader in of
        for name, one in readers.formats_of(reader).items()
    )


def _accepts(name: str, probe: Probe) -> bool:
    return probe.kind == name


def _place(reader: Reader, probe: Probe) -> Place:
    seen = reader.recognise(Head(probe.path))
    if seen is not None and seen.place:
        return Place[seen.place]
    return Place.REFERRING if seen is not None and seen.are_figures else Place.ANSWERS


def stage(
    reader: Reader, con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings
) -> Staged:
    """Stage a file's samples, or say of which run its figures are.

    Raises:
        InputError: as the reader says, or the file has neither samples nor figures.
    """
    path = probe.path
    about, samples = reader.read(path)
    if about.are_published:
        return published(con, path, about, settings)
    first = next(samples, None)
    if about.figures and first is None:
        return _of_figures(con, about, settings)
    samples = samples if first is None else chain([first], samples)
    column = {field.to: field.path for field in reader.FIELDS} | dict(about.columns)
    named_by = ""
    if not about.are_questions:
        model, named_by, samples = _model(path, about, samples, settings, column)
        about = _with_method(path, replace(about, model=model), settings)
    about = replace(about, label=settings.run or about.label)
    if first is None and not (about.of_benchmark or about.with_context):
        raise InputError(path, "holds no samples")
    dataset, task_name, named_in = _named(con, about, settings)
    mapped = resolve.mapped(con, settings, Staged(dataset=dataset, task_name=task_name)).dataset
    name = settings.benchmark or (mapped.benchmark if mapped else about.task)
    known = known_benchmarks.find(name) if name else None
    is_new = bool(name) and known is None and taxonomy.benchmark_id(con, name) is None
    if about.of_benchmark is not None:
        samples = about.of_benchmark(known)
    if about.with_context is not None:
        context = Context(name, known, _task(con, name, known), settings, partial(_asked, con))
        about, samples = about.with_context(about, context)
        dataset = about.dataset if isinstance(about.dataset, DatasetName) else dataset
        column |= about.columns
    # Nothing says how its questions are scored, so that the user has to say what it is.
    is_unnamed = is_new and about.of_benchmark is not None and about.questions is not None
    key = column.get("key", "key")
    levels: list[str] = []
    if about.keys is not None:
        is_open = about.questions == "open"
        every = conventions.settled(path, about.keys, key, known, [*samples], is_open=is_open)
        levels = [*dict.fromkeys(ability.level for one in every for ability in one.abilities)]
        samples = iter(every)
    made = None
    if is_new and about.questions is None:
        every = [*samples]
        known = made = _new_benchmark(reader, con, path, name, about, every)
        samples = iter(every)
    task = about.questions or _task(con, name, known) or "choice"
    seen = _stage_samples(con, path, about, samples, known, task, column)
    about = about.completed(about)
    if is_new and about.questions is not None:
        is_named = TaskMap.of(settings.map).get(task_name or "") is not None
        is_named = bool(settings.benchmark) or is_named
        made = _of_rule(path, name, about, levels, is_named=is_named)
    remarks = _settle_variants(con, path, about, seen, settings, column.get("number", "number"))
    if seen.n_negative and about.method == "perplexity":
        n = counted(seen.n_negative, "sample has", "samples have")
        remarks.append(
            f"{n} values below 0, as log-likelihoods are; {about.harness} takes the lowest for the best "
            "all the same, and so do we; --method loglik takes the highest"
        )
    notes = [*about.notes, *_notes(seen, known, task, about)]
    # The same words may be asked in several subsets; elsewhere a question is known by its content.
    of_format = {"name": name, "format": probe.kind}
    ((are_own_keys,),) = con.execute(_SQL["are_own_keys"], of_format).fetchall()
    target = column.get("target", "target")
    questions = Questions(
        key=key,
        text=column.get("text", "text"),
        label=column.get("choices", target),
        answer=target,
        reference=target,
        task=task,
        by_id_alone=about.by_id_alone,
        may_be_hidden=about.may_be_hidden or not about.are_whole,
        samples=not about.are_whole or about.part is not None,
        has_own_keys=are_own_keys if about.has_own_keys is None else about.has_own_keys,
        part=about.part,
    )
    return Staged(
        dataset=None if is_unnamed and not settings.benchmark else dataset,
        task_name=task_name,
        split_column=column.get("split", "split"),
        inferred={
            **_FROM_FILE,
            **about.inferred,
            **({"model": named_by} if named_by else {}),
            **({} if named_in is None else dict.fromkeys(_OF_DATASET, named_in)),
        },
        notes=(*notes, *remarks),
        alerts=tuple(notes),
        questions=None if about.are_answers or about.are_judgments else questions,
        answers=(
            None
            if about.are_questions or about.are_judgments
            else _answers(about, questions, column, are_scored=seen.are_scored)
        ),
        judgments=(
            _judgments(about, questions, column)
            if about.judges or seen.n_judged or about.are_judgments
            else None
        ),
        is_part=(about.is_part or len(about.parts) > 1) and not about.are_questions,
        new_benchmark=made,
        n_rows=len(seen.records) if about.n_rows is None else about.n_rows,
        said=about.said,
    )


def _answers(
    about: About, questions: Questions, column: Mapping[str, str], *, are_scored: bool
) -> Answers:
    return (Scores if are_scored else Answers)(
        key=questions.key,
        prediction=column.get("said", "prediction"),
        label=questions.label,
        model=about.model,
        run=about.label,
        harness=about.harness,
        produced_at=about.produced_at,
        variants={
            _staged_model(about, variant): (about.model, f"{about.label}{ending}")
            for variant, ending in about.variants.items()
        },
        status=about.status,
        status_error=about.status_error,
        joins=True,
        method=about.method if are_scored else "generation",
        reduction=about.reduction if are_scored else None,
        scored=about.scored if are_scored else None,
    )


def _judgments(about: About, questions: Questions, column: Mapping[str, str]) -> Judgments:
    reply = column.get("attempts", "reply")
    return Judgments(
        key=questions.key,
        reply=reply,
        judge=reply if about.judges else column.get("judge"),
        model=about.model,
        run=about.label or None,
        harness=about.harness,
        questions=about.questions,
        task=about.judge_task,
        # What is said of a blank answer, views do not read.
        keeps_blanks=not (about.judges or about.are_judgments),
    )


@dataclass
class _Found:
    """What the samples held that were staged so far.

    Attributes:
        asked: under which variant and number of an answer each question and pass came first.
        first_pass: the one of each question that came first.
        rows: the records of each variant, and `records` those of all.
        foreign: a category of each question that the benchmark does not have there.
        hidden: questions and passes with choices whose right answer is none of them.
        n_negative: samples with scores below 0.
    """

    asked: dict[tuple[str | None, str, int], tuple[str | None, int]] = field(default_factory=dict)
    first_pass: dict[tuple[str | None, str], int] = field(default_factory=dict)
    rows: dict[str | None, list[int]] = field(default_factory=lambda: defaultdict(list))
    records: set[int] = field(default_factory=set)
    foreign: dict[str, str] = field(default_factory=dict)
    hidden: set[tuple[str, int]] = field(default_factory=set)
    are_scored: bool = False
    n_judged: int = 0
    n_negative: int = 0


def _stage_samples(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    about: About,
    samples: Iterator[Sample],
    known: Benchmark | None,
    task: str,
    column: Mapping[str, str],
) -> _Found:
    """Stage all samples, some hundred at a time.

    Raises:
        InputError: one has more choices than there are letters, or half a character.
    """
    are_scores = task == "open" and not (known and known.scoring.rules)
    seen = _Found()
    while chunk := list(islice(samples, _AT_ONCE)):
        for one in chunk:
            if len(one.choices) > len(LABELS):
                n, there = len(one.choices), len(LABELS)
                problem = f"has {n} choices; there are labels for {there}, A to Z"
                raise InputError(path, problem, row=one.row, field=column.get("choices"))
        if not about.are_whole:
            chunk = _without_foreign_abilities(chunk, known, seen)
        try:
            _stage_questions(con, about, seen, chunk, task)
            _stage_answers(con, path, about, seen, chunk, column)
            seen.n_judged += _stage_judgments(con, about, chunk, are_scores=are_scores)
        except UnicodeEncodeError as error:
            raise _no_unicode(path, chunk, error) from error
    figures = [
        (n, about.model, about.task, one.judge, one.metric, one.filter, one.reducer, one.value)
        for n, one in enumerate(about.figures)
    ]
    staged_rows.add(con, "stage_harness_figure", figures)
    staged_rows.add(con, "stage_judge", [astuple(judge) for judge in about.judges])
    return seen


def _settle_variants(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    about: About,
    seen: _Found,
    settings: Settings,
    field_name: str,
) -> list[str]:
    """Leave out the answers of a variant that is no run; return what there is to remark.

    Raises:
        InputError: another one has more records than the harness says, as where the samples of two
            models are in one file.
    """
    missing: tuple[str, ...] = ()
    for variant, rows in seen.rows.items():
        if about.variants and variant not in about.variants:
            left = [_staged_model(about, variant)]
            con.execute("DELETE FROM stage_prediction WHERE model = ?", left)
            continue
        missing = results_files.check_number(
            path,
            rows,
            about.n_documents,
            settings,
            results=about.listed_in,
            task=about.task,
            field=field_name,
        )
    return [*missing, *about.remarks]


def _staged_model(about: About, variant: str | None) -> str:
    """What stands for the model in the staging tables, where another variant is another run."""
    return about.model if variant is None else f"{about.model} ({variant})"


def _model(
    path: Path,
    about: About,
    samples: Iterator[Sample],
    settings: Settings,
    column: Mapping[str, str],
) -> tuple[str, str, Iterator[Sample]]:
    """Name the model, and the field that does: of the file, or else the only one that answered.

    Returns:
        also the samples, all of which may have been read for it.
    """
    field, of_answers = column.get("model", ""), column.get("answered_by", "")
    if settings.model or about.model:
        return settings.model or about.model, field, samples
    found: dict[str, int] = {}
    every = [*samples]
    for one in every:
        for said in one.answers:
            if said.model is not None:
                found[said.model] = min(one.row, found.get(said.model, one.row))
    if not found:
        raise InputError(path, about.unnamed, row=0 if field else None, field=field or None)
    names = sorted(found, key=found.__getitem__)
    if len(names) > 1:
        raise InputError(
            path,
            f"mixes the models {', '.join(names)}, and its header names none; say with --model what "
            "they are together",
            row=found[names[1]],
            field=of_answers,
        )
    return names[0], of_answers, iter(every)


def _with_method(path: Path, about: About, settings: Settings) -> About:
    """The same with what the user says of scores that may be either.

    Raises:
        InputError: log-likelihoods, and it is not said of what.
    """
    if about.method != "perplexity":
        return about
    if settings.method != "loglik":
        return replace(about, reduction=None, scored=None)
    if settings.reduction not in REDUCTIONS:
        raise InputError(path, f"log-likelihoods need --reduction {'|'.join(REDUCTIONS)}")
    if settings.scored not in (None, *SCORED):
        raise InputError(path, f"log-likelihoods need --scored {'|'.join(SCORED)}")
    scored = settings.scored or "content"
    return replace(about, method="loglik", reduction=settings.reduction, scored=scored)


def _named(
    con: duckdb.DuckDBPyConnection, about: About, settings: Settings
) -> tuple[DatasetName, str | None, str | None]:
    """Find the dataset; its name that `--map` takes, and the field that has it (None: none)."""
    if not about.names:
        return _dataset(con, about, about.task, settings), about.task or None, None
    # It may be called by its whole name, owner/name.
    names = {field: name.rpartition("/")[2] for field, name in about.names.items()}
    every = (*about.names.values(), *names.values())
    mapped = next((name for name in every if name in settings.map), None)
    for place, name in names.items():
        found = read_dataset_name(name, known_names(settings))
        if found is not None and not is_beyond(known_benchmarks.find(found.benchmark), found):
            return found, mapped, place
    place, name = next(iter(names.items()))
    return DatasetName(settings.benchmark or name), mapped, place


def _no_unicode(path: Path, samples: Sequence[Sample], error: UnicodeEncodeError) -> InputError:
    """Name the sample that has half a character in it."""
    for one in samples:
        try:
            written = {**vars(one), "metrics": [*one.metrics.items()]}
            json.dumps(written, default=vars, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return InputError(path, f"cannot be read: {error}", row=one.row)
    return InputError(path, f"cannot be read: {error}")


def _dataset(
    con: duckdb.DuckDBPyConnection, about: About, task: str, settings: Settings
) -> DatasetName:
    """The dataset of a task's name, in which harnesses put _ between words that we do not.

    It is none of a benchmark that was inferred from another task, whichever file came first.
    """
    if isinstance(about.dataset, DatasetName):
        return about.dataset
    rows = con.execute("SELECT name FROM main.benchmark").fetchall()
    given = (settings.benchmark,) if settings.benchmark else ()
    known = (*(str(name) for (name,) in rows), *given)
    if callable(about.dataset):
        return about.dataset(known)
    for name in (about.dataset,) if about.dataset else (task, task.replace("_", "")):
        found = read_dataset_name(name, known)
        benchmark = known_benchmarks.find(found.benchmark) if found is not None else None
        is_other = benchmark is not None and benchmark.is_inferred
        if found is not None and not (is_other and found.benchmark.lower() != task.lower()):
            return found
    return DatasetName(task)


def _task(con: duckdb.DuckDBPyConnection, name: str, known: Benchmark | None) -> str | None:
    """What the benchmark's questions are: choice or open; None: nobody has heard of it."""
    number = taxonomy.benchmark_id(con, name)
    if number is not None:
        return taxonomy.task_of(con, number)
    return known.task if known is not None else None


def _asked(con: duckdb.DuckDBPyConnection, benchmark: str) -> list[Asked]:
    """The questions of a benchmark, in the order in which they were read."""
    rows = con.execute(_SQL["asked"], {"benchmark": benchmark}).fetchall()
    return [Asked(DatasetName(benchmark, *row[:3]), *row[3:]) for row in rows]


def _new_benchmark(
    reader: Reader,
    con: duckdb.DuckDBPyConnection,
    path: Path,
    name: str,
    about: About,
    samples: Sequence[Sample],
) -> Benchmark:
    """The benchmark of a task that nobody has heard of, from all files of the run."""
    every = [*samples]
    for part in about.parts:
        if part.absolute() != path.absolute():
            try:
                every += reader.read(part)[1]
            except InputError:
                # Reading that file says what is wrong.
                continue
    # Where a judge graded all, the harness has no rule.
    is_judged = all(one.judgments for one in every)
    cells: dict[int, Mapping[str, str | None]] = {}
    for row, one in enumerate(every):
        references = repr([*one.references]) if len(one.references) > 1 else "".join(one.references)
        cells[row] = {
            **dict(islice(one.labelled.items(), 2)),
            "index": one.key,
            "answers": None if is_judged else references or None,
            **{ability.field: ability.name for ability in one.abilities},
            **one.attributes,
        }
    return new_benchmark.of_cells(con, path, name, cells)


def _of_rule(
    path: Path, name: str, about: About, levels: Sequence[str], *, is_named: bool
) -> Benchmark | None:
    """The benchmark of the rule that the harness states; None: it states none.

    One whose questions need several abilities each is not made from a file of some questions.

    Args:
        is_named: the user named it.
    """
    rule, task = about.rule, about.questions
    if rule is None or task is None or len(levels) > 1:
        return None
    if (is_named and not rule.of_named) or (rule.settings and task != "open"):
        return None
    return new_benchmark.of_rule(path, name, task, rule, levels)


def _without_foreign_abilities(
    samples: list[Sample], known: Benchmark | None, seen: _Found
) -> list[Sample]:
    """Rename attributes that would file a question where the benchmark has no such ability."""
    if known is None or not known.abilities:
        return samples
    one_each = (level for level in known.levels if level.separator is None)
    level_of = {column: level.name for level in one_each for column in level.columns}
    named = {
        (ability.level, spelling.lower()): ability
        for ability in known.abilities
        for spelling in (ability.name, *ability.spellings)
    }
    kept = []
    for one in samples:
        filed = {
            name: level_of[name.lower()] for name in one.attributes if name.lower() in level_of
        }
        found = [named.get((level, one.attributes[name].lower())) for name, level in filed.items()]
        above = {ability.parent for ability in found if ability is not None} - {None}
        stated = {ability.name for ability in found if ability is not None}
        is_below = all(
            named[key].name in stated
            for key in named
            if named[key].name in above and key[0] in filed.values()
        )
        if None in found or not is_below:
            seen.foreign[one.key] = next(one.attributes[name] for name in filed)
            renamed = {name: f"{name}{_ELSEWHERE}" for name in filed}
            attributes = {renamed.get(name, name): value for name, value in one.attributes.items()}
            one = replace(one, attributes=attributes)
        kept.append(one)
    return kept


def _notes(seen: _Found, known: Benchmark | None, task: str, about: About) -> Iterator[str]:
    """What there is to say of questions that are not taken as the file has them."""
    if seen.foreign and known is not None:
        n = counted(len(seen.foreign), "question has", "questions have")
        example = next(iter(seen.foreign.values()))
        yield (
            f"{n} a category that {known.name} has not there, such as {example}; it is an attribute"
        )
    if seen.hidden and task == "choice" and about.questions is None:
        n = counted(len(seen.hidden), "question has", "questions have")
        yield f"{n} choices whose right answer is no single choice, and counts as hidden"


def _stage_questions(
    con: duckdb.DuckDBPyConnection,
    about: About,
    seen: _Found,
    samples: Sequence[Sample],
    task: str,
) -> None:
    """Stage each question once, where it stands first.

    Where none is drawn, a record that stands twice is staged twice, so that it is found later.
    """
    rows: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for one in samples:
        question = (one.split, one.key)
        if one.choices and one.references and not one.answer:
            seen.hidden.add((one.key, one.pass_))
        asked, where = (*question, one.pass_), (one.variant, one.number)
        is_again = about.are_whole and seen.asked.get(asked) == where
        if asked in seen.asked and not is_again:
            continue
        seen.asked[asked] = where
        place = (one.row, *question)
        image = " ".join(one.images) or None
        rows["stage_question"].append((*place, one.pass_, one.text, one.answer, image))
        rows["stage_choice"] += (
            (*place, one.pass_, label, n, text)
            for n, (label, text) in zip(one.places or count(), one.labelled.items(), strict=False)
        )
        if seen.first_pass.setdefault(question, one.pass_) != one.pass_:
            continue
        if task == "open" or not one.choices:
            rows["stage_reference"] += (
                (*place, n, text)
                for n, text in enumerate(one.references)
                if about.are_whole or text.strip(" ")
            )
        attributes = dict(one.attributes)
        if task == "choice" and not one.choices:
            attributes[_OPEN] = "open"
        rows["stage_attribute"] += ((*place, *pair) for pair in attributes.items())
        rows["stage_ability"] += (
            (*place, ability.depth, ability.level, ability.field, ability.name)
            for ability in one.abilities
        )
        rows["stage_component"] += (
            (*place, about.columns.get("components"), part) for part in one.components
        )
    staged_rows.add_each(con, rows)


def _stage_answers(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    about: About,
    seen: _Found,
    samples: Sequence[Sample],
    column: Mapping[str, str],
) -> None:
    rows: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for one in samples:
        seen.rows[one.variant].append(one.row)
        seen.records.add(one.row)
        seen.are_scored = seen.are_scored or bool(one.scores)
        of_question = (one.split, one.key, one.pass_)
        place = (one.row, _staged_model(about, one.variant), *of_question)
        for said in one.answers:
            is_failed = said.is_failed or (said.error is not None and not said.text)
            if not one.scores:
                rows["stage_prediction"].append((*place, said.sample, said.text, is_failed))
            rows["stage_answer_attribute"] += (
                (one.row, None, *of_question, said.sample, *pair) for pair in said.facts.items()
            )
            if said.error:
                rows["stage_error"].append((one.row, said.error))
        wrong = math.inf if about.method == "loglik" else -math.inf
        values = [found.value for found in one.scored]
        seen.n_negative += min(values, default=0) < 0
        if wrong in values:
            problem = f"{str(wrong)!r} is no finite number"
            raise InputError(path, problem, row=one.row, field=column.get("said"))
        rows["stage_score"] += (
            (*place, one.number, it.component, it.label, it.value, it.n_tokens, it.scorer)
            for it in one.scored
        )
        rows["stage_harness_score"] += (
            (*place, one.number, *of_answer, found.value, found.score, found.answer)
            for name, found in one.metrics.items()
            for of_answer in [(name, None) if isinstance(name, str) else name]
        )
    staged_rows.add_each(con, rows)


def _stage_judgments(
    con: duckdb.DuckDBPyConnection, about: About, samples: Sequence[Sample], *, are_scores: bool
) -> int:
    """Stage what judges said; return how much.

    A reply answers the harness's own prompt, which no view reads: it is kept as the log, and what the
    harness took it for is the verdict. One of a judge that the file describes is read as it is.

    Args:
        are_scores: the benchmark has no rules, and the verdict is the score that a judge replies.
    """
    grades = list(_grades(about, samples, are_scores=are_scores))
    staged_rows.stage_grades(con, grades)
    staged_rows.add(
        con,
        "stage_prompt",
        [
            (one.row, said.judge, said.judge_sample, said.request)
            for one in samples
            for said in one.judgments
            if said.request is not None and said.attempt == 0
        ],
    )
    return len(grades)


def _grades(about: About, samples: Sequence[Sample], *, are_scores: bool) -> Iterator[Grade]:
    described = {judge.name for judge in about.judges}
    for one in samples:
        place = (one.row, about.model, one.split, one.key, one.pass_)
        for said in one.judgments:
            of = partial(
                Grade,
                *place,
                said.judge,
                judge_sample=said.judge_sample,
                attempt=said.attempt,
                sample=one.number,
                error=said.error,
            )
            if said.judge in described:
                stated = "word" if said.word is not None else None
                yield of(reply=said.reply, log=said.log, stated=stated, word=said.word)
                continue
            of = partial(of, prediction=one.answers[0].text if one.answers else None)
            if about.reads_replies:
                yield of(reply=said.reply, log=said.log, stated=said.stated, score=said.score)
                continue
            is_read = said.score is not None
            yield of(
                reply=f"{said.score:g}" if is_read and are_scores else None,
                log=said.reply,
                stated="hit" if is_read and not are_scores else None,
                score=None if are_scores else said.score,
            )


def _of_figures(con: duckdb.DuckDBPyConnection, about: About, settings: Settings) -> Staged:
    return Staged(
        facts=Facts(
            partial(_store_figures, con, about, settings),
            {"model": settings.model or about.model, "run": settings.run or about.label},
            harness=about.harness,
            is_staged=False,
        ),
        n_rows=len(about.figures) if about.n_rows is None else about.n_rows,
        notes=(*about.notes, *about.remarks),
        alerts=about.notes,
        said=about.said,
    )


def _store_figures(
    con: duckdb.DuckDBPyConnection, about: About, settings: Settings, source_id: int
) -> list[str]:
    """Store the figures; return what was loaded."""
    by_run: dict[tuple[str, str, str, str | None], list[Figure]] = defaultdict(list)
    for one in about.figures:
        model = settings.model or one.model or about.model
        label = settings.run or one.label or about.label
        by_run[model, one.task or about.task, label, one.answers].append(one)
    loaded = []
    for (model, task, label, answers), figures in by_run.items():
        model_id = models.ensure(con, model, source_id=source_id)
        benchmark_id, its_label, where, judge = None, label, f"run {label}", None
        if answers is None:
            name = _benchmark_name(con, about, task, settings)
            benchmark_id = _benchmark_of(con, about, name, source_id)
            known = known_benchmarks.find(name) if name else None
            judge = known.records_of(about.harness).judge if known else None
        else:
            of_file = {"model_id": model_id, "file": answers}
            found = con.execute(_SQL["run_of_file"], of_file).fetchone()
            its_label, benchmark_id = found or (label, None)
            where = f"run {its_label}" if found else "without answers here"
        con.executemany(
            _SQL["add_figure"],
            [
                [
                    model_id,
                    benchmark_id,
                    task,
                    f"{its_label}_{one.filter}" if answers and one.filter else its_label,
                    one.judge or judge,
                    one.metric,
                    one.filter,
                    one.reducer,
                    one.value,
                    source_id,
                ]
                for one in figures
            ],
        )
        n = counted(len(figures), "figure")
        loaded.append(f"{n} of the harness: {task} of {model}, {where}")
    return loaded


def _benchmark_name(
    con: duckdb.DuckDBPyConnection, about: About, task: str, settings: Settings
) -> str:
    staged = Staged(dataset=_dataset(con, about, task, settings), task_name=task)
    return settings.benchmark or resolve.mapped(con, settings, staged).benchmark or task


def _benchmark_of(
    con: duckdb.DuckDBPyConnection, about: About, name: str, source_id: int
) -> int | None:
    """The benchmark of a task; None: a group of data sets, or one without answers here, is none."""
    is_stated = isinstance(about.dataset, DatasetName) or known_benchmarks.find(name) is not None
    if taxonomy.benchmark_id(con, name) is None and is_stated:
        taxonomy.ensure_benchmark(con, name, source_id=source_id)
    return taxonomy.benchmark_id(con, name)
