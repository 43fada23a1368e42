"""The Python API. The file is open only while a call runs, so that others can use it between."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from evalhouse import benchmarks, installing, refreshing
from evalhouse.judging import JudgeSettings, assign
from evalhouse.placing import put, sibling
from ingest import formats, many
from ingest.many import Outcome
from ingest.pipeline import ingest_file, prepare
from ingest.settings import Report, Settings
from judge.budget import Budget
from judge.job import Progress
from judge.unmerged import BUSY_SECONDS
from queries import differences as of_harnesses
from queries import install, leaderboard, many_benchmarks, paired, paper_table, session
from queries import release as releases
from queries.board import Board
from queries.confined import asking
from queries.kept import refresh as keeping
from queries.kept.refresh import Kept
from queries.many_benchmarks import ManyBoard
from queries.paired import Comparison
from queries.paper_table import PaperTable
from warehouse import benchmark_changes, connection, known_benchmarks, runs, taxonomy
from warehouse.benchmark import Benchmark
from warehouse.errors import BusyError, EvalhouseError
from warehouse.resources import Resources, current, using


class Warehouse:
    """A warehouse file.

    Args:
        path: the DuckDB file; by default EVALHOUSE_DB, else `warehouse.duckdb`. Made by the first
            call that writes.
        wait: seconds to wait while another process holds the file.
        warn: callback, called when the installed views differ from those of this evalhouse.
        memory_limit: memory for DuckDB, such as 8GB; by default EVALHOUSE_MEMORY_LIMIT, else 80 %
            of the machine's. What is more goes to disk, next to the warehouse.
        threads: threads for DuckDB; by default EVALHOUSE_THREADS, else all cores.

    Raises:
        UsageError: a limit that is none.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        wait: float = 0,
        warn: Callable[[str], None] | None = None,
        memory_limit: str | None = None,
        threads: int | None = None,
    ) -> None:
        self.path = Path(path) if path is not None else connection.default_path()
        self.wait = wait
        self._warn = warn
        self._has_warned = False
        self._resources = Resources(memory_limit, threads)

    def at(self, path: Path) -> Warehouse:
        """Another file, opened as this one is; that its views differ is not reported again."""
        house = Warehouse(
            path,
            wait=self.wait,
            warn=self._warn,
            memory_limit=self._resources.memory_limit,
            threads=self._resources.threads,
        )
        house._has_warned = True
        return house

    @contextmanager
    def reading(
        self, *, files: Iterable[Path] = (), folders: Iterable[Path] = ()
    ) -> Iterator[duckdb.DuckDBPyConnection]:
        """A read-only connection.

        Args:
            files: what else it may read or write; it reaches nothing but these and the warehouse.
            folders: the same of everything in a folder.

        Raises:
            EvalhouseError: there is no such warehouse, it cannot be opened, or it is damaged.
        """
        with using(self._resources):
            con = connection.open_for_reading(
                self.path, wait=self.wait, files=files, folders=folders
            )
        try:
            with connection.errors_naming(self.path):
                self._check_releases(con)
                with known_benchmarks.of_warehouse(con):
                    yield con
        finally:
            con.close()

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

    def note(self, text: str) -> None:
        """Report what is no error: to `warn`, or as a Python warning."""
        if self._warn is not None:
            self._warn(text)
        else:
            warnings.warn(text, stacklevel=2)

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

    def kept(self) -> tuple[Kept, ...]:
        """How much of each installed release's results is kept and holds."""
        with self.reading() as con:
            return tuple(keeping.state(con, name) for name in install.installed(con))

    def sql(
        self,
        query: str,
        *,
        release: str = install.LATEST,
        timeout: float | None = asking.TIMEOUT,
        max_rows: int | None = asking.MAX_ROWS,
    ) -> pl.DataFrame:
        """The result of a query, which cannot write. Names of views mean those of the release.

        It runs in a process of its own that reads this file and nothing else, with the limits of
        memory and threads that the warehouse has; the result may take half of the memory once more.
        What needs more memory goes to a temporary folder (TMPDIR) on Linux with Landlock, and is an
        error elsewhere.

        Args:
            query: one SELECT, or EXPLAIN of one.
            release: a release that is installed, by name or folder.
            timeout: seconds that the query may take; None is no limit.
            max_rows: rows that the result may have; None is no limit.

        Raises:
            UsageError: the query is wrong, or what it names is not installed; the message names the
                command that installs it.
            EvalhouseError: it takes more time, rows or memory than it may.
        """
        limits = asking.Limits(timeout, max_rows)
        asking.start()
        with self.reading() as con:
            session.require_installed(con, release)
            with using(self._resources):
                limited = current()
            return session.run_user_sql(con, self.path, query, limits=limits, resources=limited)

    def leaderboard(
        self, benchmark: str, *, release: str = install.LATEST, **choices: Any
    ) -> tuple[Board, ...]:
        """The leaderboards of a benchmark; `choices` as in `queries.leaderboard.boards`.

        Args:
            release: a release by name, or the folder of one; it need not be installed.

        Raises:
            UsageError: no such benchmark, level, strategy or judge.
        """
        with self.reading() as con:
            return leaderboard.boards(con, benchmark, release=release, **choices)

    def board(
        self,
        name_or_file: str | None,
        *,
        release: str = install.LATEST,
        judge: str | None = None,
    ) -> ManyBoard:
        """Models by the figures of many benchmarks; see `queries.many_benchmarks.board`.

        Args:
            name_or_file: a board by name, or the .toml file of one; None: every dataset there is.
            release: a release by name, or the folder of one; it need not be installed.
            judge: for the columns that have figures under it.

        Raises:
            UsageError: no such board or judge, or a column has several judges.
        """
        with self.reading() as con:
            return many_benchmarks.board(con, name_or_file, release=release, judge=judge)

    def compare(
        self, model_a: str, model_b: str, *, release: str = install.LATEST, **choices: Any
    ) -> Comparison:
        """Two runs compared question by question; `choices` as in `queries.paired.compare`.

        Args:
            model_a: a model by name or alias, whose latest run is meant, or else a run's label.
            model_b: the other one.
            release: a release by name, or the folder of one; it need not be installed.

        Raises:
            UsageError: no such model, dataset, level, strategy or judge, or nothing to compare.
        """
        with self.reading() as con:
            return paired.compare(con, model_a, model_b, release=release, **choices)

    def paper_table(
        self, name: str, *, release: str = install.LATEST, **choices: Any
    ) -> pl.DataFrame:
        """A table or figure of a paper, its rows in the paper's order, unrounded.

        Args:
            name: its view, such as mmbench_t5; `evalhouse paper-table` lists them.
            release: a release by name, or the folder of one; it need not be installed.
            choices: as in `queries.paper_table.paper_table`: dataset, split, version, language,
                judge, subset.

        Raises:
            UsageError: no such table, judge or subset, or the warehouse holds nothing for it.
        """
        return self.paper(name, release=release, **choices).frame

    def paper(self, name: str, *, release: str = install.LATEST, **choices: Any) -> PaperTable:
        """The same with what is needed to print it."""
        with self.reading() as con:
            return paper_table.paper_table(con, name, release=release, **choices)

    def differences(
        self, run: int | str | None = None, *, release: str = install.LATEST
    ) -> pl.DataFrame:
        """The figures that harnesses wrote of a run, or of all, with ours and why they differ.

        Args:
            run: its number or label; None: every run, and figures without one.
            release: a release by name, or the folder of one; it need not be installed.

        Raises:
            UsageError: no such run.
        """
        with self.reading() as con:
            run_ids = None if run is None else of_harnesses.runs_of(con, run)
            return of_harnesses.figures(con, run_ids, release=release)

    def sample_differences(
        self,
        run: int | str | None = None,
        *,
        release: str = install.LATEST,
        every: bool = False,
    ) -> pl.DataFrame:
        """The answers that a harness scores otherwise than we do, one row per metric.

        Args:
            run: its number or label; None: of every run.
            release: a release by name, or the folder of one; it need not be installed.
            every: also those that both score the same.

        Raises:
            UsageError: no such run.
        """
        with self.reading() as con:
            run_ids = None if run is None else of_harnesses.runs_of(con, run)
            return of_harnesses.samples(con, run_ids, release=release, every=every)

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

    def runs(self) -> pl.DataFrame:
        """Every run, newest first, also those that no longer count."""
        with self.reading() as con:
            session.use_release(con)
            return session.ask(con, "runs")

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

    @contextmanager
    def _reading_if_there(self) -> Iterator[duckdb.DuckDBPyConnection | None]:
        if self.path.exists():
            with self.reading() as con:
                yield con
        else:
            yield None

    def _check_releases(self, con: duckdb.DuckDBPyConnection) -> None:
        if self._warn is None:
            return
        differing = install.differing(con)
        if differing and not self._has_warned:
            self._has_warned = True
            views = sorted({view for views in differing.values() for view in views})
            shown = ", ".join(views[:3]) + (" …" if len(views) > 3 else "")
            self._warn(
                f"{self.path}: {', '.join(differing)}: not as they come with this evalhouse "
                f"({shown}); `evalhouse releases install` installs those"
            )

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
                made = connection.open_for_writing(new, then=install.install_where_none_is)
                made.close()
            # A file that another process made meanwhile stays.
            with suppress(FileExistsError):
                put(new, self.path)
