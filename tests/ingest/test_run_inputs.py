"""What runs showed their models, said at ingest: with the image or the text alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evalhouse import EvalhouseError, UsageError
from queries import studies
from tests.commands import run
from tests.houses import QuickHouse
from tests.tables import write_jsonl

_INPUTS = (
    "SELECT m.name, r.label, i.input FROM main.run AS r JOIN main.model AS m USING (model_id) "
    "LEFT JOIN main.run_input AS i USING (run_id) WHERE r.superseded_by IS NULL ORDER BY ALL"
)


@pytest.mark.slow
def test_an_input_is_said_at_ingest(new_file: Path, tmp_path: Path) -> None:
    house = QuickHouse(shutil.copy(new_file, tmp_path / "house.duckdb"))
    questions = [
        {"question_key": key, "question": f"what {key}", "A": "a", "B": "b", "answer": "A"}
        for key in "12345"
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", questions), benchmark="Own", input="text")
    folder = tmp_path / "runs"
    folder.mkdir()

    def said(name: str, keys: str, right: str) -> Path:
        return write_jsonl(
            folder / f"{name}.jsonl",
            [
                {"model": model, "question_key": key, "prediction": "A" if key in right else "B"}
                for model in ("m", "n")
                for key in keys
            ],
        )

    house.ingest(said("image", "1234", "123"), benchmark="Own")
    (report,) = house.ingest(said("blind", "1234", "12"), benchmark="Own", input="text")
    assert "  input: text" in report.lines()
    assert house.sql(_INPUTS).rows() == [
        (model, label, shown) for model in "mn" for label, shown in (("blind", "text"), ("image", None))
    ]  # fmt: skip
    with house.reading() as con:
        rows = studies.rows(con, "dataset_reliability", {"judge": "none"}).to_dicts()
        gains = studies.rows(con, "multimodal_gain", {"judge": "none"}).to_dicts()
    assert [(row["n_blind"], row["share_solved_blind"]) for row in rows] == [(2, 0.4)]
    assert [row["gain"] for row in gains] == pytest.approx([0.2, 0.2])
    # Boards are of what saw the images, also where the text alone was run later; all runs have both.
    boards = "SELECT run, is_latest, rank_latest FROM leaderboard WHERE level = 'overall' AND model = 'm' ORDER BY ALL"
    assert {row[:2] for row in house.sql(boards).rows()} == {("blind", False), ("image", True)}
    assert {row[2] for row in house.sql(boards).rows() if row[0] == "blind"} == {None}
    # A file that is there already is another word on its runs, which the history keeps.
    for words in ((), ("--input", "image"), ("--input", "image"), ("--input", "text")):
        done = run("ingest", folder, "--benchmark", "Own", *words, "--db", house.path, cwd=tmp_path)
        assert done.code == 0, done.err
        has_news = "now have the input" in done.out
        assert has_news == (words != () and done.out.count("blind.jsonl: runs") == 1), words
    events = house.sql(
        "SELECT before, after FROM main.run_event JOIN main.run USING (run_id) "
        "WHERE event = 'set_input' AND label = 'blind' AND model_id = (SELECT min(model_id) FROM main.model) "
        "ORDER BY happened_at"
    )
    assert events.rows() == [(None, "text"), ("text", "image"), ("image", "text")]
    # Parts of a run have one input.
    part = said("more", "5", "")
    with pytest.raises(EvalhouseError, match=r"is no part of run . with --input image"):
        house.ingest(part, benchmark="Own", run="blind", part=True, input="image")
    house.ingest(part, benchmark="Own", run="blind", part=True)
    assert {row for row in house.sql(_INPUTS).rows() if row[1] == "blind"} == {
        ("m", "blind", "text"),
        ("n", "blind", "text"),
    }
    with pytest.raises(UsageError, match="--input is image or text, not 'video'"):
        house.ingest(part, benchmark="Own", input="video")
