"""VLMEvalKit's judge cache, `{model}_{dataset}_{judge}_result.pkl`: `{index: {hit or score, log}}`.

The names are those of result files, and MM-Vet's lacks `_result`. Texts are in some logs only, so
the table next to the pickle says which predictions are meant; where there is none, and nothing in
the logs is one of the run's, nothing says that they are. The pickle is read as data, see
`safe_pickle`; the same as a JSON object is read too.
"""

from __future__ import annotations

from dataclasses import replace

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import no_whole_number, refuse_rows
from ingest.indexed_rows import PASS_STEP
from ingest.plain.long_cells import whole
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import judged_tables, vlmevalkit_logs, vlmevalkit_verdicts
from ingest.vlmevalkit.judged_tables import Judged
from warehouse import statements
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the logs.

    Raises:
        InputError: a key that is no index, a score out of range, or a name that does not say
            enough.
    """
    if probe.has("score"):
        staged_rows.select(con, "stage_log", question_key="trim(key)", log="log", score="score")
    else:
        number = whole("key", "INTEGER")
        wrong = f"{number} IS NULL"
        refuse_rows(con, probe.path, wrong, "key", no_whole_number, value="key")
        staged_rows.select(
            con,
            "stage_log",
            question_key=f"CAST({number} % {PASS_STEP} AS VARCHAR)",
            pass_=f"{number} // {PASS_STEP}",
            log="log",
            score="hit",
        )
    staged = vlmevalkit_verdicts.stage(con, probe, settings, "key")
    note = _look_next_to(con, probe)
    return replace(staged, notes=(*staged.notes, *note), alerts=(*staged.alerts, *note))


def _look_next_to(con: duckdb.DuckDBPyConnection, probe: Probe) -> tuple[str, ...]:
    """Give logs the predictions of the table next to the pickle; leave out those that it has of no judge."""
    logs = con.execute(_SQL["keys"].format(number=whole("key", "BIGINT"))).fetchall()
    table = judged_tables.next_to(probe.path, probe.path.stem) if logs else None
    if table is None:
        return ()
    out, known = [], []
    for row, key, log in logs:
        judged = table.rows.get(key)
        if judged is None:
            continue
        if table.has_log and _is_of_no_judge(log, judged):
            out.append(row)
        elif judged.log is None or vlmevalkit_logs.are_same(log, judged.log):
            known.append((row, judged.prediction))
    if known:
        rows, predictions = zip(*known, strict=True)
        con.execute(_SQL["add_predictions"], {"rows": list(rows), "predictions": list(predictions)})
    if not out:
        return ()
    con.execute(_SQL["leave_out"], {"rows": out})
    n = counted(len(out), "verdict left out: no judge", "verdicts left out: no judge")
    return (f"{n} gave it, as {table.name} says",)


def _is_of_no_judge(log: str | None, judged: Judged) -> bool:
    """Whether the table has no log of a judge where the pickle has a log of another verdict."""
    if judged.log is None:
        return True
    if vlmevalkit_logs.are_same(log, judged.log):
        return False
    found = vlmevalkit_logs.vanilla(judged.log, 0, [judged.prediction])
    return isinstance(found, vlmevalkit_logs.Unread) and found.why != "unclear"


ADAPTER = Adapter(
    name="vlmevalkit_pickle",
    version=3,
    description="VLMEvalKit's verdicts as `.pkl`, through an unpickler that knows plain "
    "containers, strings and numbers and nothing else",
    needs=("key", "log"),
    accepts=lambda probe: probe.kind in ("pickle", "json_map") and probe.has_any("hit", "score"),
    stage=stage,
    place=Place.REFERRING,
    stages_ahead=True,
)
