"""What judges of VLMEvalKit extracted from answers, compared or graded, from the pickles it keeps.

    {model}_{dataset}_{judge}.pkl            {index: {res, log}}: the answer that the judge extracted
                                             (MathVista, MATH-Vision)
    …_{judge}_extract.pkl                    {index: {extract, log_extract}}: the same (MathVerse)
    …_{judge}_score.pkl                      {index: {score, log_score}}: whether that is the right
                                             answer, which the judge says with 1 or 0 (MathVerse)
    …_{judge}_tmp.pkl                        {index: reply}: 0 to 3 points (MMBench-Video)

The texts that were judged are in the table of that name next to the pickle (`_score.xlsx` for
`_tmp.pkl`); without it the run's own are meant. A log begins with the attempts that failed.
`Prefetch succeed` means that no judge was called: what a rule read is left out, as the views read
it too. The judge was called for blank answers as well, and for the texts of failed calls, so these
are subjects here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import duckdb

from ingest import grade
from ingest.adapter import Adapter, Place
from ingest.facts.judgment_facts import Judgments
from ingest.grade import Grade
from ingest.names import timestamp_label
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import judged_tables, vlmevalkit_verdicts
from warehouse import judges
from warehouse.errors import InputError
from warehouse.wording import counted

POINTS_ENDING = "_tmp"
_FAILED = "Failed to obtain answer via API."
_PREFETCHED = "Prefetch succeed"
_MAX_ATTEMPTS = 5
_TRY = re.compile(
    r"Try (?P<number>\d): output is (?P<said>.*?), failed to parse\.\n"
    r"(?=Try \d: output is |Succeed\Z|All \d retries failed\.\s*\Z)",
    re.DOTALL,
)


@dataclass(frozen=True)
class _Kind:
    """One kind of pickle.

    Attributes:
        task: what its judge does.
        ending: what the file's name ends in, behind the judge.
        said: the column of what the judge said.
        log: the column of what happened; None: there is none.
        max_attempts: how often the judge is tried.
    """

    task: str
    ending: str
    said: str
    log: str | None
    max_attempts: int


_KINDS = (
    _Kind(judges.ANSWER_EXTRACTION, "", "res", "log", _MAX_ATTEMPTS),
    _Kind(judges.ANSWER_EXTRACTION, "_extract", "extract", "log_extract", _MAX_ATTEMPTS),
    _Kind(judges.EQUIVALENCE, "_score", "score", "log_score", _MAX_ATTEMPTS),
    _Kind(judges.POINTS, POINTS_ENDING, "value", None, 1),
)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage what the judge said.

    Raises:
        InputError: a log that is none of VLMEvalKit's, a score that is neither true nor false, or a
            name that does not say enough.
    """
    kind = _kind(probe)
    if kind is None:
        raise InputError(
            probe.path,
            f"has the columns {', '.join(probe.columns)}, which is no pickle of a judge under this name",
            row=0,
        )
    name = vlmevalkit_verdicts.read_name(con, probe, settings, kind.ending)
    log = "NULL" if kind.log is None else kind.log
    read = _of_points if kind.log is None else _of_log
    grades: list[Grade] = []
    n_by_rule = 0
    rows = con.execute(
        f"SELECT __row, trim(key), {kind.said}, {log} FROM raw ORDER BY __row"
    ).fetchall()
    judged = _predictions(probe, kind)
    for row, key, said, its_log in rows:
        if its_log == _PREFETCHED:
            n_by_rule += 1
            continue
        for attempt, reply, error in read(probe, row, kind, said, its_log):
            grades.append(
                Grade(
                    row,
                    name.model,
                    None,
                    key,
                    0,
                    name.judge,
                    attempt=attempt,
                    prediction=judged.get(key),
                    reply=reply,
                    error=error,
                    log=its_log,
                )
            )
    grade.stage(con, grades)
    timed = timestamp_label(probe.path)
    notes = counted(
        n_by_rule,
        "verdict left out: rules gave it, no judge was called",
        "verdicts left out: rules gave them, no judge was called",
    )
    return Staged(
        dataset=name.dataset,
        task_name=name.task_name if name.task_name in settings.map else None,
        judgments=Judgments(
            key="key",
            reply=kind.said,
            model=name.model,
            run=timed[0] if timed else None,
            harness="vlmevalkit",
            questions=None,
            task=kind.task,
            max_attempts=kind.max_attempts,
            keeps_blanks=True,
        ),
        inferred=dict.fromkeys(
            ("model", "benchmark", "version", "split", "language"), "the file's name"
        ),
        notes=(notes,) if n_by_rule else (),
    )


def _predictions(probe: Probe, kind: _Kind) -> dict[str, str | None]:
    """The texts that were judged by index, as far as a table next to the pickle has them."""
    stem = probe.path.stem
    if kind.ending == POINTS_ENDING:
        stem = stem.removesuffix(POINTS_ENDING) + "_score"
    table = judged_tables.next_to(probe.path, stem)
    return {} if table is None else {key: row.prediction for key, row in table.rows.items()}


_Attempt = tuple[int, str | None, str | None]


def _of_points(
    probe: Probe, row: int, kind: _Kind, said: str | None, log: str | None
) -> Iterator[_Attempt]:
    failed = said is None or _FAILED in said
    yield (0, None, said or _FAILED) if failed else (0, said, None)


def _of_log(
    probe: Probe, row: int, kind: _Kind, said: str | None, log: str | None
) -> Iterator[_Attempt]:
    """The attempts that a log tells of: number, reply, error."""
    rest, number = log or "", 0
    while found := _TRY.match(rest):
        # An attempt at comparing shows the answer, and then what the judge said.
        _, _, reply = found["said"].rpartition(", res is ")
        is_kept = kind.task == judges.EQUIVALENCE and _FAILED not in reply
        yield (number, reply, None) if is_kept else (number, None, _FAILED)
        rest, number = rest[found.end() :], number + 1
    if rest == "Succeed":
        yield number, _reply(probe, row, kind, said), None
    elif rest.strip() != f"All {number} retries failed.":
        raise InputError(probe.path, "is no log of VLMEvalKit's", row=row, field=kind.log)


def _reply(probe: Probe, row: int, kind: _Kind, said: str | None) -> str:
    if kind.task != judges.EQUIVALENCE:
        return said or ""
    if said not in ("true", "false"):
        raise InputError(
            probe.path, f"{said!r} is neither true nor false", row=row, field=kind.said
        )
    # It takes nothing but 1 and 0 for a reply.
    return "1" if said == "true" else "0"


def _kind(probe: Probe) -> _Kind | None:
    for kind in _KINDS:
        columns = {"key", kind.said} | ({kind.log} if kind.log else set())
        if set(probe.columns) == columns and probe.path.stem.endswith(kind.ending):
            return kind
    return None


def _accepts(probe: Probe) -> bool:
    return probe.kind == "pickle" and _kind(probe) is not None


ADAPTER = Adapter(
    name="vlmevalkit_judged",
    version=2,
    description="What a judge of VLMEvalKit's extracted, compared or graded, as `.pkl`: `{index: "
    "{res, log}}`, `{extract, log_extract}`, `{score, log_score}` or 0 to 3 points",
    needs=("key",),
    accepts=_accepts,
    stage=stage,
    place=Place.REFERRING,
    stages_ahead=True,
)
