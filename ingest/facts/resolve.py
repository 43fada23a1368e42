"""Find a file's benchmark and datasets: by flags, by names, or the only one there is.

Harnesses may take a sample of a dataset, or mix up its choices. The questions of such a file add to those
that are there. But where some of its keys are those of other questions, or the choices of a question stand
in another order, so that letters mean something else, it is a dataset of its own, `NAME/sample-HASH` or
`NAME/order-HASH`, which further files like it are of too. A dataset that a question file defined takes no
other questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from ingest.facts import same_content
from ingest.facts.judgment_facts import Judgments
from ingest.loading import NAMES, Dataset, Memory, OfBenchmark, Seen
from ingest.names import DatasetName, read_dataset_name
from ingest.settings import Settings, TaskMap
from ingest.staged import Staged
from warehouse import sources, statements, taxonomy
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)

_KINDS = ("order", "sample")


@dataclass(frozen=True)
class _Fitting:
    """What was found: the row of a dataset, or the version of one to be made, and what to say."""

    row: Sequence[Any] | None = None
    version: str | None = None
    note: str | None = None


def _fitting_dataset(
    con: duckdb.DuckDBPyConnection,
    rows: Sequence[Sequence[Any]],
    identity: tuple[str | None, str | None, str | None],
    split: str | None,
) -> _Fitting | None:
    """The dataset that the staged questions are of; None: none of that name is there.

    Args:
        rows: the benchmark's datasets, as the statement datasets_of_benchmark gives them.
        identity: version, split and language, as the file says.
        split: the split in the file.
    """
    plain = next((row for row in rows if tuple(row[2:5]) == identity), None)
    if plain is None:
        return None
    reason = _misfit(con, plain, split)
    if reason is None:
        return _Fitting(plain)
    if reason == "sample" and plain[5]:
        return None
    begin = f"{identity[0]} " if identity[0] else ""
    words = {
        "order": f"choices stand in another order than in {plain[1]}, so letters mean something else",
        "sample": f"some of its ids are those of other questions in {plain[1]}",
    }
    for row in rows:
        version = str(row[2] or "")
        is_own = version.startswith(tuple(f"{begin}{kind}-" for kind in _KINDS))
        if is_own and tuple(row[3:5]) == identity[1:] and _misfit(con, row, split) is None:
            return _Fitting(row, note=f"{words[reason]}; it is of {row[1]}")
    ((digest,),) = con.execute(_SQL["digest"], {"split": split}).fetchall()
    version = f"{begin}{reason}-{digest[:8]}"
    return _Fitting(None, version, f"{words[reason]}; it is a dataset of its own")


def _misfit(con: duckdb.DuckDBPyConnection, row: Sequence[Any], split: str | None) -> str | None:
    """Why the staged questions are not a dataset's: their order of choices, or what they ask."""
    of = {"dataset_id": row[0], "split": split}
    if con.execute(_SQL["is_reordered"], of).fetchall() == [(True,)]:
        return "order"
    ((n_known, n_other),) = con.execute(_SQL["overlap"], of).fetchall()
    # A question file may write a text a little otherwise.
    is_other = n_other * 2 > n_known if row[5] else n_other > 0
    if is_other and not same_content.are_all_of(con, row[0], split):
        return "sample"
    return None


ONLY_ONE = "the only one in the warehouse"
"""Where a benchmark comes from that no file, path or flag names."""


def mapped(con: duckdb.DuckDBPyConnection, settings: Settings, staged: Staged) -> Staged:
    """What an adapter found, with the file's name for its dataset replaced as --map says.

    The name that it is mapped to is that of a dataset here, or such as MMBench_DEV_EN.
    """
    if not settings.map and (staged.task_name is None or staged.benchmark is not None):
        return staged
    tasks = TaskMap.of(settings.map)
    wanted = tasks.get(staged.task_name or "")
    rest = wanted is None
    version = tasks.version_of(staged.task_name or "")
    if wanted is None:
        # The name begins with one that is mapped, and goes on with version, split or language.
        wanted = tasks.get(staged.benchmark or "")
    known = _benchmarks(con)
    if wanted is None:
        name = read_dataset_name(staged.task_name, known) if staged.task_name else None
        if staged.benchmark is not None or name is None:
            return staged
    else:
        rows = con.execute(_SQL["dataset_by_name"], {"name": wanted}).fetchall()
        name = DatasetName(*rows[0]) if rows else read_dataset_name(wanted, known)
        name = name or DatasetName(wanted, None, None, None)
    given = (staged.dataset if rest else None) or DatasetName("")
    return replace(
        staged,
        dataset=DatasetName(
            name.benchmark,
            version or name.version or given.version,
            name.split or given.split,
            name.language or given.language,
        ),
        inferred=staged.inferred
        | dict.fromkeys(
            ("benchmark", "version", "split", "language"),
            "--map" if wanted is not None else "the file's name",
        ),
    )


def _benchmarks(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    rows = con.execute("SELECT name FROM main.benchmark ORDER BY name").fetchall()
    return tuple(str(name) for (name,) in rows)


def benchmark_name(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    staged: Staged,
    *,
    is_named: bool,
) -> tuple[str, str | None]:
    """The benchmark's name, and where it was inferred from (None: given).

    Questions and answers to them that were found in a folder are of the benchmark that they name, and
    not of whichever is in the warehouse.

    Args:
        is_named: the file was named outright.

    Raises:
        InputError: nothing names it.
    """
    if settings.benchmark is not None:
        return settings.benchmark, None
    if staged.benchmark is not None:
        return staged.benchmark, staged.inferred.get("benchmark")
    known = _benchmarks(con)
    there = ", ".join(known)
    if staged.task_name is not None:
        task = staged.task_name
        # A file that has its questions can be the first of a dataset.
        new = f", --map {task}={task} makes one of that name" if staged.questions else ""
        raise InputError(
            path,
            f"no dataset is known by the name {task!r}; --map {task}=DATASET says which one it is{new}"
            + (f" (the warehouse has {there})" if there else ""),
        )
    has_questions = staged.questions is not None and staged.answers is not None
    if len(known) == 1 and (is_named or not has_questions):
        return known[0], ONLY_ONE
    raise InputError(
        path,
        "does not name its benchmark; give it with --benchmark NAME"
        + (f" (the warehouse has {there})" if there else ""),
    )


def benchmark(
    con: duckdb.DuckDBPyConnection, path: Path, staged: Staged, name: str, memory: Memory
) -> OfBenchmark:
    """The benchmark of that name, made where it is new; its source is then the next one.

    Raises:
        InputError: the file is about open questions and the benchmark about multiple choice, or the
            reverse.
    """
    task = staged.questions.task if staged.questions else None
    if staged.new_benchmark is not None and taxonomy.add(con, staged.new_benchmark):
        memory.changed()
    found = memory.once(NAMES, (name, task), lambda: _benchmark(con, name, task))
    if task is None and isinstance(staged.main, Judgments):
        task = staged.main.questions
    if task is not None and found.task != task:
        words = {"open": "open questions", "choice": "multiple choice"}
        raise InputError(
            path, f"is about {words[task]}, and {found.name} is a benchmark of {words[found.task]}"
        )
    return found


def _benchmark(con: duckdb.DuckDBPyConnection, name: str, task: str | None) -> OfBenchmark:
    """The same, with the task of its first questions."""
    number, name = taxonomy.ensure_benchmark(con, name, task=task or "choice")
    if task is not None:
        return OfBenchmark(number, name, taxonomy.settle_task(con, number, task))
    return OfBenchmark(number, name, taxonomy.task_of(con, number))


def splits(con: duckdb.DuckDBPyConnection, staged: Staged) -> dict[str | None, int]:
    """The splits in a file's rows, sorted, with the first row of each; None: rows without one."""
    rows = " UNION ALL ".join(f"SELECT row, split FROM {table}" for table in _tables(staged))
    return dict(con.execute(_SQL["splits"].format(rows=rows)).fetchall()) if rows else {}


def datasets(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    staged: Staged,
    benchmark: OfBenchmark,
    first_rows: Mapping[str | None, int],
    memory: Memory,
    seen: Seen | None = None,
) -> tuple[Dataset, ...]:
    """The dataset of each split in the file, made where new; for judgments there may be several.

    A new one's source is the next one.

    Args:
        first_rows: what `splits` found.

    Also fills the temporary table `stage_dataset` (split_key, dataset_id), where split_key is the
    file's own split or '' if it has none.

    Raises:
        InputError: the file does not say enough, or a dataset is not known and cannot be made.
    """
    named = staged.dataset or DatasetName("")
    if None in first_rows and len(first_rows) > 1:
        raise InputError(
            path,
            "is empty, where other rows have a split",
            row=first_rows[None],
            field=staged.split_column,
        )
    found: list[Dataset] = []
    for written in first_rows:
        if written is not None and settings.split not in (None, written):
            raise InputError(
                path,
                f"--split {settings.split} was given, but the file says {written}",
                field=staged.split_column,
            )
        identity = (
            settings.version or named.version,
            written or settings.split or named.split,
            settings.language or named.language,
        )
        rows = memory.once(benchmark.benchmark_id, "datasets", lambda: _datasets_of(con, benchmark))
        found += _datasets(con, path, staged, benchmark, rows, settings, identity, written, seen)
        if any(one.is_new for one in found):
            memory.changed(benchmark.benchmark_id)
    con.execute(
        _SQL["note_datasets"],
        {
            "split_keys": [one.split_in_file or "" for one in found],
            "dataset_ids": [one.dataset_id for one in found],
            "complete": [one.complete for one in found],
        },
    )
    return tuple(found)


def _datasets_of(con: duckdb.DuckDBPyConnection, benchmark: OfBenchmark) -> list[tuple[Any, ...]]:
    of_benchmark = {"benchmark_id": benchmark.benchmark_id}
    return con.execute(_SQL["datasets_of_benchmark"], of_benchmark).fetchall()


def _tables(staged: Staged) -> list[str]:
    """The staging tables that say which splits a file has."""
    tables = ["stage_question"] if staged.questions is not None else []
    if staged.answers is not None:
        is_bulk = staged.answers.stage_rows is not None
        tables.append("stage_place" if is_bulk else staged.answers.table)
    if staged.judgments is not None and not staged.judgments.is_empty:
        tables += ["stage_judgment", "stage_log"]
    if staged.subset is not None:
        tables.append("stage_subset")
    return tables


def _datasets(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    staged: Staged,
    benchmark: OfBenchmark,
    rows: Sequence[tuple[Any, ...]],
    settings: Settings,
    identity: tuple[str | None, str | None, str | None],
    written: str | None,
    seen: Seen | None,
) -> list[Dataset]:
    exact = [row for row in rows if tuple(row[2:5]) == identity]
    has_questions = staged.questions is not None
    part = staged.questions.part if staged.questions else None
    if exact and part is not None and _is_of_parts(con, exact[0][0], part):
        # Its questions need not be there yet, and neither part is all of it.
        return [Dataset(exact[0][0], exact[0][1], written, False, False)]
    if staged.questions is not None and staged.questions.samples:
        fitting = _fitting_dataset(con, rows, identity, written)
        if fitting is not None and fitting.row is not None and not fitting.row[5]:
            return [Dataset(fitting.row[0], fitting.row[1], written, False, False, fitting.note)]
        if fitting is not None and fitting.row is None:
            return [
                _new(
                    con,
                    benchmark,
                    (fitting.version, *identity[1:]),
                    written,
                    fitting.note,
                )
            ]
    near = [row for row in rows if _compatible(identity, row[2:5])]
    if staged.role == "questions":
        # A question file completes a dataset that prediction files have begun, and no other.
        near = [row for row in near if not row[5]]
    by_key = settings.replace and staged.role == "questions"
    if (
        exact
        and has_questions
        and not _is_about(con, exact[0][0], written, staged.role, seen, by_key=by_key)
    ):
        raise _foreign(con, path, exact[0], written, staged)
    if staged.questions is not None and staged.questions.has_own_keys:
        near = []
    if not exact and has_questions:
        near = [
            row for row in near if _is_about(con, row[0], written, staged.role, seen, by_key=by_key)
        ]
    candidates = exact or near
    # Judgments may be of several splits at once without naming them; their questions decide.
    if len(candidates) == 1 or (candidates and staged.role == "judgments"):
        return [Dataset(row[0], row[1], written, bool(row[5]), False) for row in candidates]
    name = "/".join(part for part in (benchmark.name, *identity) if part)
    if candidates:
        names = ", ".join(str(row[1]) for row in candidates)
        raise InputError(
            path, f"could be of {names}; say which with --split, --version or --language"
        )
    if staged.benchmark is None and settings.benchmark is None:
        raise InputError(
            path,
            "does not name its benchmark, and its questions are of no dataset in the warehouse; "
            "give it with --benchmark NAME",
        )
    if not has_questions:
        there = ", ".join(str(row[1]) for row in rows)
        raise InputError(
            path,
            f"there is no dataset {name!r} in the warehouse"
            + (f", only {there}" if there else "")
            + "; ingest its question file first",
        )
    return [_new(con, benchmark, identity, written)]


def _new(
    con: duckdb.DuckDBPyConnection,
    benchmark: OfBenchmark,
    identity: tuple[str | None, str | None, str | None],
    written: str | None,
    note: str | None = None,
) -> Dataset:
    name = "/".join(part for part in (benchmark.name, *identity) if part)
    dataset_id = sources.next_id(con, "dataset")
    con.execute(
        "INSERT INTO main.dataset VALUES (?, ?, ?, ?, ?, ?, ?)",
        [dataset_id, benchmark.benchmark_id, name, *identity, sources.next_id(con, "source")],
    )
    return Dataset(dataset_id, name, written, False, True, note)


def _foreign(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    dataset: Sequence[Any],
    written: str | None,
    staged: Staged,
) -> InputError:
    """What is wrong with a file whose questions are not the dataset's, with the first that is not."""
    text = (
        f"fewer than half of its questions are those of {dataset[1]}, by key and text; if it is "
        "another dataset, say which with --version, --split or --language"
    )
    if staged.role != "questions" or staged.questions is None:
        return InputError(path, text)
    rows = con.execute(
        _SQL["first_other_question"], {"dataset_id": dataset[0], "split": written}
    ).fetchall()
    return InputError(
        path,
        f"{text}; if it is this one with other texts, --replace takes the file's",
        row=int(rows[0][0]) if rows else None,
        field=(staged.questions.text if rows[0][1] else staged.questions.key) if rows else None,
    )


def _is_about(
    con: duckdb.DuckDBPyConnection,
    dataset_id: int,
    written: str | None,
    role: str,
    seen: Seen | None,
    *,
    by_key: bool,
) -> bool:
    """Whether at least half of the file's questions are the dataset's, by key and text.

    By key alone with --replace, and where either side knows a question by its id only, without a text. Predictions may
    have the harness's own keys: then by text and choices. A question file may complete a dataset of
    which a prediction file gave a part: half of that part is enough.
    """
    if seen is not None and seen.all_of(dataset_id, written):
        return True
    ((n, n_same, n_known),) = con.execute(
        _SQL["count_of_same_questions"],
        {"dataset_id": dataset_id, "split": written, "by_key": by_key},
    ).fetchall()
    if n_same * 2 >= (min(n, n_known) if role == "questions" else n):
        return True
    if role == "questions":
        return False
    return same_content.are_of(con, dataset_id, written)


def _is_of_parts(con: duckdb.DuckDBPyConnection, dataset_id: int, part: tuple[int, int]) -> bool:
    """Whether the dataset came from files that are the other parts of it."""
    ((found,),) = con.execute(
        _SQL["is_of_parts"], {"dataset_id": dataset_id, "number": part[0], "count": part[1]}
    ).fetchall()
    return bool(found)


def _compatible(identity: Sequence[str | None], row: Sequence[str | None]) -> bool:
    return all(
        stated is None or here is None or stated == here
        for stated, here in zip(identity, row, strict=True)
    )
