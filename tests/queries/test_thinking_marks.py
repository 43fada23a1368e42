"""Marks of thinking that a run or a benchmark declares: what stands within them is not read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evalhouse import InputError, UsageError
from tests.commands import run
from tests.houses import QuickHouse
from tests.tables import set_benchmark, write_jsonl
from warehouse import benchmark, thinking

_SAID = {
    # question: the answer, and the label that is read of it: by default, with <reason>, read whole
    "1": ("<reason>A or B</reason> B", None, "B", None),
    "2": ("<think>A or B</think> B", "B", "B", None),
    "3": ("B", "B", "B", "B"),
    "4": ("<reason>it is B, I think", "B", None, "B"),
}
_READ = (
    "SELECT question_key, matched, rule FROM choice_match WHERE run_id = {} ORDER BY question_key"
)


def _asked(house: QuickHouse, folder: Path) -> None:
    questions = [
        {"question_key": key, "question": f"q{key}", "A": "a", "B": "b", "answer": "B"}
        for key in _SAID
    ]
    house.ingest(write_jsonl(folder / "q.jsonl", questions), benchmark="Own")


def _answers(folder: Path, model: str, keys: str = "1234") -> Path:
    rows = [
        {"model": model, "question_key": key, "prediction": _SAID[key][0], "run": "r"}
        for key in keys
    ]
    return write_jsonl(folder / f"{model}{keys}.jsonl", rows)


def _read(house: QuickHouse, run_id: int) -> list[str | None]:
    return [matched for _, matched, _ in house.sql(_READ.format(run_id)).rows()]


def _board(house: QuickHouse) -> dict[str, float]:
    rows = "SELECT model, score FROM score WHERE ability = 'Overall'"
    return dict(house.sql(rows).rows())


@pytest.mark.slow
def test_a_run_says_how_it_marks_thinking(new_file: Path, tmp_path: Path) -> None:
    house = QuickHouse(shutil.copy(new_file, tmp_path / "house.duckdb"))
    _asked(house, tmp_path)
    for model in ("m", "n"):
        house.ingest(_answers(tmp_path, model), benchmark="Own")
    usual, declared, whole = (
        list(column) for column in zip(*(row[1:] for row in _SAID.values()), strict=True)
    )
    assert _read(house, 1) == _read(house, 2) == usual
    assert _board(house) == {"m": 0.75, "n": 0.75}

    done = run(
        "evalhouse",
        "runs",
        "thinking",
        "1",
        "<reason> ... </reason>",
        "--db",
        house.path,
        cwd=tmp_path,
    )
    assert (done.code, done.out) == (0, ""), done.err
    assert _read(house, 1) == declared
    assert _read(house, 2) == usual
    rules = [rule for _, _, rule in house.sql(_READ.format(1)).rows()]
    assert rules == ["label_after_thinking", "label_after_thinking", "label", None]
    cut = house.sql(
        "SELECT question_key, is_finished, said FROM answer_thinking WHERE run_id = 1 ORDER BY 1"
    )
    assert cut.rows() == [("1", True, "B"), ("2", True, "B"), ("4", False, "")]
    assert _board(house) == {"m": 0.75, "n": 0.75}

    house.set_run_thinking(1, "none")
    assert _read(house, 1) == whole
    assert _board(house) == {"m": 0.5, "n": 0.75}
    # A judge gets the answer as it came, whatever is read of it.
    kept = house.sql(
        "SELECT DISTINCT run_id, prediction FROM choice_match WHERE question_key = '2'"
    )
    assert {text for _, text in kept.rows()} == {_SAID["2"][0]}
    house.set_run_thinking(1, "...</reason>")
    assert _read(house, 1)[:1] == ["B"]
    events = (
        "SELECT before, after FROM main.run_event WHERE event = 'set_thinking' ORDER BY happened_at"
    )
    assert house.sql(events).rows() == [
        (None, "<reason> ... </reason>"), ("<reason> ... </reason>", "none"), ("none", "... </reason>"),
    ]  # fmt: skip
    with pytest.raises(UsageError, match="there is no run 9"):
        house.set_run_thinking(9, "none")


def test_more_of_a_run_is_read_as_the_rest_of_it(new_file: Path, tmp_path: Path) -> None:
    house = QuickHouse(shutil.copy(new_file, tmp_path / "house.duckdb"))
    _asked(house, tmp_path)
    house.ingest(_answers(tmp_path, "m", "23"), benchmark="Own", run="r")
    house.set_run_thinking(1, "<reason> ... </reason>")
    house.ingest(_answers(tmp_path, "m", "14"), benchmark="Own", run="r", part=True)
    ((run_id,),) = house.sql("SELECT run_id FROM current_run").rows()
    assert _read(house, run_id) == [row[2] for row in _SAID.values()]


@pytest.mark.slow
def test_a_benchmark_says_how_its_answers_mark_thinking(new_file: Path, tmp_path: Path) -> None:
    house = QuickHouse(shutil.copy(new_file, tmp_path / "house.duckdb"))
    folder = tmp_path / "Facts"
    folder.mkdir()
    text = 'name = "Facts"\ntask = "open"\nstrategy = "vanilla"\n[[rule]]\nrule = "exact"\n'
    toml = folder / "benchmark.toml"
    toml.write_text('thinking = "Hm: ... Answer:"\n' + text, "utf-8")
    house.add_benchmark(str(folder))
    said = {"1": "Hm: five? Answer: six", "2": "six", "3": "<think>five</think>six"}
    questions = [{"question_key": key, "question": f"q{key}", "reference": "six"} for key in said]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", questions), benchmark="Facts")
    rows = [{"model": "m", "question_key": key, "prediction": one} for key, one in said.items()]
    house.ingest(write_jsonl(tmp_path / "m.jsonl", rows), benchmark="Facts")
    scores = (
        "SELECT q.score, e.score FROM question_result AS q JOIN exact_match AS e USING (run_id, question_id) "
        "WHERE q.strategy = 'vanilla' ORDER BY q.question_key"
    )
    assert house.sql(scores).rows() == [(1.0, 1.0)] * 3
    # What comes with a folder can be changed, and a run says otherwise.
    house.set_run_thinking(1, "known")
    assert house.sql(scores).rows() == [(0.0, 0.0), (1.0, 1.0), (1.0, 1.0)]
    set_benchmark(house, "Facts", thinking="none")
    assert house.sql(scores).rows() == [(0.0, 0.0), (1.0, 1.0), (1.0, 1.0)]
    house.ingest(
        write_jsonl(tmp_path / "n.jsonl", [row | {"model": "n"} for row in rows]), benchmark="Facts"
    )
    assert house.sql(scores).rows()[1::2] == [(0.0, 0.0), (1.0, 1.0), (0.0, 0.0)]
    set_benchmark(house, "Facts", thinking=None)
    assert house.sql(scores).rows() == [(0.0, 0.0)] * 2 + [(1.0, 1.0)] * 4


@pytest.mark.parametrize(
    "given", ["", "all", "<a>", "<a> ...", "a ... b ... c", "x ... x", "known"]
)
def test_what_are_no_marks(given: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"thinking is none or OPEN \.\.\. CLOSE, such as"):
        thinking.settled(given)
    folder = tmp_path / "Facts"
    folder.mkdir()
    path = folder / "benchmark.toml"
    path.write_text(
        f'name = "Facts"\ntask = "open"\nstrategy = "vanilla"\nthinking = "{given}"\n', "utf-8"
    )
    if given:
        with pytest.raises(InputError, match="field thinking: is none or OPEN"):
            benchmark.parse(path.read_text("utf-8"), str(path))
    assert thinking.settled(" <r>  ...</r> ") == "<r> ... </r>"
    assert thinking.settled("known", of_run=True) == "known"
