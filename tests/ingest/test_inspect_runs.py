"""Which run and which dataset an Inspect log is of, how it ended, and what it took."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.commands import run
from tests.houses import QuickHouse
from tests.inspect_logs import CHOICES, head, load, picked, sample, scored, write


@pytest.fixture(scope="module")
def lab(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A warehouse for tests that look at datasets of their own alone."""
    path = tmp_path_factory.mktemp("lab") / "warehouse.duckdb"
    shutil.copy(new_file, path)
    return QuickHouse(path)


# Which run and which dataset a log is of.


def test_two_tasks_on_one_dataset_within_a_second(lab: Warehouse) -> None:
    for task in ("t1", "t2"):
        load(lab, f"{task}.eval", [sample("a", "yes")], head("twice", task))
    # So may the same task twice: the log's own id tells them apart.
    again = head("twice", "t2")
    again["eval"]["eval_id"] = "another"
    load(lab, "t2again.eval", [sample("a", "no")], again)
    labels = lab.sql(
        "SELECT label FROM main.run JOIN main.dataset AS d USING (dataset_id) WHERE d.name = 'twice' ORDER BY 1"
    )
    assert labels.to_series().to_list() == [
        "20260102T020405_t1_twicet1",
        "20260102T020405_t2_another",
        "20260102T020405_t2_twicet2",
    ]


def test_another_order_of_choices_is_a_dataset_of_its_own(lab: Warehouse) -> None:
    load(lab, "o1.eval", [picked("a"), picked("b")], head("order", "first"))
    turned = {"choices": CHOICES[::-1], "target": "C"}
    for task in ("second", "third"):
        samples = [picked("a", **turned), picked("b", **turned)][: 2 if task == "second" else 1]
        report = load(lab, f"{task}.eval", samples, head("order", task))
        assert any(
            "choices stand in another order than in order, so letters" in text
            for text in report.notes
        )
    rows = lab.sql(
        "SELECT split_part(d.name, '-', 1), a.label, count(DISTINCT r.run_id) FROM main.dataset AS d "
        "JOIN main.run AS r USING (dataset_id) JOIN main.question AS q USING (dataset_id) "
        "JOIN main.answer AS a USING (question_id) WHERE starts_with(d.name, 'order') "
        "GROUP BY d.name, a.label ORDER BY 1"
    ).rows()
    assert rows == [("order", "A", 1), ("order/order", "C", 2)]


def test_another_sample_of_a_dataset_extends_it(lab: Warehouse) -> None:
    of = {"choices": CHOICES, "target": "A"}
    for n, category in enumerate("uv"):
        samples = [sample(f"k{n}{i}", "A", metadata={"category": category}, **of) for i in range(3)]
        report = load(lab, f"s{n}.eval", samples, head("sampled", f"t{n}"))
        assert report.datasets == ["sampled"]
    assert (
        lab.sql(
            "SELECT count(*) FROM main.question JOIN main.dataset AS d USING (dataset_id) WHERE d.name = 'sampled'"
        ).item()
        == 6
    )
    # The second one has abilities that the first one did not have.
    abilities = lab.sql(
        "SELECT a.name FROM main.ability AS a JOIN main.benchmark AS b USING (benchmark_id) WHERE "
        "b.name = 'sampled' ORDER BY 1"
    )
    assert abilities.to_series().to_list() == ["u", "v"]


def test_ids_of_other_questions_make_a_dataset_of_its_own(lab: Warehouse) -> None:
    """A shuffled dataset is numbered anew; an answer is bound to no other question."""
    load(lab, "n1.eval", [sample(n, "yes") for n in (1, 2, 3)], head("numbered", "t1"))
    other = [sample(n, "yes", input=f"Q {n}" if n < 3 else "Q 7") for n in (1, 2, 3)]
    for task in ("t2", "t3"):
        report = load(lab, f"n{task}.eval", other, head("numbered", task))
        assert report.datasets[0].startswith("numbered/sample-")
        assert any("ids are those of other questions in numbered" in note for note in report.notes)
    assert lab.sql("SELECT count(*) FROM main.dataset WHERE starts_with(name, 'numbered')").item() == 2  # fmt: skip
    # The same questions under other ids are the dataset's.
    moved = [sample(n, "no", input=f"Q {n % 3 + 1}") for n in (1, 2, 3)]
    report = load(lab, "n4.eval", moved, head("numbered", "t4"))
    assert report.datasets == ["numbered"]


def test_samples_without_a_target_are_loaded_and_said_to_be_unscored(lab: Warehouse) -> None:
    samples = [sample(key, "done", target="", scores={"includes": scored("C", "done")}) for key in "ab"]  # fmt: skip
    report = load(lab, "agents.eval", samples, head("agents"))
    assert any(
        note.startswith("2 questions have no target; their answers are not scored")
        for note in report.notes
    )
    assert lab.sql("SELECT state FROM open_answer WHERE dataset = 'agents'").rows() == [
        ("open",),
        ("open",),
    ]
    assert (
        lab.sql(
            "SELECT count(*) FROM open_result JOIN current_run USING (run_id) WHERE dataset = "
            "'agents' AND score IS NOT NULL"
        ).item()
        == 0
    )


# How it ended, and what it took.


@pytest.mark.slow
def test_a_folder_says_which_logs_ended_early(house: Warehouse, shared: Path, tmp_path: Path) -> None:  # fmt: skip
    folder = tmp_path / "logs"
    folder.mkdir()
    for real in (shared / "formats" / "inspect_error").iterdir():
        shutil.copy(real, folder)
    write(folder / "good.eval", [sample("a", "yes"), sample("b", "no")], head("good"))
    said = run("ingest", str(folder), "--db", str(house.path), cwd=tmp_path)
    printed = " ".join((said.out + said.err).split())
    assert "the log's status is error: ConnectionError(" in printed
    assert "27 of 40 samples are there" in printed
    assert "good.eval:" not in printed
    status = run("evalhouse", "status", "--db", str(house.path), cwd=tmp_path)
    assert "Partial runs, which their harness did not finish:" in status.out
    assert re.search(r"MM-Vet/like .* error ", status.out)
    # Only the other one is complete.
    assert re.findall(r"^ (\S+) .* (\d+) +\w{12} *$", status.out, re.M) == [
        ("MM-Vet/like", "0"),
        ("good", "1"),
    ]


def test_limits_settings_and_costs_are_found_by_sql(lab: Warehouse) -> None:
    log = head(
        "costs",
        config={"epochs": 1, "limit": 1, "message_limit": 10},
        model_args={"device": "cuda", "long": "x" * 30_000},
        model_generate_config={"temperature": 0.2, "seed": 4},
        log_plan={"steps": [{"solver": "generate", "params": {}}]},
    )
    log["eval"]["dataset"] |= {"samples": 9, "sample_ids": ["a"]}
    output = {
        "completion": "yes",
        "choices": [{"stop_reason": "max_tokens"}],
        "usage": {"output_tokens": 7},
    }
    one = sample("a", "yes", output=output, total_time=1.5, limit={"type": "token", "limit": 100})
    report = load(lab, "costs.eval", [one], log)
    assert "1 of the dataset's 9 samples were to be run" in report.notes
    assert "1 of 9 samples are there" not in report.notes
    said = lab.sql(
        "SELECT s.flags -> '$.harness' FROM main.source AS s JOIN main.run USING (source_id) "
        "JOIN main.dataset AS d USING (dataset_id) WHERE d.name = 'costs'"
    ).item()
    kept = json.loads(said)
    assert kept["config"]["message_limit"] == 10
    assert kept["model_generate_config"] == {"temperature": 0.2, "seed": 4}
    assert kept["model_args"]["device"] == "cuda"
    assert kept["model_args"]["long"]["characters"] == 30_002
    assert kept["plan"]["steps"][0]["solver"] == "generate"
    cost = lab.sql(
        "SELECT value ->> '$.total_time', value ->> '$.usage.output_tokens', value ->> '$.limit.type', "
        "value ->> '$.stop_reason', score FROM main.harness_score AS h "
        "JOIN main.question USING (question_id) JOIN main.dataset AS d USING (dataset_id) "
        "WHERE metric = 'sample' AND d.name = 'costs'"
    ).rows()
    assert cost == [("1.5", "7", "token", "max_tokens", None)]
