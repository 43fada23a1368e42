"""What the Python API reads of a warehouse. The file is open only while a call runs, so that others
can use it between."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import duckdb

from queries import differences as of_harnesses
from queries import install, leaderboard, many_benchmarks, over_many, paired, paper_table, session
from queries.board import Board
from queries.confined import asking
from queries.kept import refresh as keeping
from queries.kept.refresh import Kept
from queries.many_benchmarks import ManyBoard
from queries.over_many import ComparisonOfMany
from queries.paired import Comparison
from queries.paper_table import PaperTable
from warehouse import connection, known_benchmarks
from warehouse.later import pl
from warehouse.resources import Resources, current, using


class Reader:
    """A warehouse file, to be read: it imports nothing that reads result files or asks judges.

    Args:
        path: the DuckDB file; by default EVALHOUSE_DB, else `warehouse.duckdb`.
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

    def at(self, path: Path) -> Self:
        """Another file, opened as this one is; that its views differ is not reported again."""
        house = type(self)(
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

    def note(self, text: str) -> None:
        """Report what is no error: to `warn`, or as a Python warning."""
        if self._warn is not None:
            self._warn(text)
        else:
            warnings.warn(text, stacklevel=2)

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

    def compare_over(
        self, model_a: str, model_b: str, over: str, **choices: Any
    ) -> ComparisonOfMany:
        """Two models compared over the mean of several datasets; `choices` as in `queries.over_many.compare`.

        Args:
            model_a: as in `compare`.
            model_b: as in `compare`.
            over: names of datasets or benchmarks with commas between, or all.

        Raises:
            UsageError: as `compare`; or one of the two has no run of a dataset.
        """
        with self.reading() as con:
            return over_many.compare(con, model_a, model_b, over, **choices)

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

    def kept(self) -> tuple[Kept, ...]:
        """How much of each installed release's results is kept and holds."""
        with self.reading() as con:
            return tuple(keeping.state(con, name) for name in install.installed(con))

    def runs(self) -> pl.DataFrame:
        """Every run, newest first, also those that no longer count."""
        with self.reading() as con:
            session.use_release(con)
            return session.ask(con, "runs")

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
