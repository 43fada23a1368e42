"""What models that graded said in an Inspect log, as judgments; and who these judges are.

A judge is the model with the scorer that called it and the scorer's options: other instructions
make another judge. The harness's own reading of a reply is kept in the judgment's log.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import duckdb

from warehouse import statements

_SQL = statements.of_module(__file__)


def stage(con: duckdb.DuckDBPyConnection, spec: dict[str, Any], model: str) -> int:
    """Stage what graders said, and who they are; return how many there are."""
    graders = con.execute(_SQL["graders"]).fetchall()
    names = [judge for _, judge, _ in graders]
    for scorer, judge, is_lettered in graders:
        options = _options(spec, scorer)
        grader = options.pop("model", None)
        sampling = grader.get("config") if isinstance(grader, dict) and grader.get("model") == judge else {}  # fmt: skip
        con.execute(
            "INSERT INTO stage_judge VALUES (?, ?, ?, ?, ?, ?)",
            [
                judge if names.count(judge) == 1 else f"{judge} {scorer}",
                judge,
                scorer,
                "letter_grade" if is_lettered else "soft_score",
                _template(scorer, options),
                json.dumps(sampling if isinstance(sampling, dict) else {}, sort_keys=True),
            ],
        )
    if graders:
        con.execute(_SQL["find_gradings"])
        con.execute(_SQL["stage_judgments"], {"model": model})
        con.execute(_SQL["stage_prompts"])
    # The texts are held once.
    con.execute("DROP TABLE stage_said")
    return len(graders)


def _options(spec: dict[str, Any], scorer: str) -> dict[str, Any]:
    """What a scorer was given, as the header says."""
    listed = spec.get("scorers")
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, dict) and str(one.get("name")).rpartition("/")[2] == scorer:
            options = one.get("options")
            return dict(options) if isinstance(options, dict) else {}
    return {}


def _template(scorer: str, options: dict[str, Any]) -> str:
    """A name for a grader's prompt: equal options, equal name."""
    if not options:
        return f"inspect {scorer}"
    written = json.dumps(options, sort_keys=True, ensure_ascii=False)
    short = written if len(written) <= 100 else sha256(written.encode()).hexdigest()[:12]
    return f"inspect {scorer} {short}"
