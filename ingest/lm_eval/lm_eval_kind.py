"""What lm-evaluation-harness's samples are known by, from their first line alone.

The adapter reads the lines itself, so that a large file need not be looked through for its keys.
"""

from __future__ import annotations

import json

from ingest.reading import json_map

NEEDS = ("doc_id", "doc", "target", "arguments", "filtered_resps", "filter")


def columns(line: str) -> tuple[str, ...] | None:
    """The keys of a sample; None: the line is none."""
    try:
        found = json.loads(line, object_pairs_hook=json_map.pairs)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or isinstance(found, json_map.Repeated):
        return None
    return tuple(found) if set(NEEDS) <= found.keys() else None
