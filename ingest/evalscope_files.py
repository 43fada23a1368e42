"""evalscope's files, which are not read yet: known by what they hold, or by where they lie.

{work dir}/predictions/{model}/{dataset}_{subset}.jsonl   answers
{work dir}/reviews/{model}/…                              the same with verdicts
{work dir}/reports/{model}/{dataset}.json, report.html    figures
{work dir}/configs/task_config….yaml, logs/…, progress.json
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ingest.reading.limits import MAX_DOCUMENT_BYTES
from ingest.reading.lines import text_lines, whole_text
from warehouse.errors import InputError

_OF_RECORDS = (
    ({"index"}, "model_output", dict),
    ({"index"}, "sample_score", dict),
    # Of versions before 1.0.
    ({"index", "model_spec"}, "choices", list),
    ({"index", "reviewer_spec"}, "choices", list),
    ({"index", "answer_id", "raw_input"}, "choices", list),
)
"""Keys of a record of predictions or reviews, and one more with what it holds."""
_OF_REPORT = {"dataset_name", "model_name", "metrics"}
_FOLDERS = ("predictions", "reviews", "reports", "configs", "logs")
_CONFIG = "task_config"


def is_sidecar(path: Path) -> str | None:
    """What a file of evalscope's is; None: it is none."""
    if _lies_in_work_dir(path) or _holds(path):
        return "evalscope's files are not read yet"
    return None


def _holds(path: Path) -> bool:
    """Whether it holds what evalscope writes."""
    try:
        if path.suffix == ".jsonl":
            line = next((line for line in text_lines(path) if line.strip()), "")
            first = _object(line) if '"index"' in line else {}
            return any(
                keys <= first.keys() and isinstance(first.get(name), kind)
                for keys, name, kind in _OF_RECORDS
            )
        if path.suffix == ".json" and path.stat().st_size <= MAX_DOCUMENT_BYTES:
            with path.open("rb") as file:
                if b'"dataset_name"' not in file.read(4096):
                    return False
            return _object(whole_text(path)).keys() >= _OF_REPORT
    except (InputError, OSError):
        # Reading it says what is wrong.
        return False
    return False


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _lies_in_work_dir(path: Path) -> bool:
    """Whether a folder above is one of evalscope's, with the settings of its run next to it."""
    above = path.absolute().parents[:3]
    tops = [folder.parent for folder in above if folder.name in _FOLDERS]
    tops += above[:1] if path.name == "progress.json" else []
    return any(_is_work_dir(top) for top in tops)


def _is_work_dir(top: Path) -> bool:
    configs = top / "configs"
    try:
        return (
            configs.is_dir()
            and any(one.name.startswith(_CONFIG) for one in configs.iterdir())
            and any((top / name).is_dir() for name in ("predictions", "reviews", "reports"))
        )
    except OSError:
        return False
