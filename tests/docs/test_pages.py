"""The README and the pages with examples, as a reader does what they say."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.docs

_BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def _written(page: str, folder: Path) -> list[str]:
    """Write the files that a page shows, each named before its block; return its commands."""
    text = (ROOT / page).read_text("utf-8")
    commands: list[str] = []
    lines = 0
    for found in _BLOCK.finditer(text):
        kind, block = found.groups()
        if kind == "console":
            commands += block.splitlines()
        elif kind not in ("ini", "text"):
            (name,) = re.findall(r"`([\w./-]+)`[^`]*$", text[: found.start()])
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(block, "utf-8")
        if kind in ("toml", "python", "ini"):
            lines += block.count("\n")
    # What the reader writes; the harness's files are there.
    assert lines < (105 if "format" in page else 40)
    return commands


def _run(commands: list[str], folder: Path, programs: Path | None = None) -> list[str]:
    """What they print; `programs` is where they are installed, if not here."""
    said = []
    for line in commands:
        program, *words = shlex.split(line)
        main = "ingest_main" if program == "ingest" else "main"
        here = [sys.executable, "-c", f"from evalhouse.cli import {main}; {main}()"]
        done = subprocess.run(
            [*(here if programs is None else [str(programs / program)]), *words],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "200", "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, f"{line}: {done.stderr}"
        assert "note" not in done.stderr
        said.append(done.stdout)
    return said


def test_adding_a_benchmark(tmp_path: Path) -> None:
    added, shown, ingested, board = _run(_written("docs/adding-a-benchmark.md", tmp_path), tmp_path)
    assert added == "PicSums is known: 2 abilities, 3 names\n"
    assert "ps_mini_v2: PicSums/2/testmini" in shown
    assert "dataset PicSums/2/testmini (new)" in ingested
    assert "model vlm-7b (the file's name)" in ingested
    assert re.search(r"Overall +Add +Mult", board)
    assert re.search(r"vlm-7b +50\.00 +100\.00 +0\.00 +1/2", board)


def test_scoring_a_benchmark(tmp_path: Path) -> None:
    _, ingested, board, figures, inferred, changed, themes = _run(
        _written("docs/scoring-a-benchmark.md", tmp_path), tmp_path
    )
    assert "dataset PicFacts (new)" in ingested
    assert re.search(r"vlm-7b +66\.7", board)
    assert re.search(r"acc +75 +4", figures)
    assert re.search(r"image +50 +2", figures)
    assert "benchmark SkyWords is new: open, vanilla; rule extracted" in inferred
    assert "rule: anls" in changed
    assert "theme (columns theme)" in changed
    assert re.search(r"sky +1\b", themes)
    assert re.search(r"sea +0\.83", themes)


def test_adding_a_format(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "adding-a-format.md").read_text("utf-8")
    ((name, value),) = re.findall(r'```ini\n.*\n(\w+) = "(.*)"\n```', page)
    info = tmp_path / "my_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[evalhouse.formats]\n{name} = {value}\n")
    assert follow("adding-a-format", tmp_path) == 1
    assert name in _run(["evalhouse formats"], tmp_path)[0]

    def said(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
            capture_output=True,
            text=True,
            timeout=300,
        )
        return done.stdout + done.stderr

    assert "2 passed" in said("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    errors = re.findall(r"`(out/\S+\.jsonl[,:] [^`]*)`", page)
    reader, samples = (
        tmp_path / "my_package/myharness.py",
        tmp_path / "out/2026-11-28/samples.jsonl",
    )
    for file, given, instead in (
        (samples, '"id": "g3"', '"idx": "g3"'),
        (reader, "['task']", "['x']"),
    ):
        file.write_text(file.read_text("utf-8").replace(given, instead), "utf-8")
        ingest = "from evalhouse.cli import ingest_main; ingest_main()"
        assert errors.pop(0) in said("-c", ingest, "out/2026-11-28/samples.jsonl")
    assert errors == []


def test_the_readme(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    ingested, board, wrong, shown, compared, by_topic, unread = _run(
        _written("README.md", tmp_path), tmp_path
    )
    assert "dataset Rooms (new)" in ingested
    assert f"```\n{board}```" in text
    assert re.search(r"3 +C +- +I cannot read it\.", wrong)
    assert "I cannot read it." in shown
    assert re.search(r"Overall +3 +100\.00 +66\.67 +\+33\.33", compared)
    assert [line.split() for line in by_topic.splitlines()[2:]][-1] == ["vlm-7b", "text", "0"]
    assert "I cannot read it." in unread
    (script,) = re.findall(r"```\n(from evalhouse .*?)```", text, re.DOTALL)
    (tmp_path / "script.py").write_text(
        script + "\nprint(scores.height, round(scores['score'].sum(), 2))", "utf-8"
    )
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)}, timeout=300,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "2 1.67\n"), done.stderr


def test_what_the_harness_said(tmp_path: Path) -> None:
    ingested, listed, samples = _run(_written("docs/harnesses.md", tmp_path), tmp_path)
    text = (ROOT / "docs/harnesses.md").read_text("utf-8")
    (line,) = re.findall(r"The first ends with `([^`]*)`", text)
    assert line in ingested
    assert re.search(r"first_letter +- +1 +0\.5 +False +1 of 2 samples differ", listed)
    assert "no rule of ours reads the answer" in listed
    assert len(samples.splitlines()) == 3


def follow(page: str, folder: Path, programs: Path | None = None) -> int:
    """Do what a page says: each block of output is what the commands of the block before it print, to
    the letter. Return how many there are."""
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    blocks = _BLOCK.findall(text)
    commands = iter(_run(_written(f"docs/{page}.md", folder), folder, programs))
    printed = ""
    n_compared = 0
    for kind, block in blocks:
        if kind == "console":
            printed = "".join(next(commands) for _ in block.splitlines())
        elif kind == "text":
            assert block == printed
            n_compared += 1
    assert next(commands, None) is None
    return n_compared


@pytest.mark.parametrize("page", ["tutorial-own-benchmark", "tutorial-work-dir"])
def test_tutorials_print_what_they_say(tmp_path: Path, page: str) -> None:
    assert follow(page, tmp_path) >= 4
    if page == "tutorial-own-benchmark":
        assert (tmp_path / "kitchen.svg").read_text("utf-8").startswith("<svg")
        assert "Kitchen" in (tmp_path / "pages" / "index.html").read_text("utf-8")


def test_links_lead_somewhere() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    missing = [
        f"{page.name}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8"))
        # The pages of reference are made with the site, whose build finds links that lead nowhere.
        if not link.startswith(("https://", "reference/")) and not (page.parent / link).exists()
    ]
    assert missing == []
    # What it looks like is on the first screen.
    first = (ROOT / "README.md").read_text("utf-8").splitlines()[:10]
    assert any("docs/pages.png" in line for line in first)


def test_pages_and_pictures(tmp_path: Path) -> None:
    ingested, added, checked, exported, reported = _run(
        _written("docs/pages.md", tmp_path), tmp_path
    )
    assert "dataset Colours (new)" in ingested
    assert "1 picture kept" in added
    assert "0 of 1 pictures of questions are not kept" in checked
    assert "1 picture" in exported
    assert "and 1 picture of colours.duckdb" in reported
    pages = list((tmp_path / "pages").rglob("*.html"))
    for page in pages:
        for link in re.findall(r'(?:href|src)="([^"#]+)', page.read_text("utf-8")):
            assert (page.parent / link).is_file(), (page, link)
    assert any("It is blue." in page.read_text("utf-8") for page in pages)
    # The same warehouse gives the same files.
    _run(["evalhouse report again Colours --db colours.duckdb"], tmp_path)
    for file in sorted((tmp_path / "pages").rglob("*")):
        again = tmp_path / "again" / file.relative_to(tmp_path / "pages")
        assert file.is_dir() or again.read_bytes() == file.read_bytes()
