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

What the table next to a pickle of VLMEvalKit's verdicts says of them: which answers were judged.

A pickle holds logs by index, and no predictions; VLMEvalKit reads it again where answers have
changed since. The table that it wrote with the pickle has the same name, and the predictions.

VLMEvalKit's judge cache, `{model}_{dataset}_{judge}_result.pkl`: `{index: {hit or score, log}}`.

The names are those of result files, and MM-Vet's lacks `_result`. Texts are in some logs only, so
the table next to the pickle says which predictions are meant; where there is none, and nothing in
the logs is one of the run's, nothing says that they are. The pickle is read as data, see
`safe_pickle`; the same as a JSON object is read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import no_whole_number, refuse_rows
from ingest.facts.judgment_facts import Judgments
from ingest.indexed_rows import PASS_STEP
from ingest.names import timestamp_label
from ingest.plain.long_cells import whole
from ingest.reading import raw, spreadsheet
from ingest.reading.probe import Probe, probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.staged_rows import Grade
from ingest.vlmevalkit import vlmevalkit_verdicts
from warehouse import connection, judges, statements
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def _stage_logs(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
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
    table = _table_next_to(probe.path, probe.path.stem) if logs else None
    if table is None:
        return ()
    out, known = [], []
    for row, key, log in logs:
        judged = table.rows.get(key)
        if judged is None:
            continue
        if table.has_log and _is_of_no_judge(log, judged):
            out.append(row)
        elif judged.log is None or vlmevalkit_verdicts.are_same(log, judged.log):
            known.append((row, judged.prediction))
    if known:
        rows, predictions = zip(*known, strict=True)
        con.execute(_SQL["add_predictions"], {"rows": list(rows), "predictions": list(predictions)})
    if not out:
        return ()
    con.execute(_SQL["leave_out"], {"rows": out})
    n = counted(len(out), "verdict left out: no judge", "verdicts left out: no judge")
    return (f"{n} gave it, as {table.name} says",)


def _is_of_no_judge(log: str | None, judged: _JudgedRow) -> bool:
    """Whether the table has no log of a judge where the pickle has a log of another verdict."""
    if judged.log is None:
        return True
    if vlmevalkit_verdicts.are_same(log, judged.log):
        return False
    found = vlmevalkit_verdicts.vanilla(judged.log, 0, [judged.prediction])
    return isinstance(found, vlmevalkit_verdicts.Unread) and found.why != "unclear"


LOGS = Adapter(
    name="vlmevalkit_pickle",
    version=3,
    description="VLMEvalKit's verdicts as `.pkl`, through an unpickler that knows plain "
    "containers, strings and numbers and nothing else",
    needs=("key", "log"),
    accepts=lambda probe: probe.kind in ("pickle", "json_map") and probe.has_any("hit", "score"),
    stage=_stage_logs,
    place=Place.REFERRING,
    stages_ahead=True,
)


_TABLE_KINDS = (".xlsx", ".tsv", ".csv", ".json", ".jsonl")


@dataclass(frozen=True)
class _JudgedRow:
    """A row of such a table.

    Attributes:
        prediction: the text that was judged; None: there is none, or it may have been cut.
        log: what it came from; None: the cell is blank.
    """

    prediction: str | None
    log: str | None


@dataclass(frozen=True)
class _JudgedTable:
    """The table next to a pickle.

    Attributes:
        has_log: whether it says where its verdicts came from.
        rows: by index.
    """

    name: str
    has_log: bool
    rows: Mapping[str, _JudgedRow]


def _table_next_to(path: Path, stem: str) -> _JudgedTable | None:
    """The first table next to a file that has predictions; None: there is none that can be read.

    Args:
        stem: what it is called, without its ending.
    """
    for kind in _TABLE_KINDS:
        there = path.with_name(f"{stem}{kind}")
        if there.name != path.name and there.is_file():
            found = _read_table(there)
            if found is not None:
                return found
    return None


def _read_table(path: Path) -> _JudgedTable | None:
    try:
        its = probe(path)
        if not its.has("index", "prediction"):
            return None
        with connection.in_memory([path]) as con:
            raw.read(con, its)
            has_log = its.has("log")
            rows = con.execute(
                _SQL["rows"].format(
                    number=whole("CAST(index AS VARCHAR)", "BIGINT"),
                    log="log" if has_log else "NULL",
                )
            ).fetchall()
    except InputError:
        # Where the table itself is read, that is said of it.
        return None
    return _JudgedTable(
        path.name, has_log, {key: _JudgedRow(_uncut(text), its_log) for key, text, its_log in rows}
    )


def _uncut(text: str | None) -> str | None:
    return None if not text or spreadsheet.is_cut(text) else text


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
    staged_rows.stage_grades(con, grades)
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
    table = _table_next_to(probe.path, stem)
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
