"""Boards of chosen models, sorted and in groups; their titles."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from evalhouse import UsageError, Warehouse
from queries import render
from tests.commands import run
from tests.tables import write_jsonl

_RIGHT = {"pear-7b": "1100", "pear-70b": "1110", "apple-3b": "0101", "apple-old": "1000"}
"""Models, and which of four questions each has right; the first two are of the ability x."""
_FACTS = {"pear-7b": ("Pear", 7), "pear-70b": ("Pear", 70), "apple-3b": ("Apple", 3)}


@pytest.fixture
def fruit(house: Warehouse, tmp_path: Path) -> Warehouse:
    questions = [
        {"question_key": str(n), "question": f"Q {n}", "A": "a", "B": "b", "answer": "A", "ability_topic": topic}
        for n, topic in enumerate("xxyy")
    ]  # fmt: skip
    said = [
        {"model": model, "question_key": str(n), "prediction": "BA"[int(right)]}
        for model, marks in _RIGHT.items()
        for n, right in enumerate(marks)
    ]
    facts = [
        {"name": model, "family": family, "parameters_billion": size}
        for model, (family, size) in _FACTS.items()
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", questions), benchmark="Fruit")
    house.ingest(write_jsonl(tmp_path / "a.jsonl", said), benchmark="Fruit")
    house.ingest(write_jsonl(tmp_path / "models.jsonl", facts))
    return house


@pytest.mark.slow
def test_lines_are_chosen_sorted_and_grouped(fruit: Warehouse, tmp_path: Path) -> None:
    def lines(**choices: object) -> list[tuple[int | None, str, str | None]]:
        (board,) = fruit.leaderboard("Fruit", level="topic", **choices)
        return [(line.rank, line.model, line.group) for line in board.lines]

    points = {model: sum(map(int, marks)) for model, marks in _RIGHT.items()}
    order = sorted(points, key=lambda model: (-points[model], model))
    assert [model for _, model, _ in lines()] == order
    assert [model for _, model, _ in lines(top=2)] == order[:2]
    # Ranks are among all models, also where some are left out.
    assert lines(models=["APPLE*"]) == [(2, "apple-3b", None), (4, "apple-old", None)]
    by_y = {model: sum(map(int, marks[2:])) for model, marks in _RIGHT.items()}
    expected = sorted(by_y, key=lambda model: (-by_y[model], model))
    ranks = [1 + sum(other > by_y[model] for other in by_y.values()) for model in expected]
    assert lines(sort="Y") == [(r, m, None) for r, m in zip(ranks, expected, strict=True)]
    assert [model for _, model, _ in lines(sort="model")] == sorted(points)
    assert [(model, group) for _, model, group in lines(by="family")] == [
        ("pear-70b", "Pear"), ("pear-7b", "Pear"), ("apple-3b", "Apple"), ("apple-old", "not known"),
    ]  # fmt: skip
    assert [group for *_, group in lines(by="parameters")] == [
        "up to 4B", "4B to 10B", "above 40B", "not known",
    ]  # fmt: skip
    for choices, message in (
        ({"models": ["plum*"]}, "no model fits 'plum\\*'; there are apple-3b, "),
        ({"sort": "z"}, "no column 'z'; there are Overall, x, y, model"),
        ({"by": "colour"}, "--by is family or parameters, not 'colour'"),
    ):
        with pytest.raises(UsageError, match=message):
            lines(**choices)

    boards = fruit.leaderboard("Fruit", level="topic", by="family", models=["*b"], sort="y")
    table = render.render_boards(boards, "table")
    assert table.splitlines()[:2] == [
        "Fruit, CircularEval, by topic",
        "strategy circular · judge none · micro · ranks of y · release latest",
    ]
    assert [line for line in table.splitlines() if line in (" Pear", " Apple")] == [
        " Apple",
        " Pear",
    ]
    assert "3 of 4 models are shown; ranks are among all." in table
    header, first, *_ = render.render_boards(boards, "csv").splitlines()
    assert header.split(",")[:5] == ["Dataset", "Rank", "Model", "Run", "Family"]
    assert first.split(",")[:5] == ["Fruit", "1", "apple-3b", "a", "Apple"]
    # The best among those that are shown are marked.
    best = {
        line.model: line.cells[0] for line in fruit.leaderboard("Fruit", models=["apple*"])[0].lines
    }
    assert [cell.best for cell in best.values() if cell] == [1, 2]

    # Figures are right-aligned, with minus signs; notes are rows of the table.
    latex = render.render_boards(boards, "latex").splitlines()
    assert latex[2:4] == [r"\begin{tabular}{rlrrrr}", r"\toprule"]
    assert r"\multicolumn{6}{l}{\textit{Apple}} \\" in latex
    assert latex[-2:] == [
        r"\multicolumn{6}{l}{\footnotesize 3 of 4 models are shown; ranks are among all.} \\",
        r"\end{tabular}",
    ]
    assert re.search(
        r"^\|-+:\|:-+\|(-+:\|){4}$", render.render_boards(boards, "markdown"), re.MULTILINE
    )
    compared = render.render_comparison(fruit.compare("apple-3b", "pear-70b"), "latex")
    assert "$-$25.00" in compared
    words = ("evalhouse", "leaderboard", "Fruit", "--level", "topic", "--db", fruit.path)
    drawn = run(*words, "--format", "svg", "--models", "pear*", "--figure", "bars", cwd=tmp_path)
    assert drawn.out.startswith("<svg"), drawn.err
    assert ("pear-7b" in drawn.out, "apple-3b" in drawn.out) == (True, False)
    refused = run(*words, "--figure", "bars", cwd=tmp_path)
    assert "--figure goes with --format svg, png or html, not table" in refused.err


@pytest.mark.long
def test_latex_compiles(fruit: Warehouse, tmp_path: Path) -> None:
    """With Debian's texlive, where it is installed."""
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("needs pdflatex (Debian: texlive-latex-base, texlive-latex-recommended)")
    boards = fruit.leaderboard("Fruit", level="topic", by="family", models=["*b"])
    tables = [
        render.render_boards(boards, "latex"),
        render.render_comparison(fruit.compare("apple-3b", "pear-70b"), "latex"),
    ]
    body = "\n\n".join(tables)
    (tmp_path / "t.tex").write_text(
        f"\\documentclass{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
    done = subprocess.run(
        [program, "-halt-on-error", "-interaction=nonstopmode", "t.tex"],
        cwd=tmp_path,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
