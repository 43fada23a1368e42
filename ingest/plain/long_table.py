"""Questions, what is right and answers in one table of one's own: one row per answer.

    question_key, prediction    and model, pass, sample, split, failed, as predictions have them
    answer                      the right label, of questions with choices (A, B … or a list in choices)
    reference, references       what is right, of questions that are answered in words
    question, image, ability_*  what question files have besides; a table may have no text of its questions

Several models may answer the same questions, whose rows then have to say the same of them. Any other
column is of the answer.

What such a table leaves open is found out: whether what is right is a letter, and its rule.

Our long format for questions: one row per question and pass, in Parquet, CSV or JSONL.

question_key   the question's id, as text or number
question       its text
A, B, …        the choices, or
choices        the choices as a list (JSON array in CSV and JSONL), labelled A, B, … in order
references     instead of choices, for an open question: what is right, as a list, or
reference      as one text
answer         the right label (leave it out where answers are hidden); of a question without choices
               among others that have some, the reference where no other is given
pass           0 unless said
split          one file may hold several
components     what an answer consists of, as a list, where it is a text and an image: ["text","image"]
ability_*      the abilities, coarse to fine: ability_<level>, in the order of the columns; where there is
               none, category
image          the image as base64, or any text that identifies it; hashed, not stored
anything else  kept as an attribute of the question

Our long format for choice scores: one row per choice, in Parquet, CSV or JSONL.

    question_key   the question's id
    label          the choice
    score          its log-likelihood, perplexity or similarity
    model, pass, sample, split   as for predictions
    n_tokens       tokens of what was scored
    scorer         the model that scored, where it is not the run's own (CLIP): its scores are
                   similarities, of which the highest is the best whatever the run's method
    component      answer unless said; text or image, where a question wants both

How the scores came about cannot be seen in the file, so the run declares it: --method, and for
loglik --reduction (sum, mean) and --scored (content, letter).

Our long format for predictions: one row per answer, in Parquet, CSV or JSONL.

question_key   the question's id
prediction     the raw output; empty is an answer without text
model          unless --model gives it; one file may hold several models, each its own run
pass, sample   0 unless said
split          where the benchmark has several
failed         true where inference failed, so that there is no answer
anything else  kept with the answer, but for what questions have (question, answer, choices …)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import duckdb

from ingest import cells, own_columns, staged_rows
from ingest import new_benchmark as new_benchmarks
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty, refuse_first, refuse_rows
from ingest.facts import bulk_predictions
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers, Scores
from ingest.names import DatasetName, read_dataset_name, timestamp_label
from ingest.plain import long_cells
from ingest.reading import python_lists
from ingest.reading.probe import Probe
from ingest.reading.raw import literal, quoted
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks, statements
from warehouse.benchmark import Benchmark
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def _stage_predictions(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage what the predictions have in common, or each prediction where that is not enough."""
    written = [name for name in bulk_predictions.PLACE if probe.has(name)]
    values = {
        "model": long_cells.trimmed("model") if probe.has("model") else "NULL",
        "split": f"nullif({long_cells.text(probe, 'split')}, '')",
        "pass": _default(probe, "pass", "0", long_cells.whole(_WRITTEN["pass"], "SMALLINT")),
        "sample": _default(probe, "sample", "0", long_cells.whole(_WRITTEN["sample"], "SMALLINT")),
        "failed": _default(probe, "failed", "false", f"TRY_CAST({_WRITTEN['failed']} AS BOOLEAN)"),
    }
    if settings.model is not None:
        values["model"] = literal(settings.model)
        written = [name for name in written if name != "model"]
    text = long_cells.text(probe, "prediction")
    stage_them = partial(_stage_rows, con, probe, settings)
    further = own_columns.of(probe, are_all_own=True)
    if further.own:
        own_columns.stage(con, further, stage_them(), "raw AS r")
        return _long_run(probe, settings, Answers(pass_column="pass", further=further))
    if bulk_predictions.collect(con, written, values, text, long_cells.KEY):
        return _long_run(probe, settings, Answers(pass_column="pass", stage_rows=stage_them))
    stage_them()
    return _long_run(probe, settings, Answers(pass_column="pass"))


_WRITTEN = {name: long_cells.trimmed(name) for name in ("pass", "sample", "failed")}


def _default(probe: Probe, name: str, default: str, value: str) -> str:
    if not probe.has(name):
        return default
    return f"CASE WHEN {_WRITTEN[name]} IS NULL THEN {default} ELSE {value} END"


def _stage_rows(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> dict[str, str]:
    """Stage each prediction, so that whatever is wrong can be named; return its place, as `row_place` does.

    Raises:
        InputError: a key is empty, or a cell is none of what it has to be.
    """
    con.execute("DELETE FROM stage_place")
    place = row_place(con, probe, settings)
    failed = "false"
    if probe.has("failed"):
        written = _WRITTEN["failed"]
        refuse_rows(
            con,
            probe.path,
            f"{written} IS NOT NULL AND TRY_CAST({written} AS BOOLEAN) IS NULL",
            "failed",
            lambda row: f"{row[1]!r} is neither true nor false",
            value=written,
        )
        failed = f"coalesce(TRY_CAST({written} AS BOOLEAN), false)"
    text = long_cells.text(probe, "prediction")
    staged_rows.select(con, "stage_prediction", **place, text=text, failed=failed)
    return place


def row_place(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> dict[str, str]:
    """SQL for model, split, question_key, pass and sample of a long file.

    Raises:
        InputError: neither a column nor a flag names the model.
    """
    if settings.model is not None:
        model = literal(settings.model)
    elif probe.has("model"):
        model = "trim(CAST(model AS VARCHAR))"
        refuse_empty(con, probe.path, model, "model")
    else:
        raise InputError(
            probe.path, "does not name the model; add a column or give --model", field="model"
        )
    return {
        "model": model,
        "split": f"nullif({long_cells.text(probe, 'split')}, '')",
        "question_key": long_cells.key(con, probe),
        "pass_": long_cells.whole_number(con, probe, "pass", "0", "SMALLINT"),
        "sample": long_cells.whole_number(con, probe, "sample", "0", "SMALLINT"),
    }


def _long_run(probe: Probe, settings: Settings, answers: Answers) -> Staged:
    """What a long file's name and folder say of its run."""
    timed = timestamp_label(probe.path)
    name = read_dataset_name(probe.path.stem, tuple(settings.map))
    sources = {"run": "the folder's name" if timed else "the file's name"}
    if probe.has("model"):
        sources["model"] = "the column model"
    if name:
        sources["benchmark"] = "the file's name"
    return Staged(
        dataset=DatasetName(name.benchmark) if name else None,
        inferred=sources,
        answers=replace(
            answers,
            run=timed[0] if timed else probe.path.stem,
            produced_at=timed[1] if timed else None,
            harness="long",
        ),
    )


PREDICTIONS = Adapter(
    name="predictions",
    version=2,
    description="ours: `question_key, prediction`; `model, pass, sample, split, failed`, "
    "anything else is kept with each answer",
    needs=("question_key", "prediction"),
    accepts=lambda probe: not probe.has("label", "score"),
    stage=_stage_predictions,
    place=Place.BARE_ANSWERS,
)


METHODS = ("loglik", "perplexity", "clip")
REDUCTIONS = ("sum", "mean")
SCORED = ("content", "letter")


def _stage_scores(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the scores.

    Raises:
        InputError: the method is not declared, a score is no number that the method gives, or some
            choices of a question have another scorer than the others.
    """
    if settings.method not in METHODS:
        raise InputError(
            probe.path,
            f"how choices were scored is not in the file; give --method {'|'.join(METHODS)}",
        )
    if settings.method == "loglik" and settings.reduction not in REDUCTIONS:
        raise InputError(probe.path, "log-likelihoods need --reduction sum|mean")
    if settings.method == "loglik" and settings.scored not in SCORED:
        raise InputError(probe.path, "log-likelihoods need --scored content|letter")
    place = row_place(con, probe, settings)
    score = long_cells.number(con, probe, "score", infinity=_infinity(probe, settings.method))
    component = f"coalesce(nullif(trim({long_cells.text(probe, 'component')}), ''), 'answer')"
    refuse_rows(
        con,
        probe.path,
        f"{component} NOT IN ('answer', 'text', 'image')",
        "component",
        lambda row: f"{row[1]!r} is neither answer, nor text, nor image",
        value=component,
    )
    n_tokens = long_cells.whole_number(con, probe, "n_tokens", "NULL", "INTEGER")
    staged_rows.select(
        con,
        "stage_score",
        **place,
        component=component,
        label=f"trim({long_cells.text(probe, 'label')})",
        score=score,
        n_tokens=n_tokens,
        scorer=_scorer(probe),
    )
    if probe.has("scorer"):
        refuse_first(
            con,
            probe.path,
            _SQL["questions_of_several_scorers"],
            "scorer",
            lambda row: f"the choices of question {row[1]} are scored by different models",
        )
    scores = Scores(
        pass_column="pass",
        method=settings.method,
        reduction=settings.reduction,
        scored=settings.scored,
    )
    return _long_run(probe, settings, scores)


def _scorer(probe: Probe) -> str:
    return f"nullif(trim({long_cells.text(probe, 'scorer')}), '')"


def _infinity(probe: Probe, method: str) -> str:
    """SQL for the infinity that a row's score may be; NULL: none.

    A likelihood of 0 is a log-likelihood of minus infinity, and a perplexity of infinity.
    """
    worst = {"loglik": "-inf", "perplexity": "inf"}.get(method)
    if worst is None:
        return "NULL"
    return f"CASE WHEN {_scorer(probe)} IS NULL THEN '{worst}'::DOUBLE END"


SCORES = Adapter(
    name="choice_scores",
    version=1,
    description="ours: `question_key, label, score`; `model, pass, sample, split, component, "
    "n_tokens, scorer`; with `--method`, and for `loglik` with `--reduction` and `--scored`",
    needs=("question_key", "label", "score"),
    accepts=lambda probe: True,
    stage=_stage_scores,
    place=Place.BARE_ANSWERS,
)


_ABILITY = "ability_"
_CATEGORY = "category"
_OWN = {"question_key", "question", "pass", "split", "image"}
_CHOICE = _OWN | {"choices", "answer", "components"}
_OPEN = _OWN | {"reference", "references"}
_OF_LIST = {"row": "r.row", "split": "r.split", "question_key": "r.key"}


def _stage_questions(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions, choices, answers or references, and abilities."""
    found = _look_at_truths(con, probe, settings)
    is_open = found.is_open
    key = long_cells.key(con, probe)
    step = long_cells.whole_number(con, probe, "pass", "0", "SMALLINT")
    split = f"nullif({long_cells.text(probe, 'split')}, '')"
    place = f"__row, {split}, {key}"
    answer = f"nullif(trim({long_cells.text(probe, found.truth)}), '')" if not is_open else "NULL"
    text = f"nullif({long_cells.text(probe, 'question')}, '')" if probe.has("question") else "''"
    listed = None
    if found.labels and not is_open:
        listed = str([""] * found.labels)
    elif probe.has("choices"):
        listed = long_cells.text_list(con, probe, "choices")
    has_choices = "false" if is_open else "true" if found.labels else _has_choices(probe, listed)
    staged_rows.select(
        con,
        "stage_question",
        split=split,
        question_key=key,
        pass_=step,
        text=text,
        answer=f"CASE WHEN {has_choices} THEN {answer} END",
        image=f"nullif({long_cells.text(probe, 'image')}, '')",
    )
    _stage_references(con, probe, place, has_choices, answer, lists=found.lists)
    if listed is not None:
        stage_choices(con, place, step, listed)
    else:
        for ordinal, column in enumerate([] if is_open else probe.choice_columns):
            staged_rows.select(
                con,
                "stage_choice",
                f"raw WHERE {quoted(column)} IS NOT NULL",
                split=split,
                question_key=key,
                pass_=step,
                label=literal(column),
                ordinal=str(ordinal),
                text=cells.text(column),
            )
    if probe.has("components") and not is_open:
        _stage_components(con, probe, place)
    abilities = [name for name in probe.columns if name.startswith(_ABILITY)]
    notes = found.notes
    if not abilities and are_abilities(con, probe, settings, _CATEGORY):
        abilities = [_CATEGORY]
        notes += ("the column category is read as abilities; --column category=note leaves it",)
    levels = [
        (
            (str(depth), literal(column.removeprefix(_ABILITY)), literal(column)),
            f"trim({cells.text(column)})",
        )
        for depth, column in enumerate(abilities)
    ]
    cells.stage(con, "stage_ability", place, "raw", levels)
    meant = {*abilities, *(_OPEN if is_open else {*_CHOICE, *probe.choice_columns}), found.truth}
    others = {name: cells.text(name) for name in probe.columns if name not in meant}
    # Of a question with choices what is called its reference says nothing more than its answer.
    given = [name for name in others if name in ("reference", "references")]
    unread = {name: others.pop(name) for name in given}
    cells.attributes(con, place, "raw", others)
    cells.attributes(con, place, f"raw WHERE {has_choices}", unread)
    name = read_dataset_name(probe.path.stem, tuple(settings.map))
    sources = dict.fromkeys(("benchmark", "version", "split", "language"), "the file's name")
    label = found.truth if found.labels else "choices" if probe.has("choices") else "A"
    return Staged(
        dataset=name,
        inferred=sources if name else {},
        questions=Questions(
            label=label,
            answer=found.truth,
            reference="references" if probe.has("references") else "reference",
            pass_column="pass",
            task="open" if is_open else "choice",
            by_id_alone=found.labels > 0,
            labels=_written_as(found.labels),
        ),
        new_benchmark=_benchmark_of_truths(con, probe, settings) if is_open else None,
        notes=notes,
    )


def _means(probe: Probe, column: str) -> bool:
    """Whether a column says something of a question."""
    return (
        column in _CHOICE | _OPEN
        or column in probe.choice_columns
        or column.startswith(_ABILITY)
        or column == _CATEGORY
    )


def stage_choices(con: duckdb.DuckDBPyConnection, place: str, step: str, texts: str) -> None:
    """Stage a list of texts as choices A, B, C …

    What has no label any more is refused with the number of choices, not for its label.

    Args:
        place: SQL for row, split and question_key.
        step: SQL for the pass.
        texts: SQL for the list.
    """
    staged_rows.select(
        con,
        "stage_choice",
        f"{_listed(place, step, texts)} WHERE r.texts[n.place] IS NOT NULL",
        **_OF_LIST,
        pass_="r.step",
        label="chr(64 + least(n.place, 99)::INTEGER)",
        ordinal="n.place - 1",
        text="r.texts[n.place]",
    )


def _listed(place: str, step: str, texts: str) -> str:
    """What stands after FROM for each text of a list and its place.

    None of the file's other columns is there, whose names may be these.
    """
    return _SQL["listed"].format(place=place, step=step, texts=texts)


def _stage_components(con: duckdb.DuckDBPyConnection, probe: Probe, place: str) -> None:
    """Stage what answers consist of.

    Raises:
        InputError: something else than text and image.
    """
    listed = long_cells.text_list(con, probe, "components")
    refuse_rows(
        con,
        probe.path,
        f"NOT list_has_all(['text', 'image'], {listed})",
        "components",
        lambda row: f"{row[1]!r}: an answer consists of text and image, or has no components",
        value=listed,
    )
    staged_rows.select(
        con,
        "stage_component",
        _listed(place, "0", f"list_distinct({listed})"),
        **_OF_LIST,
        field="'components'",
        component="r.texts[n.place]",
    )


def _has_choices(probe: Probe, listed: str | None) -> str:
    """SQL: whether a row has choices, in columns or in a list of texts."""
    if listed is not None:
        return f"coalesce(len(list_filter({listed}, lambda t: t IS NOT NULL)), 0) > 0"
    return f"coalesce({', '.join(cells.text(name) for name in probe.choice_columns)}) IS NOT NULL"


def _stage_references(
    con: duckdb.DuckDBPyConnection,
    probe: Probe,
    place: str,
    has_choices: str,
    answer: str,
    *,
    lists: bool,
) -> None:
    """Stage the references of the questions without choices; without any, the answer is one.

    Args:
        lists: a cell of the column `reference` may be a list, whose texts `stage_listed_reference` has.
    """
    written = long_cells.text(probe, "reference")
    texts = f"[{written}]"
    if probe.has("references"):
        texts = long_cells.text_list(con, probe, "references")
    elif lists:
        texts = _SQL["listed_or_alone"].format(written=written)
    are_some = f"len(list_filter({texts}, lambda t: nullif(trim(t), '') IS NOT NULL)) > 0"
    given = f"CASE WHEN {has_choices} THEN [] WHEN {are_some} THEN {texts} ELSE [{answer}] END"
    staged_rows.select(
        con,
        "stage_reference",
        f"{_listed(place, '0', given)} WHERE nullif(trim(r.texts[n.place]), '') IS NOT NULL",
        **_OF_LIST,
        ordinal="n.place - 1",
        text="r.texts[n.place]",
    )


QUESTIONS = Adapter(
    name="questions",
    version=2,
    description="ours: `question_key, question`, choices as `A, B, …` or as a list in `choices`, "
    "or for questions that are answered in words `reference` or a list in "
    "`references`; `answer, pass, split, image, components, ability_<level>…` or `category`, anything else is kept",
    needs=("question_key", "question"),
    accepts=lambda probe: probe.has_any("choices", "A", "references", "reference"),
    stage=_stage_questions,
    place=Place.QUESTIONS,
)


_FEWEST_LABELS = 4


@dataclass(frozen=True)
class _Truths:
    """What is right in a file's questions.

    Attributes:
        is_open: they are answered in words.
        truth: the column that has it.
        labels: how many choices they have where the file names none and what is right are letters.
        lists: cells of the column `reference` may be lists, which `stage_listed_reference` has.
        notes: what there is to say about it.
    """

    is_open: bool
    truth: str = "answer"
    labels: int = 0
    lists: bool = False
    notes: tuple[str, ...] = ()


def _look_at_truths(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> _Truths:
    """Find out what is right in the questions in `raw`.

    A file in our own names says it outright. Where its names are others, or answers stand next to
    what is right, references that are single capital letters are those of choices.
    """
    if not probe.has_any("reference", "references") or probe.has_any("choices", "A"):
        return _Truths(is_open=False)
    if probe.called is None or probe.has("references"):
        return _Truths(is_open=True, truth="reference")
    written = long_cells.text(probe, "reference")
    ((n, n_letters, last),) = con.execute(_SQL["look_at_letters"].format(cell=written)).fetchall()
    if n and n == n_letters and _task(con, probe, settings) != "open":
        labels = max(_FEWEST_LABELS, ord(last) - ord("A") + 1)
        note = f"no choices stand in the file: {_written_as(labels)} are taken, without their texts"
        # Of questions without a text, the same is said when they are stored.
        notes = (note,) if probe.has("question") else ()
        return _Truths(is_open=False, truth="reference", labels=labels, notes=notes)
    python_lists.stage(
        con,
        "stage_listed_reference",
        f"SELECT {written} FROM raw WHERE starts_with(ltrim({written}), '[')",
    )
    return _Truths(is_open=True, truth="reference", lists=True)


def _written_as(labels: int) -> str:
    """So many labels, in words."""
    return f"A to {chr(ord('A') + labels - 1)}"


def _benchmark_of_truths(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings
) -> Benchmark | None:
    """The benchmark that a first file's staged references make; None: it is known, or has no rule."""
    name = settings.benchmark
    if name is None or probe.called is None or known_benchmarks.find(name) is not None:
        return None
    if con.execute(_SQL["benchmark"], {"name": name}).fetchall():
        return None
    return new_benchmarks.of_references(con, probe.path, name)


def are_abilities(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, column: str
) -> bool:
    """Whether a column's values are abilities of a benchmark that declares none in another way."""
    if not probe.has(column):
        return False
    name = _named_benchmark(con, probe, settings)
    known = known_benchmarks.find(name) if name else None
    if known is not None and (known.levels or known.abilities):
        # Its levels say which columns they are of.
        return False
    levels = con.execute(_SQL["levels"], {"name": name}).fetchall()
    if levels and (column,) not in levels:
        return False
    return new_benchmarks.may_be_level(con, cells.text(column), fewest=1)


def _named_benchmark(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings
) -> str | None:
    """The benchmark that the file is of, as far as that is known before it is looked for."""
    if settings.benchmark is not None:
        return settings.benchmark
    named = read_dataset_name(probe.path.stem, tuple(settings.map))
    if named is not None:
        return named.benchmark
    there = con.execute("SELECT name FROM main.benchmark").fetchall()
    return str(there[0][0]) if len(there) == 1 else None


def _task(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> str | None:
    """The task of the benchmark that the file is of; None: its first questions decide."""
    name = _named_benchmark(con, probe, settings)
    known = known_benchmarks.find(name) if name else None
    if known is not None:
        return known.task
    rows = con.execute(_SQL["task"], {"name": name}).fetchall()
    return str(rows[0][0]) if rows else None


_OF_ANSWERS = {"prediction", "model", "sample", "failed"}
_PLACE = {"question_key", "pass", "split"}


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the answers, and the questions by the first row of each.

    Raises:
        InputError: rows of the same question say different things of it.
    """
    place = _stage_rows(con, probe, settings)
    of_question = tuple(name for name in probe.columns if _means(probe, name))
    others = {
        name: cells.text(name)
        for name in probe.columns
        if name not in of_question and name not in _OF_ANSWERS
    }
    answer = ("model", "split", "question_key", "pass_", "sample")
    where = ", ".join(("__row", *(place[name] for name in answer)))
    named = [((literal(name),), cell) for name, cell in others.items()]
    cells.stage(con, "stage_answer_attribute", where, "raw", named)
    # What it is called says that it is no question file in our own names.
    bare = replace(probe, columns=of_question, called=probe.called or probe.columns)
    notes = _keep_one_row_each(con, probe, settings, place, of_question)
    questions = _stage_questions(con, bare, settings)
    ((n_hidden,),) = con.execute(_SQL["count_hidden"]).fetchall()
    if n_hidden:
        what = counted(n_hidden, "question", "questions")
        notes += (f"of {what} the file does not say what is right: hidden, and not scored",)
    answers = _long_run(probe, settings, Answers(pass_column="pass"))
    return replace(
        answers,
        questions=questions.questions and replace(questions.questions, may_be_hidden=True),
        new_benchmark=questions.new_benchmark,
        notes=(*notes, *questions.notes),
    )


_ONE_COUNTS = "--on-duplicate first or last says which one counts"
_TWO_QUESTIONS = "each question takes an id of its own"


def _keep_one_row_each(
    con: duckdb.DuckDBPyConnection,
    probe: Probe,
    settings: Settings,
    place: dict[str, str],
    of_question: tuple[str, ...],
) -> tuple[str, ...]:
    """Leave one row of each question and pass in `raw`; a note where others say otherwise of it."""
    con.execute("ALTER VIEW raw RENAME TO raw_answer")
    said = [name for name in of_question if name not in _PLACE]
    texts = ", ".join(f"coalesce({cells.text(name)}, '')" for name in said)
    kept = "max" if settings.on_duplicate == "last" else "min"
    con.execute(_SQL["say_of_questions"].format(**place, said=f"[{texts}]", kept=kept))
    con.execute(_SQL["find_said_otherwise"])
    if settings.on_duplicate == "error":
        refuse_first(
            con,
            probe.path,
            _SQL["first_said_otherwise"],
            None,
            lambda row: (
                f"is not what row {row[3]} says of question {row[2]}; "
                + (_TWO_QUESTIONS if row[1] == "question" else _ONE_COUNTS)
            ),
            {"names": said},
        )
    con.execute(_SQL["keep_one_row_each"])
    ((n,),) = con.execute(_SQL["count_said_otherwise"]).fetchall()
    if not n:
        return ()
    return (
        f"{counted(n, 'question is', 'questions are')} not the same in all rows; the "
        f"{settings.on_duplicate} of each counts",
    )


def _accepts(probe: Probe) -> bool:
    if probe.has("label", "score"):
        return False
    has_choices = probe.has_any("choices", "A")
    return probe.has_any("reference", "references") or (has_choices and probe.has("answer"))


ADAPTER = Adapter(
    name="questions_and_predictions",
    version=1,
    description="ours in one table: `question_key, prediction`, and what is right in `answer` (with `A, B, "
    "…` or `choices`) or `reference`, `references`; `question, model` and what else the two have",
    needs=("question_key", "prediction"),
    accepts=_accepts,
    stage=stage,
)
