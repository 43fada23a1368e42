"""A small warehouse in which every study has rows: what engines are compared on."""

from __future__ import annotations

import shutil
from pathlib import Path

from evalhouse import Warehouse
from queries import install
from queries.release import STUDIES
from tests.houses import QuickHouse
from tests.queries import test_corrected, test_studies
from tests.tables import write_jsonl


def study_house(new_file: Path, folder: Path) -> Warehouse:
    """Choices, repeated and graded answers; a judge with labels by chance, and one by strata; studies installed."""
    house = QuickHouse(shutil.copy(new_file, folder / "house.duckdb"))
    # Few rows, as engines differ in what they compute and not in how much; more than 36 questions, so that
    # one of the server's names decided some of the grades alone.
    test_studies.fill(house, folder, test_studies.World(48, test_studies.MODELS[-4:]))
    world = test_corrected.World(1, test_corrected.KEYS[:80])
    test_corrected.fill(house, folder, "Chance", world)
    some = {place: is_right for place, is_right in world.truth.items() if int(place[1]) % 2}
    house.ingest(
        write_jsonl(folder / "ann.jsonl", world.rows(some, "ann", "verdict")), benchmark="Chance"
    )
    # A second judge, so that a board goes on.
    house.ingest(
        write_jsonl(folder / "K.jsonl", world.rows(world.truth, "K", "reply")), benchmark="Chance"
    )
    with house.writing() as con:
        install.install_group(con, STUDIES)
    return house
