"""From a reader's samples to the staging tables; its figures are stored as they are."""

from __future__ import annotations

import string
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import duckdb

from ingest import grade, new_benchmark, readers, staged_rows
from ingest.adapter import Adapter, Place
from ingest.facts import resolve
from ingest.facts.judgment_facts import Judgments
from ingest.facts.other_facts import Facts
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers, Scores
from ingest.grade import Grade
from ingest.names import DatasetName, read_dataset_name
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
_FROM_FILE = dict.fromkeys(
    ("model", "run", "benchmark", "version", "split", "language"), "the file and its folder"
)
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
    if about.figures:
        return _of_figures(con, about, settings)
    about = replace(about, model=settings.model or about.model, label=settings.run or about.label)
    if not about.model:
        raise InputError(probe.path, "does not name the model; give it with --model NAME")
    if not samples:
        raise InputError(probe.path, "holds no samples")
    for one in samples:
        if len(one.choices) > len(_LABELS):
            problem = f"has {len(one.choices)} choices; there are labels for {len(_LABELS)}, A to Z"
            raise InputError(probe.path, problem, row=one.row)
    dataset = _dataset(con, about.task, settings)
    mapped = resolve.mapped(con, settings, Staged(dataset=dataset, task_name=about.task)).dataset
    name = settings.benchmark or (mapped.benchmark if mapped else about.task)
    made = None
    if known_benchmarks.find(name) is None and taxonomy.benchmark_id(con, name) is None:
        made = _new_benchmark(reader, con, probe.path, name, about, samples)
    task = _task(con, name, made)
    known = made or known_benchmarks.find(name)
    samples, notes = _without_foreign_abilities(samples, known)
    notes += _of_hidden(samples) if task == "choice" else []
    _stage_questions(con, samples, task)
    _stage_answers(con, about, samples)
    has_rules = bool(known and known.scoring.rules)
    n_judged = _stage_judgments(con, about, samples, are_scores=task == "open" and not has_rules)
    of_format = {"name": name, "format": readers.name_of(reader)}
    # The same words may be asked in several subsets; elsewhere a question is known by its content.
    ((are_own_keys,),) = con.execute(_SQL["are_own_keys"], of_format).fetchall()
    column = {field.to: field.path for field in reader.FIELDS}
    target = column.get("target", "target")
    questions = Questions(
        key=column.get("key", "key"),
        text=column.get("text", "text"),
        label=target,
        answer=target,
        reference=target,
        task=task,
        may_be_hidden=True,
        samples=True,
        has_own_keys=are_own_keys,
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
    judgments = Judgments(
        key=questions.key,
        reply=column.get("attempts", "reply"),
        model=about.model,
        run=about.label,
        harness=about.harness,
        questions=None,
        keeps_blanks=True,
    )
    return Staged(
        dataset=dataset,
        task_name=about.task,
        inferred=_FROM_FILE,
        notes=(*about.notes, *notes),
        alerts=(*about.notes, *notes),
        questions=questions,
        answers=answers,
        judgments=judgments if n_judged else None,
        is_part=len(about.parts) > 1,
        new_benchmark=made,
        n_rows=len(samples),
        said=about.said,
    )


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
    passes: dict[str, set[int]] = defaultdict(set)
    for one in samples:
        if one.pass_ in passes[one.key]:
            continue
        is_first = not passes[one.key]
        passes[one.key].add(one.pass_)
        place = (one.row, None, one.key)
        labelled = list(zip(_LABELS, one.choices, strict=False))
        image = " ".join(one.images) or None
        rows["stage_question"].append((*place, one.pass_, one.text, one.answer, image))
        rows["stage_choice"] += (
            (*place, one.pass_, label, n, text) for n, (label, text) in enumerate(labelled)
        )
        if not is_first:
            continue
        if task == "open" or not one.choices:
            rows["stage_reference"] += ((*place, n, text) for n, text in enumerate(one.references))
        attributes = dict(one.attributes)
        if task == "choice" and not one.choices:
            attributes[_OPEN] = "open"
        rows["stage_attribute"] += ((*place, *pair) for pair in attributes.items())
        rows["stage_ability"] += (
            (*place, depth, level, level, spelling)
            for depth, (level, spelling) in enumerate(one.abilities.items())
        )
    _add(con, rows)


def _stage_answers(con: duckdb.DuckDBPyConnection, about: About, samples: Sequence[Sample]) -> None:
    rows: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for one in samples:
        place = (one.row, about.model, None, one.key, one.pass_)
        for said in one.answers:
            is_failed = said.error is not None
            if not one.scores:
                rows["stage_prediction"].append((*place, said.sample, said.text, is_failed))
            rows["stage_answer_attribute"] += (
                (*place, said.sample, *pair) for pair in said.facts.items()
            )
            if is_failed:
                rows["stage_error"].append((one.row, said.error))
        number = one.answers[0].sample if one.answers else 0
        rows["stage_score"] += (
            (*place, number, "answer", label, value, None, None)
            for label, value in one.scores.items()
        )
        rows["stage_harness_score"] += (
            (*place, number, name, None, found.value, found.score, found.answer)
            for name, found in one.metrics.items()
        )
    _add(con, rows)


def _stage_judgments(
    con: duckdb.DuckDBPyConnection, about: About, samples: Sequence[Sample], *, are_scores: bool
) -> int:
    """Stage what judges said; return how much.

    A reply answers the harness's own prompt, which no view reads: it is kept as the log, and what the
    harness took it for is the verdict.

    Args:
        are_scores: the benchmark has no rules, and the verdict is the score that a judge replies.
    """
    grades = list(_grades(about, samples, are_scores=are_scores))
    grade.stage(con, grades)
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
    for one in samples:
        for said in one.judgments:
            is_read = said.score is not None
            yield Grade(
                one.row,
                about.model,
                None,
                one.key,
                one.pass_,
                said.judge,
                judge_sample=said.judge_sample,
                attempt=said.attempt,
                sample=one.answers[0].sample,
                prediction=one.answers[0].text,
                reply=f"{said.score:g}" if is_read and are_scores else None,
                error=said.error,
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
