"""Both engines read every known answer alike, and rest on the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import answers
from evalhouse.transfer import export_parquet
from queries.spark import ask
from warehouse.files import writing

_READ = "SELECT question_key, matched, rule, evidence FROM choice_match ORDER BY question_key"


@pytest.mark.spark
def test_every_known_answer_is_read_alike(shared: Path, tmp_path: Path) -> None:
    known = answers.load(
        [shared / "field" / "readings.jsonl", *sorted(answers.OWN.glob("*.jsonl"))]
    )
    house = answers.warehouse(tmp_path / "readings.duckdb", known)
    house.refresh()
    with house.reading(folders=[writing.place_of(tmp_path / "export")]) as con:
        export_parquet(con, tmp_path / "export")
        con.execute("SET search_path = 'field_v2,field_v2_internal,main'")
        wanted = con.execute(_READ).fetchall()
    with ask.opened(tmp_path / "export") as exported:
        found = ask.run_user_sql(exported, _READ, release="field_v2").rows()
    assert len(wanted) == len(known) > 2000
    assert [tuple(row) for row in found] == wanted
