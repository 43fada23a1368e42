"""Each reader by cases that are data: `cases/README.md` says how they are written."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from tests.cases import Case, Run, all_cases
from tests.houses import QuickHouse
from tests.tables import facts

Kept = dict[Path | None, tuple[Warehouse, Any]]


@pytest.fixture(scope="module")
def kept() -> Kept:
    """Keep warehouses for refusals, with their facts: one for all, and one for each folder with `given`."""
    return {}


def _refuse(case: Case, run: Run, kept: Kept, new: Path, folder: Path) -> None:
    key = case.folder if "given" in case.base else None
    if key not in kept:
        house = QuickHouse(Path(shutil.copy(new, folder)))
        run.begin(house)
        kept[key] = house, facts(house.path)
    house, before = kept.pop(key)
    run.step(house, case.steps[0], before)
    # Where that failed it may hold what should have been refused.
    kept[key] = house, before


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_case(
    case: Case,
    request: pytest.FixtureRequest,
    kept: Kept,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    run = Run(case, folder, lambda: request.getfixturevalue("shared"))
    if case.is_refused:
        _refuse(
            case, run, kept, request.getfixturevalue("new_file"), tmp_path_factory.mktemp("house")
        )
        return
    blank = "empty_file" if case.steps[0].get("all_releases") else "new_file"
    house = QuickHouse(Path(shutil.copy(request.getfixturevalue(blank), tmp_path / "house.duckdb")))
    run.begin(house)
    for step in case.steps:
        run.step(house, step)
