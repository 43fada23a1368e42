"""The Python API: what changes a warehouse, and by inheritance what reads it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from evalhouse.judge_settings import JudgeSettings
from evalhouse.options import asked, known_options, made
from evalhouse.writer import Writer
from ingest.settings import Options, Report, Settings
from queries import install
from queries import release as releases
from warehouse import connection, known_benchmarks, runs, taxonomy
from warehouse.benchmark import FILE, JUDGE_FILE, Benchmark
from warehouse.errors import UsageError
from warehouse.later import Later, pl
from warehouse.resources import using

if TYPE_CHECKING:
    from evalhouse import benchmarks, data_frames, judging, subsetting
    from evalhouse.data_frames import Frame
    from evalhouse.subsetting import Added
    from ingest import formats, loading, many, pipeline
    from ingest.many import Outcome
    from judge import budget
    from judge.job import Progress
    from queries import suggest
    from queries.suggest import Suggestion
    from warehouse import benchmark_changes
    from warehouse import merge as merging
    from warehouse.merge import Merged
else:
    # Who opens a warehouse to read it waits for none of them.
    benchmarks = Later("evalhouse.benchmarks")
    data_frames = Later("evalhouse.data_frames")
    judging = Later("evalhouse.judging")
    subsetting = Later("evalhouse.subsetting")
    formats = Later("ingest.formats")
    many = Later("ingest.many")
    pipeline = Later("ingest.pipeline")
    loading = Later("ingest.loading")
    budget = Later("judge.budget")
    suggest = Later("queries.suggest")
    benchmark_changes = Later("warehouse.benchmark_changes")
    merging = Later("warehouse.merge")


class Warehouse(Writer):
    """A warehouse file, made by the first call that writes.

    The arguments are those of `Opened`: path, wait, warn, memory_limit, threads.
    """

    @known_options(Options)
    def ingest(
        self,
        *files: str | os.PathLike[str] | Frame,
        step: Callable[[str], None] = lambda text: None,
        refresh: bool = True,
        **settings: Unpack[Options],
    ) -> list[Report]:
        """Read files and data frames, each whole or not at all, in the order given.

        A data frame has the columns of the formats `questions`, `predictions` and so on, as a file of
        one table has. Its source is `<DataFrame>` with the sha256 of its Parquet, and its run is
        called DataFrame where `run` does not say otherwise.

        Args:
            files: paths, and data frames of polars, pandas, pyarrow or DuckDB; or a dictionary of
                columns, or a list of rows.
            step: callback, called with what is being done.
            refresh: keep the results of the runs concerned anew, once in the end.
            settings: the fields of `ingest.settings.Settings`, such as benchmark or model.

        Raises:
            InputError: a file or data frame cannot be read as it stands; it names the row and the
                field. Those before it are in.
        """
        chosen = made(Settings, settings, "ingest")
        chosen.refuse_several(len(files))
        reports = []
        with ExitStack() as stack:
            found: list[tuple[Path, str | None]] = []
            for one in files:
                if isinstance(one, str | os.PathLike):
                    found.append((Path(one), None))
                else:
                    found.append(
                        (stack.enter_context(data_frames.as_file(one, chosen)), data_frames.CALLED)
                    )
            paths = [path for path, _ in found]
            with self.changing(files=paths, refresh=refresh, step=step) as con:
                pipeline.prepare(con)
                memory = loading.Memory()
                for path, called in found:
                    reports.append(
                        pipeline.ingest_file(con, path, chosen, memory, called=called, step=step)
                    )
        return reports

    @known_options(Options)
    def ingest_many(
        self,
        *words: str | os.PathLike[str],
        step: Callable[[str], None] = lambda text: None,
        begin: Callable[[int], None] = lambda n: None,
        refresh: bool = True,
        **settings: Unpack[Options],
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
        chosen = made(Settings, settings, "ingest_many")
        files = many.expand([Path(word) for word in words], self.path)
        begin(len(files))
        paths = [file.path for file in files]
        with self.changing(files=paths, refresh=refresh, step=step) as con:
            yield from many.ingest_files(con, files, chosen, step=step)

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
        if others := benchmarks.not_read(Path(folder)):
            self.note(
                f"{folder}: not read: {', '.join(others)}; a benchmark is {FILE}, and {JUDGE_FILE} with its "
                "judge's template; rules in SQL are a release's (`evalhouse releases new`)"
            )
        return found

    def set_benchmark(self, name: str, text: str, *, path: str | None = None) -> Benchmark:
        """Replace the `benchmark.toml` of a benchmark of the warehouse; no file is read again.

        Args:
            text: the TOML from now on, such as `benchmark(name).text` with another rule.
            path: of the text, for messages.

        Raises:
            UsageError: there is no such benchmark, or the text is not right; nothing is changed.
        """
        if not isinstance(text, str):
            raise UsageError(benchmarks.NEW_WAY)
        with self.changing() as con, connection.transaction(con):
            return benchmark_changes.store(con, name, text, path or f"the TOML of {name}")

    def benchmarks(self) -> pl.DataFrame:
        """The known benchmarks: of the package, of other packages, and of the warehouse."""
        with self._reading_if_there() as con:
            return benchmarks.frame(con)

    def left_out(self) -> tuple[str, ...]:
        """The errors of benchmarks, formats and releases that are left out."""
        with self._reading_if_there():
            return (
                *known_benchmarks.problems(),
                *formats.brought()[2],
                *releases.brought().problems,
            )

    def benchmark(self, name: str) -> Benchmark:
        """What is known of a benchmark, by its name or an alias.

        Raises:
            UsageError: none is known.
        """
        with self._reading_if_there() as con:
            return benchmarks.find(name, con)

    @asked(JudgeSettings)
    def judge(self, settings: JudgeSettings) -> list[Progress]:
        """Ask a judge what scoring still needs; one outcome per task that the runs need.

        Raises:
            EvalhouseError: nothing could be sent. What stopped it later is in the outcome.
        """
        limits = budget.Budget(max_calls=settings.max_calls, max_cost=settings.max_cost)
        outcomes = []
        with using(self._resources):
            for assignment in judging.assign(self.path, settings, wait=self.wait):
                outcomes.append(assignment.run(limits))
                if outcomes[-1].stopped is not None:
                    break
        if settings.refresh:
            self.refresh_kept()
        return outcomes

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

    def set_run_thinking(self, run_id: int, marks: str, *, refresh: bool = True) -> None:
        """Say how a run's answers mark a model's thinking, which rules do not read.

        Args:
            run_id: its number.
            marks: `OPEN ... CLOSE`, such as `<reason> ... </reason>`, next to the marks that are known;
                none: its answers are read whole; known: the marks that are known, whatever its
                benchmark says.
            refresh: keep the run's results anew.

        Raises:
            UsageError: no such run, or no such marks.
        """
        with self.changing(refresh=refresh) as con:
            runs.set_thinking(con, run_id, marks)

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

    @known_options()
    def merge(
        self, other: str | os.PathLike[str], *, dry_run: bool = False, refresh: bool = True
    ) -> Merged:
        """Take over what another warehouse holds: its runs, questions, judges, judgments and sources.

        Args:
            other: its file; it is only read.
            dry_run: say what would come over; nothing is stored.
            refresh: keep the results of the runs concerned anew.

        Returns:
            Counts by name, such as new_runs and same_runs, and notes.

        Raises:
            MergeConflictError: the two contradict each other; `conflicts` names each, nothing is merged.
            UsageError: there is no such file, or it is no warehouse.
        """
        path = Path(other)
        with self.changing(
            files=connection.with_logs(path), refresh=refresh and not dry_run
        ) as con:
            return merging.merge(con, path, dry_run=dry_run)

    @known_options()
    def add_subset(
        self,
        name: str,
        benchmark: str,
        answered_by: str,
        *,
        run: str | None = None,
        split: str | None = None,
        version: str | None = None,
        language: str | None = None,
        replace: bool = False,
        refresh: bool = True,
    ) -> Added:
        """Name the questions that a model answered: not failed, not blank, and no refusal.

        Args:
            name: what to call the subset.
            benchmark: such as MM-Vet.
            answered_by: the model, by name or alias.
            run: its label; by default the latest.
            split: the dataset's.
            version: the dataset's.
            language: the dataset's.
            replace: supersede a subset of that name.
            refresh: keep the results of the runs concerned anew.

        Raises:
            UsageError: no such benchmark, model or run, or the name is taken by other questions.
        """
        with self.changing(refresh=refresh) as con:
            return subsetting.add_answered(
                con, name, benchmark, answered_by, run=run, split=split, version=version,
                language=language, replace=replace,
            )  # fmt: skip

    @known_options()
    def suggest_subset(
        self,
        benchmark: str,
        n: int = 100,
        *,
        dataset: str | None = None,
        judge: str | None = None,
        seed: int = 0,
        release: str = install.LATEST,
    ) -> Suggestion:
        """A small subset that ranks models as the whole dataset does; `add_suggested` makes it one.

        Args:
            benchmark: such as MMBench.
            n: how many questions.
            dataset: its name, if several have scores.
            judge: by name, or none for the rules alone.
            seed: which half of the models it is chosen on.
            release: a release by name, or the folder of one.

        Raises:
            UsageError: no such benchmark, dataset or judge, or too few models or questions.
        """
        with self.reading() as con:
            return suggest.suggest(
                con, benchmark, n, dataset=dataset, judge=judge, seed=seed, release=release
            )

    def add_suggested(self, name: str, found: Suggestion, *, refresh: bool = True) -> bool:
        """Make a suggestion a subset; False: it is there already, with the same questions.

        Raises:
            UsageError: the name is taken by other questions.
        """
        with self.changing(refresh=refresh) as con:
            return subsetting.add_suggested(con, name, found)
