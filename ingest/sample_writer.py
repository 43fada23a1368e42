"""From a reader's samples to the staging tables; its figures are stored as they are."""

from __future__ import annotations

import json
import string
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path

import duckdb

from ingest import conventions, grade, new_benchmark, readers, staged_rows
from ingest.adapter import Adapter, Place
from ingest.facts import resolve
from ingest.facts.judgment_facts import Judgments
from ingest.facts.other_facts import Facts
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers, Scores
from ingest.grade import Grade
from ingest.names import DatasetName, is_beyond, known_names, read_dataset_name
from ingest.readers import Reader
from ingest.reading.head import Head
from ingest.reading.probe import Probe
from ingest.sample import About, Figure, Sample
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks, models, statements, taxonomy
from warehouse.benchmark import Benchmark
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_LABELS = string.ascii_uppercase
_OF_DATASET = ("benchmark", "version", "split", "language")
_FROM_FILE = dict.fromkeys(("model", "run", *_OF_DATASET), "the file and its folder")
_OPEN = "question_type"
_ELSEWHERE = " of the harness"


def adapters() -> tuple[Adapter, ...]:
    """A format for each reader."""
    return tuple(
        Adapter(
            name=readers.name_of(reader),
            version=reader.VERSION,
            description=reader.DESCRIPTION,
            needs=(readers.name_of(reader),),
            accepts=partial(_accepts, reader),
            stage=partial(stage, reader),
            place=partial(_place, reader),
            reads_itself=True,
        )
        for reader in readers.every()
    )


def _accepts(reader: Reader, probe: Probe) -> bool:
    return probe.kind == readers.name_of(reader)


def _place(reader: Reader, probe: Probe) -> Place:
    seen = reader.recognise(Head(probe.path))
    return Place.REFERRING if seen is not None and seen.are_figures else Place.ANSWERS


def stage(
    reader: Reader, con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings
) -> Staged:
    """Stage a file's samples, or say of which run its figures are.

    Raises:
        InputError: as the reader says, or the file has neither samples nor figures.
    """
    about, found = reader.read(probe.path)
    samples = list(found)
    if about.figures and not samples:
        return _of_figures(con, about, settings)
    column = {field.to: field.path for field in reader.FIELDS}
    model, named_by = _model(probe.path, about, samples, settings, column)
    about = replace(about, model=model, label=settings.run or about.label)
    if not samples:
        raise InputError(probe.path, "holds no samples")
    for one in samples:
        if len(one.choices) > len(_LABELS):
            problem = f"has {len(one.choices)} choices; there are labels for {len(_LABELS)}, A to Z"
            raise InputError(probe.path, problem, row=one.row, field=column.get("choices"))
    dataset, task_name, field = _named(con, about, settings)
    mapped = resolve.mapped(con, settings, Staged(dataset=dataset, task_name=task_name)).dataset
    name = settings.benchmark or (mapped.benchmark if mapped else about.task)
    known = known_benchmarks.find(name) if name else None
    key = column.get("key", "key")
    if about.keys is not None:
        is_open = about.questions == "open"
        samples = conventions.settled(probe.path, about.keys, key, known, samples, is_open=is_open)
    made = None
    if name and known is None and taxonomy.benchmark_id(con, name) is None:
        if about.questions is None:
            made = _new_benchmark(reader, con, probe.path, name, about, samples)
        elif not settings.benchmark and task_name is None:
            made = _of_rule(probe.path, name, about, samples)
    task = about.questions or _task(con, name, made)
    known = made or known
    samples, notes = _without_foreign_abilities(samples, known)
    notes += _of_hidden(samples) if task == "choice" and about.questions is None else []
    try:
        _stage_questions(con, samples, task)
        _stage_answers(con, about, samples)
        has_rules = bool(known and known.scoring.rules)
        _stage_judgments(con, about, samples, are_scores=task == "open" and not has_rules)
    except UnicodeEncodeError as error:
        raise _no_unicode(probe.path, samples, error) from error
    of_format = {"name": name, "format": readers.name_of(reader)}
    # The same words may be asked in several subsets; elsewhere a question is known by its content.
    ((are_own_keys,),) = con.execute(_SQL["are_own_keys"], of_format).fetchall()
    target = column.get("target", "target")
    questions = Questions(
        key=key,
        text=column.get("text", "text"),
        label=column.get("choices", target),
        answer=target,
        reference=target,
        task=task,
        may_be_hidden=True,
        samples=True,
        has_own_keys=are_own_keys and not about.renumbers,
    )
    is_scored = any(one.scores for one in samples)
    answers = (Scores if is_scored else Answers)(
        key=questions.key,
        prediction=column.get("said", "prediction"),
        label=target,
        model=about.model,
        run=about.label,
        harness=about.harness,
        produced_at=about.produced_at,
        status=about.status,
        status_error=about.status_error,
        joins=True,
        method="loglik" if is_scored else "generation",
        reduction=about.reduction if is_scored else None,
        scored="content" if is_scored else None,
    )
    reply = column.get("attempts", "reply")
    judgments = Judgments(
        key=questions.key,
        reply=reply,
        judge=reply if about.judges else None,
        model=about.model,
        run=about.label,
        harness=about.harness,
        questions=None,
        # What is said of a blank answer, views do not read.
        keeps_blanks=not about.judges,
    )
    are_judged = about.judges or any(one.judgments for one in samples)
    return Staged(
        dataset=dataset,
        task_name=task_name,
        split_column=column.get("split", "split"),
        inferred={
            **_FROM_FILE,
            **about.inferred,
            **({"model": named_by} if named_by else {}),
            **({} if field is None else dict.fromkeys(_OF_DATASET, field)),
        },
        notes=(*about.notes, *notes),
        alerts=(*about.notes, *notes),
        questions=questions,
        answers=answers,
        judgments=judgments if are_judged else None,
        is_part=len(about.parts) > 1,
        new_benchmark=made,
        n_rows=len(samples),
        said=about.said,
    )


def _model(
    path: Path,
    about: About,
    samples: Sequence[Sample],
    settings: Settings,
    column: Mapping[str, str],
) -> tuple[str, str]:
    """Name the model, and the field that does: of the file, or else the only one that answered."""
    field, of_answers = column.get("model", ""), column.get("answered_by", "")
    if settings.model or about.model:
        return settings.model or about.model, field
    found: dict[str, int] = {}
    for one in samples:
        for said in one.answers:
            if said.model is not None:
                found[said.model] = min(one.row, found.get(said.model, one.row))
    if not found:
        problem = "does not name the model; give it with --model NAME"
        raise InputError(path, problem, row=0 if field else None, field=field or None)
    names = sorted(found, key=found.__getitem__)
    if len(names) > 1:
        raise InputError(
            path,
            f"mixes the models {', '.join(names)}, and its header names none; say with --model what "
            "they are together",
            row=found[names[1]],
            field=of_answers,
        )
    return names[0], of_answers


def _named(
    con: duckdb.DuckDBPyConnection, about: About, settings: Settings
) -> tuple[DatasetName, str | None, str | None]:
    """Find the dataset; its name that `--map` takes, and the field that has it (None: none)."""
    if not about.names:
        return _dataset(con, about.task, settings), about.task or None, None
    # It may be called by its whole name, owner/name.
    names = {field: name.rpartition("/")[2] for field, name in about.names.items()}
    every = (*about.names.values(), *names.values())
    mapped = next((name for name in every if name in settings.map), None)
    for field, name in names.items():
        found = read_dataset_name(name, known_names(settings))
        if found is not None and not is_beyond(known_benchmarks.find(found.benchmark), found):
            return found, mapped, field
    field, name = next(iter(names.items()))
    return DatasetName(settings.benchmark or name), mapped, field


def _no_unicode(path: Path, samples: Sequence[Sample], error: UnicodeEncodeError) -> InputError:
    """Name the sample that has half a character in it."""
    for one in samples:
        try:
            json.dumps(astuple(one), default=str, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return InputError(path, f"cannot be read: {error}", row=one.row)
    return InputError(path, f"cannot be read: {error}")


def _dataset(con: duckdb.DuckDBPyConnection, task: str, settings: Settings) -> DatasetName:
    """The dataset of a task's name, in which harnesses put _ between words that we do not.

    It is none of a benchmark that was inferred from another task, whichever file came first.
    """
    rows = con.execute("SELECT name FROM main.benchmark").fetchall()
    given = (settings.benchmark,) if settings.benchmark else ()
    known = (*(str(name) for (name,) in rows), *given)
    for name in (task, task.replace("_", "")):
        found = read_dataset_name(name, known)
        benchmark = known_benchmarks.find(found.benchmark) if found is not None else None
        is_other = benchmark is not None and benchmark.is_inferred
        if found is not None and not (is_other and found.benchmark.lower() != task.lower()):
            return found
    return DatasetName(task)


def _task(con: duckdb.DuckDBPyConnection, name: str, made: Benchmark | None) -> str:
    """What the benchmark's questions are: choice or open."""
    number = taxonomy.benchmark_id(con, name)
    if number is not None:
        return taxonomy.task_of(con, number)
    known = made or known_benchmarks.find(name)
    assert known is not None
    return known.task


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
            **dict(zip(_LABELS[:2], one.choices, strict=False)),
            "index": one.key,
            "answers": None if is_judged else references or None,
            **one.attributes,
        }
    return new_benchmark.of_cells(con, path, name, cells)


def _of_rule(path: Path, name: str, about: About, samples: Sequence[Sample]) -> Benchmark | None:
    """The benchmark of the rule that the file names; None: it names none.

    One whose questions need several abilities each is not made from a file of some questions.
    """
    levels = dict.fromkeys(ability.level for one in samples for ability in one.abilities)
    if about.rule is None or about.questions != "open" or len(levels) > 1:
        return None
    return new_benchmark.of_rule(path, name, about.rule, [*levels])


def _without_foreign_abilities(
    samples: Sequence[Sample], known: Benchmark | None
) -> tuple[list[Sample], list[str]]:
    """Rename attributes that would file a question where the benchmark has no such ability.

    Returns:
        the samples, and a note on those.
    """
    if known is None or not known.abilities:
        return [*samples], []
    one_each = (level for level in known.levels if level.separator is None)
    level_of = {column: level.name for level in one_each for column in level.columns}
    named = {
        (ability.level, spelling.lower()): ability
        for ability in known.abilities
        for spelling in (ability.name, *ability.spellings)
    }
    kept, foreign = [], {}
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
            foreign[one.key] = next(one.attributes[name] for name in filed)
            renamed = {name: f"{name}{_ELSEWHERE}" for name in filed}
            attributes = {renamed.get(name, name): value for name, value in one.attributes.items()}
            one = replace(one, attributes=attributes)
        kept.append(one)
    if not foreign:
        return kept, []
    n = counted(len(foreign), "question has", "questions have")
    example = next(iter(foreign.values()))
    return kept, [
        f"{n} a category that {known.name} has not there, such as {example}; it is an attribute"
    ]


def _of_hidden(samples: Sequence[Sample]) -> list[str]:
    """Say of how many questions the right answer is no label, and is not kept."""
    n = len(
        {
            (one.key, one.pass_)
            for one in samples
            if one.choices and one.references and not one.answer
        }
    )
    words = "whose right answer is no single choice, and counts as hidden"
    return [f"{counted(n, 'question has', 'questions have')} choices {words}"] if n else []


def _stage_questions(con: duckdb.DuckDBPyConnection, samples: Sequence[Sample], task: str) -> None:
    """Stage each question once, where it stands first."""
    rows: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    passes: dict[tuple[str | None, str], set[int]] = defaultdict(set)
    for one in samples:
        seen = passes[one.split, one.key]
        if one.pass_ in seen:
            continue
        is_first = not seen
        seen.add(one.pass_)
        place = (one.row, one.split, one.key)
        labelled = list(zip(_LABELS, one.choices, strict=False))
        image = " ".join(one.images) or None
        rows["stage_question"].append((*place, one.pass_, one.text, one.answer, image))
        rows["stage_choice"] += (
            (*place, one.pass_, label, n, text) for n, (label, text) in enumerate(labelled)
        )
        if not is_first:
            continue
        if task == "open" or not one.choices:
            rows["stage_reference"] += (
                (*place, n, text) for n, text in enumerate(one.references) if text.strip(" ")
            )
        attributes = dict(one.attributes)
        if task == "choice" and not one.choices:
            attributes[_OPEN] = "open"
        rows["stage_attribute"] += ((*place, *pair) for pair in attributes.items())
        rows["stage_ability"] += (
            (*place, ability.depth, ability.level, ability.field, ability.name)
            for ability in one.abilities
        )
    _add(con, rows)


def _stage_answers(con: duckdb.DuckDBPyConnection, about: About, samples: Sequence[Sample]) -> None:
    rows: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for one in samples:
        place = (one.row, about.model, one.split, one.key, one.pass_)
        for said in one.answers:
            is_failed = said.error is not None and not said.text
            if not one.scores:
                rows["stage_prediction"].append((*place, said.sample, said.text, is_failed))
            rows["stage_answer_attribute"] += (
                (*place, said.sample, *pair) for pair in said.facts.items()
            )
            if said.error is not None:
                rows["stage_error"].append((one.row, said.error))
        number = one.answers[0].sample if one.answers else 0
        rows["stage_score"] += (
            (*place, number, "answer", label, value, None, None)
            for label, value in one.scores.items()
        )
        rows["stage_harness_score"] += (
            (*place, number, *_metric(name), found.value, found.score, found.answer)
            for name, found in one.metrics.items()
        )
    rows["stage_harness_figure"] += (
        (n, about.model, about.task, one.judge, one.metric, one.filter, one.reducer, one.value)
        for n, one in enumerate(about.figures)
    )
    _add(con, rows)


def _metric(name: str | tuple[str, str | None]) -> tuple[str, str | None]:
    """A metric's name and its filter."""
    return (name, None) if isinstance(name, str) else name


def _stage_judgments(
    con: duckdb.DuckDBPyConnection, about: About, samples: Sequence[Sample], *, are_scores: bool
) -> None:
    """Stage what judges said, and who they are.

    A reply answers the harness's own prompt, which no view reads: it is kept as the log, and what the
    harness took it for is the verdict. One of a judge that the file describes is read as it is.

    Args:
        are_scores: the benchmark has no rules, and the verdict is the score that a judge replies.
    """
    grade.stage(con, list(_grades(about, samples, are_scores=are_scores)))
    staged_rows.add(con, "stage_judge", [astuple(judge) for judge in about.judges])
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
                sample=one.answers[0].sample,
                error=said.error,
            )
            if said.judge in described:
                stated = "word" if said.word is not None else None
                yield of(reply=said.reply, log=said.log, stated=stated, word=said.word)
                continue
            is_read = said.score is not None
            yield of(
                prediction=one.answers[0].text,
                reply=f"{said.score:g}" if is_read and are_scores else None,
                log=said.reply,
                stated="hit" if is_read and not are_scores else None,
                score=None if are_scores else said.score,
            )


def _add(con: duckdb.DuckDBPyConnection, rows: Mapping[str, Sequence[tuple[object, ...]]]) -> None:
    for table, of_table in rows.items():
        staged_rows.add(con, table, of_table)


def _of_figures(con: duckdb.DuckDBPyConnection, about: About, settings: Settings) -> Staged:
    return Staged(
        facts=Facts(
            partial(_store_figures, con, about, settings),
            {"model": about.model, "run": about.label},
            harness=about.harness,
            is_staged=False,
        ),
        n_rows=len(about.figures),
        notes=about.notes,
        alerts=about.notes,
        said=about.said,
    )


def _store_figures(
    con: duckdb.DuckDBPyConnection, about: About, settings: Settings, source_id: int
) -> list[str]:
    """Store the figures; return what was loaded."""
    by_run: dict[tuple[str, str, str], list[Figure]] = defaultdict(list)
    for one in about.figures:
        model = settings.model or one.model or about.model
        label = settings.run or one.label or about.label
        by_run[model, one.task or about.task, label].append(one)
    for (model, task, label), figures in by_run.items():
        staged = Staged(dataset=_dataset(con, task, settings), task_name=task)
        named = resolve.mapped(con, settings, staged).benchmark
        name = settings.benchmark or named or task
        benchmark_id = taxonomy.benchmark_id(con, name)
        if benchmark_id is None and known_benchmarks.find(name) is not None:
            benchmark_id, _ = taxonomy.ensure_benchmark(con, name, source_id=source_id)
        # A group of data sets, or one without answers here, is no benchmark.
        of_run = (models.ensure(con, model, source_id=source_id), benchmark_id, task, label)
        con.executemany(
            _SQL["add_figure"],
            [
                [*of_run, one.judge, one.metric, one.filter, one.reducer, one.value, source_id]
                for one in figures
            ],
        )
    return [
        f"{counted(len(figures), 'figure')} of the harness: {task} of {model}, run {label}"
        for (model, task, label), figures in by_run.items()
    ]
