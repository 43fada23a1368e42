"""Transcripts on the pages of the docs: each command is run, and prints what the page says it prints.

A transcript is a block of commands, each after `$ `, with their output; `…` stands for what is left out.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from tests.commands import run
from tests.conftest import ROOT
from tests.ingest.test_dataset_diff import changed_rows, some_rows
from tests.tables import write_jsonl

pytestmark = pytest.mark.docs

_BLOCK = re.compile(r"^```\n(\$ .*?)^```$", re.DOTALL | re.MULTILINE)
_DEMO = "evalhouse-demo/demo.duckdb"
_NOT_RUN = {
    "ingest scores.parquet": "wants likelihoods of one's own; tests/evalhouse/test_local_scores.py has some",
    "evalhouse score-choices": "loads a model; make test-local runs it",
    "evalhouse score-images": "loads a model; make test-local runs it",
    "evalhouse sql --engine spark": "wants Spark; make test-spark runs it",
    "evalhouse leaderboard MMBench --engine spark": "wants Spark; make test-spark runs it",
    "evalhouse judge --model gpt-4o-mini --base-url": "asks a server; tests/judge/test_judge_run.py has one",
    "evalhouse judge --model gpt-4o-mini --offline": "wants the replies of the command before",
    "evalhouse serve": "goes on until it is stopped; tests/evalhouse/test_serve.py asks it",
    "duckdb": "another program; tests/docs/test_queries_alone.py asks the same of its library",
}
"""What begins so is not run here, and why."""


@dataclass(frozen=True)
class Said:
    """A command on a page, and what the page says it prints."""

    command: str
    output: str

    @property
    def why_not(self) -> str | None:
        return next(
            (why for start, why in _NOT_RUN.items() if self.command.startswith(start)), None
        )

    @property
    def fails(self) -> bool:
        return self.command.endswith("# exit code 1") or self.output.startswith("error:")


def transcripts(page: Path) -> Iterator[Said]:
    """The commands of a page's transcripts in their order; one may go over several lines."""
    for block in _BLOCK.findall(page.read_text("utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.splitlines()
            n = 1
            while not _is_whole("\n".join(lines[:n])):
                n += 1
            yield Said("\n".join(lines[:n]), "\n".join(lines[n:]).strip("\n"))


def _is_whole(command: str) -> bool:
    try:
        shlex.split(command, comments=True)
    except ValueError:
        return False
    return True


def pattern(output: str) -> str:
    """What matches an output that leaves out what `…` stands for, whatever a clock says."""
    lines = []
    for line in output.splitlines():
        if line.strip() == "…":
            lines.append(r"(?:.*\n)*?")
            continue
        words = re.sub("─+", "─+", re.escape(line.rstrip()).replace("…", ".*"))
        lines.append(re.sub(r"\d+\\\.\d\\ s\b", r"\\d+\\.\\d s", words) + r" *\n")
    return "".join(lines)


def _run(folder: Path, *words: object) -> None:
    done = run(*words, cwd=folder)
    assert done.code == 0, done.err


def _demo(folder: Path, _: Path) -> None:
    _run(folder, "evalhouse", "demo")


def _papers(folder: Path, shared: Path) -> None:
    _demo(folder, shared)
    for path in [
        *(shared / "real" / "mmvet").glob("*.json"),
        *(shared / "real" / "seedbench").iterdir(),
    ]:
        (folder / path.name).symlink_to(path)


def _llava(folder: Path, shared: Path) -> Path:
    path = folder / "llava-v1.5-13b.xlsx"
    path.symlink_to(shared / "real" / "mmbench" / path.name)
    return path


def _reading(folder: Path, shared: Path) -> None:
    _llava(folder, shared)
    (folder / "lmms_out").symlink_to(shared / "formats" / "lmms_out")
    keys = [*range(1, 17), 99123]
    (folder / "q.csv").write_text(
        "question_key,question,A,B,answer\n"
        + "".join(f"{key},q{key},yes,no,A\n" for key in keys[:-1])
    )
    (folder / "predictions.csv").write_text(
        "question_key,prediction\n" + "".join(f"{key},A\n" for key in keys)
    )
    _run(folder, "ingest", "q.csv", "--benchmark", "MMBench")


def _judging(folder: Path, shared: Path) -> None:
    _demo(folder, shared)
    for path in (shared / "real" / "mmvet").glob("*.json"):
        (folder / path.name).symlink_to(path)
    (folder / "labels.csv").write_text("question_key,pass,verdict\n1,0,A\n")
    (folder / "q.csv").write_text("question_key,question,A,B,answer\n1,q,yes,no,A\n")
    (folder / "said.csv").write_text("question_key,prediction\n1,it is so\n")
    _run(folder, "ingest", "q.csv", "--benchmark", "MMBench")
    _run(folder, "ingest", "said.csv", "--benchmark", "MMBench", "--model", "my-vlm")
    _run(folder, "ingest", "mm-vet.json", "llava-v1.5-7b.json", "--db", "mmvet.duckdb")


def _releases(folder: Path, shared: Path) -> None:
    _demo(folder, shared)
    _run(folder, "ingest", _llava(folder, shared), "--benchmark", "MMBench", "--db", "llava.duckdb")
    _run(folder, "ingest", shared / "formats" / "lmms_field" / "lmms_out", "--db", "field.duckdb")


def _kept(folder: Path, shared: Path) -> None:
    """Kept results of which a fact was changed by hand."""
    _run(folder, "ingest", _llava(folder, shared), "--benchmark", "MMBench")
    with duckdb.connect(str(folder / "warehouse.duckdb")) as con:
        con.execute("UPDATE main.prediction SET text = 'A' WHERE question_id = 1 AND pass = 0")


def _harnesses(folder: Path, shared: Path) -> None:
    (folder / "lmms_out").symlink_to(shared / "formats" / "lmms_field" / "lmms_out")
    (folder / "lm_eval_out").symlink_to(shared / "formats" / "lm_eval_out")
    (folder / "evalscope_errors").symlink_to(shared / "formats" / "evalscope" / "out" / "errors")


def _exchange(folder: Path, shared: Path) -> None:
    _demo(folder, shared)
    shutil.copy(folder / _DEMO, folder / "demo.duckdb")
    write_jsonl(folder / "a.jsonl", some_rows())
    write_jsonl(folder / "b.jsonl", changed_rows())
    formats = shared / "formats"
    _run(folder, "ingest", formats / "lmms_out")
    _run(folder, "ingest", formats / "lmms_out", formats / "inspect_eval", "--db", "other.duckdb")
    _run(folder, "ingest", formats / "vlmevalkit" / "examples" / "outputs", "--db", "real.duckdb")
    _run(folder, "ingest", _llava(folder, shared), "--benchmark", "MMBench", "--db", "real.duckdb")


def _flip(folder: Path) -> None:
    """One figure of the bundle says something else."""
    path = folder / "boards" / "mmbench-overall-circular-replayed-judge.csv"
    text = path.read_text("utf-8")
    assert text.count("58.84") == 1
    path.write_text(text.replace("58.84", "59.84"), "utf-8")


def _rooms(folder: Path) -> None:
    """Two models answered three questions, of which the file has two otherwise now, and a new one."""
    head = "question_key,question,A,B,answer,ability_topic\n"
    was = [
        "1,Where is the bed?,kitchen,bedroom,B,beds",
        "2,Where is the oven?,kitchen,bedroom,B,beds",
    ]
    gone = "3,Where is the tub?,bathroom,bedroom,A,beds"
    path = folder / "questions.csv"
    path.write_text(head + "\n".join([*was, gone]) + "\n")
    (folder / "said.csv").write_text("question_key,model,prediction\n1,one,A\n1,two,B\n")
    _run(folder, "ingest", path, "--benchmark", "Rooms")
    _run(folder, "ingest", "said.csv", "--benchmark", "Rooms")
    now = [was[0].replace("the bed", "a bed"), "2,Where is the oven?,kitchen,bedroom,A,ovens"]
    path.write_text(head + "\n".join([*now, "4,Where is the desk?,study,bedroom,A,beds"]) + "\n")


_PAGES: dict[str, Callable[[Path, Path], object]] = {
    "exchange": _exchange,
    "field-rules": _demo,
    "harnesses": _harnesses,
    "judging": _judging,
    "kept-results": _kept,
    "leaderboards": _demo,
    "papers": _papers,
    "reading-results": _reading,
    "releases": _releases,
    "sql": _demo,
}
"""What the reader has before the first command of a page."""
_BEFORE = {
    "evalhouse verify boards --db demo.duckdb        # exit code 1": _flip,
    "ingest questions.csv --benchmark Rooms --replace": _rooms,
}
"""What was done to the files since the command before."""


def _compared(page: str, folder: Path) -> int:
    n = 0
    for said in transcripts(ROOT / "docs" / f"{page}.md"):
        if said.why_not is not None:
            continue
        _BEFORE.get(said.command, lambda _: None)(folder)
        words = shlex.split(said.command, comments=True)
        done = run(*words, cwd=folder)
        printed = "".join(f"{line.rstrip()}\n" for line in (done.out + done.err).splitlines())
        assert (done.code != 0) == said.fails, f"{said.command}\n{printed}"
        if said.output:
            assert re.fullmatch(pattern(said.output) + r"\s*", printed), (
                f"{page}: {said.command}\nsays:\n{said.output}\n\nprints:\n{printed}"
            )
        n += 1
    return n


@pytest.mark.parametrize("page", _PAGES)
def test_commands_print_what_the_page_says(page: str, tmp_path: Path, shared: Path) -> None:
    _PAGES[page](tmp_path, shared)
    assert _compared(page, tmp_path) >= 1


def test_every_page_with_transcripts_is_run() -> None:
    pages = {
        path.stem
        for path in (ROOT / "docs").glob("*.md")
        if any(said.why_not is None for said in transcripts(path))
    }
    # The page about believing scores is made again by a test of its own.
    assert pages == {*_PAGES, "believing-scores"}


def test_what_is_left_out_is_the_only_freedom() -> None:
    said = "a  1\n…\nkept in 0.4 s …\n"
    assert re.fullmatch(pattern(said), "a  1\nkept in 12.5 s\n") is None
    assert re.fullmatch(pattern(said), "a  1\nkept in 12.5 s or so\n")
    assert re.fullmatch(pattern(said), "a  1\nb\nc\nkept in 2.5 s (x)\n")
    assert re.fullmatch(pattern(said), "a  2\nkept in 2.5 s (x)\n") is None
