"""The pages as files: a folder that opens from disk, without a server or a network.

Names of files say what a page shows, by names of models and keys of questions, so that two reports of
different times can be compared. Questions are those that are not right, the first few of each cell; each
leads to the next one of its list.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from evalhouse.pages import page_data
from evalhouse.pages.choices import SIDES, CellChoices, address_of
from evalhouse.pages.drawing import STATIC, WHY, board_view, figure, figures_of, page, passes_of
from evalhouse.pages.gathered import Pair, Part, Row, Run, part_of
from evalhouse.pages.links import FileLinks, file_name, shown_of
from queries import board_figure
from queries.board import Board
from queries.options import BoardOptions
from warehouse.errors import UsageError
from warehouse.files import writing
from warehouse.images import Images, kind_of


@dataclass(frozen=True)
class Step:
    """Where a question is in a list, from 1, and what is next to it; None: it is not, or there is none."""

    place: int | None
    row: Row | None
    previous: Row | None
    next: Row | None
    next_wrong: Row | None


def step_of(found: Sequence[Row], question_id: int) -> Step:
    """A question's neighbours, and the next one after it that is wrong."""
    place = next((n for n, row in enumerate(found) if row["question_id"] == question_id), None)
    if place is None:
        return Step(None, None, None, None, None)
    after = found[place + 1 :]
    return Step(
        place + 1,
        found[place],
        found[place - 1] if place else None,
        after[0] if after else None,
        next((row for row in after if row["score"] is not None and row["score"] <= 0), None),
    )


_NO_STEP = "not right"
_AT_ONCE = 8
"""Runs whose answers one query reads."""


@dataclass(frozen=True)
class Wanted:
    """What a report is of.

    Attributes:
        benchmarks: by name; empty: all that have runs.
        judge: whose verdicts its questions are seen under; None: each dataset's own.
        most: questions of each cell.
        thumbnail: the longest side of a picture, in pixels; None: as it is.
    """

    benchmarks: tuple[str, ...] = ()
    judge: str | None = None
    most: int = 5
    thumbnail: int | None = None


@dataclass
class Report:
    """A report in the making: what it is called, where it goes, how much is written, and which benchmarks have
    no board in it and why."""

    name: str
    images: Images
    folder: Path
    wanted: Wanted
    links: FileLinks = field(default_factory=FileLinks)
    n_pages: int = 0
    n_pictures: int = 0
    left_out: list[str] = field(default_factory=list)

    def write(self, path: str, template: str, here: str, **values: object) -> None:
        """Write a page, whose links are already those from it (`links.here`)."""
        assert self.links.here == path
        self._fill(
            path, page(template, self.links, {"here": here, "warehouse": self.name} | values)
        )
        self.n_pages += 1

    def at(self, kind: str, **shown: object) -> str:
        """The path of a page, from which links are now made."""
        self.links.here = self.links.files[shown_of(kind, shown)]
        return self.links.here

    def draw(self, svg: str, **shown: object) -> None:
        """Write a figure of a board."""
        self._fill(self.at("figure", **shown), svg)

    def add_pictures(self, questions: Iterable[Row]) -> None:
        """Copy the pictures of questions that are kept."""
        for name in (one for question in questions for one in question["images"] or ()):
            if name in self.links.pictures:
                continue
            content = self.images.read(name)
            kind = None if content is None else kind_of(content)
            if content is None or kind is None:
                continue
            if self.wanted.thumbnail is not None:
                content, kind = scaled(content, kind, self.wanted.thumbnail)
            self.links.pictures[name] = f"pictures/{name}.{kind}"
            self._fill(self.links.pictures[name], content)
            self.n_pictures += 1

    def add_static(self) -> None:
        """Copy the style sheet and the script."""
        for file in sorted(STATIC.iterdir()):
            self._fill(f"static/{file.name}", file.read_bytes())

    def _fill(self, path: str, content: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        writing.fill(file, content)


def write(
    con: duckdb.DuckDBPyConnection,
    report: Report,
    *,
    step: Callable[[str], None] = lambda text: None,
) -> None:
    """Write all pages of a report.

    Args:
        con: the warehouse, open for reading.
        report: what it is of, and where it goes.
        step: callback, called with what is being queried or written.

    Raises:
        UsageError: no such benchmark or judge, or nothing that can be shown.
    """
    wanted = report.wanted
    overview = page_data.overview(con)
    there = [row["benchmark"] for row in overview["benchmarks"]]
    names = wanted.benchmarks or tuple(there)
    offered = {
        found["name"]: found for found in (page_data.board_options(con, one) for one in names)
    }
    for name in offered:
        if name not in there:
            raise UsageError(f"no run of {name!r} counts; `evalhouse runs` lists them")
    parts = []
    for name, options in offered.items():
        try:
            parts.append(part_of(con, options, judge=wanted.judge, most=wanted.most, step=step))
        except UsageError as error:
            # Such as answers in words that nobody has judged: what was not asked for stops nothing.
            if wanted.benchmarks or wanted.judge is not None or len(offered) == 1:
                raise
            report.left_out.append(f"{name} has no board: {error}")
    judges = page_data.judges(con)
    overview["runs"] = [row for row in overview["runs"] if row["benchmark"] in offered]
    for rows in ("benchmarks", "pending"):
        overview[rows] = [row for row in overview[rows] if row["benchmark"] in offered]
    models = sorted({row["model"] for row in overview["runs"]})
    _name_pages(report.links, parts, models, judges["agreement"])
    step("writing")
    for part in parts:
        for runs in _pieces(list(part.runs.values())):
            shown = sorted({one for run in runs for one in run.shown})
            details = page_data.details(
                con, runs[0].of["task"], [run.run_id for run in runs], shown
            )
            report.add_pictures(details.values())
            for run in runs:
                _write_run(report, run, details)
        for pair in part.pairs:
            _write_pair(report, part, pair)
        _write_boards(report, part)
    readings = page_data.rows(con, "page_model_reading", model=None)
    for model in models:
        step(f"writing {model}")
        found = page_data.model(con, model, None, readings=readings)
        report.write(report.at("model", name=model), "model.html", "model", found=found)
    report.write(report.at("judges"), "judges.html", "judges", found=judges)
    for row in judges["agreement"]:
        _write_disagreements(con, report, row["judge_a"], row["judge_b"])
    report.write(
        report.at("index"), "index.html", "index", found=overview, page=1, pages=1, page_link=None
    )
    report.add_static()


def _name_pages(
    links: FileLinks, parts: Sequence[Part], models: Sequence[str], agreement: Sequence[Row]
) -> None:
    """Give each page its file, before the first is written: a page links to what it has a file for."""
    links.add("index", "")
    links.add("judges", "index")
    for model in models:
        links.add("model", file_name(model), name=model)
    for row in agreement:
        a, b = row["judge_a"], row["judge_b"]
        links.add("disagreements", file_name(a, b), a=a, b=b)
    for part in parts:
        of = {"benchmark": part.options["name"]}
        default = next(iter(part.boards))[0]
        for (level, judge), boards in part.boards.items():
            name = file_name(part.options["name"], level, judge)
            path = links.add("board", name, level=level, judge=judge, **of)
            _name_figures(
                links, BoardOptions(part.options["name"], level=level, judge=judge), boards
            )
            if level == default:
                links.files[shown_of("board", of | {"judge": judge})] = path
            if (level, judge) == (default, part.judge):
                links.files[shown_of("board", of)] = path
        for run in part.runs.values():
            _name_run(links, run)
        for pair in part.pairs:
            links.add("compare", file_name(*pair.a.names, *pair.b.names), **_of_pair(pair))
            for side in pair.sides:
                name = file_name(*pair.a.names, *pair.b.names, side)
                links.add("sides", name, side=side, **_of_pair(pair))


def _name_figures(links: FileLinks, chosen: BoardOptions, boards: Sequence[Board]) -> None:
    for n, board in enumerate(boards):
        for drawn in board_figure.kinds_of(board):
            name = file_name(board.dataset, board.level, board.judge, board.columns[0], drawn)
            links.add("figure", name, suffix="svg", **address_of(chosen), drawn=drawn, place=n)


def _name_run(links: FileLinks, run: Run) -> None:
    folder = file_name(*run.names)
    for ability, (title, _) in run.cells.items():
        name = f"{folder}/{file_name(title['level'], title['ability'])}"
        path = links.add("questions", name, **_of_cell(run, ability))
        if ability == 0:
            links.files[shown_of("questions", {"run": run.run_id})] = path
    for row in run.pages:
        name = f"{folder}/{file_name(row['question_key'])}"
        links.add("question", name, run=run.run_id, question=row["question_id"])


def _of_cell(run: Run, ability: int) -> Row:
    return {"run": run.run_id, "ability": ability, "strategy": run.strategy, "judge": run.judge}


def _of_pair(pair: Pair) -> Row:
    return {"a": pair.a.run_id, "b": pair.b.run_id}


def _pieces(runs: list[Run]) -> Iterator[list[Run]]:
    for first in range(0, len(runs), _AT_ONCE):
        yield runs[first : first + _AT_ONCE]


def _write_run(report: Report, run: Run, details: dict[int, Row]) -> None:
    """The lists of a run's cells, and its questions."""
    most = report.wanted.most
    for ability, (title, rows) in run.cells.items():
        path = report.at("questions", **_of_cell(run, ability))
        note = f"the first {most:,} have pages" if len(rows) > most else None
        chosen = CellChoices(run.run_id, ability, run.strategy, run.judge, show=_NO_STEP)
        _write_list(report, path, title, chosen, run, rows[: most * 20], len(rows), note)
    pages = run.pages
    for row in pages:
        question = details[row["question_id"]]
        path = report.at("question", run=run.run_id, question=row["question_id"])
        step = step_of(pages, row["question_id"])
        report.write(
            path,
            "question.html",
            "question",
            question=question,
            of=run.of,
            chosen=CellChoices(run.run_id, 0, run.strategy, run.judge),
            row=row,
            passes=passes_of(question, run.run_id, run.judge),
            why=WHY,
            up=report.links.to("questions", run=run.run_id),
            previous=_question(report, run, step.previous),
            next=_question(report, run, step.next),
            next_wrong=_question(report, run, step.next_wrong),
            place=step.place,
            total=len(pages),
        )


def _question(report: Report, run: Run, row: Row | None) -> str | None:
    if row is None:
        return None
    return report.links.to("question", run=run.run_id, question=row["question_id"])


def _write_list(
    report: Report,
    path: str,
    title: Row,
    chosen: CellChoices,
    run: Run,
    rows: Sequence[Row],
    total: int,
    note: str | None,
) -> None:
    report.write(
        path,
        "questions.html",
        "questions",
        of=title,
        chosen=chosen,
        total=total,
        note=note,
        found=rows,
        pages=1,
        page=1,
        question_link=lambda row: _question(report, run, row),
    )


def _write_pair(report: Report, part: Part, pair: Pair) -> None:
    """A comparison, and the questions on each side of it."""
    found = pair.found["found"]
    report.write(
        report.at("compare", **_of_pair(pair)),
        "compare.html",
        "compare",
        found=pair.found,
        said={},
        options=part.options,
        names=found.names,
        error=None,
        side_link=lambda side: report.links.to("sides", side=side, **_of_pair(pair)),
    )
    for side, (run, rows, total) in pair.sides.items():
        path = report.at("sides", side=side, **_of_pair(pair))
        chosen = CellChoices(run.run_id, 0, run.strategy, run.judge)
        note = (
            f"{found.names[0]} and {found.names[1]}: {SIDES[side]} (the first is {found.names[0]})"
        )
        _write_list(report, path, run.of, chosen, run, rows, total, note)


def _write_boards(report: Report, part: Part) -> None:
    for (level, judge), boards in part.boards.items():
        chosen = BoardOptions(part.options["name"], level=level, judge=judge)
        for n, board in enumerate(boards):
            for drawn in board_figure.kinds_of(board):
                report.draw(figure(boards, n, drawn), **address_of(chosen), drawn=drawn, place=n)
        path = report.at("board", benchmark=part.options["name"], level=level, judge=judge)
        report.write(
            path,
            "board.html",
            "board",
            options=part.options,
            chosen=chosen,
            boards=[board_view(board) for board in boards],
            page=1,
            pages=1,
            page_link=None,
            sort_link=None,
            error=None,
            kept_note=None,
            figures=figures_of(report.links, chosen, boards),
            comparisons=[
                (
                    " – ".join(pair.found["found"].names),
                    report.links.to("compare", **_of_pair(pair)),
                )
                for pair in (part.pairs if judge == part.judge else ())
            ],
        )


def _write_disagreements(con: duckdb.DuckDBPyConnection, report: Report, a: str, b: str) -> None:
    report.write(
        report.at("disagreements", a=a, b=b),
        "disagreements.html",
        "judges",
        found=page_data.disagreements(con, a, b),
        a=a,
        b=b,
        most=page_data.MOST_DISAGREEMENTS,
    )


def scaled(content: bytes, kind: str, most: int) -> tuple[bytes, str]:
    """A picture whose longest side is at most so many pixels, and its kind.

    The extra `web` brings what this needs. What is no picture to the library stays as it is.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(content)) as picture:
            if max(picture.size) <= most:
                return content, kind
            picture.thumbnail((most, most))
            into = io.BytesIO()
            if picture.mode in ("RGBA", "LA", "P"):
                picture.convert("RGBA").save(into, "PNG")
                return into.getvalue(), "png"
            picture.convert("RGB").save(into, "JPEG", quality=85)
            return into.getvalue(), "jpeg"
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError):
        return content, kind
