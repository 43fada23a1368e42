"""The boards and comparisons that the Python API makes of a warehouse."""

from __future__ import annotations

from collections.abc import Sequence

from evalhouse.opened import Opened
from evalhouse.options import known_options
from queries import install, leaderboard, many_benchmarks, over_many, paired, paper_table

# With it the results can show themselves.
from queries import render as render
from queries.board import Board
from queries.choosing import WHOLE
from queries.comparison import Comparison
from queries.many_benchmarks import ManyBoard
from queries.over_many import ComparisonOfMany
from queries.paper_table import PaperTable
from warehouse.later import pl


class Boards(Opened):
    """A warehouse file with its boards and comparisons; what else can be read is in `Reader`.

    The arguments are those of `Opened`: path, wait, warn, memory_limit, threads.
    """

    @known_options()
    def leaderboard(
        self,
        benchmark: str,
        *,
        level: str | None = None,
        split: str | None = None,
        version: str | None = None,
        language: str | None = None,
        strategy: str | None = None,
        judge: str | None = None,
        average: str | None = None,
        release: str = install.LATEST,
        runs: str = "latest",
        subset: str = WHOLE,
        of: str = "all",
        intervals: bool = False,
        models: Sequence[str] = (),
        top: int | None = None,
        sort: str | None = None,
        by: str | None = None,
    ) -> tuple[Board, ...]:
        """The leaderboards of a benchmark: one per dataset, and at the finest level one per parent.

        Args:
            benchmark: its name, in any case.
            level: overall, or a level of its taxonomy; by default as its paper prints it.
            split: only datasets of this one.
            version: only datasets of this one.
            language: only datasets of this one.
            strategy: vanilla, circular, vanilla_all, graded or group:NAME; by default the benchmark's.
            judge: by name, or none; by default each dataset's own, as its heading says.
            average: micro or macro; by default the benchmark's.
            release: a release by name, or the folder of one; it need not be installed.
            runs: latest (each model's) or all.
            subset: a subset of the dataset, or all.
            of: scores over all questions, or over answered ones.
            intervals: also each score's 95 % interval and the ranks that it leaves open.
            models: only those that fit one of these patterns, such as LLaVA*.
            top: only the first so many.
            sort: by this column, with its ranks; or by model.
            by: in groups: family or parameters.

        Raises:
            UsageError: no such benchmark, level, strategy, judge or option.
        """
        with self.reading() as con:
            return leaderboard.boards(
                con, benchmark, level=level, split=split, version=version, language=language,
                strategy=strategy, judge=judge, average=average, release=release, runs=runs,
                subset=subset, of=of, intervals=intervals, models=models, top=top, sort=sort, by=by,
            )  # fmt: skip

    @known_options()
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
            UsageError: no such board or judge.
        """
        with self.reading() as con:
            return many_benchmarks.board(con, name_or_file, release=release, judge=judge)

    @known_options()
    def compare(
        self,
        model_a: str,
        model_b: str,
        *,
        dataset: str | None = None,
        dataset_b: str | None = None,
        level: str | None = None,
        strategy: str | None = None,
        judge: str | None = None,
        subset: str = WHOLE,
        margin: float | None = None,
        average: str = "micro",
        cluster: str | None = None,
        release: str = install.LATEST,
    ) -> Comparison:
        """Two runs compared question by question.

        Args:
            model_a: a model by name or alias, whose latest run is meant, or else a run's label.
            model_b: the other one.
            dataset: a dataset, or a benchmark with one; by default the only one that both have.
            dataset_b: the second run's, if it is another one whose questions have the same keys.
            level: whose abilities follow Overall; by default the board's.
            strategy: by default the benchmark's; group:NAME compares groups of questions.
            judge: by name, or none; by default each dataset's own, as its heading says.
            subset: a subset of the dataset, or all.
            margin: a fraction that would not matter: also test that the two are equal within it.
            average: micro, over questions, or macro, over abilities.
            cluster: an attribute: questions of one value of it count as one cluster.
            release: a release by name, or the folder of one; it need not be installed.

        Raises:
            UsageError: no such model, dataset, level, strategy, judge or option, or nothing to compare.
        """
        with self.reading() as con:
            return paired.compare(
                con, model_a, model_b, dataset=dataset, dataset_b=dataset_b, level=level,
                strategy=strategy, judge=judge, subset=subset, margin=margin, average=average,
                cluster=cluster, release=release,
            )  # fmt: skip

    @known_options()
    def compare_over(
        self,
        model_a: str,
        model_b: str,
        over: str,
        *,
        judge: str | None = None,
        average: str | None = None,
        margin: float | None = None,
        cluster: str | None = None,
        release: str = install.LATEST,
    ) -> ComparisonOfMany:
        """Two models compared over the mean of several datasets.

        Args:
            model_a: as in `compare`.
            model_b: as in `compare`.
            over: names of datasets or benchmarks with commas between, or all; or a board, by its name or file.
            judge: for the datasets that can be under it.
            average: micro or macro for all of them; None: each as its benchmark's board has it.
            margin: as in `compare`.
            cluster: as in `compare`.
            release: as in `compare`.

        Raises:
            UsageError: as `compare`; or one of the two has no run of a dataset.
        """
        with self.reading() as con:
            return over_many.compare(
                con, model_a, model_b, over, judge=judge, average=average, margin=margin,
                cluster=cluster, release=release,
            )  # fmt: skip

    @known_options()
    def paper_table(
        self,
        name: str,
        *,
        dataset: str | None = None,
        split: str | None = None,
        version: str | None = None,
        language: str | None = None,
        judge: str | None = None,
        subset: str | None = None,
        release: str = install.LATEST,
    ) -> pl.DataFrame:
        """A table or figure of a paper, its rows in the paper's order, unrounded.

        Args:
            name: its view, such as mmbench_t5; `evalhouse paper-table` lists them.
            dataset: only this one, by name.
            split: only datasets of this one.
            version: only datasets of this one.
            language: only datasets of this one.
            judge: by name, or none; by default each dataset's own, as its heading says.
            subset: only this one of the datasets.
            release: a release by name, or the folder of one; it need not be installed.

        Raises:
            UsageError: no such table, judge, subset or option, or the warehouse holds nothing for it.
        """
        return self.paper(
            name, dataset=dataset, split=split, version=version, language=language, judge=judge,
            subset=subset, release=release,
        ).frame  # fmt: skip

    @known_options()
    def paper(
        self,
        name: str,
        *,
        dataset: str | None = None,
        split: str | None = None,
        version: str | None = None,
        language: str | None = None,
        judge: str | None = None,
        subset: str | None = None,
        release: str = install.LATEST,
    ) -> PaperTable:
        """The same with what is needed to print it."""
        with self.reading() as con:
            return paper_table.paper_table(
                con, name, dataset=dataset, split=split, version=version, language=language,
                judge=judge, subset=subset, release=release,
            )  # fmt: skip
