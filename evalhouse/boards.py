"""The boards and comparisons that the Python API makes of a warehouse."""

from __future__ import annotations

from evalhouse.opened import Opened
from evalhouse.options import asked, known_options
from queries import install, leaderboard, many_benchmarks, over_many, paired, paper_table

# With it the results can show themselves.
from queries import render as render
from queries.board import Board
from queries.comparison import Comparison
from queries.many_benchmarks import ManyBoard
from queries.options import BoardOptions, CompareOptions, OverOptions, PaperOptions
from queries.over_many import ComparisonOfMany
from queries.paper_table import PaperTable
from warehouse.later import pl


class Boards(Opened):
    """A warehouse file with its boards and comparisons; what else can be read is in `Reader`.

    The arguments are those of `Opened`: path, wait, warn, memory_limit, threads.
    """

    @asked(BoardOptions)
    def leaderboard(self, options: BoardOptions) -> tuple[Board, ...]:
        """The leaderboards of a benchmark: one per dataset, and at the finest level one per parent.

        Raises:
            UsageError: no such benchmark, level, strategy, judge or option.
        """
        with self.reading() as con:
            return leaderboard.boards(con, options)

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

    @asked(CompareOptions)
    def compare(self, options: CompareOptions) -> Comparison:
        """Two runs compared question by question.

        Raises:
            UsageError: no such model, dataset, level, strategy, judge or option, or nothing to compare.
        """
        with self.reading() as con:
            return paired.compare(con, options)

    @asked(OverOptions)
    def compare_over(self, options: OverOptions) -> ComparisonOfMany:
        """Two models compared over the mean of several datasets.

        Raises:
            UsageError: as `compare`; or one of the two has no run of a dataset.
        """
        with self.reading() as con:
            return over_many.compare(con, options)

    @asked(PaperOptions)
    def paper(self, options: PaperOptions) -> PaperTable:
        """A table or figure of a paper, with what is needed to print it.

        Raises:
            UsageError: no such table, judge, subset or option, or the warehouse holds nothing for it.
        """
        with self.reading() as con:
            return paper_table.paper_table(con, options)

    @asked(PaperOptions)
    def paper_table(self, options: PaperOptions) -> pl.DataFrame:
        """A table or figure of a paper, its rows in the paper's order, unrounded."""
        with self.reading() as con:
            return paper_table.paper_table(con, options).frame
