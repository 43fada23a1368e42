"""Tables on a terminal: no figure is cut, whole columns are left out, names stay different."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from evalhouse import Warehouse
from queries import render
from queries.render.printed import Printed
from queries.render.terminal import Fitted, fitted, shortened
from tests.commands import run
from tests.terminals import on_terminal, printed_on

WIDTHS = (60, 80, 100, 120, 200)
MODELS = [
    f"organisation/vision-language-{size}b-{kind}-{date}-instruct"
    for size in (2, 7, 13, 34, 72)
    for kind in ("preview", "release")
    for date in ("2026-01-15", "2026-06-30", "2026-09-01")
]
ABILITIES = [f"Ability of kind {place}" for place in range(12)]
PARTS = st.sampled_from(["llava", "-", "/", "7b", "13b", "長い名前", "v1.5", "a", "b"])


@pytest.fixture(scope="module")
def wide_file(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty models of long names on one benchmark of twelve abilities."""
    folder = tmp_path_factory.mktemp("wide")
    path = folder / "wide.duckdb"
    path.write_bytes(new_file.read_bytes())
    questions = [
        {"question_key": str(place), "question": f"What is in picture {place}, and where is it to be seen?",
         "A": "a pear", "B": "a plum", "answer": "A", "ability_topic": ability}
        for place, ability in enumerate(ABILITIES)
    ]  # fmt: skip
    answers = [
        {"model": model, "question_key": str(place), "prediction": "AB"[(place + number) % 3 == 0]}
        for number, model in enumerate(MODELS)
        for place in range(len(ABILITIES))
    ]
    house = Warehouse(path)
    for name, rows in (("q.jsonl", questions), ("a.jsonl", answers)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        house.ingest(folder / name, benchmark="Wide", refresh=name == "a.jsonl")
    return path


COMMANDS = {
    "leaderboard": ["leaderboard", "Wide", "--level", "topic"],
    "intervals": ["leaderboard", "Wide", "--level", "topic", "--intervals"],
    "compare": ["compare", MODELS[0], MODELS[1], "--level", "topic"],
    "runs": ["runs"],
    "judges": ["judges"],
    "status": ["status"],
    "sql": ["sql", "SELECT *, 'latest' AS release FROM main.model, (SELECT 66.67 AS score)"],
}  # fmt: skip


@pytest.mark.slow
def test_no_figure_is_cut(wide_file: Path) -> None:
    printed: dict[str, list[Printed]] = {}

    def recorded(table: Printed, width: int) -> Fitted:
        printed.setdefault(name, []).append(table)
        return fitted(table, width)

    with patch.object(sys.modules["queries.render.terminal"], "fitted", recorded):
        for name in COMMANDS:
            on_terminal(80, *COMMANDS[name], "--db", wide_file)
    assert printed.keys() == COMMANDS.keys()
    for width in WIDTHS:
        for name, tables in printed.items():
            for table in tables:
                _check_whole(name, table, width)
    said = "\n".join(on_terminal(60, *COMMANDS["leaderboard"], "--db", wide_file))
    scores = re.findall(r"^ +1 +(\S+) +(66\.67) ", said, re.MULTILINE)
    assert len(scores) == len({name for name, _ in scores}) == len(MODELS), said
    assert "~" not in said
    assert "Not shown, for want of width: Ability of kind" in said
    whole = "\n".join(on_terminal(60, *COMMANDS["leaderboard"], "--wide", "--db", wide_file))
    assert all(model in whole for model in MODELS)
    assert "Not shown" not in whole


def _check_whole(name: str, table: Printed, width: int) -> None:
    """What is shown fits, its figures are whole, and what is left out is said."""
    lines = printed_on(width, lambda: print(render.render_tables([table], "table")))
    at = next(n for n, line in enumerate(lines) if "───" in line)
    fit = fitted(table, width)
    body = lines[at : len(lines) - len(table.notes) - bool(fit.note)]
    assert max(map(cell_len, body)) <= width, "\n".join([name, *lines])
    rest = " ".join(lines).partition("Not shown")[2]
    for column, heading in enumerate(table.headings):
        texts = [row.cells[column].text for row in table.rows]
        figures = [text for text in texts if not any(map(str.isalpha, text))]
        if heading not in rest:
            for figure in figures:
                assert figure in "\n".join(body), (name, width, heading, figure)


def test_what_is_no_terminal_gets_everything(wide_file: Path, tmp_path: Path) -> None:
    words = ("evalhouse", "leaderboard", "Wide", "--level", "topic", "--db", wide_file)
    piped = run(*words, cwd=tmp_path, env={"COLUMNS": "60"}).out
    assert all(model in piped for model in MODELS)
    assert len(piped.splitlines()) == len(MODELS) + 4
    on_terminal(60, *words[1:], "--out", tmp_path / "board.txt")
    assert (tmp_path / "board.txt").read_text() == piped


@given(st.sets(st.lists(PARTS, max_size=12).map("".join), max_size=30), st.integers(8, 40))
def test_shortened_names_stay_different(names: set[str], width: int) -> None:
    found = shortened(names, width)
    assert set(found) == names
    assert len(set(found.values())) == len(names)
    for name, short in found.items():
        assert cell_len(short) <= max(width, 0)
        assert (name == short) == (cell_len(name) <= width)
