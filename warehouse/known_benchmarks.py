"""The benchmarks that are known: those that come with the package, that an installed package
brings, and that were added to the warehouse in use. A name means one of them: the package's own
come first, then the warehouse's, so that nothing that is installed later changes what a name means
there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

import duckdb

from warehouse import benchmark
from warehouse.benchmark import HALF_UP, Benchmark, Dataset
from warehouse.errors import InputError
from warehouse.files import packaged

DIRECTORY = Path(__file__).parent / "benchmarks"
STORED_AS = "benchmark_toml"
"""The format of the sources that hold a benchmark which was added."""
_MOST_STORED = 10_000
_EVALHOUSE, WAREHOUSE = "evalhouse", "the warehouse"

_Source = tuple[int, str, str]
_sources: ContextVar[tuple[_Source, ...]] = ContextVar("benchmarks", default=())
"""The number, path and flags of those sources in the warehouse in use."""


@cache
def shipped() -> tuple[Benchmark, ...]:
    """The benchmarks that come with the package."""
    files = sorted(DIRECTORY.glob(f"*/{benchmark.FILE}"))
    return tuple(_shipped_in(file.parent) for file in files)


@cache
def _shipped_in(folder: Path) -> Benchmark:
    return replace(benchmark.load(folder), origin=_EVALHOUSE)


@cache
def brought() -> tuple[tuple[Benchmark, ...], tuple[str, ...]]:
    """The benchmarks of installed packages, and the errors of those that are left out."""
    folders, problems = packaged.brought("evalhouse.benchmarks", folders=True)
    found: list[Benchmark] = []
    said = list(problems)
    for one in folders:
        try:
            given = replace(benchmark.load(one.value), origin=one.origin)
            require_free_names(given, [*shipped(), *found])
        except InputError as error:
            said.append(f"{one.origin}: its benchmark {one.name} is left out: {error}")
        else:
            found.append(given)
    return tuple(found), tuple(said)


def stored() -> tuple[Benchmark, ...]:
    """The benchmarks that were added to the warehouse in use.

    Raises:
        InputError: what the warehouse holds of one cannot be read.
    """
    return _stored_of(_sources.get())


def known() -> tuple[Benchmark, ...]:
    """All of them; a benchmark that the warehouse has a folder of is not taken from a package.

    Raises:
        InputError: what the warehouse holds of one cannot be read.
    """
    return _known_with(_sources.get())


def named(*, of_packages: bool = True) -> Mapping[str, tuple[Benchmark, Dataset | None]]:
    """What each name means, in lower case: a benchmark, or one of its datasets.

    Args:
        of_packages: with those that installed packages bring.
    """
    return _named_with(_sources.get(), of_packages)


@lru_cache(maxsize=16)
def _stored_of(given: tuple[_Source, ...]) -> tuple[Benchmark, ...]:
    found: dict[str, Benchmark] = {}
    for source in given:
        one = _of_source(*source)
        before = found.get(one.name.lower())
        found[one.name.lower()] = one if before is None else _with_names_of(one, before)
    return tuple(found.values())


def _with_names_of(one: Benchmark, before: Benchmark) -> Benchmark:
    """A benchmark that was added again: the later folder holds, and the names of before stay."""
    kept = []
    for dataset in before.datasets:
        names = tuple(name for name in dataset.names if name not in one.names)
        kept += [replace(dataset, names=names)] if names else []
    of_datasets = [name for dataset in one.datasets for name in dataset.names]
    aliases = (name for name in before.aliases if name not in of_datasets)
    return replace(
        one,
        aliases=tuple(dict.fromkeys((*one.aliases, *aliases))),
        datasets=(*one.datasets, *kept),
    )


@lru_cache(maxsize=16)
def _known_with(given: tuple[_Source, ...]) -> tuple[Benchmark, ...]:
    found = [*shipped()]
    for one in (*_stored_of(given), *brought()[0]):
        taken = {name for other in found for name in other.names}
        if taken.isdisjoint(one.names):
            found.append(one)
    return tuple(found)


@lru_cache(maxsize=16)
def _named_with(
    given: tuple[_Source, ...], of_packages: bool
) -> Mapping[str, tuple[Benchmark, Dataset | None]]:
    found: dict[str, tuple[Benchmark, Dataset | None]] = {}
    for one in _known_with(given):
        if not of_packages and one.origin not in (_EVALHOUSE, WAREHOUSE):
            continue
        found |= dict.fromkeys((one.name.lower(), *one.aliases), (one, None))
        for dataset in one.datasets:
            found |= dict.fromkeys(dataset.names, (one, dataset))
    return found


def find(name: str) -> Benchmark | None:
    """The benchmark of that name or alias, in any case; None if none is known.

    Raises:
        InputError: what the warehouse holds of one cannot be read.
    """
    stored()
    # The package's own come first, and a board of one need not read them all.
    folder = DIRECTORY / re.sub(r"\W", "_", name.lower())
    # Not Path.is_file, which raises for names that cannot exist.
    if os.path.isfile(folder / benchmark.FILE):  # noqa: PTH113
        shipped_one = _shipped_in(folder)
        if shipped_one.name.lower() == name.lower():
            return shipped_one
    one, dataset = named().get(name.lower(), (None, None))
    return one if dataset is None else None


def problems() -> tuple[str, ...]:
    """The errors of benchmarks that are left out, of installed packages and of the warehouse."""
    aside = [one for one in (*stored(), *brought()[0]) if one not in known()]
    return (
        *brought()[1],
        *(f"{one.name} of {one.origin} is left out: one of its names is known" for one in aside),
    )


def rounding_of(name: str | None) -> str:
    """How a benchmark's figures are rounded: half_up, unless its folder says otherwise."""
    found = find(name) if name is not None else None
    return found.rounding if found else HALF_UP


def is_one_set(name: str | None) -> bool:
    """Whether the benchmark of that name is known to have no splits."""
    found = find(name) if name is not None else None
    return found is not None and found.is_one_set


def require_free_names(one: Benchmark, others: Iterable[Benchmark]) -> None:
    """Refuse a benchmark of which a name means another one already.

    Raises:
        InputError: naming both.
    """
    for other in others:
        for name in one.names:
            if name in other.names:
                key = "name" if name == one.name.lower() else "aliases"
                if name not in (one.name.lower(), *one.aliases):
                    key = "dataset.names"
                raise InputError(
                    one.path, f"{name!r} is {other.name} already ({other.path})", field=key
                )


@contextmanager
def of_warehouse(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Inside, the benchmarks that were added to this warehouse are known too."""
    before = _sources.get()
    reread(con)
    try:
        yield
    finally:
        _sources.set(before)


def reread(con: duckdb.DuckDBPyConnection) -> None:
    """Know what was added to this warehouse by now."""
    rows = con.execute(
        "SELECT source_id, path, flags FROM main.source WHERE format = ? ORDER BY source_id LIMIT ?",
        [STORED_AS, _MOST_STORED],
    ).fetchall()
    _sources.set(tuple((int(number), str(path), str(flags)) for number, path, flags in rows))


def _of_source(source_id: int, path: str, flags: str) -> Benchmark:
    where = f"{path} (source {source_id} of the warehouse)"
    try:
        files = json.loads(flags)["files"]
        text, judge_template = files[benchmark.FILE], files.get(benchmark.JUDGE_FILE)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        text = judge_template = None
    if not isinstance(text, str) or not isinstance(judge_template, str | None):
        raise InputError(where, "holds no benchmark, though its format says so")
    return replace(benchmark.parse(text, where, judge_template), origin=WAREHOUSE)
