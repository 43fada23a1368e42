"""A browser goes through the pages: live, and from disk without a network. `make test-web` runs it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from evalhouse import Warehouse
from evalhouse.demo.build import JUDGE, build
from evalhouse.pages import computing
from queries.render import percent
from tests.commands import run
from tests.conftest import ROOT
from tests.webpages import HOSTILE, hostile_house, serving, serving_here, site_of

pytestmark = pytest.mark.web

_SHOTS = ROOT / ".web"
_MODEL = "LLaVA"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    house = build(tmp_path_factory.mktemp("built"))
    house.refresh_kept()
    return house.path


@pytest.fixture
def demo(built: Path, tmp_path: Path) -> Warehouse:
    """The demo, of the test's own: one of them labels."""
    folder = tmp_path / "demo"
    shutil.copytree(built.parent, folder)
    return Warehouse(folder / built.name)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    program = os.environ.get("EVALHOUSE_CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as driver:
        # As root there is no sandbox to be had.
        started = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


class Visit:
    """A page in the browser, and all that went wrong on it."""

    def __init__(
        self, browser: Any, name: str, *, width: int = 1200, scheme: str = "light", **more: Any
    ) -> None:
        self.name = name
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **more
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.page.on(
            "dialog", lambda one: (self.wrong.append(f"dialog {one.message}"), one.dismiss())
        )
        self.page.on("pageerror", lambda one: self.wrong.append(str(one)))
        self.page.on("request", lambda one: self.asked.append(one.url))
        self.page.on(
            "console", lambda one: self.wrong.append(one.text) if one.type == "error" else None
        )

    def shot(self, what: str) -> None:
        _SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=_SHOTS / f"{self.name}-{what}.png")

    def press(self, key: str) -> None:
        with self.page.expect_navigation():
            self.page.keyboard.press(key)

    def follow(self, link: str) -> None:
        """Clicks and waits until the next page is loaded, its pictures too: few other calls wait."""
        with self.page.expect_navigation():
            self.page.click(link)

    def is_wide(self) -> bool:
        """Whether the page as a whole wants to be scrolled sideways."""
        return bool(
            self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1")
        )

    def cells(self, selector: str) -> dict[str, list[str]]:
        """A table's rows by the name at their head."""
        rows = self.page.eval_on_selector_all(
            f"{selector} tbody tr",
            "rows => rows.map(row => [...row.cells].map(c => c.textContent.trim()))",
        )
        return {row[0]: row for row in rows}


def _walk(visit: Visit, first: str, demo: Warehouse) -> None:
    """Overview, board, cell, a wrong answer with its picture, the judge's reply, the next, a comparison."""
    page = visit.page
    page.goto(first)
    visit.shot("1-overview")
    visit.follow("article.card h3 a")
    (board,) = demo.leaderboard("MMBench")
    shown = page.eval_on_selector_all(
        "table.board tbody tr",
        "rows => rows.map(r => [...r.querySelectorAll('td.score')].map(c => c.textContent))",
    )
    assert shown == [
        [percent(cell.score if cell else None, 2) for cell in line.cells] for line in board.lines
    ]
    visit.shot("2-board")
    page.click("table.board thead th:nth-child(3) button")
    assert "#sort=2" in page.url
    line = next(n for n, one in enumerate(board.lines) if one.model == _MODEL)
    visit.follow(f"table.board tbody tr:has(bdi:text-is('{_MODEL}')) td.score a >> nth=0")
    wrong = board.lines[line]
    if "file:" not in first:
        with page.expect_navigation():
            page.select_option("select[name=show]", "wrong")
        right = round((wrong.cells[0].points or 0) if wrong.cells[0] else 0)
        assert page.inner_text("[data-count]") == f"{1176 - right:,}"
    visit.shot("3-cell")
    visit.follow("table.list tbody a >> nth=0")
    n_seen = 0
    while not page.query_selector(".pictures img"):
        visit.press("j")
        n_seen += 1
        assert n_seen < 200
    assert page.eval_on_selector(".pictures img", "one => one.naturalWidth") > 0
    assert "✗ wrong" in page.inner_text(".question-pane")
    visit.shot("4-wrong-answer")
    while not page.query_selector("[data-reply]"):
        visit.press("w")
    assert page.inner_text("[data-reply] >> nth=0").strip() in ("A", "B", "C", "D", "X")
    before = page.url
    visit.press("ArrowRight")
    assert page.url != before
    visit.press("k")
    assert page.url == before
    visit.press("u")
    assert page.query_selector("table.list")


def test_live(demo: Warehouse, browser: Any) -> None:
    with serving(demo.path) as address:
        visit = Visit(browser, "live")
        page = visit.page
        _walk(visit, f"{address}/", demo)
        page.goto(f"{address}/compare?a={_MODEL}&b=Shikra")
        found = demo.compare(_MODEL, "Shikra").frame.row(0, named=True)
        assert page.inner_text("[data-side=a]") == str(found["n_a_alone"])
        visit.shot("5-compare")
        visit.follow("[data-side=a] a")
        assert page.inner_text("[data-count]") == str(found["n_a_alone"])
        page.goto(f"{address}/sql")
        page.fill(
            "#q",
            "SELECT model, count(*) AS n FROM main.run JOIN main.model USING (model_id) GROUP BY ALL",
        )
        with page.expect_navigation():
            page.press("#q", "Control+Enter")
        assert len(visit.cells("#result")) == 16
        visit.shot("6-sql")
        assert visit.wrong == []
        page.fill("#q", "DELETE FROM main.run")
        visit.follow("button:text('Run')")
        assert "SELECT" in page.inner_text("[role=alert]")
        visit.wrong.clear()
        page.goto(f"{address}/label")
        page.fill("input[name=annotator]", "eva")
        visit.follow("button:text('Start')")
        visit.shot("7-label")
        with page.expect_navigation():
            page.keyboard.press("a")
        assert page.inner_text("[data-done]") == "1"
        visit.follow("nav >> text=Judges")
        assert visit.cells("#agreement")["eva"][1:4] == [JUDGE, "choice_extraction", "1"]
        visit.shot("8-judges")
        assert visit.wrong == []
        for width, scheme in ((380, "dark"), (1600, "light")):
            small = Visit(browser, f"live-{width}", width=width, scheme=scheme)
            for place in (
                "",
                "board?benchmark=MMBench",
                "questions?run=1",
                "question?run=1&question=2",
                f"model?name={_MODEL}&with=Shikra",
                f"compare?a={_MODEL}&b=Shikra&judge={JUDGE}",
                "judges",
                f"label?annotator=eva&judge={JUDGE}",
                "suspects?run=1",
                "sql",
            ):
                small.page.goto(f"{address}/{place}")
                assert not small.is_wide(), (width, place)
                small.shot(re.sub(r"\W+", "-", place) or "overview")
            assert small.wrong == []
        _printed(browser, address)


def _printed(browser: Any, address: str) -> None:
    """On paper there are no controls, nothing is cut off, and ink is dark."""
    paper = Visit(browser, "print", width=794, scheme="dark")
    paper.page.emulate_media(media="print")
    for place in (
        "board?benchmark=MMBench",
        "question?run=1&question=2",
        f"model?name={_MODEL}&with=Shikra",
        f"compare?a={_MODEL}&b=Shikra&judge={JUDGE}",
        "judges",
    ):
        paper.page.goto(f"{address}/{place}")
        for hidden in (".top", ".controls", ".step", ".keys"):
            shown = paper.page.eval_on_selector_all(
                hidden, "all => all.filter(one => one.getClientRects().length > 0).length"
            )
            assert shown == 0, (place, hidden)
        cut = paper.page.eval_on_selector_all(
            ".scroll, .output, pre, .question-pane",
            "all => all.filter(one => getComputedStyle(one).overflowY !== 'visible').length",
        )
        assert cut == 0, place
        faint = paper.page.evaluate(
            """() => [...document.querySelectorAll('main *')].filter(one => one.children.length === 0
                && one.textContent.trim() && one.getClientRects().length
                && !one.closest('svg, details:not([open])')).filter(one => {
                const [r, g, b] = getComputedStyle(one).color.match(/[0-9.]+/g).map(Number);
                return 0.299 * r + 0.587 * g + 0.114 * b > 150;
            }).map(one => one.outerHTML.slice(0, 100))"""
        )
        assert faint == [], place
        paper.shot(re.sub(r"\W+", "-", place))
    assert paper.wrong == []


def test_figures_of_a_board(demo: Warehouse, browser: Any) -> None:
    with serving(demo.path) as address:
        visit = Visit(browser, "figures")
        visit.page.goto(f"{address}/board?benchmark=MMBench&level=l2")
        assert not any("/figure" in one for one in visit.asked)  # not before one is opened
        names = visit.page.eval_on_selector_all(
            "details.figure summary", "all => all.map(one => one.textContent)"
        )
        assert names == ["Heat map", "Bars", "Radar"]
        for place in range(3):
            visit.page.click(f"details.figure >> nth={place} >> summary")
            picture = f"details.figure >> nth={place} >> img"
            visit.page.locator(picture).scroll_into_view_if_needed()
            visit.page.wait_for_function(
                "n => { const one = document.querySelectorAll('details.figure img')[n]; "
                "return one.complete && one.naturalWidth > 200; }",
                arg=place,
            )
            visit.shot(names[place].lower().replace(" ", "-"))
        assert not visit.is_wide()
        visit.page.set_viewport_size({"width": 380, "height": 900})
        assert not visit.is_wide()
        assert visit.wrong == []


def test_a_page_that_is_computed_comes_by_itself(
    demo: Warehouse, browser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computing, "MOST_AT_ONCE", 1_000)
    with serving_here(site_of(demo)) as address:
        for scripts in (True, False):
            visit = Visit(browser, "computing", java_script_enabled=scripts)
            place = f"{address}/suspects?run=1&judge={JUDGE if scripts else 'none'}"
            said: list[str] = []
            visit.page.on("console", lambda one, said=said: said.append(one.text))
            visit.page.add_init_script(
                "addEventListener('DOMContentLoaded', () => console.log("
                "document.querySelector('[data-computing]')?.textContent ?? 'all'))"
            )
            visit.page.goto(place, wait_until="commit")
            visit.page.wait_for_selector("[data-count]")
            assert visit.page.url == place
            # The browser asked again, without a script.
            assert visit.asked.count(place) == 2
            if scripts:
                assert "is computed from" in said[0]
                assert said[1:] == ["all"]
            assert visit.wrong == []


def test_from_disk_without_a_network(demo: Warehouse, browser: Any, tmp_path: Path) -> None:
    done = run(
        "evalhouse",
        "report",
        "pages",
        "MMBench",
        "--judge",
        "replayed-judge",
        "--questions",
        2,
        "--db",
        demo.path,
        cwd=tmp_path,
    )
    assert done.code == 0, done.err
    visit = Visit(browser, "disk", offline=True)
    _walk(visit, (tmp_path / "pages" / "index.html").as_uri(), demo)
    visit.page.goto((tmp_path / "pages" / "index.html").as_uri())
    visit.follow("article.card h3 a")
    visit.follow("text=Kosmos-2 – Shikra")
    found = demo.compare("Kosmos-2", "Shikra").frame.row(0, named=True)
    assert visit.page.inner_text("[data-side=b]") == str(found["n_b_alone"])
    visit.follow("[data-side=b] a")
    visit.follow("table.list tbody a >> nth=0")
    assert visit.page.query_selector(".output")
    assert visit.wrong == []
    assert all(one.startswith("file:") for one in visit.asked)


def test_hostile_texts_do_nothing(browser: Any, tmp_path: Path) -> None:
    house = hostile_house(tmp_path / "hostile.duckdb")
    done = run("evalhouse", "report", "pages", "--questions", 100, "--db", house.path, cwd=tmp_path)
    assert done.code == 0, done.err
    judge = urlencode({"judge": HOSTILE[2]})
    with serving(house.path) as address:
        visit = Visit(browser, "hostile", width=1200)
        places = [
            "/",
            "/board?benchmark=Hostile&level=topic",
            f"/questions?run=1&{judge}",
            "/judges",
        ]
        places += [
            f"/model?{urlencode({'name': HOSTILE[0]})}",
            "/sql?q=SELECT+text+FROM+main.question",
        ]
        places += [f"/question?run=1&question={n}&{judge}" for n in range(1, len(HOSTILE) + 1)]
        for place in places:
            answer = visit.page.goto(f"{address}{place}")
            assert answer.status == 200, place
            assert not visit.is_wide(), place
            assert visit.page.is_visible("header.top"), place
        visit.shot("question")
        assert visit.wrong == []
        assert all(one.startswith((address, "data:")) for one in visit.asked)
    disk = Visit(browser, "hostile-disk", offline=True)
    for file in sorted((tmp_path / "pages").rglob("*.html")):
        disk.page.goto(file.as_uri())
        assert disk.page.is_visible("header.top"), file
        assert not disk.is_wide(), file
    assert disk.wrong == []
    assert all(one.startswith("file:") for one in disk.asked)
