"""What can be asked of boards, comparisons and tables of papers: each option once, with its help.

The commands, the Python API and the pages' addresses are made from these classes (`evalhouse.options`).
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from queries.choosing import GROUP, STRATEGIES, WHOLE
from queries.install import LATEST
from warehouse.option import argument, option

_LEVEL = "overall, or a level of the taxonomy; by default as its paper prints it."
_JUDGE = "A judge's name, or none for the rules alone; by default each dataset's own."
_SUBSET = "A subset of the dataset; `evalhouse subsets` lists them."
_RELEASE = "A release by name, or the folder of one of your own; it need not be installed."
_MODEL = "A model's name or alias, for its latest run; or a run's label."
_MARGIN = (
    "A difference that would not matter, in percentage points (in Python a fraction): also test that the "
    "two are equal within it."
)
_CLUSTER = "Questions of one value of this attribute, such as videoID, count as one cluster."


@dataclass(frozen=True)
class BoardOptions:
    """What a leaderboard is asked for."""

    benchmark: str = argument("Such as MMBench.")
    _: KW_ONLY
    level: str | None = option(None, _LEVEL)
    split: str | None = option(None, "Only this split.")
    version: str | None = option(None, "Only this version.")
    language: str | None = option(None, "Only this language.")
    strategy: str | None = option(None, " | ".join(STRATEGIES))
    judge: str | None = option(None, _JUDGE)
    average: str | None = option(None, "micro | macro")
    release: str = option(LATEST, _RELEASE)
    runs: str = option("latest", "latest (each model's) or all.")
    subset: str = option(WHOLE, _SUBSET)
    of: str = option("all", "Scores over all questions, missing ones wrong, or over answered ones.")
    intervals: bool = option(False, "Also 95 % intervals, and the ranks that they leave open.")
    models: tuple[str, ...] = option(
        (), "Only these, such as 'LLaVA*'; repeatable.", metavar="PATTERN"
    )
    top: int | None = option(None, "Only the first N.", metavar="N", min=1)
    sort: str | None = option(None, "By a column, with its ranks; or by model.", metavar="COLUMN")
    by: str | None = option(
        None,
        "family | parameters: in groups. With --corrected: the person who labelled.",
        metavar="GROUPING",
    )


@dataclass(frozen=True)
class CompareOptions:
    """What a comparison of two runs is asked for."""

    model_a: str = argument(_MODEL)
    model_b: str = argument(_MODEL)
    _: KW_ONLY
    dataset: str | None = option(
        None, "A dataset, or a benchmark with one; by default the only one that both have."
    )
    dataset_b: str | None = option(
        None, "MODEL_B's dataset, if it is another one whose questions have the same keys."
    )
    level: str | None = option(None, _LEVEL)
    strategy: str | None = option(None, " | ".join((*STRATEGIES, f"{GROUP}NAME")))
    judge: str | None = option(None, _JUDGE)
    subset: str = option(WHOLE, _SUBSET)
    margin: float | None = option(None, _MARGIN)
    average: str | None = option(
        None, "micro (over questions, the default) or macro (over abilities, as some boards are)."
    )
    cluster: str | None = option(None, _CLUSTER, metavar="ATTRIBUTE")
    release: str = option(LATEST, _RELEASE)


@dataclass(frozen=True)
class OverOptions:
    """What a comparison of two models over several datasets is asked for."""

    model_a: str = argument(_MODEL)
    model_b: str = argument(_MODEL)
    over: str = argument(
        "Names of datasets or benchmarks with commas between; all: all that both have a run of; or a "
        "board's columns: openvlm, or a .toml file."
    )
    _: KW_ONLY
    judge: str | None = option(None, "For the datasets that can be under it.")
    average: str | None = option(None, "micro or macro for all; by default each board's own.")
    margin: float | None = option(None, _MARGIN)
    cluster: str | None = option(None, _CLUSTER)
    release: str = option(LATEST, _RELEASE)


@dataclass(frozen=True)
class PaperOptions:
    """What a table or figure of a paper is asked for."""

    name: str = argument("Such as mmbench_t5; `evalhouse paper-table` lists them.", "")
    _: KW_ONLY
    dataset: str | None = option(None, "Only this dataset, by its name.")
    split: str | None = option(None, "Only this split.")
    version: str | None = option(None, "Only this version.")
    language: str | None = option(None, "Only this language.")
    judge: str | None = option(None, _JUDGE)
    subset: str | None = option(None, "Only this subset of the datasets.")
    release: str = option(LATEST, _RELEASE)
