"""`evalhouse ingest`, which is also the command `ingest`.

Folders are read for real, as a rehearsal, or all of it or nothing. Printed are what was recognised, left
and failed, and how far our figures are from those that the harness wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import duckdb
import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from evalhouse import pictures
from evalhouse.api import Warehouse
from evalhouse.cli_images import said_of
from evalhouse.cli_options import with_options
from evalhouse.cli_shared import Db, NoRefresh, Wait, house_of
from evalhouse.placing import all_or_nothing, rehearsing
from evalhouse.printing import console, escaped, note, out
from ingest import many
from ingest.formats import ADAPTERS
from ingest.many import File, Outcome
from ingest.settings import Report, Settings, TaskMap, shortened
from queries import differences, render
from warehouse.connection import first_line
from warehouse.errors import EvalhouseError, UsageError
from warehouse.images import Images
from warehouse.later import pl
from warehouse.wording import counted


class _SomethingFailedError(Exception):
    """Ends what is all or nothing."""


def ingest_each(
    house: Warehouse,
    words: list[Path],
    settings: Settings,
    *,
    step: Callable[[str], None] = lambda text: None,
    begin: Callable[[int], None] = lambda n: None,
    refresh: bool = True,
) -> Iterator[Outcome]:
    """Read files, folders and patterns, each file whole or not at all; one outcome per file.

    Args:
        step: callback, called with what is being done.
        begin: callback, called with how many files there are.

    Raises:
        InputError: a file that was named cannot be read; those before it are in.
    """
    files = _files(house, words, begin)
    with house.changing(files=_paths(files), refresh=refresh, step=step) as con:
        yield from many.ingest_files(con, files, settings, step=step)


def rehearse(
    house: Warehouse,
    words: list[Path],
    settings: Settings,
    *,
    step: Callable[[str], None] = lambda text: None,
    begin: Callable[[int], None] = lambda n: None,
    refresh: bool = True,
) -> Iterator[Outcome]:
    """What `ingest_each` would do with the same files now; nothing is stored or refreshed.

    Args:
        step: callback, called with what is being done.
        begin: callback, called with how many files there are.

    Raises:
        InputError: a file that was named cannot be read.
    """
    files = _files(house, words, begin)
    with rehearsing(house) as copy, copy.writing(files=_paths(files)) as con:
        yield from many.ingest_files(con, files, settings, step=step)


def ingest_all_or_nothing(
    house: Warehouse,
    words: list[Path],
    settings: Settings,
    *,
    step: Callable[[str], None] = lambda text: None,
    begin: Callable[[int], None] = lambda n: None,
    refresh: bool = True,
) -> Iterator[Outcome]:
    """Read files as `ingest_each` does, all of them atomic: where one cannot be read, nothing is stored.

    Their outcome is reported once it is stored.

    Args:
        step: callback, called with what is being done.
        begin: callback, called with how many files there are.

    Raises:
        InputError: a file that was named cannot be read.
    """
    files = _files(house, words, begin)
    outcomes: list[Outcome] = []
    try:
        with all_or_nothing(house) as copy:
            paths = _paths(files)
            with copy.changing(files=paths, refresh=refresh, step=step) as con:
                outcomes.extend(many.ingest_files(con, files, settings, step=step))
                if any(outcome.error is not None for outcome in outcomes):
                    raise _SomethingFailedError
    except _SomethingFailedError:
        pass
    yield from outcomes


def _files(house: Warehouse, words: list[Path], begin: Callable[[int], None]) -> list[File]:
    files = many.expand(words, house.path)
    begin(len(files))
    return files


def _paths(files: list[File]) -> list[Path]:
    return [file.path for file in files]


_SAME = ("a link to ", "the same file as ")
"""How reasons begin that differ by file, and are one kind of thing."""


@dataclass
class _Kind:
    """Files of one format and the same datasets."""

    models: dict[str, None] = field(default_factory=dict)
    n_runs: int = 0
    n_files: int = 0
    n_rows: int = 0


@dataclass
class _Left:
    """Files that are left for the same reason, with the first one."""

    first: Path
    n_files: int = 0


@dataclass
class _Alert:
    """Files of which the same has to be said, with the first one."""

    first: str
    n_files: int = 0


@dataclass
class Summary:
    """What came of the files of folders and patterns."""

    n_found: int = 0
    n_loaded: int = 0
    n_rows: int = 0
    n_already: int = 0
    n_unopened: int = 0
    errors: list[str] = field(default_factory=list)
    kinds: dict[tuple[str, str, str], _Kind] = field(default_factory=dict)
    left: dict[str, _Left] = field(default_factory=dict)
    alerts: dict[str, _Alert] = field(default_factory=dict)
    of_harness: list[int] = field(default_factory=list)
    """The sources of the files that say what their harness made of answers."""

    def add(self, outcome: Outcome, *, verbose: bool) -> str | None:
        """Count a file; return what there is to print of it now, None: nothing."""
        report, path = outcome.report, outcome.file.path
        self.n_unopened += report is not None and report.unopened
        if report is not None and report.has_harness_facts and report.source_id is not None:
            self.of_harness.append(report.source_id)
        if outcome.file.named:
            if report is not None:
                return "\n".join(report.lines())
            return f"{path}: left: {outcome.left}"
        self.n_found += 1
        if outcome.left is not None:
            reason = next(
                (f"{word}another of the files" for word in _SAME if outcome.left.startswith(word)),
                outcome.left,
            )
            self.left.setdefault(reason, _Left(path)).n_files += 1
            return f"{path}: left: {outcome.left}" if verbose else None
        if report is None:
            self.errors.append(str(outcome.error))
            return f"{path}: failed" if verbose else None
        if report.already:
            self.n_already += 1
            if report.changed:
                return "\n".join(report.changed)
        else:
            self._count(report)
        return report.line() if verbose else None

    def unused(self, tasks: TaskMap) -> list[str]:
        """The entries of --map that no file used.

        None where files were there already with this same map: they may be what it is for, and when
        they were read this was said.
        """
        return [] if self.n_unopened else tasks.unused()

    def _count(self, report: Report) -> None:
        self.n_loaded += 1
        self.n_rows += report.n_rows
        kind = self.kinds.setdefault(_report_key(report), _Kind())
        kind.models.update(dict.fromkeys(report.models))
        kind.n_runs += report.n_runs - report.n_continued
        kind.n_files += 1
        kind.n_rows += report.n_rows
        for text in report.alerts:
            self.alerts.setdefault(text, _Alert(report.path)).n_files += 1

    def lines(self, *, verbose: bool) -> Iterator[str]:
        """What was recognised and left; with `verbose` each file had its line."""
        if self.kinds:
            yield render.render_frame(self._table(), "table")
        if not verbose:
            for reason, left in self.left.items():
                more = f"{left.n_files:,} files, such as " if left.n_files > 1 else ""
                yield f"left: {more}{left.first}: {reason}"
        for text, alert in self.alerts.items():
            more = f"{alert.n_files:,} files, such as " if alert.n_files > 1 else ""
            yield f"note: {more}{alert.first}: {text}"

    def total(self) -> str | None:
        """How many files there were, the last line of all; None: none in a folder or pattern."""
        if not self.n_found:
            return None
        n_left = sum(left.n_files for left in self.left.values())
        return (
            f"{counted(self.n_found, 'file')}: {self.n_loaded:,} loaded ({counted(self.n_rows, 'row')}), "
            f"{self.n_already:,} there already, {n_left:,} left, {len(self.errors):,} failed"
        )

    def _table(self) -> pl.DataFrame:
        return pl.DataFrame(
            [
                {
                    "harness": harness,
                    "format": name,
                    "dataset": datasets,
                    "model": shortened(list(kind.models), "models"),
                    "runs": kind.n_runs,
                    "files": kind.n_files,
                    "rows": kind.n_rows,
                }
                for (harness, name, datasets), kind in self.kinds.items()
            ]
        )


def _report_key(report: Report) -> tuple[str, str, str]:
    return report.harness or "", report.format, shortened(report.datasets, "datasets")


_MOST_SCORES = 200_000
"""Scores of samples that are compared while the user waits."""
_MOST_FIGURES_ALONE = 20_000
"""The same of figures of runs without such scores."""
_MOST_RUNS = 5
_MOST_FIGURES = 3
_COMPARED_LATER = (
    "the harness's own figures and scores are stored: after `evalhouse refresh`, `evalhouse differences` "
    "compares them with ours"
)
_NOTHING_OF_OURS = "nothing_of_ours"
"""The kind of reason of figures such as BLEU, which nothing of ours measures."""


def lines(house: Warehouse, source_ids: Sequence[int]) -> list[str]:
    """The lines; none and a note where it cannot be said now: the facts are stored all the same.

    Args:
        source_ids: of files that say what their harness made of answers.
    """
    try:
        return list(_difference_lines(house, source_ids))
    except (EvalhouseError, duckdb.Error) as error:
        house.note(
            f"the facts are stored, but not compared with the harness's ({first_line(error)}); "
            "`evalhouse differences` does that later"
        )
        return []


def _difference_lines(house: Warehouse, source_ids: Sequence[int]) -> Iterator[str]:
    """A line for each run of the files whose figures differ, and one in total where there are several."""
    if not source_ids:
        return
    with house.reading() as con:
        news = differences.news(con, source_ids)
        if not news.run_ids and not news.n_figures:
            return
        if news.n_scores > _MOST_SCORES or news.n_figures > _MOST_FIGURES_ALONE:
            yield (
                f"the harness's own figures and scores are stored ({_counted(news)}): "
                "`evalhouse differences` compares them with ours"
            )
            return
        alone = differences.alone(con, source_ids) if news.n_alone else []
        rows = differences.figures(con, news.run_ids).to_dicts() if news.run_ids else []
    yield from map(_of_figures, alone)
    if rows:
        yield from _of_scored(rows, news.run_ids)
    elif not alone:
        yield (
            f"the harness's own figures and scores are stored ({_counted(news)}), and no run here is theirs"
        )


def _of_figures(alone: differences.Alone) -> str:
    """The line on figures without scores of answers."""
    text = (
        f"the harness's figures: {alone.n_same:,} of {alone.n_figures:,} are the same here, of "
        + ("one run" if alone.n_runs == 1 else f"{alone.n_runs:,} runs")
    )
    if alone.n_without:
        text += f"; {alone.n_without:,} have none of ours"
    if alone.n_same == alone.n_figures:
        return text
    text += "; `evalhouse differences` names each"
    peer = differences.PEERS.get(alone.harness or "")
    return f"{text}, with `--release {peer}` under the rules of {alone.harness}" if peer else text


def _of_scored(rows: Sequence[dict[str, Any]], run_ids: Sequence[int]) -> Iterator[str]:
    """The lines on runs whose answers the harness scored one by one."""
    runs: dict[int, list[dict[str, Any]]] = {run_id: [] for run_id in run_ids}
    for row in rows:
        runs[row["run_id"]].append(row)
    comparable = [row for row in rows if _is_comparable(row)]
    differing = {
        run_id: of_run
        for run_id, of_run in runs.items()
        if any(
            (not row["is_same"] and _is_comparable(row)) or row["n_unread"] or row["note"]
            for row in of_run
        )
    }
    if len(runs) > 1:
        n_same = sum(row["is_same"] for row in comparable)
        yield (
            f"the harness's figures: {n_same:,} of {len(comparable):,} are the same here, of {len(runs):,} runs"
            + _uncompared(len(rows) - len(comparable))
            + _to_look_at(differing)
        )
    shown = list(differing)[:_MOST_RUNS] if len(runs) > 1 else list(runs)
    for run_id in shown:
        yield ("  " if len(runs) > 1 else "") + _of_run(run_id, runs[run_id])
    if len(differing) > len(shown):
        yield f"  and {len(differing) - len(shown):,} more: `evalhouse differences`"


def _to_look_at(runs: Mapping[int, Sequence[Mapping[str, Any]]]) -> str:
    """Which runs' lines follow."""
    if not runs:
        return ""
    n = len(runs)
    if any(
        not row["is_same"] and _is_comparable(row) for of_run in runs.values() for row in of_run
    ):
        return "; one run differs:" if n == 1 else f"; {n:,} runs differ:"
    return f"; rules alone differ in {'one run' if n == 1 else f'{n:,} runs'}:"


def _is_comparable(row: Mapping[str, Any]) -> bool:
    return bool(row["reason_kind"] != _NOTHING_OF_OURS)


def _uncompared(n: int) -> str:
    """How many figures nothing of ours compares with."""
    return f"; nothing of ours compares with {n:,} more" if n else ""


def _of_run(run_id: int, every: Sequence[Mapping[str, Any]]) -> str:
    rows = [row for row in every if _is_comparable(row)]
    n_same = sum(row["is_same"] for row in rows)
    noun = "figure" if len(rows) == 1 else "figures"
    text = f"run {run_id} agrees with the harness in {n_same:,} of {len(rows):,} {noun}"
    other = [row for row in rows if not row["is_same"]]
    # First those whose answers are scored otherwise, not only their mean.
    other.sort(key=lambda row: not row["n_differ"])
    for row in other[:_MOST_FIGURES]:
        text += f"; {_difference(row)}"
    if len(other) > _MOST_FIGURES:
        text += f"; and {len(other) - _MOST_FIGURES:,} more"
    notes = dict.fromkeys(
        (row["filter"] or row["metric"], row["note"]) for row in rows if row["note"]
    )
    several = len({why for _, why in notes}) > 1
    for metric, why in list(notes)[:_MOST_FIGURES] if several else list(notes)[:1]:
        text += f"; of {metric} {why}" if several else f"; {why}"
    n_unread = max((row["n_unread"] or 0 for row in rows), default=0)
    if (
        n_unread
        and not notes
        and not any(
            "no rule of ours reads" in (row["reason"] or "") for row in other[:_MOST_FIGURES]
        )
    ):
        text += (
            "; "
            f"{counted(n_unread, 'answer that the harness read is', 'answers that the harness read are')} "
            "read by no rule of ours"
        )
    text += _uncompared(len(every) - len(rows))
    return text + (f" (`evalhouse differences {run_id}`)" if other or n_unread or notes else "")


def _difference(row: Mapping[str, Any]) -> str:
    name = f"{row['metric']},{row['filter']}" if row["filter"] else row["metric"]
    there, here = (_number(row[column]) for column in ("published", "ours"))
    return f"{name} is {there} there, {here} here: {row['reason']}"


def _number(value: float | None) -> str:
    if value is None:
        return "none"
    return f"{value:.3f}" if abs(value) <= 1 else f"{value:.2f}"


def _counted(news: differences.News) -> str:
    counts = (news.n_figures, "figure", ""), (news.n_scores, "score", " of answers")
    return ", ".join(f"{n:,} {what}{'s' * (n > 1)}{rest}" for n, what, rest in counts if n)


FORMATS_HELP = "Formats, recognised by content:\n\n" + "\n\n".join(
    f"[bold]{adapter.name}[/bold]: {escaped(adapter.description)}" for adapter in ADAPTERS
)


@with_options()
def ingest(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Files, folders (all files below) or quoted patterns ('DIR/**/*.csv'). Files are read in "
            "this order; of what folders and patterns hold, questions come first."
        ),
    ],
    settings: Settings,
    db: Db = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Report what would be loaded; works on a copy, which is thrown away."
        ),
    ] = False,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Load nothing if a file cannot be read; works on a copy, which takes the "
            "warehouse's place.",
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="A line per file of a folder or pattern.")
    ] = False,
    images: Annotated[
        str,
        typer.Option(
            help="hash: pictures are known by their hash. keep: also keep them next to the warehouse."
        ),
    ] = "hash",
    no_refresh: NoRefresh = False,
    wait: Wait = 0,
) -> None:
    """Read questions, predictions, choice scores, judgments or model facts into the warehouse.

    Each file is read whole or not at all. What was inferred is printed; what cannot be known is an
    error that names the flag to give. The same file again changes nothing, so that after a stop the
    same command goes on. Of a folder or a pattern, the names of files do not decide the order; what
    a harness writes next to its answers is left, and what cannot be read is named at the end, with
    exit code 1, while the rest loads.
    """
    if images not in ("hash", "keep"):
        raise UsageError(f"--images is hash or keep, not {images!r}")
    if settings.part and settings.replace:
        raise UsageError("--part adds to a run, and --replace supersedes it: say one of them")
    house = house_of(db, wait)
    read = partial(rehearse if dry_run else ingest_all_or_nothing if strict else ingest_each, house)
    summary = Summary()
    read_now: list[Path] = []
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        bar = progress.add_task("", total=None)
        for outcome in read(
            paths,
            settings,
            refresh=not no_refresh,
            begin=lambda n: progress.update(bar, total=n),
            step=lambda text: progress.update(bar, description=text),
        ):
            progress.advance(bar)
            if outcome.report is not None:
                read_now.append(outcome.file.path)
            text = summary.add(outcome, verbose=verbose)
            if text:
                out(text)
    for line in summary.lines(verbose=verbose):
        out(line)
    if not dry_run and not (strict and summary.errors):
        # Results would have to be computed for it, which is what was to be left for later.
        if no_refresh and summary.of_harness:
            out(_COMPARED_LATER)
        else:
            for line in lines(house, summary.of_harness):
                out(line)
    if (total := summary.total()) is not None:
        out(total)
    if images == "keep" and not dry_run and not (strict and summary.errors):
        # Pictures also lie in files of their own, next to those that were read.
        files = [file.path for file in many.expand(paths, house.path) if file.path.is_file()]
        added = pictures.add(house, files, may_hold_none=True)
        out(said_of(added, Images.of(house.path).folder))
        for unread in added.unread:
            if Path(unread.path) in read_now:
                note(f"no picture was looked for in a file: {unread}")
    for error in summary.errors:
        console.print(f"[red]failed[/red]: {escaped(error)}", soft_wrap=True)
    for entry in summary.unused(TaskMap.of(settings.map)):
        note(f"--map {entry}: none of the files that were read calls its dataset so")
    if dry_run:
        out("dry run: nothing is stored")
    elif strict and summary.errors:
        out("--strict: nothing is stored")
    if summary.errors:
        raise typer.Exit(1)


ingest_app = typer.Typer()
ingest_app.command(epilog=FORMATS_HELP)(ingest)
