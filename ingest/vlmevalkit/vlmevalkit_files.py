"""What else lies in VLMEvalKit's work dirs: unfinished answers, status, logs, some of its figures.

A name alone is not believed where a file of answers could have it: the first line decides.
"""

from __future__ import annotations

import re
from pathlib import Path

from ingest.vlmevalkit import figure_names, figure_rows

_UNFINISHED = re.compile(r"_(checkpoint|PREV|structs|supp|tmp)\.pkl$|^\d{2,}_.+\.pkl$")
_LOG = re.compile(r"^T\d{8}[-_]\w+\.log$")


def is_sidecar(path: Path) -> str | None:
    """What a file of a work dir is that holds nothing to read; None: it may hold something."""
    name = path.name
    if _UNFINISHED.search(name):
        return "answers of a VLMEvalKit run while it goes on; {model}_{dataset} holds them when it is done"
    if _LOG.match(name) or name == f"{figure_names.STATUS}.lock":
        return "VLMEvalKit's own log"
    if name == figure_names.STATUS:
        head = figure_rows.head(path)
        return "VLMEvalKit's status of a run" if '"eval_id"' in head or not head else None
    ending = figure_names.ending(path)
    if ending is None or not figure_rows.holds_figures(path):
        return None
    if ending not in figure_names.READ:
        return "VLMEvalKit's figures, which the views compute from the answers"
    if figure_names.read(path) is None:
        return "VLMEvalKit's figures, of no model and dataset that the name and the files next to it say"
    return None
