"""docs/believing-scores.md: every figure on it is made again."""

from __future__ import annotations

import csv
import hashlib
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.commands import run
from tests.conftest import ROOT
from tests.houses import QuickHouse

pytestmark = pytest.mark.docs

PAGE = ROOT / "docs" / "believing-scores.md"
_BLOCK = re.compile(r"```\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def folder(shared: Path, new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MM-Vet's real grades, and the synthetic MMStar of three models, judged by scripts."""
    folder = tmp_path_factory.mktemp("believing")
    for name in ("mmvet", "mmstar"):
        shutil.copy(new_file, folder / f"{name}.duckdb")
    real = shared / "real" / "mmvet"
    names = ("mm-vet", "llava-v1.5-7b", "llava-v1.5-7b_gpt-4-grade-3runs")
    QuickHouse(folder / "mmvet.duckdb").ingest(*(real / f"{name}.json" for name in names))
    field = shared / "formats" / "vlmevalkit_field"
    mmstar = QuickHouse(folder / "mmstar.duckdb")
    mmstar.ingest(field / "LMUData" / "MMStar.tsv")
    mmstar.ingest(*sorted(field.glob("outputs/*/T202602*/*_MMStar.[xt]*")))
    opened = mmstar.sql(
        "SELECT m.question_key, m.model, m.prediction, c.answer FROM choice_match AS m "
        "JOIN (SELECT question_id, label AS answer FROM main.answer) AS c USING (question_id) WHERE state = 'open'"
    ).to_dicts()
    # Two judges over the same answers: the old one has not judged the smallest model.
    shutil.copy(folder / "mmstar.duckdb", folder / "judges.duckdb")
    _write(
        folder / "judged.csv",
        [row | {"judge": "stand-in", "reply": _said(row, mistaken=0.15)} for row in opened],
        "reply",
    )
    mmstar.ingest(folder / "judged.csv", benchmark="MMStar")
    _write(
        folder / "judges.csv",
        [
            row | {"judge": judge, "reply": _said(row, mistaken=mistaken, place=place)}
            for judge, mistaken, place in (("old-judge", 0.15, 4), ("new-judge", 0.4, 8))
            for row in opened
            if (judge, row["model"]) != ("old-judge", "Lynx-VL-2B")
        ],
        "reply",
    )
    QuickHouse(folder / "judges.duckdb").ingest(folder / "judges.csv", benchmark="MMStar")
    return folder


def _said(row: Mapping[str, str], *, mistaken: float = 0.0, place: int = 4) -> str:
    """The right answer to 45 of 100, else none of the choices, by a hash; a judge is mistaken on a share of them.

    Args:
        mistaken: that share.
        place: where in the hash it is looked up: judges with the same one are mistaken on the same answers.
    """
    digits = hashlib.md5(f"{row['question_key']} {row['prediction']}".encode()).hexdigest()
    is_right = int(digits[:4], 16) < 0.45 * 16**4
    is_mistaken = int(digits[place : place + 4], 16) < mistaken * 16**4
    return row["answer"] if is_right != is_mistaken else "X"


def _write(path: Path, rows: Iterable[Mapping[str, str]], value: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        names = ("question_key", "model", "prediction", "judge", value)
        writer = csv.DictWriter(file, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def _label(folder: Path) -> None:
    """Label what `label todo` wrote."""
    house = QuickHouse(folder / "mmstar.duckdb")
    answers = dict(
        house.sql(
            "SELECT question_key, label FROM main.answer JOIN main.question USING (question_id)"
        ).iter_rows()
    )
    with (folder / "todo.csv").open(encoding="utf-8", newline="") as file:
        rows = [row | {"answer": answers[row["question_key"]]} for row in csv.DictReader(file)]
    _write(
        folder / "labels.csv",
        [row | {"judge": "ann", "verdict": _said(row)} for row in rows],
        "verdict",
    )
    house.ingest(folder / "labels.csv", benchmark="MMStar")


def made_again(folder: Path) -> str:
    """The page with the output of each of its commands, in their order."""

    def block(found: re.Match[str]) -> str:
        words = shlex.split(found["command"])
        done = run(*words, cwd=folder)
        assert done.code == 0, done.err
        if words[1:3] == ["label", "plan"]:
            written = run(*shlex.split(_todo()), cwd=folder)
            assert written.code == 0, written.err
            _label(folder)
        lines = "\n".join(line.rstrip() for line in done.out.rstrip().splitlines())
        return f"```\n$ {found['command']}\n{lines}\n```"

    return _BLOCK.sub(block, PAGE.read_text("utf-8"))


def _todo() -> str:
    (command,) = re.findall(
        r"```console\n(evalhouse label todo [^\n]+)\n```", PAGE.read_text("utf-8")
    )
    return str(command)


def test_the_page_has_what_its_commands_print(folder: Path) -> None:
    assert made_again(folder) == PAGE.read_text("utf-8")
    todo = run(
        "evalhouse", "label", "todo", "--judge", "stand-in", "--db", "mmstar.duckdb", cwd=folder
    )
    assert todo.out.strip() == "nothing is left to label"
