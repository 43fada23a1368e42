"""What tests of the pages share: a warehouse of hostile texts, a server, and what a page holds."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from threading import Thread

import uvicorn
from starlette.testclient import TestClient

from evalhouse import Warehouse
from evalhouse.cli_serve import pages_of
from evalhouse.pages.guard import Door
from evalhouse.pages.live import app
from evalhouse.pages.site import Site

PORT = 8321
_LONG = 1_000_000
HERE = f"http://127.0.0.1:{PORT}"

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<img src=x onerror=alert(3)>",
    '"><svg onload=alert(4)>',
    "'><iframe src=javascript:alert(5)></iframe>",
    '<a href="javascript:alert(6)">click</a>',
    "javascript:alert(7)",
    "[click](javascript:alert(8))",
    "![x](http://127.0.0.1:9/steal.png)",
    '<img src="http://127.0.0.1:9/track.png">',
    "<link rel=stylesheet href=http://127.0.0.1:9/x.css>",
    "<style>*{display:none!important}</style>",
    "<style>@import url(http://127.0.0.1:9/y.css)</style>",
    "<base href=http://127.0.0.1:9/>",
    '<meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">',
    "<form action=http://127.0.0.1:9/><button>go</button></form>",
    "</td></tr></table></main></body></html>",
    "<!-- <plaintext>",
    "--><plaintext>",
    "<![CDATA[<script>alert(9)</script>]]>",
    "<textarea><title><noscript>",
    "</textarea><script>alert(10)</script>",
    "</title><script>alert(11)</script>",
    "<xmp><script>alert(12)</script>",
    "{{ 7 * 7 }}{% raw %}",
    "${alert(13)}`${alert(14)}`",
    "&lt;script&gt;alert(15)&lt;/script&gt;",
    "&#60;script&#62;alert(16)&#60;/script&#62;",
    "\u202egnp.exe\u202c right to left",
    "\u2066isolated \u2067never closed",
    "zero\u200bwidth\u200djoin\ufeff",
    "control \x1b[31m red \x07 bell \x00 nul",
    "line one\r\nline two\u2028line three\u2029end",
    "Z\u0351a\u0301l\u0310g\u031ao " * 40,
    "A" * _LONG,
    "no-break\u00a0" * 2_000,
    "'; DROP TABLE main.run; --",
    "../../../../etc/passwd",
    '=HYPERLINK("http://127.0.0.1:9/","x")',
    '<math><mi//xlink:href="data:x,<script>alert(17)</script>">',
)
"""Texts that a model, a judge or a file could hold to do something in a browser."""


def hostile_house(path: Path) -> Warehouse:
    """A warehouse with each of HOSTILE as a question, a choice, an answer and a reply; the short ones are
    also names of abilities, and one each of a model and of a judge."""
    folder = path.parent
    questions, answers, verdicts = [], [], []
    for n, text in enumerate(HOSTILE):
        text = text.replace("\0", "")
        ability = text if len(text) < 200 and text.strip() else "long"
        questions.append(
            {
                "question_key": f"{n}", "question": f"{text}", "A": text, "B": f"{text} or not", "C": "pear",
                "answer": "C", "ability_topic": ability, "hint": text,
            }
        )  # fmt: skip
        answers.append({"question_key": f"{n}", "prediction": f"Well: {text}", "thinking": text})
        verdicts.append({"question_key": f"{n}", "reply": f"C {text}", "judge": HOSTILE[2]})
    files = {"q.jsonl": questions, "a.jsonl": answers, "j.jsonl": verdicts}
    for name, rows in files.items():
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / name).write_text(lines, "utf-8")
    house = Warehouse(path)
    model = HOSTILE[0]
    house.ingest(folder / "q.jsonl", benchmark="Hostile", refresh=False)
    house.ingest(
        folder / "a.jsonl", benchmark="Hostile", model=model, run=HOSTILE[3], refresh=False
    )
    house.ingest(folder / "j.jsonl", benchmark="Hostile", model=model, run=HOSTILE[3])
    return house


def site_of(house: Warehouse) -> Site:
    """A warehouse that is served."""
    return Site(pages_of(house))


def client_of(site: Site, door: Door | None = None) -> TestClient:
    """A browser that asks a server, without the network."""
    return TestClient(app(site, door or Door("127.0.0.1", PORT)), base_url=HERE)


@contextmanager
def serving(db: Path) -> Iterator[str]:
    """`evalhouse serve` as a user runs it; its address without the slash."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["serve", "--db", str(db), "--port", str(port)]
    running = subprocess.Popen(
        [sys.executable, "-c", "from evalhouse.cli import main; main()", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"{address}/static/pages.css", timeout=5):
                    break
            except OSError:
                assert running.poll() is None, running.stdout and running.stdout.read()
                time.sleep(0.1)
        yield address
    finally:
        running.terminate()
        running.wait(20)


@contextmanager
def serving_here(site: Site) -> Iterator[str]:
    """The same of this process, whose settings a test can change."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        config = uvicorn.Config(app(site, Door("127.0.0.1", port)), log_level="warning")
        server = uvicorn.Server(config)
        running = Thread(target=server.run, kwargs={"sockets": [listening]})
        running.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            running.join(20)


class Seen(HTMLParser):
    """What a page holds: its tags with their attributes, the links, and the cells of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self.text: list[str] = []
        self._cell: list[str] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self._cell = []

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None and self.rows:
            self.rows[-1].append("".join(self._cell).strip())
            self._cell = None

    def handle_data(self, data: str) -> None:
        self.text.append(data)
        if self._cell is not None:
            self._cell.append(data)

    @property
    def links(self) -> list[str]:
        """Where its links lead, in order."""
        return [href for tag, found in self.tags if tag == "a" and (href := found.get("href"))]
