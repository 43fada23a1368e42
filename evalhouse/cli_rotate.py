"""`evalhouse rotate`: the passes of CircularEval, for inference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_shared import Output, check_format, deliver_frame
from evalhouse.printing import note
from ingest import rotating
from queries import render
from warehouse.wording import counted

_FORMATS = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
}


def rotate(
    file: Annotated[
        Path, typer.Argument(help="Questions with question_key, choices in A, B, …, and answer.")
    ],
    output: Output = None,
) -> None:
    """Write each question once for each of its choices, which move on by one: CircularEval's passes.

    Put the prompts to a model, and give `ingest` its answers with question_key and pass. The file
    that is written is the benchmark's question file for `ingest`. It is CSV, or what -o ends in
    (.jsonl, .json, .parquet, .xlsx).
    """
    format = "csv" if output is None else _FORMATS.get(output.suffix.lower(), "csv")
    check_format(format, render.FRAME_FORMATS, output)
    frame = rotating.passes(file)
    deliver_frame(frame, format, output)
    n = frame["question_key"].n_unique()
    note(f"{counted(n, 'question')}, {counted(frame.height, 'pass', 'passes')}")
