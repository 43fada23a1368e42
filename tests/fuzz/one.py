"""One input: made from a seed, read into a copy of the warehouse, and judged by what must hold."""

from __future__ import annotations

import os
import random
import re
import resource
import shutil
import time
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from ingest.formats import ADAPTERS
from ingest.many import Outcome, expand, ingest_files
from ingest.pipeline import ingest_file, prepare
from ingest.settings import Report, Settings
from tests.fuzz import corpus, folders, oracle
from tests.fuzz.corpus import Case
from tests.fuzz.mutate import mutate
from warehouse import connection
from warehouse.errors import InputError, UsageError
from warehouse.resources import Resources, using

MAX_SECONDS = 20.0
"""What a small input may take of the processor's time."""
MAX_MEMORY_KB = 3_000_000
"""What the process may have needed for small files."""
_MAX_WORDS = 2_500
_ENGINES_OWN = re.compile(
    r"(Binder|Conversion|Catalog|Parser|Constraint|Internal|Out of Range|Not "
    r"implemented|INTERNAL|Serialization|Syntax) Error"
)
_JUDGED = re.compile(r"_result\.|\.pkl$|grade|gpt-4-turbo|verdicts|replies")
_ASKED = re.compile(r"LMUData|questions?\.|mm-vet\.json|lists\.|opens\.")


@dataclass(frozen=True)
class Result:
    """What came of an input; `problem`: what must not be."""

    seed: int
    kind: str
    path: str
    words: str = ""
    problem: str | None = None
    vague: bool = False
    seconds: float = 0.0


class Bench:
    """A corpus, and the copy of its warehouse that inputs are read into.

    Args:
        prepared: the folder that `corpus.prepare` filled.
        work: an empty folder of its own.
    """

    def __init__(self, prepared: Path, work: Path) -> None:
        self.groups = corpus.load(prepared)
        self.prepared, self.work = prepared, work
        self._con: duckdb.DuckDBPyConnection | None = None
        self._base = ""
        self._before: dict[str, Facts] = {}
        self._temporary = work / "tmp"
        self._temporary.mkdir()
        (work / "cwd").mkdir()
        os.chdir(work / "cwd")
        os.environ["TMPDIR"] = str(self._temporary)

    def run(self, seed: int) -> Result:
        """Make the input of a seed and read it."""
        started = time.process_time()
        pick = random.Random(seed)
        inside = self.work / "in"
        shutil.rmtree(inside, ignore_errors=True)
        inside.mkdir()
        if pick.random() < 0.1:
            case, settings, words = folders.make(pick, self.groups, self.prepared / "files", inside)
            many = True
        else:
            case = self._pick(pick)
            words = self._write(pick, case, inside)
            settings = _settings(pick, case)
            many = pick.random() < 0.3
        con, before = self._open("empty" if pick.random() < 0.12 else "base")
        there = _listing(self.work)
        result = Result(seed, "refused", case.path)
        try:
            outcomes = _read(con, words, settings, many=many)
            result = self._judge(con, before, outcomes, settings, result)
        except UsageError as error:
            result = self._refused(con, before, error, words, result)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            trace = "".join(traceback.format_exception(error)[-4:])
            result = replace(
                result, kind="defect", problem=f"{type(error).__name__}: {trace[-1500:]}"
            )
            self._close()
        if result.problem is None and _listing(self.work) != there:
            result = replace(result, problem=f"files were made: {_listing(self.work) - there}")
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if result.problem is None and memory > MAX_MEMORY_KB:
            result = replace(result, problem=f"{memory:,} KB of memory")
        seconds = time.process_time() - started
        if result.problem is None and seconds > MAX_SECONDS:
            result = replace(result, problem=f"it took {seconds:.0f} seconds")
        if result.problem or result.kind not in ("refused", "left"):
            self._close()
        return replace(result, seconds=seconds)

    def _pick(self, pick: random.Random) -> Case:
        names = sorted(self.groups)
        weights = [4 if any(case.accepted for case in self.groups[name]) else 1 for name in names]
        (group,) = pick.choices(names, weights)
        cases = self.groups[group]
        read = [case for case in cases if case.accepted]
        return pick.choice(read if read and pick.random() < 0.85 else cases)

    def _write(self, pick: random.Random, case: Case, inside: Path) -> list[Path]:
        source, target = self.prepared / "files" / case.path, inside / case.path
        target.parent.mkdir(parents=True)
        if source.suffix in (".json", ".jsonl"):
            # What is read next to it: results of harnesses, aggregates.
            for sibling in source.parent.glob("*.json"):
                (target.parent / sibling.name).write_bytes(sibling.read_bytes())
        content = source.read_bytes()
        target.write_bytes(content if pick.random() < 0.01 else mutate(pick, target.name, content))
        return [target]

    def _open(self, base: str) -> tuple[duckdb.DuckDBPyConnection, Facts]:
        if self._con is None or self._base != base:
            self._close()
            path = self.work / "house.duckdb"
            for old in self.work.glob("house.duckdb*"):
                old.unlink()
            shutil.copy(self.prepared / f"{base}.duckdb", path)
            with using(Resources("1GB", 1)):
                self._con = connection.open_for_writing(path)
            prepare(self._con)
            self._base = base
            if base not in self._before:
                self._before[base] = Facts.of(self._con)
        return self._con, self._before[base]

    def _close(self) -> None:
        if self._con is not None:
            self._con.close()
            self._con = None

    def _refused(
        self,
        con: duckdb.DuckDBPyConnection,
        before: Facts,
        error: UsageError,
        words: list[Path],
        result: Result,
    ) -> Result:
        result = replace(result, words=str(error), vague=_is_vague(error))
        problem = _wrong_words(error, [str(word) for word in words])
        if problem is None and Facts.of(con) != before:
            problem = "the file was refused, and the warehouse changed"
        return replace(result, problem=problem and f"{problem}: {str(error)[:600]!r}")

    def _judge(
        self,
        con: duckdb.DuckDBPyConnection,
        before: Facts,
        outcomes: list[Outcome | Report],
        settings: Settings,
        result: Result,
    ) -> Result:
        reports = [one if isinstance(one, Report) else one.report for one in outcomes]
        read = [one for one in reports if one is not None and not one.already]
        errors = [one.error for one in outcomes if isinstance(one, Outcome) and one.error]
        left = [one.left for one in outcomes if isinstance(one, Outcome) and one.left]
        kind = "accepted" if read else "refused" if errors else "left" if left else "already"
        result = replace(
            result,
            kind=kind,
            words=str([*map(str, errors), *left] if not read else [one.format for one in read])[
                :900
            ],
            vague=any(map(_is_vague, errors)),
        )
        for error in errors:
            problem = _wrong_words(error, [str(self.work)])
            if problem:
                return replace(result, problem=f"{problem}: {str(error)[:600]!r}")
        if not read:
            same = Facts.of(con) == before
            problem = None if same else "nothing was read, and the warehouse changed"
            return replace(result, problem=problem)
        sources = con.execute(
            "SELECT path, min(source_id) FROM main.source WHERE source_id > ? GROUP BY ALL",
            [before.last_source],
        ).fetchall()
        mine = {
            path: source_id for path, source_id in sources if str(path).startswith(str(self.work))
        }
        if set(mine) != {one.path for one in read}:
            return replace(
                result, problem=f"sources {set(mine)} of reports {[one.path for one in read]}"
            )
        if not any(one.format in ("models", "model_facts") for one in read):
            changed = before.changed(con, may_replace=settings.replace)
            if changed:
                return replace(result, problem=f"older rows changed in {changed}")
        for one in read:
            difference = oracle.check(
                con,
                Path(one.path),
                one.format,
                mine[one.path],
                whole=settings.on_duplicate == "error",
            )
            if difference:
                return replace(result, problem=f"{Path(one.path).name}, {one.format}: {difference}")
        return result


@dataclass(frozen=True)
class Facts:
    """Every table's number of rows and a sum of their hashes; and how far sources and runs went."""

    tables: tuple[tuple[Any, ...], ...]
    last_source: int
    last_run: int

    @classmethod
    def of(cls, con: duckdb.DuckDBPyConnection) -> Facts:
        """The facts as they are."""
        tables = con.execute(_sums(con, "true", "true")).fetchall()
        ((source, run),) = con.execute(
            "SELECT (SELECT coalesce(max(source_id), 0) FROM main.source), "
            "(SELECT coalesce(max(run_id), 0) FROM main.run)"
        ).fetchall()
        return cls(tuple(tables), source, run)

    def changed(self, con: duckdb.DuckDBPyConnection, *, may_replace: bool) -> list[str]:
        """The tables whose rows of earlier sources and runs are not what they were.

        That a row is superseded stands in it, and is no change.

        Args:
            may_replace: facts of questions may have become history, where each is still to be found.
        """
        of_source, of_run = f"source_id <= {self.last_source}", f"run_id <= {self.last_run}"
        now = con.execute(_sums(con, of_source, of_run)).fetchall()
        return [
            one[0]
            for one, other in zip(self.tables, now, strict=True)
            if one[:-1] != other[:-1] and not (may_replace and one[0] in _WITH_HISTORY)
        ]


_WITH_HISTORY = {
    "question": "question_id, 'text', NULL, NULL, NULL, text, NULL",
    "choice": "question_id, 'choice', pass, ordinal, label, text, NULL",
    "reference_answer": "question_id, 'reference', NULL, ordinal, NULL, text, NULL",
    "question_attribute": "question_id, 'attribute', NULL, NULL, name, value, NULL",
    "question_image": "question_id, 'image', NULL, ordinal, NULL, sha256, NULL",
    "question_ability": "question_id, 'ability', NULL, NULL, NULL, NULL, ability_id",
    "superseded_fact": "question_id, fact, pass, ordinal, name, value, ability_id",
}
"""The tables whose rows become history, each as a row of `main.superseded_fact`."""
_AS_HISTORY = (
    "STRUCT(question_id BIGINT, fact VARCHAR, pass INTEGER, ordinal INTEGER, name VARCHAR, "
    "value VARCHAR, ability_id BIGINT, source_id BIGINT)"
)


def _sums(con: duckdb.DuckDBPyConnection, of_source: str, of_run: str) -> str:
    """SQL for the rows of each table: how many, their hashes, and these with what supersedes a row."""
    columns: dict[str, list[str]] = {}
    for table, column in con.execute(
        "SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'main' "
        "AND database_name = current_database() AND table_name IN "
        "(SELECT table_name FROM duckdb_tables() WHERE NOT temporary AND schema_name = 'main') "
        "ORDER BY ALL"
    ).fetchall():
        columns.setdefault(table, []).append(f'"{column}"')
    every = []
    for table, names in columns.items():
        rows = of_source if '"source_id"' in names else of_run if '"run_id"' in names else "true"
        plain = [name for name in names if name != '"superseded_by"']
        every.append(
            f"SELECT '{table}', count(*), coalesce(sum(hash({', '.join(plain)})::HUGEINT), 0), "
            f"coalesce(sum(hash({', '.join(names)})::HUGEINT), 0) "
            f'FROM main."{table}" WHERE {rows}'
        )
    known = " UNION ALL ".join(
        f"SELECT row({fields}, source_id)::{_AS_HISTORY} AS fact FROM main.{table} WHERE {of_source}"
        for table, fields in _WITH_HISTORY.items()
    )
    every.append(
        "SELECT 'facts of questions, those that are history among them', count(*), "
        f"coalesce(sum(hash(fact)::HUGEINT), 0), 0 FROM ({known})"
    )
    return " UNION ALL ".join(every)


def _read(
    con: duckdb.DuckDBPyConnection, words: list[Path], settings: Settings, *, many: bool
) -> list[Outcome | Report]:
    if not many:
        return [ingest_file(con, word, settings) for word in words]
    folders_of = [word if word.is_dir() else word.parent for word in words]
    return list(ingest_files(con, expand(folders_of, Path("house.duckdb")), settings))


def _settings(pick: random.Random, case: Case) -> Settings:
    flags = dict(case.flags)
    kind = pick.random()
    if kind < 0.55:
        if _JUDGED.search(case.path):
            flags["judge"] = "fuzz"
        elif _ASKED.search(case.path):
            flags["version"] = "fuzz"
        elif "models" not in case.path and "abilities" not in case.path:
            flags["run"] = "fuzz"
    elif kind < 0.7:
        flags["replace"] = True
    elif kind < 0.8:
        flags |= {"on_duplicate": pick.choice(["first", "last"]), "run": "fuzz"}
    elif kind < 0.85:
        flags["format"] = pick.choice(ADAPTERS).name
    elif kind < 0.88:
        flags |= {
            "model": "fuzz",
            "benchmark": pick.choice(["MMBench", "MM-Vet", "SEED-Bench", "New"]),
        }
    return Settings(**flags)


def _listing(work: Path) -> set[str]:
    """What lies in the folder, but for the warehouse and its log."""
    return {str(path) for path in work.rglob("*") if not path.name.startswith("house.duckdb")}


def _wrong_words(error: UsageError, names: list[str]) -> str | None:
    """What is wrong with an error's message."""
    text = str(error)
    if not isinstance(error, InputError) and "--" not in text and "no format" not in text:
        return "an error of no file"
    if isinstance(error, InputError) and not any(name in text for name in names):
        return "the message does not name the file"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "the message cannot be printed"
    if "defect" in text:
        return "a defect"
    if len(text) > _MAX_WORDS:
        return f"a message of {len(text):,} characters"
    if set(text) & {"\x00", "\x1b"}:
        return "the message has control characters"
    return None


def _is_vague(error: UsageError) -> bool:
    return _ENGINES_OWN.search(str(error)) is not None
