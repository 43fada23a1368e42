"""What `evalhouse export` and `house.export` write: one function a kind of file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from os import PathLike
from pathlib import Path

from evalhouse import transfer
from evalhouse.opened import Opened
from queries import choosing, install
from queries.eee_export import RELATIONSHIPS, Publisher, eee_files
from queries.export import bundle as bundles
from queries.export import bundle_manifest, submissions, table
from queries.export.submissions import prediction_file
from queries.export.table import Table
from queries.mmvet_export import RunFiles, mmvet_files
from warehouse import manifest, statements
from warehouse.errors import UsageError
from warehouse.files import writing
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
Folder = str | PathLike[str]


@dataclass(frozen=True)
class Written:
    """The files that were written of a run, what they hold in one line, and what has to be known of it."""

    files: tuple[Path, ...]
    summary: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Record:
    """What was written of a run, or why it was left out."""

    run_id: int
    written: Written | None = None
    left: str | None = None


class Exporter:
    """What is in a warehouse as files. `house.export` is one.

    All methods raise UsageError where a folder cannot be written, and where a file is there with
    other content; `overwrite` replaces it.
    """

    def __init__(self, house: Opened) -> None:
        self._house = house

    def parquet(self, folder: Folder) -> manifest.Manifest:
        """The whole warehouse: every table of facts as Parquet, for `evalhouse import`.

        Args:
            folder: new, or empty.

        Returns:
            The manifest: rows and hashes by table.
        """
        place = Path(folder)
        with self._house.reading(folders=[writing.place_of(place)]) as con:
            return transfer.export_parquet(con, place)

    def bundle(
        self,
        folder: Folder,
        *benchmarks: str,
        levels: Sequence[str] = (),
        judges: Sequence[str] = (),
        strategy: str | None = None,
        subset: str = choosing.WHOLE,
        runs: str = "latest",
        of: str = "all",
        digits: int = 2,
        release: str = install.LATEST,
        step: Callable[[str], None] = lambda text: None,
        left: Callable[[str], None] = lambda text: None,
    ) -> bundle_manifest.Manifest:
        """Leaderboards in every table format, with a manifest to compute them again from.

        Args:
            folder: new, or empty.
            benchmarks: by name; none: all that have runs.
            levels: overall, or levels of the taxonomy; none: all.
            judges: by name, or none; none given: all.
            strategy: by default that of each benchmark.
            subset: a subset of the dataset, or all.
            runs: latest (each model's) or all.
            of: scores over all questions, or over answered ones.
            digits: decimals of the percentages.
            release: a release by name, or the folder of one.
            step: callback, called with what is being done.
            left: callback, called with why a board is left out.

        Returns:
            The manifest: its tables with their files, and what they rest on.

        Raises:
            UsageError: no such benchmark, level, judge, strategy or subset.
        """
        if runs not in ("latest", "all"):
            raise UsageError(f"--runs is latest or all, not {runs!r}")
        choice = bundles.Choice(
            benchmarks=benchmarks,
            levels=tuple(levels),
            judges=tuple(judges),
            strategy=strategy,
            subset=subset,
            runs=runs,
            of=of,
            digits=digits,
        )
        with self._house.reading() as con:
            return bundles.write(
                con,
                Path(folder),
                choice,
                evalhouse=version("evalhouse"),
                release=release,
                step=step,
                left=left,
            )

    def eee(
        self,
        folder: Folder,
        runs: Iterable[int] | None = None,
        *,
        judge: str | None = None,
        organization: str = Publisher.organization,
        relationship: str = Publisher.relationship,
        developer: str = Publisher.developer,
        release: str = install.LATEST,
        overwrite: bool = False,
    ) -> tuple[Record, ...]:
        """Runs as records of Every Eval Ever: an aggregate JSON each, and a record per answer.

        Args:
            folder: where they go.
            runs: by number; None: all that count, of which those that cannot be are left out.
            judge: under whose verdicts.
            organization: who publishes the records.
            relationship: whose evaluation it is.
            developer: who made the models whose names do not begin with it.
            release: a release by name, or the folder of one.
            overwrite: also over files with other content.

        Returns:
            Of each run the files that were written, or why it was left out.

        Raises:
            UsageError: no such run or judge, or a run that was named has pending verdicts; nothing is written.
        """
        if relationship not in RELATIONSHIPS:
            raise UsageError(f"--relationship is one of {', '.join(RELATIONSHIPS)}")
        for name, value in (("organization", organization), ("developer", developer)):
            if not value.strip():
                raise UsageError(f"--{name} cannot be blank")
        publisher = Publisher(organization, relationship, developer)
        place = Path(folder)
        records = []
        with self._house.reading() as con:
            chosen = list(runs) if runs is not None else [
                run_id
                for (run_id,) in con.execute(_SQL["live_runs"]).fetchall()
            ]  # fmt: skip
            if not chosen:
                raise UsageError("the warehouse has no run")
            with writing.folder(place) as unfinished:
                for run_id in chosen:
                    try:
                        made = eee_files(
                            con, run_id, judge=judge, release=release, publisher=publisher
                        )
                    except UsageError as error:
                        if runs is not None:
                            raise
                        records.append(Record(run_id, left=str(error)))
                        continue
                    files = {str(path): text.encode("ascii") for path, text in made.files.items()}
                    refuse_others(place, files, overwrite=overwrite)
                    for path, content in files.items():
                        writing.fill(unfinished / path, content)
                    written = Written(tuple(place / one for one in files), made.summary)
                    records.append(Record(run_id, written))
        return tuple(records)

    def mmvet(
        self,
        folder: Folder,
        *,
        model: str | None = None,
        run: str | None = None,
        judge: str | None = None,
        subset: str | None = None,
        dataset: str | None = None,
        release: str = install.LATEST,
        pending_as_zero: bool = False,
        overwrite: bool = False,
    ) -> tuple[Written, ...]:
        """MM-Vet's official grade and score files, one set a run, as its own script names them.

        Args:
            folder: where they go.
            model: only this one, by name or alias.
            run: its label; by default the latest.
            judge: whose grades.
            subset: score files of a subset.
            dataset: its name, if there are several.
            release: a release by name, or the folder of one.
            pending_as_zero: write 0.0 for grades that are not there.
            overwrite: also over files with other content.

        Raises:
            UsageError: no such model, run, judge or subset, or grades are pending.
        """
        with self._house.reading() as con:
            made = mmvet_files(
                con,
                model=model,
                run=run,
                judge=judge,
                subset=subset,
                dataset=dataset,
                release=release,
                pending_as_zero=pending_as_zero,
            )
        place = Path(folder)
        files = {name: text.encode() for one in made for name, text in one.files.items()}
        write_files(place, files, overwrite=overwrite)
        return tuple(
            Written(tuple(place / name for name in one.files), one.summary, tuple(_notes(one)))
            for one in made
        )

    def mmbench_submission(
        self,
        run: int,
        folder: Folder,
        *,
        form: str = "xlsx",
        letters: bool = False,
        judge: str | None = None,
        sample: int | None = None,
        release: str = install.LATEST,
        overwrite: bool = False,
    ) -> Written:
        """The table that MMBench's server takes: index, question, choices and prediction of every pass.

        Args:
            run: its number.
            folder: where it goes.
            form: xlsx or tsv.
            letters: the letter that the release read from each answer, in its place.
            judge: with letters: who reads what the rules cannot; else nobody.
            sample: which answer, where the run gave several to each question.
            release: a release by name, or the folder of one.
            overwrite: also over a file with other content.

        Raises:
            UsageError: no such run, judge or sample, or the run is of another kind.
        """
        _require_form(form, ("xlsx", "tsv"))
        with self._house.reading() as con:
            made = submissions.mmbench(
                con, run, letters=letters, judge=judge, sample=sample, release=release
            )
        return _write_table(made, form, Path(folder), overwrite=overwrite)

    def seedbench_submission(
        self,
        run: int,
        folder: Folder,
        *,
        letters: bool = False,
        judge: str | None = None,
        sample: int | None = None,
        release: str = install.LATEST,
        overwrite: bool = False,
    ) -> Written:
        """What SEED-Bench's leaderboards take; the arguments are those of `mmbench_submission`."""
        with self._house.reading() as con:
            made = submissions.seedbench(
                con, run, letters=letters, judge=judge, sample=sample, release=release
            )
        place = Path(folder)
        write_files(place, {made.name: made.text.encode()}, overwrite=overwrite)
        return Written((place / made.name,), made.summary, tuple(made.notes))

    def vlmevalkit(
        self,
        run: int,
        folder: Folder,
        *,
        form: str = "xlsx",
        sample: int | None = None,
        release: str = install.LATEST,
        overwrite: bool = False,
    ) -> Written:
        """VLMEvalKit's prediction file; the arguments are those of `mmbench_submission`, `form` also json."""
        _require_form(form, tuple(table.FORMS))
        with self._house.reading() as con:
            made = prediction_file(con, run, sample=sample, release=release)
        return _write_table(made, form, Path(folder), overwrite=overwrite)


def refuse_others(folder: Path, files: Mapping[str, bytes], *, overwrite: bool) -> None:
    """Refuse to write over files that say something else, before anything is written.

    Raises:
        UsageError: one of them is there with other content, or the folder is none.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: is no folder")
    for name, content in files.items():
        path = folder / name
        try:
            is_other = path.exists() and not overwrite and path.read_bytes() != content
        except OSError as error:
            raise UsageError(f"{path}: cannot be read: {writing.reason(error)}") from error
        if is_other:
            raise UsageError(f"{path}: is there with other content; --overwrite replaces it")


def write_files(folder: Path, files: Mapping[str, bytes], *, overwrite: bool) -> None:
    """Write files by their paths in a folder, which is made if it does not exist.

    Raises:
        UsageError: one cannot be written, or is there with other content; what was there is as it was.
    """
    refuse_others(folder, files, overwrite=overwrite)
    with writing.folder(folder) as new:
        for name, content in files.items():
            writing.fill(new / name, content)


def _require_form(form: str, known: Sequence[str]) -> None:
    if form not in known:
        raise UsageError(f"--as is {', '.join(known)}, not {form!r}")


def _write_table(made: Table, form: str, folder: Path, *, overwrite: bool) -> Written:
    notes = list(made.notes)
    if form != "json" and made.n_taken_for_nothing:
        notes.append(
            f"{counted(made.n_taken_for_nothing, 'cell is', 'cells are')} words such as "
            "None or nan, which pandas, and so "
            "VLMEvalKit, reads as nothing; --as json keeps them"
        )
    name = f"{made.stem}.{form}"
    write_files(folder, {name: table.write(made, form)}, overwrite=overwrite)
    return Written((folder / name,), made.summary, tuple(notes))


def _notes(one: RunFiles) -> list[str]:
    absent = [f"{n:,} {word}" for n, word in ((one.n_missing, "missing"), (one.n_blank, "blank")) if n]  # fmt: skip
    notes = []
    if one.n_pending:
        notes.append(
            f"NOTE: {one.n_pending:,} grades are not there and stand in the files as 0.0 "
            "(--pending-as-zero); the totals are too low by up to what they are worth"
        )
    if absent:
        notes.append(f"answers that score 0 without a judge: {', '.join(absent)}")
    if one.otherwise:
        figures = ", ".join(
            f"{each.column} {each.script} (here {each.printed})" for each in one.otherwise
        )
        notes.append(
            "NOTE: MM-Vet's own script adds up floats, which here fall to another side of a tie than the "
            f"exact figures do; it would print {figures}"
        )
    if one.other_models:
        notes.append(
            "the score files have rows of other models too, as the published ones of their names that "
            f"were read: {', '.join(one.other_models)}, as far as they are exported"
        )
    if one.is_renamed:
        notes.append("the file names cannot hold the model's name: read them back with --model")
    return notes
