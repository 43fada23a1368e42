"""Judges and what they said: registering a judge, storing judgments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from hashlib import sha256

import duckdb

from warehouse import sources, statements
from warehouse.connection import transaction
from warehouse.errors import UsageError
from warehouse.judgment import Judgment as Judgment
from warehouse.judgment import columns
from warehouse.later import pl
from warehouse.tables import WORDS

_SQL = statements.of_module(__file__)
ANSWER_EXTRACTION = "answer_extraction"
"""The final answer that a text gives, in the form that the question wants."""
EQUIVALENCE = "equivalence"
"""Whether an answer is the reference, 1 or 0."""
TASKS = ("choice_extraction", "soft_score", "mark", ANSWER_EXTRACTION, EQUIVALENCE)
PAIR = "pair"
"""A task of imports alone: two scores in one reply, of the reference and of the answer."""
POINTS = "points"
"""A task of imports alone: whole points, up to as many as the benchmark gives."""
OF_ANSWERS = (PAIR, ANSWER_EXTRACTION, EQUIVALENCE, POINTS)
"""Tasks whose subject is the answer to a question with its references, also where it has choices."""
USUAL_TASK = {"choice": "choice_extraction", "open": "soft_score"}
"""What a benchmark of each task needs a judge for, where it has no rules of its own."""
IMPORTED_TASKS = tuple(WORDS["judge.task"])
"""Of imports also grades by letter: `GRADE: C` (correct), P (in part) or I (incorrect), as Inspect
asks for. No board counts them; they have views of their own.
"""
KINDS = tuple(WORDS["judge.kind"])
RESERVED = ("none", "keyword")
"""Names of judges that views compute: rules alone, and the free baseline."""


@dataclass(frozen=True)
class Judge:
    """Who judges. Two judges that differ in anything but the name share no judgment.

    Attributes:
        name: unique in a warehouse.
        task: one of TASKS; letter_grade, pair or points for imports.
        kind: llm, program, human, import or keyword.
        model: the requested model.
        endpoint: how it is reached: chat_completions or transformers.
        template: the prompt template's name and version; `unknown` for imports.
        template_sha256: the hash of the template's file.
        sampling: the sampling parameters.
        retry_schedule: what changes from attempt to attempt, as JSON values.
        max_attempts: tries before the fallback holds.
    """

    name: str
    task: str
    kind: str
    model: str | None = None
    endpoint: str | None = None
    template: str | None = None
    template_sha256: str | None = None
    sampling: Mapping[str, object] = field(default_factory=dict)
    retry_schedule: Sequence[object] = ()
    max_attempts: int = 1

    def named(self, name: str) -> Judge:
        """The same judge under another name."""
        return replace(self, name=name)

    @property
    def fingerprint(self) -> str:
        """sha256 of everything but the name, in hex."""
        content = {
            "task": self.task,
            "kind": self.kind,
            "model": self.model,
            "endpoint": self.endpoint,
            # A template is what it says; its name is another name.
            "template": self.template_sha256 or self.template,
            "sampling": self.sampling,
            "retry_schedule": list(self.retry_schedule),
            "max_attempts": self.max_attempts,
        }
        return sha256(_canonical(content).encode()).hexdigest()


def register(con: duckdb.DuckDBPyConnection, judge: Judge, *, source_id: int) -> int:
    """The judge's id, stored first where the name is new.

    Raises:
        UsageError: the name is taken by a judge that differs, or is reserved; or there is no such
            task or kind.
    """
    if judge.name in RESERVED:
        raise UsageError(
            f"the judge's name cannot be {judge.name}: that stands for what the views compute"
        )
    if not judge.name.strip():
        raise UsageError("a judge's name cannot be blank")
    tasks = IMPORTED_TASKS if judge.kind == "import" else TASKS
    if judge.task not in tasks or judge.kind not in KINDS:
        raise UsageError(f"a judge has a task of {tasks} and a kind of {KINDS}")
    found = _by_name(con, judge.name)
    if found is not None:
        # A judge of schema version 1 has no fingerprint.
        if found[1] not in (None, judge.fingerprint):
            raise UsageError(f"there is another judge named {judge.name!r}")
        return found[0]
    judge_id = sources.next_id(con, "judge")
    values = {name: getattr(judge, name) for name in _JUDGE} | {
        "judge_id": judge_id,
        "sampling": _canonical(judge.sampling),
        "retry_schedule": _canonical(list(judge.retry_schedule)),
        "source_id": source_id,
        "fingerprint": judge.fingerprint,
    }
    con.execute(
        f"INSERT INTO main.judge ({', '.join(values)}) VALUES ({', '.join('?' for _ in values)})",
        list(values.values()),
    )
    return judge_id


def find_same(con: duckdb.DuckDBPyConnection, judge: Judge) -> str | None:
    """The name of the judge that differs in the name alone; None: there is none."""
    row = con.execute(_SQL["of_fingerprint"], {"fingerprint": judge.fingerprint}).fetchall()
    return str(row[0][0]) if row else None


def known(con: duckdb.DuckDBPyConnection, name: str) -> tuple[int, Judge]:
    """A judge of this warehouse by its name, with its id.

    Raises:
        UsageError: there is none, or it is retracted.
    """
    judge_id = _require(con, name)
    ((retracted, *row),) = con.execute(
        f"SELECT retracted_at, {', '.join(_JUDGE)} FROM main.judge WHERE judge_id = ?", [judge_id]
    ).fetchall()
    if retracted is not None:
        raise UsageError(f"the judge {name} is retracted")
    values = dict(zip(_JUDGE, row, strict=True))
    return judge_id, Judge(
        **values
        | {
            "sampling": json.loads(values["sampling"] or "{}"),
            "retry_schedule": json.loads(values["retry_schedule"] or "[]"),
        }
    )


def require_asking(judge: Judge) -> None:
    """Refuse a judge of a task that no template words: its verdicts came with files.

    Raises:
        UsageError: it is one, and what to do instead.
    """
    if judge.task not in TASKS:
        raise UsageError(
            f"the judge {judge.name} cannot be asked: its verdicts ({judge.task}) came with files; "
            "`ingest` reads more of these, and `evalhouse judge` asks for "
            f"{', '.join(TASKS)} alone"
        )


def of_task(con: duckdb.DuckDBPyConnection, task: str) -> list[str]:
    """The names of the judges of a task that are not retracted."""
    rows = con.execute(
        "SELECT name FROM main.judge WHERE task = ? AND retracted_at IS NULL ORDER BY judge_id",
        [task],
    ).fetchall()
    return [str(name) for (name,) in rows]


def free_name(con: duckdb.DuckDBPyConnection, wanted: str, *suffixes: str) -> str:
    """A judge's name that is not taken: the wanted one, else with a suffix, else with a number."""
    for name in (wanted, *(f"{wanted} {suffix}" for suffix in suffixes)):
        if name not in RESERVED and _by_name(con, name) is None:
            return name
    number = 2
    while _by_name(con, f"{wanted} #{number}") is not None:
        number += 1
    return f"{wanted} #{number}"


def plan_samples(
    con: duckdb.DuckDBPyConnection, judge_id: int, n_samples: int, *, source_id: int
) -> None:
    """Note that each subject is to be put to the judge so many times."""
    con.execute(
        _SQL["plan_samples"],
        {"judge_id": judge_id, "n": n_samples, "source_id": source_id},
    )


def rename(con: duckdb.DuckDBPyConnection, name: str, new_name: str) -> None:
    """Give a judge a better name. `judge_event` keeps the former one.

    Raises:
        UsageError: no such judge, or the name is taken, blank or reserved.
    """
    with transaction(con):
        judge_id = _require(con, name)
        if not new_name.strip() or new_name in RESERVED:
            raise UsageError(f"a judge's name cannot be {new_name!r}")
        if _by_name(con, new_name) is not None:
            raise UsageError(f"there is another judge named {new_name!r}")
        con.execute("UPDATE main.judge SET name = ? WHERE judge_id = ?", [new_name, judge_id])
        _note(con, judge_id, "rename", name, new_name)


def retract(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Take a judge out of every view. Its judgments stay.

    Raises:
        UsageError: no such judge, or it is out already.
    """
    with transaction(con):
        judge_id = _require(con, name)
        changed = con.execute(_SQL["retract"], {"judge_id": judge_id}).fetchall()
        if not changed:
            raise UsageError(f"the judge {name} is retracted already")
        _note(con, judge_id, "retract", None, None)


def store(
    con: duckdb.DuckDBPyConnection,
    judge_id: int,
    judgments: Sequence[Judgment],
    *,
    source_id: int,
) -> int:
    """Append judgments of one judge, except requests that are there already; return how many."""
    # Imports are no requests, and can be long: they go in piece by piece, to take less memory.
    size = _PIECE if all(one.request_key is None for one in judgments) else len(judgments)
    first = sources.next_id(con, "judgment")
    n_stored = 0
    for start in range(0, len(judgments), max(size, 1)):
        piece = judgments[start : start + size]
        n_stored += _store(con, judge_id, piece, first + n_stored, source_id)
    return n_stored


def _store(
    con: duckdb.DuckDBPyConnection,
    judge_id: int,
    judgments: Sequence[Judgment],
    first: int,
    source_id: int,
) -> int:
    now = datetime.now(UTC).replace(tzinfo=None)
    values = {name: [getattr(j, one.field) for j in judgments] for name, one in columns().items()}
    values["judged_at"] = [moment or now for moment in values["judged_at"]]
    types: dict[str, pl.DataType | type[pl.DataType]] = {
        "VARCHAR": pl.String,
        "VARCHAR[]": pl.List(pl.String),
        # What is too large for it is the table's to refuse.
        "SMALLINT": pl.Int32,
        "INTEGER": pl.Int32,
        "DOUBLE": pl.Float64,
        "TIMESTAMP": pl.Datetime("us"),
    }
    frame = pl.DataFrame(values, schema={name: types[one.type] for name, one in columns().items()})
    con.register("new_judgments", frame.to_arrow(compat_level=pl.CompatLevel.newest()))
    names = ", ".join(values)
    # A call is known by its request; what a file says of judging has none.
    unless_there = _SQL["unless_known"] if any(j.request_key for j in judgments) else ""
    try:
        stored = con.execute(
            _SQL["add_judgments"].format(names=names, unless_there=unless_there),
            {"first": first, "judge_id": judge_id, "source_id": source_id},
        ).fetchall()
    finally:
        con.unregister("new_judgments")
    return int(stored[0][0])


_PIECE = 1_000
"""Judgments of an import that go in at once."""
_JUDGE = tuple(one.name for one in fields(Judge))


def _by_name(con: duckdb.DuckDBPyConnection, name: str) -> tuple[int, str] | None:
    rows = con.execute(
        "SELECT judge_id, fingerprint FROM main.judge WHERE name = ?", [name]
    ).fetchall()
    return rows[0] if rows else None


def _require(con: duckdb.DuckDBPyConnection, name: str) -> int:
    found = _by_name(con, name)
    if found is None:
        known = con.execute("SELECT name FROM main.judge ORDER BY name").fetchall()
        raise UsageError(
            f"no judge {name!r}; there are {', '.join(str(n) for (n,) in known) or 'none'}"
        )
    return found[0]


def _note(
    con: duckdb.DuckDBPyConnection, judge_id: int, event: str, before: str | None, after: str | None
) -> None:
    con.execute(
        "INSERT INTO main.judge_event VALUES (?, ?, ?, ?, now() AT TIME ZONE 'UTC')",
        [judge_id, event, before, after],
    )


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
