"""What the Python API reads of a warehouse."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from evalhouse.boards import Boards
from evalhouse.options import known_options
from evalhouse.status import Status, status_of
from queries import differences as of_harnesses
from queries import install, session, show
from queries.comparison import Comparison
from queries.confined import running
from queries.results import refresh as keeping
from queries.results.refresh import Kept
from queries.show import QuestionView
from warehouse.check import Finding
from warehouse.later import Later, pl
from warehouse.resources import current, using

if TYPE_CHECKING:
    from evalhouse import checking, exporting
else:
    # Each of them imports what takes longer than to read a board.
    checking = Later("evalhouse.checking")
    exporting = Later("evalhouse.exporting")


class Reader(Boards):
    """A warehouse file, to be read: it imports nothing that reads result files or asks judges.

    The arguments are those of `Opened`: path, wait, warn, memory_limit, threads.
    """

    def sql(
        self,
        query: str,
        *,
        release: str = install.LATEST,
        timeout: float | None = running.TIMEOUT,
        max_rows: int | None = running.MAX_ROWS,
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
        limits = running.Limits(timeout, max_rows)
        running.start()
        with using(self._resources):
            limited = current()
        ask = partial(
            session.run_user_sql, path=self.path, sql=query, limits=limits, resources=limited
        )
        with self.reading() as con:
            if not session.is_out_of_date(con, release):
                return ask(con)
        with (
            TemporaryDirectory(prefix="evalhouse-") as folder,
            self.reading(folders=[Path(folder)]) as con,
        ):
            return ask(con, computed=session.use_installed(con, release, Path(folder)))

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
            return session.frame(con, "runs")

    @known_options()
    def show(
        self,
        key: str,
        *,
        model: str | None = None,
        dataset: str | None = None,
        judge: str | None = None,
        release: str = install.LATEST,
    ) -> tuple[QuestionView, ...]:
        """Everything about one question: a view per dataset that has its key.

        Args:
            key: the question's key in its dataset, such as 241.
            model: by name or alias; None: every model.
            dataset: its name, if several have the key.
            judge: by name, or none; None: every judge.
            release: a release by name, or the folder of one; it need not be installed.

        Raises:
            UsageError: no such question, model or judge.
        """
        with self.reading() as con:
            return show.show(con, key, model=model, dataset=dataset, judge=judge, release=release)

    @known_options()
    def errors(
        self,
        model: str,
        *,
        dataset: str | None = None,
        ability: str | None = None,
        judge: str | None = None,
        release: str = install.LATEST,
    ) -> pl.DataFrame:
        """The wrong answers of a model's latest runs: the rows of `answer_sheet` that are not wholly right.

        Args:
            model: by name or alias.
            dataset: a dataset, or a benchmark; None: all.
            ability: by its name or abbreviation; None: all.
            judge: by name, or none; by default that of the view `score`.
            release: a release by name, or the folder of one; it need not be installed.

        Raises:
            UsageError: no such model, dataset, ability or judge.
        """
        with self.reading() as con:
            return show.wrong_answers(
                con, model, dataset=dataset, ability=ability, judge=judge, release=release
            )

    def differing_questions(self, comparison: Comparison) -> pl.DataFrame:
        """The questions that the two runs of a comparison do not score alike, one per row.

        Raises:
            UsageError: the comparison is over groups of questions.
        """
        with self.reading() as con:
            return show.differing_questions(con, comparison)

    @property
    def export(self) -> exporting.Exporter:
        """What `evalhouse export` writes: `house.export.parquet(folder)`, `.bundle(folder)` and so on."""
        return exporting.Exporter(self)

    def status(self) -> Status:
        """What is in the file: counts, datasets, partial runs, subsets, judges, releases."""
        with self.reading() as con:
            return status_of(con, self.path)

    def check(self, *, found: Callable[[Finding], None] = lambda finding: None) -> checking.Checked:
        """Verify what the engine does not enforce: every column of every table is read.

        Args:
            found: callback, called with each finding as it is found.

        Returns:
            A finding per check, with `n` 0 where all is well; `is_ok` says whether all are.

        Raises:
            EvalhouseError: there is no such warehouse, or it cannot be opened.
        """
        with using(self._resources):
            return checking.check(self.path, wait=self.wait, found=found)

    def subsets(self) -> pl.DataFrame:
        """The subsets of datasets: one row each, with its questions and how it came about."""
        with self.reading() as con:
            return session.frame(con, "subset_list")
