"""MME's official results, a file a category in the folder of a model: `MODEL/OCR.txt`.

Questions, right answers and answers stand in one file, without header; a template without answers
(`Your_Results`) holds questions alone. The files of a model make one run. LLaVA's script names text
files in place of images, and leaves out what MME's release does not have, so that its questions are a
dataset of their own, as they have a figure of their own.
"""

from __future__ import annotations

import duckdb

from ingest import staged_rows, yes_no_keys
from ingest.adapter import Adapter, Place
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.names import DatasetName
from ingest.official import mme_lines
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError

_TEMPLATE = "Your_Results"


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions of a category, and the answers where there are some.

    Raises:
        InputError: the file's name is no category, nothing names the model, or a line is broken.
    """
    path = probe.path
    category = yes_no_keys.category_of(path.stem)
    if category is None:
        raise InputError(
            path,
            "its lines are MME's, and its name is none of MME's categories: "
            + ", ".join(yes_no_keys.MME_CATEGORIES),
        )
    lines = mme_lines.read(path, probe.columns)
    _stage_questions(con, category, lines)
    is_llavas = all(line.image.lower().endswith(".txt") for line in lines)
    dataset = DatasetName(yes_no_keys.MME, "llava" if is_llavas else "official")
    questions = Questions(
        key="question",
        reference="truth",
        task="open",
        samples=True,
        has_own_keys=True,
        part=(yes_no_keys.MME_CATEGORIES.index(category), len(yes_no_keys.MME_CATEGORIES)),
    )
    inferred = dict.fromkeys(("benchmark", "version"), "the format")
    if not probe.has("said"):
        return Staged(dataset=dataset, questions=questions, inferred=inferred, n_rows=len(lines))
    folder = path.absolute().parent.name
    model = settings.model or folder
    if model in ("", _TEMPLATE):
        raise InputError(path, "its folder does not name the model; give it with --model")
    staged_rows.add(
        con,
        "stage_prediction",
        [
            (
                line.row,
                model,
                None,
                yes_no_keys.key_of(category, line.image, line.question),
                0,
                0,
                line.answer,
                False,
            )
            for line in lines
        ],
    )
    return Staged(
        dataset=dataset,
        questions=questions,
        answers=Answers(
            key="question", prediction="answer", model=model, run=folder or model, harness="mme"
        ),
        is_part=True,
        n_rows=len(lines),
        inferred=inferred | {"model": "the folder's name", "run": "the folder's name"},
    )


def _stage_questions(
    con: duckdb.DuckDBPyConnection, category: str, lines: list[mme_lines.Line]
) -> None:
    keyed = [(line, yes_no_keys.key_of(category, line.image, line.question)) for line in lines]
    staged_rows.add(
        con,
        "stage_question",
        [(line.row, None, key, 0, line.question, None, None) for line, key in keyed],
    )
    staged_rows.add(
        con, "stage_reference", [(line.row, None, key, 0, line.truth) for line, key in keyed]
    )
    staged_rows.add(
        con,
        "stage_attribute",
        [
            (line.row, None, key, "image_path", yes_no_keys.image_of(category, line.image))
            for line, key in keyed
        ],
    )
    staged_rows.add(
        con,
        "stage_ability",
        [(line.row, None, key, 0, "category", "category", category) for line, key in keyed],
    )


ADAPTER = Adapter(
    name="mme_results",
    version=1,
    description="MME's official results, `{model}/{category}.txt` without header: image, question, "
    "truth and answer with tabs between; without answers, its questions",
    needs=mme_lines.COLUMNS,
    accepts=lambda probe: probe.kind == mme_lines.KIND,
    stage=stage,
    place=lambda probe: Place.ANSWERS if probe.has("said") else Place.QUESTIONS,
    reads_itself=True,
)
