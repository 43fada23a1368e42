"""What else lies in VLMEvalKit's work dirs: unfinished answers, status, logs, some of its figures.

A name alone is not believed where a file of answers could have it: the first line decides.
"""

from __future__ import annotations

import re
from pathlib import Path

from ingest.reading.probe import Probe
from ingest.vlmevalkit import figure_rows, vlmevalkit_shard, vlmevalkit_stated

_UNFINISHED = re.compile(r"_(checkpoint|PREV|structs|supp|tmp)\.pkl$")
_LOG = re.compile(r"^T\d{8}[-_]\w+\.log$")
# MMBench-Video keeps what its judge said under a name that is otherwise of unfinished answers.
_POINTS = re.compile(r"_MMBench-Video_.+_tmp\.pkl$")
# What verdicts have besides the columns of the predictions.
_VERDICTS = {
    (
        "extracted",
        "score",
    ): "VLMEvalKit's yes or no of each answer (_auxmatch), which the views compute",
    (
        "eval_gt",
        "eval_match",
    ): "VLMEvalKit's matches of each answer (_results), which the views compute",
    (
        "extract",
        "log_extract",
    ): "what a judge of VLMEvalKit's took out of each answer, which is read from the pickle",
    (
        "res",
        "log",
    ): "what a judge of VLMEvalKit's took out of each answer, which is read from the pickle",
}


def is_sidecar(path: Path) -> str | None:
    """What a file of a work dir is that holds nothing to read; None: it may hold something."""
    name = path.name
    if vlmevalkit_stated.words_next_to(path):
        return (
            "words that VLMEvalKit read in a judge's replies, which _auxmatch has with its verdicts"
        )
    if _UNFINISHED.search(name) and not _POINTS.search(name):
        return "answers of a VLMEvalKit run while it goes on; {model}_{dataset} holds them when it is done"
    if vlmevalkit_shard.is_named(path):
        return _of_shard(path)
    if _LOG.match(name) or name == f"{figure_rows.STATUS}.lock":
        return "VLMEvalKit's own log"
    if name == figure_rows.STATUS:
        head = figure_rows.head(path)
        return "VLMEvalKit's status of a run" if '"eval_id"' in head or not head else None
    ending = figure_rows.ending(path)
    if ending is None or not figure_rows.holds_figures(path):
        return None
    if ending not in figure_rows.READ:
        return "VLMEvalKit's figures, which the views compute from the answers"
    if figure_rows.read(path) is None:
        return "VLMEvalKit's figures, of no model and dataset that the name and the files next to it say"
    return None


def _of_shard(path: Path) -> str | None:
    if vlmevalkit_shard.of(path) is None:
        return (
            "answers of one process of a VLMEvalKit run, which the file of the whole run holds too"
        )
    if not vlmevalkit_shard.holds_answers(path):
        return "no texts, in a file named as one process of a VLMEvalKit run names its answers"
    return None


def is_verdicts(probe: Probe) -> str | None:
    """What a file of verdicts is that are not read, by its columns; None: it is none.

    They hold the predictions too, and would be read as those.
    """
    if not probe.has("index", "prediction") or probe.has_any("hit", "gpt4_score"):
        return None
    if vlmevalkit_stated.read(probe) is not None:
        return None
    columns = next((one for one in _VERDICTS if probe.has(*one)), None)
    if columns is not None:
        return _VERDICTS[columns]
    if probe.has("score") and not probe.has("log") and probe.path.stem.endswith("_score"):
        return "VLMEvalKit's scores of single answers, which the views compute"
    return None
