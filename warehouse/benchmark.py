"""A benchmark is a folder: `benchmark.toml`, and `judge.toml` where it has its own template.

    name, description       what boards call it; a line about it
    task                    choice (pick one of the labelled choices) or open (answer in words)
    strategy, average       of its own board: circular, vanilla, vanilla_all or graded; micro or macro
    macro_level, rounding   what macro averages are over; where ties go: half_up or half_even
    thinking                how answers mark a model's thinking: none, or "<reason> ... </reason>"
    aliases                 how files, folders and harnesses call it, in any case
    splits, languages       words of its datasets' names besides the usual ones; splits = []: it has none
    [[dataset]]             names that harnesses give a dataset, and its version, split and language
    [[level]]               from coarse to fine; columns: those of files that hold its abilities;
                            apart: it divides the questions anew, and lies below no other level
                            abbreviations: of abilities that are not declared, by name
                            abilities: a list, or a list by their parents; each is a name, or a list
                            of name, abbreviation ("": the name) and spellings
    [[ability]]             the same as a table: level, name, abbreviation, parent, spellings, parts

    [[rule]], [[group]], [[figure]]     how it is scored (benchmark_rules.py)
    [harness.NAME]          how a harness's records have its questions (benchmark_records.py)

What is not known here is an error: a misspelt key would do nothing, and nobody would notice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from warehouse import benchmark_records, benchmark_rules, thinking, toml_table
from warehouse.benchmark_records import Records
from warehouse.benchmark_rules import UNSAID, Scoring
from warehouse.errors import InputError, UsageError, shown
from warehouse.files import reading
from warehouse.toml_table import Table

FILE, JUDGE_FILE = "benchmark.toml", "judge.toml"
HALF_UP, HALF_EVEN = "half_up", "half_even"
INFERRED = "Inferred from "
"""How the description of a benchmark begins that was made of a dataset nobody has heard of."""
STRATEGIES_OF = {"choice": ("circular", "vanilla", "vanilla_all"), "open": ("graded", "vanilla")}
"""By the task of a benchmark, all that there are."""
_AVERAGES = ("micro", "macro")
MOST_BYTES = 2**20
_MOST_LEVELS = 4
_KEYS = {
    "name", "description", "task", "strategy", "average", "macro_level", "thinking", "rounding", "aliases", "splits",
    "languages", "dataset", "level", "ability", "rule", "group", "figure", "harness",
}  # fmt: skip
_DATASET_KEYS = {"names", "version", "split", "language"}
_LEVEL_KEYS = {"name", "columns", "separator", "apart", "abbreviations", "abilities"}
_ABILITY_KEYS = {"level", "name", "abbreviation", "parent", "spellings", "parts"}


def require_task(task: str, benchmark: str) -> str:
    """The task of a benchmark as a warehouse has it.

    Raises:
        UsageError: it is none that there is, as after a change by hand.
    """
    if task not in STRATEGIES_OF:
        raise UsageError(
            f"{shown(benchmark)}: its task in this warehouse is {task!r}, which is none of "
            f"{', '.join(STRATEGIES_OF)}; `evalhouse check` names such words"
        )
    return task


@dataclass(frozen=True)
class Ability:
    """A node of the tree: its level, names, and its parent's name (None at the top).

    `parts` names the abilities that one outside the tree is made of (SEED-Bench-2's levels overlap).
    """

    level: str
    name: str
    abbreviation: str
    parent: str | None
    spellings: tuple[str, ...]
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Level:
    """A level of abilities.

    `columns` are those of files that hold a question's ability of this level, in lower case;
    `separator` stands between several in one cell, which only open questions have; `apart`: it is not
    below the level before, but divides the questions anew; `abbreviations`: of abilities that the questions state, by
    name.
    """

    name: str
    columns: tuple[str, ...] = ()
    separator: str | None = None
    apart: bool = False
    abbreviations: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Dataset:
    """A dataset with names of harnesses, in lower case, that do not say what it is."""

    names: tuple[str, ...]
    version: str | None = None
    split: str | None = None
    language: str | None = None


@dataclass(frozen=True)
class Benchmark:
    """A benchmark's conventions and its abilities in the paper's order.

    Attributes:
        aliases: other names, in lower case.
        macro_level: the level that macro averages are over; None: the level below each.
        thinking: how answers mark a model's thinking, as `warehouse.thinking` has it; None: as releases
            know it.
        rounding: how its figures are printed where they are a tie: half_up, or half_even.
        splits: words for splits besides the usual ones, in lower case; None: there are no others, and
            (): it is one set, whatever a hub calls all of it.
        languages: what words of a dataset's name mean, besides the usual ones.
        records: how a harness's records have its questions, by the harness.
        path: of its file, or what messages call it.
        origin: evalhouse, the warehouse, or the package that brings it.
        text: the file's text.
        judge_template: the text of its judge's template; None: it has none of its own.
    """

    name: str
    task: str
    strategy: str
    average: str
    aliases: tuple[str, ...]
    abilities: tuple[Ability, ...]
    macro_level: str | None = None
    thinking: str | None = None
    rounding: str = HALF_UP
    description: str = ""
    splits: tuple[str, ...] | None = None
    languages: Mapping[str, str] = field(default_factory=dict, hash=False)
    datasets: tuple[Dataset, ...] = ()
    levels: tuple[Level, ...] = ()
    scoring: Scoring = UNSAID
    records: Mapping[str, Records] = field(default_factory=dict, hash=False)
    path: str = field(default="", compare=False)
    origin: str = field(default="", compare=False)
    text: str = field(default="", repr=False, compare=False)
    judge_template: str | None = field(default=None, repr=False)

    @property
    def is_inferred(self) -> bool:
        """Whether it was made of a dataset that nobody has heard of."""
        return self.description.startswith(INFERRED)

    def records_of(self, harness: str) -> Records:
        """How a harness's records have its questions."""
        return self.records.get(harness.replace("-", "_"), Records())

    @property
    def is_one_set(self) -> bool:
        """Whether it has no splits."""
        return self.splits == ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of it and of its datasets, in lower case."""
        of_datasets = (name for dataset in self.datasets for name in dataset.names)
        return tuple(dict.fromkeys((self.name.lower(), *self.aliases, *of_datasets)))

    def has_level(self, name: str) -> bool:
        """Whether it has abilities on a level of that name."""
        return any(ability.level == name for ability in self.abilities)

    def depths(self) -> dict[str, int]:
        """How deep each level lies: one below its parents' level, or else a division of its own.

        Divisions are ten apart. Without declared abilities each level lies below the one before,
        unless it is apart.
        """
        found: dict[str, int] = {}
        deepest = 0
        for number, level in enumerate(self.levels):
            of_level = [ability for ability in self.abilities if ability.level == level.name]
            above = {ability.parent for ability in of_level} - {None}
            parents = [a.level for a in self.abilities if a.name in above and a.level in found]
            if not self.abilities:
                is_below = number > 0 and not level.apart
                found[level.name] = deepest + 1 if is_below else number * 10
                deepest = found[level.name]
            else:
                found[level.name] = found[parents[0]] + 1 if parents else number * 10
        return found


def load(folder: Path) -> Benchmark:
    """The benchmark that a folder holds.

    Raises:
        InputError: there is none, or its files cannot be read or say what cannot be; the message names
            the file, the key and, in a list, the row.
    """
    if not os.path.lexists(folder / FILE):
        raise InputError(folder, f"is no benchmark: a folder of one holds {FILE}")
    text = reading.text(folder / FILE, inside=folder, most=MOST_BYTES)
    judge = None
    if os.path.lexists(folder / JUDGE_FILE):
        judge = reading.text(folder / JUDGE_FILE, inside=folder, most=MOST_BYTES)
    return parse(text, str(folder / FILE), judge)


@lru_cache(maxsize=1_000)
def parse(text: str, path: str, judge_template: str | None = None) -> Benchmark:
    """The benchmark that a text describes; `path` stands in messages.

    Raises:
        InputError: it says what cannot be.
    """
    given = Table(reading.toml_of(text, path), path)
    given.allow(_KEYS)
    task = given.choice("task", tuple(STRATEGIES_OF))
    levels = tuple(_level(one) for one in given.tables("level"))
    datasets = tuple(_dataset(one) for one in given.tables("dataset"))
    found = Benchmark(
        name=given.word("name"),
        task=task,
        strategy=given.choice("strategy", STRATEGIES_OF[task]),
        average=given.choice("average", _AVERAGES, _AVERAGES[0]),
        aliases=given.lowered("aliases") or (),
        abilities=_abilities(_ability_tables(given), [level.name for level in levels]),
        macro_level=given.word_if("macro_level"),
        thinking=_thinking(given),
        rounding=given.choice("rounding", (HALF_UP, HALF_EVEN), HALF_UP),
        description=given.word_if("description") or "",
        splits=given.lowered("splits"),
        languages=given.words_by_word("languages"),
        datasets=datasets,
        levels=levels,
        scoring=benchmark_rules.scoring(given, [level.name for level in levels]),
        records=benchmark_records.by_harness(given),
        path=path,
        text=text,
        judge_template=judge_template,
    )
    _check_names(given, found)
    _check_levels(given, found)
    return found


def _dataset(given: Table) -> Dataset:
    given.allow(_DATASET_KEYS)
    names = given.lowered("names")
    if not names:
        raise given.error("names", "is missing: how harnesses call this dataset")
    version, split = given.word_if("version"), given.word_if("split")
    return Dataset(names, version, split, given.word_if("language"))


def _thinking(given: Table) -> str | None:
    said = given.word_if("thinking")
    try:
        return None if said is None else thinking.settled(said)
    except UsageError as error:
        raise given.error("thinking", str(error).removeprefix("thinking ")) from error


def _level(given: Table) -> Level:
    given.allow(_LEVEL_KEYS)
    separator = given.word_if("separator")
    columns = given.lowered("columns") or ()
    if separator is not None and not columns:
        raise given.error("separator", "is for columns, and there are none")
    return Level(
        given.word("name"),
        columns,
        separator,
        given.flag("apart"),
        given.words_by_word("abbreviations"),
    )


def _ability_tables(given: Table) -> Iterator[Table]:
    """Each ability as a table: those that levels list, then those of [[ability]]."""
    for level in given.tables("level"):
        listed = level.given.get("abilities", [])
        for parent, abilities in listed.items() if isinstance(listed, dict) else [(None, listed)]:
            place = {"level": level.word("name")} | ({} if parent is None else {"parent": parent})
            if not isinstance(abilities, list):
                raise level.error("abilities", "is a list, or lists by the abilities above")
            for one in abilities:
                name, *more = one if isinstance(one, list) and one else [one]
                short = name if more[:1] in ([], [""]) else more[0]
                found = {"name": name, "abbreviation": short, "spellings": more[1:]}
                yield Table(place | found, given.path, "level.abilities", level.row)
    yield from given.tables("ability")


def _abilities(tables: Iterable[Table], levels: Sequence[str]) -> tuple[Ability, ...]:
    """Parents and parts stand before the abilities that name them; a level has no name twice."""
    found: list[Ability] = []
    taken: dict[tuple[str, str], str] = {}
    for given in tables:
        given.allow(_ABILITY_KEYS)
        level, name = given.word("level"), given.word("name")
        if levels and level not in levels:
            raise given.error("level", f"{level!r} is no level; there are {', '.join(levels)}")
        parent = given.word_if("parent")
        if parent is not None and not any(a.name == parent and a.level != level for a in found):
            raise given.error("parent", f"{parent!r} is no ability above this one")
        parts = given.words("parts") or ()
        for part in parts:
            if not any(ability.name == part for ability in found):
                raise given.error("parts", f"{part!r} is no ability above this one")
        ability = Ability(
            level=level,
            name=name,
            abbreviation=given.word_if("abbreviation") or name,
            parent=parent,
            spellings=given.words("spellings") or (),
            parts=parts,
        )
        for spelling in dict.fromkeys(
            one.lower() for one in (name, ability.abbreviation, *ability.spellings)
        ):
            other = taken.setdefault((level, spelling), name)
            if other != name or any(a.level == level and a.name == name for a in found):
                key = "name" if spelling == name.lower() else "spellings"
                raise given.error(key, f"{spelling!r} stands for {other!r} already on {level}")
        found.append(ability)
    return tuple(found)


def _check_names(given: Table, found: Benchmark) -> None:
    """Each name has one meaning."""
    if any(character in found.name for character in "/\\"):
        raise given.error(
            "name", f"{found.name!r} has a slash, which divides the parts of a dataset"
        )
    seen = {found.name.lower(), *found.aliases}
    for row, dataset in enumerate(found.datasets, start=1):
        for name in dataset.names:
            if name in seen:
                raise InputError(
                    found.path, f"{name!r} is a name already", row=row, field="dataset.names"
                )
            seen.add(name)
        if dataset.split is not None and found.is_one_set:
            raise InputError(
                found.path, "has no splits: splits is []", row=row, field="dataset.split"
            )


def _check_levels(given: Table, found: Benchmark) -> None:
    names = [level.name for level in found.levels]
    of_abilities = list(dict.fromkeys(ability.level for ability in found.abilities))
    known = names or of_abilities
    twice = toml_table.twice(names) or toml_table.twice(
        [one for level in found.levels for one in level.columns]
    )
    if twice is not None:
        raise given.error("level", f"{twice!r} stands twice")
    if len(known) > _MOST_LEVELS or "overall" in (name.lower() for name in known):
        raise given.error("level", f"there are {_MOST_LEVELS} at most, and overall is above all")
    if found.macro_level is not None and found.macro_level not in known:
        raise given.error("macro_level", f"{found.macro_level!r} is no level of it")
    if found.task == "open":
        return
    for row, level in enumerate(found.levels, start=1):
        if level.separator is not None:
            raise InputError(
                found.path,
                "is for open questions: one of multiple choice counts for one ability of a level",
                row=row,
                field="level.separator",
            )
        of_level = any(ability.level == level.name for ability in found.abilities)
        if level.columns and found.abilities and not of_level:
            raise InputError(
                found.path,
                "are given, and no ability of the level, where other levels have some",
                row=row,
                field="level.columns",
            )
