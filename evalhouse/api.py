"""The Python API: what changes a warehouse, and by inheritance what reads it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from evalhouse import benchmarks, blank, installing, refreshing
from evalhouse.judging import JudgeSettings, assign
from evalhouse.placing import put, sibling
from evalhouse.reader import Reader
from ingest import formats, many
from ingest.many import Outcome
from ingest.pipeline import ingest_file, prepare
from ingest.settings import Report, Settings
from judge.budget import Budget
from judge.job import Progress
from judge.unmerged import BUSY_SECONDS
from queries import install
from queries import release as releases
from queries.kept import refresh as keeping
from queries.kept.refresh import Kept
from warehouse import benchmark_changes, connection, known_benchmarks, runs, taxonomy
from warehouse.benchmark import Benchmark
from warehouse.errors import BusyError, EvalhouseError
from warehouse.later import pl
from warehouse.resources import using


class Warehouse(Reader):
    """A warehouse file, made by the first call that writes.

    The arguments are those of `Reader`: path, wait, warn, memory_limit, threads.
    """

    @contextmanager
    def writing(self, *, files: Iterable[Path] = ()) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection to write with; the warehouse is made or upgraded first where need be.

        Args:
            files: what else it may read; it reaches nothing but these and the warehouse.

        Raises:
            EvalhouseError: it cannot be opened, or is damaged.
        """
        connection.require_file(self.path)
        if not self.path.exists():
            self._create()
        with using(self._resources):
            con = connection.open_for_writing(
                self.path, wait=self.wait, files=files, then=install.install_where_none_is
            )
        try:
            with connection.errors_naming(self.path):
                if not install.installed(con):
                    install.bring_up_to_date(con)
                self._check_releases(con)
                with known_benchmarks.of_warehouse(con):
                    yield con
        finally:
            con.close()

    @contextmanager
    def changing(
        self,
        *,
        files: Iterable[Path] = (),
        refresh: bool = True,
        also: Iterable[str] = (),
        step: Callable[[str], None] = lambda text: None,
    ) -> Iterator[duckdb.DuckDBPyConnection]:
        """The same for a change of facts: it ends by keeping the results of the runs concerned.

        That is a transaction of its own, after those of the facts. If it fails or is interrupted,
        the facts stay, a note says so, and queries compute what is not kept.

        Args:
            files: what else it may read.
            refresh: False leaves the refresh to a later command.
            also: releases to be kept besides the default one and those that are kept already.
            step: callback, called with what is being done.
        """
        with self.writing(files=files) as con:
            if not refresh:
                yield con
                return
            kept = refreshing.kept_releases(con)
            before = refreshing.last_facts(con)

            def bring_up() -> None:
                refreshing.refresh_all(con, (*kept, *also), step=step, note=self.note)

            try:
                yield con
            except EvalhouseError:
                # Of several files, those before the one that cannot be read are in.
                if refreshing.last_facts(con) not in (before, None):
                    bring_up()
                raise
            bring_up()

    def ingest(
        self,
        *paths: str | os.PathLike[str],
        step: Callable[[str], None] = lambda text: None,
        refresh: bool = True,
        **settings: Any,
    ) -> list[Report]:
        """Read files, each whole or not at all, in the order given.

        Args:
            paths: the files.
            step: callback, called with what is being done.
            refresh: keep the results of the runs concerned anew, once in the end.
            settings: the fields of `ingest.settings.Settings`, such as benchmark or model.

        Raises:
            InputError: a file cannot be read as it stands; those before it are in.
        """
        chosen = Settings(**settings)
        files = [Path(path) for path in paths]
        reports = []
        with self.changing(files=files, refresh=refresh, step=step) as con:
            prepare(con)
            for file in files:
                reports.append(ingest_file(con, file, chosen, step=step))
        return reports

    def ingest_many(
        self,
        *words: str | os.PathLike[str],
        step: Callable[[str], None] = lambda text: None,
        begin: Callable[[int], None] = lambda n: None,
        refresh: bool = True,
        **settings: Any,
    ) -> Iterator[Outcome]:
        """Read files, folders and patterns such as `DIR/**/*.csv`; one outcome per file.

        A file of a folder or pattern that cannot be read is an outcome, not an error, and the
        others are read all the same.

        Args:
            words: the files, folders and patterns.
            step: callback, called with what is being done.
            begin: callback, called with how many files there are.
            refresh: keep the results of the runs concerned anew, once after the last file.
            settings: the fields of `ingest.settings.Settings`, such as benchmark or model.

        Raises:
            InputError: a file that was named cannot be read; those before it are in.
        """
        files = many.expand([Path(word) for word in words], self.path)
        begin(len(files))
        paths = [file.path for file in files]
        with self.changing(files=paths, refresh=refresh, step=step) as con:
            yield from many.ingest_files(con, files, Settings(**settings), step=step)

    def add_benchmark(self, folder: str | os.PathLike[str]) -> Benchmark:
        """Know the benchmark of a folder from now on; the folder is not needed again.

        Added again with other names it is known by those; its conventions and abilities stay.

        Raises:
            InputError: the folder holds none, or one that contradicts what is known; nothing is
                added.
        """
        found = benchmarks.load(Path(folder))
        with self.changing() as con, connection.transaction(con):
            taxonomy.add(con, found)
        return found

    def set_benchmark(self, name: str, changes: Mapping[str, str]) -> Benchmark:
        """Change what is known of a benchmark of the warehouse, without reading its files again.

        Args:
            changes: of the keys rule, normaliser, tolerance, strategy, average, macro_level and level;
                without_figure, without_group and without_level name what is taken away.

        Raises:
            UsageError: there is no such benchmark, or a value cannot be; nothing is changed.
        """
        with self.changing() as con, connection.transaction(con):
            return benchmark_changes.store(con, name, changes)

    def benchmarks(self) -> pl.DataFrame:
        """The known benchmarks: of the package, of other packages, and of the warehouse."""
        with self._reading_if_there() as con:
            return benchmarks.frame(con)

    def left_out(self) -> tuple[str, ...]:
        """The errors of benchmarks, formats and releases that are left out."""
        with self._reading_if_there():
            return (
                *known_benchmarks.problems(),
                *formats.brought()[1],
                *releases.brought().problems,
            )

    def benchmark(self, name: str) -> Benchmark:
        """What is known of a benchmark, by its name or an alias.

        Raises:
            UsageError: no folder of one is known.
        """
        with self._reading_if_there():
            return benchmarks.find(name)

    def judge(self, model: str, *, refresh: bool = True, **settings: Any) -> list[Progress]:
        """Ask a judge what scoring still needs; one outcome per task that the runs need.

        Args:
            model: the model to ask.
            refresh: keep the results of the runs concerned anew, once in the end.
            settings: the fields of `evalhouse.judging.JudgeSettings`, such as base_url or max_cost.

        Raises:
            EvalhouseError: nothing could be sent. What stopped it later is in the outcome.
        """
        chosen = JudgeSettings(model=model, **settings)
        budget = Budget(max_calls=chosen.max_calls, max_cost=chosen.max_cost)
        outcomes = []
        with using(self._resources):
            for assignment in assign(self.path, chosen, wait=self.wait):
                outcomes.append(assignment.run(budget))
                if outcomes[-1].stopped is not None:
                    break
        if refresh:
            self.refresh_kept()
        return outcomes

    def refresh_kept(self, *, step: Callable[[str], None] = lambda text: None) -> None:
        """What every writing command ends with, for those that open the file several times.

        It waits for no other process longer than judging does: that process refreshes the file too.
        """
        patient = self.at(self.path)
        patient.wait = max(self.wait, BUSY_SECONDS)
        try:
            with patient.changing(step=step):
                pass
        except BusyError as error:
            self.note(f"{refreshing.STORED}, but results are not kept anew: {error}")

    def refresh(self, *, release: str = install.LATEST, verify: bool = False) -> Kept:
        """Keep the results of the runs whose kept results do not hold, so that boards are fast.

        Every call that changes facts ends with this. A run's results are kept anew where such a
        call has changed what they rest on.

        Args:
            release: a release by name, or the folder of one, which is installed first.
            verify: also look for facts that were changed by hand, in another client: every answer
                and judgment is hashed.
        """
        name = self.install_release(release)
        with self.writing() as con:
            if not keeping.is_of_now(con, name) and name in releases.shipped_names():
                install.install(con, releases.load(name))
            return keeping.refresh(con, name, verify=verify)

    def drop_kept(self, *, release: str = install.LATEST) -> None:
        """Forget the kept results of a release; it changes no answer."""
        with self.reading() as con:
            name = install.found_as(con, release)
        if name is None:
            return
        with self.writing() as con:
            keeping.drop(con, releases.default_name() if name == install.LATEST else name)

    def install_release(self, name_or_directory: str) -> str:
        """Install a release where it is not there as it stands on disk; return its name.

        Args:
            name_or_directory: a release by name, `latest`, or the folder of one.

        Raises:
            UsageError: no such release or folder.
            EvalhouseError: the folder is not a release, or a view does not bind.
        """
        with using(self._resources):
            return installing.install(self.path, name_or_directory, wait=self.wait)

    def rename_run(
        self,
        run_id: int,
        *,
        label: str | None = None,
        model: str | None = None,
        refresh: bool = True,
    ) -> None:
        """Give a run another label, another model, or both.

        Args:
            run_id: its number.
            label: the new label.
            model: the right model.
            refresh: keep the results of the runs concerned anew.

        Raises:
            UsageError: no such run, or the name is taken.
        """
        with self.changing(refresh=refresh) as con:
            runs.rename(con, run_id, label=label, model=model)

    def retract_run(self, run_id: int, *, refresh: bool = True) -> None:
        """Take a run out of every view; its rows stay.

        Args:
            run_id: its number.
            refresh: keep the results of the runs concerned anew.

        Raises:
            UsageError: no such run.
        """
        with self.changing(refresh=refresh) as con:
            runs.retract(con, run_id)

    def _create(self) -> None:
        """Make the file with its views next to its place, then move it there: never half of one."""
        if not self.path.parent.is_dir():
            raise EvalhouseError(f"{self.path}: the folder {self.path.parent} does not exist")
        log = connection.log_of(self.path)
        if log.exists() and not self.path.exists():
            raise EvalhouseError(
                f"{log}: is what a warehouse that is gone had not stored yet; a new one would take it for "
                "its own. Bring that warehouse back, or remove the file"
            )
        with sibling(self.path, "new") as new:
            with using(self._resources):
                blank.put(new)
            # A file that another process made meanwhile stays.
            with suppress(FileExistsError):
                put(new, self.path)
