"""Questions, what is right and answers in one table of one's own: one row per answer.

    question_key, prediction    and model, pass, sample, split, failed, as predictions have them
    answer                      the right label, of questions with choices (A, B … or a list in choices)
    reference, references       what is right, of questions that are answered in words
    question, image, ability_*  what question files have besides; a table may have no text of its questions

Several models may answer the same questions, whose rows then have to say the same of them. Any other
column is of the answer.
"""

from __future__ import annotations

from dataclasses import replace

import duckdb

from ingest import cells
from ingest.adapter import Adapter
from ingest.checks import refuse_first
from ingest.facts.run_facts import Answers
from ingest.plain import long_predictions, long_questions
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import statements
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_OF_ANSWERS = {"prediction", "model", "sample", "failed"}
_PLACE = {"question_key", "pass", "split"}


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the answers, and the questions by the first row of each.

    Raises:
        InputError: rows of the same question say different things of it.
    """
    place = long_predictions.stage_rows(con, probe, settings)
    of_question = tuple(name for name in probe.columns if long_questions.means(probe, name))
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
    questions = long_questions.stage(con, bare, settings)
    ((n_hidden,),) = con.execute(_SQL["count_hidden"]).fetchall()
    if n_hidden:
        what = counted(n_hidden, "question", "questions")
        notes += (f"of {what} the file does not say what is right: hidden, and not scored",)
    answers = long_predictions.long_run(probe, settings, Answers(pass_column="pass"))
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
