"""What models that graded said in an Inspect log, as judgments; and who these judges are.

A judge is the model with the scorer that called it and the scorer's options: other instructions
make another judge. Of a panel each member is one. The harness's own reading of a reply, or what the
panel came to, is kept in the judgment's log.
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
    _name_voters(con, spec)
    graders = con.execute(_SQL["graders"]).fetchall()
    names = [judge for _, judge, _ in graders]
    for scorer, judge, is_lettered in graders:
        options = options_of(spec, scorer)
        grader = options.pop("model", None)
        if isinstance(grader, list):
            # How a panel is summed up says nothing of its members.
            options.pop("reducer", None)
            grader = next((one for one in grader if _model(one) == judge), None)
        sampling = (
            grader.get("config")
            if isinstance(grader, dict) and grader.get("model") == judge
            else {}
        )
        con.execute(
            _SQL["add_judge"],
            {
                "judge": judge if names.count(judge) == 1 else f"{judge} {scorer}",
                "model": judge,
                "scorer": scorer,
                "task": "letter_grade" if is_lettered else "soft_score",
                "template": template(scorer, options),
                "sampling": json.dumps(sampling if isinstance(sampling, dict) else {}, sort_keys=True),
                "kind": "import",
            },
        )  # fmt: skip
    if graders:
        con.execute(_SQL["find_gradings"])
        con.execute(_SQL["stage_judgments"], {"model": model})
        con.execute(_SQL["stage_prompts"])
    return len(graders)


def _name_voters(con: duckdb.DuckDBPyConnection, spec: dict[str, Any]) -> None:
    """Name the members of panels of which the log has the votes alone, by the scorer's options.

    The member whose reply stands with the score is there already.
    """
    for scorer, place in con.execute(_SQL["unnamed_voters"]).fetchall():
        listed = options_of(spec, scorer).get("model")
        known = listed if isinstance(listed, list) else []
        name = _model(known[place]) if place < len(known) else None
        con.execute(
            _SQL["name_voter"],
            {"scorer": scorer, "place": place, "judge": name or f"{scorer} grader {place + 1}"},
        )
    con.execute(_SQL["drop_votes_with_replies"])


def _model(grader: object) -> str | None:
    name = grader.get("model") if isinstance(grader, dict) else grader
    return name if isinstance(name, str) else None


def options_of(spec: dict[str, Any], scorer: str) -> dict[str, Any]:
    """What a scorer was given, as the header says."""
    listed = spec.get("scorers")
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, dict) and str(one.get("name")).rpartition("/")[2] == scorer:
            options = one.get("options")
            return dict(options) if isinstance(options, dict) else {}
    return {}


def template(scorer: str, options: dict[str, Any]) -> str:
    """A name for a grader's prompt: equal options, equal name."""
    if not options:
        return f"inspect {scorer}"
    written = json.dumps(options, sort_keys=True, ensure_ascii=False)
    short = written if len(written) <= 100 else sha256(written.encode()).hexdigest()[:12]
    return f"inspect {scorer} {short}"
