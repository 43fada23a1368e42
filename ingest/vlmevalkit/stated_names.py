"""Which of VLMEvalKit's files state verdicts of a judge without its replies, and which judge's.

    {model}_{dataset}_auxmatch.xlsx     yes or no: `extracted` and `score` of every answer
    {model}_{dataset}_tmp.pkl           {index: word}: those of them that were the judge's
    {model}_{dataset}_score.xlsx        choices: `score` of every answer (MVBench, Video-MME)

Their names do not have the judge; `status.json` next to them has. Where rules alone matched, the
views compute what they hold.
"""

from __future__ import annotations

from pathlib import Path

from ingest.names import read_dataset_name
from ingest.reading.probe import Probe
from ingest.vlmevalkit import figure_names
from ingest.vlmevalkit.figure_names import FigureName
from warehouse import known_benchmarks

RULES = "exact_matching"
"""What stands in the judge's place of a run that no judge had a part in."""

WORDS = "auxmatch"
HITS = "score"
_TABLES = (".xlsx", ".tsv", ".csv")


def is_one(probe: Probe) -> bool:
    """Whether a file has the columns and the name of such verdicts."""
    if not probe.has("index", "prediction", "score") or probe.has_any("hit", "log"):
        return False
    return probe.path.stem.endswith(f"_{_ending(probe)}")


def read(
    probe: Probe, model: str | None = None, judge: str | None = None, known: tuple[str, ...] = ()
) -> FigureName | None:
    """What a file's name and place say; None: it states no verdicts of a judge.

    Args:
        model: what the user said; None: nothing.
        judge: the same.
        known: names of benchmarks in addition to those with a folder.
    """
    if not is_one(probe):
        return None
    name = figure_names.of_ending(probe.path, _ending(probe), model, known)
    if name is None or (judge or name.judge) in (None, RULES):
        return None
    if probe.has("extracted"):
        return name
    # Elsewhere a score is a judge's grade, and not right or wrong.
    its_name = read_dataset_name(name.dataset, known)
    benchmark = known_benchmarks.find(its_name.benchmark) if its_name else None
    return name if benchmark is not None and benchmark.task == "choice" else None


def words_of(path: Path) -> Path | None:
    """The file with the judge's words next to a file of verdicts; None: it is not there."""
    words = path.with_name(path.stem.removesuffix(f"_{WORDS}") + "_tmp.pkl")
    return words if words.is_file() else None


def words_next_to(path: Path) -> bool:
    """Whether a file is one of a judge's words with the file of verdicts next to it."""
    if not path.name.endswith("_tmp.pkl"):
        return False
    stem = path.name.removesuffix("_tmp.pkl")
    return any(path.with_name(f"{stem}_{WORDS}{kind}").is_file() for kind in _TABLES)


def _ending(probe: Probe) -> str:
    return WORDS if probe.has("extracted") else HITS
