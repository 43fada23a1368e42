"""What else lies in VLMEvalKit's work dirs: its own figures, unfinished answers, status and logs.

A name alone is not believed where a file of answers could have it: the first line decides.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

_FIGURES = re.compile(
    r"_(acc|acc_all|score|score_fine|rating|metrics|detailed_metrics)\.(csv|tsv|json)$"
)
_UNFINISHED = re.compile(r"_(checkpoint|PREV|structs|supp|tmp)\.pkl$|^\d{2,}_.+\.pkl$")
_LOG = re.compile(r"^T\d{8}[-_]\w+\.log$")
_HEAD = 4096
# A row per question has one of these.
_ROWS = {"index", "question_id", "question_key", "question", "prediction", "log"}


def is_sidecar(path: Path) -> str | None:
    """What a file of a work dir is that holds no answers; None: it may hold some."""
    name = path.name
    if _UNFINISHED.search(name):
        return "answers of a VLMEvalKit run while it goes on; {model}_{dataset} holds them when it is done"
    if _LOG.match(name) or name == "status.json.lock":
        return "VLMEvalKit's own log"
    if name == "status.json":
        head = _head(path)
        return "VLMEvalKit's status of a run" if '"eval_id"' in head or not head else None
    if _FIGURES.search(name) and _is_of_figures(path):
        return "VLMEvalKit's figures, which the views compute from the answers"
    return None


def _is_of_figures(path: Path) -> bool:
    head = _head(path).lstrip()
    if path.suffix == ".json":
        return bool(head) and not any(f'"{name}"' in head for name in _ROWS)
    line = head.splitlines()[0] if head else ""
    delimiter = "\t" if path.suffix == ".tsv" else ","
    header = {cell.strip().lower() for cell in next(csv.reader([line], delimiter=delimiter), [])}
    return bool(header & {"overall", "category", "split", "task"}) and not header & _ROWS


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8-sig", errors="replace")
    except OSError:
        return ""
