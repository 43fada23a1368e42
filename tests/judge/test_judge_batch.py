"""Batch files: the same requests under the same keys, at half the price, and never paid for twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evalhouse import Warehouse
from evalhouse.cli import app
from evalhouse.judging import cache_of
from judge import batch, price
from judge.batch import Exported
from judge.claims import Claims
from judge.request import body_of
from tests.judge_server import answer_to, completion
from tests.judging import MODEL, JudgeServer, assigned, fill, judged, judgments, rows, unclear
from warehouse.errors import InputError, UsageError

pytestmark = pytest.mark.long


def export(house: Warehouse, name: str, most: int | None = None, **settings: Any) -> Exported:
    found = assigned(house, None, **settings)
    return batch.export(found.job(), found.requests(), house.path.parent / name, most=most)


def provider(
    file: Path, change: Callable[[int, dict[str, Any]], dict[str, Any]] = lambda n, line: line
) -> Path:
    """The output file that a provider makes of an input file, in another order."""
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    out = []
    for n, line in enumerate(lines):
        body = completion(line["body"], answer_to(line["body"]["messages"][-1]["content"]))
        response = {"status_code": 200, "request_id": "r", "body": body}
        out.append(
            change(
                n, {"id": "b", "custom_id": line["custom_id"], "response": response, "error": None}
            )
        )
    done = file.with_name(f"{file.stem}.out.jsonl")
    done.write_text("".join(json.dumps(line) + "\n" for line in reversed(out)), "utf-8")
    return done


def read(house: Warehouse, *files: Path, given: price.Price | None = None) -> batch.Imported:
    return batch.read(house.path, cache_of(house.path, None), files, given=given, wait=0)


def test_there_and_back(
    house: Warehouse, server: JudgeServer, make_house: Callable[[str], Warehouse]
) -> None:
    """The same judgments under the same keys as single calls, at half the price."""
    fill(house, {"m": unclear(5), "n": unclear(5)})
    done = export(house, "b.jsonl")
    assert done == Exported(written=5)
    lines = [json.loads(line) for line in (house.path.with_name("b.jsonl")).open(encoding="utf-8")]
    by_key = {request.key: request for request in assigned(house, None).requests()}
    assert {line["custom_id"] for line in lines} == set(by_key)
    for line in lines:
        assert (line["method"], line["url"]) == ("POST", "/v1/chat/completions")
        assert line["body"] == body_of(by_key[line["custom_id"]], assigned(house, None).template)
    done = read(house, provider(house.path.with_name("b.jsonl")), given=price.parse("2,4"))
    assert (done.replies, done.known, done.failed) == (5, 0, 0)
    one = (400 * 2 + 2 * 4) / 1e6 / 2
    assert done.cost == pytest.approx(5 * one)
    assert rows(house, "SELECT DISTINCT origin, asked_run_id FROM main.judgment") == [("batch", 1)]
    assert rows(house, "SELECT DISTINCT cost_usd FROM main.judgment") == [(pytest.approx(one),)]
    assert rows(house, "SELECT count(*) FROM judge_todo") == [(0,)]
    again = read(house, house.path.with_name("b.out.jsonl"))
    assert (again.replies, again.known) == (0, 5)
    assert len(judgments(house)) == 5
    other = fill(make_house("other"), {"m": unclear(5)})
    judged(other, server)
    assert judgments(other) == judgments(house)


def test_nobody_else_pays_while_it_is_out(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": unclear(6)})
    assert export(house, "b.jsonl", most=4) == Exported(written=4, more=True)
    progress = judged(house, server)
    assert (progress.asked, len(server)) == (2, 2)
    assert progress.in_batches == {"b.jsonl": 4}
    assert export(house, "c.jsonl") == Exported(elsewhere=4)
    assert not house.path.with_name("c.jsonl").exists()
    with pytest.raises(UsageError, match="is there already"):
        export(house, "b.jsonl")
    assert batch.drop(cache_of(house.path, None), "b.jsonl") == 4
    with pytest.raises(UsageError, match=r"no batch 'b\.jsonl' is out"):
        batch.drop(cache_of(house.path, None), "b.jsonl")
    assert judged(house, server).asked == 4
    # Sent all the same: the replies are read, and ours stay.
    done = read(house, provider(house.path.with_name("b.jsonl")))
    assert (done.replies, done.known) == (0, 4)
    assert len(judgments(house)) == 6


def test_two_batches_of_one_name(house: Warehouse, tmp_path: Path) -> None:
    """Dropping one would drop the other."""
    fill(house, {"m": unclear(4)})
    assert export(house, "b.jsonl", most=2).written == 2
    (tmp_path / "folder").mkdir()
    with pytest.raises(
        UsageError, match=r"a batch named b\.jsonl is out already.*judge drop-batch b\.jsonl"
    ):
        export(house, "folder/b.jsonl")
    assert export(house, "c.jsonl").written == 2


def test_what_failed_can_be_asked_again(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": unclear(5)})
    export(house, "b.jsonl")

    def spoil(n: int, line: dict[str, Any]) -> dict[str, Any]:
        if n == 0:
            return line | {
                "response": None,
                "error": {"code": "batch_expired", "message": "too late"},
            }
        if n == 1:
            return line | {"response": {"status_code": 429, "body": {"error": {"message": "slow"}}}}
        if n == 2:
            line["response"]["body"]["choices"][0]["message"]["content"] = None
        return line

    done = read(house, provider(house.path.with_name("b.jsonl"), spoil))
    assert (done.replies, done.failed) == (3, 2)
    assert sorted(error.partition(": ")[2] for error in done.errors) == [
        "HTTP 429: slow",
        "too late",
    ]
    assert rows(house, "SELECT state, count(*) FROM parsed_reply GROUP BY ALL ORDER BY ALL") == [
        ("failed", 2),
        ("ok", 2),
        ("unparsable", 1),
    ]
    assert rows(house, "SELECT DISTINCT origin FROM main.judgment") == [("batch",)]
    # Two again, and the second attempt at the one that came to nothing.
    assert judged(house, server).asked == 3


def test_bodies_of_every_shape(house: Warehouse, server: JudgeServer) -> None:
    """An error under 200 is none of the attempts; what was paid for is kept, and read where it can be."""
    parts = [{"type": "text", "text": "it is "}, {"type": "text", "text": "B"}]
    bodies: list[Any] = [
        {"error": {"message": "busy"}}, {"choices": []}, {"choices": None}, [], "no JSON", 7, None,
        completion({"model": MODEL}, parts), completion({"model": MODEL}, {"a": 1}),
        json.dumps(completion({"model": MODEL}, "B")),
    ]  # fmt: skip
    fill(house, {"m": unclear(len(bodies))})
    export(house, "b.jsonl")

    def spoil(n: int, line: dict[str, Any]) -> dict[str, Any]:
        return line | {"response": {"status_code": 200, "body": bodies[n]}}

    done = read(house, provider(house.path.with_name("b.jsonl"), spoil))
    assert (done.replies, done.failed) == (3, 7)
    found = rows(
        house,
        "SELECT state, j.reply, j.body FROM parsed_reply JOIN main.judgment AS j USING "
        "(judgment_id) WHERE state <> 'failed' ORDER BY ALL",
    )
    assert found == [
        ("ok", "B", None),
        ("ok", "it is B", json.dumps(bodies[7])),
        ("unread", None, json.dumps(bodies[8])),
    ]
    kept = rows(house, "SELECT body FROM main.judgment WHERE error IS NOT NULL ORDER BY 1")
    assert kept == [
        ("7",),
        ("[]",),
        ("no JSON",),
        *((json.dumps(b),) for b in (bodies[1], bodies[2], bodies[0])),
        (None,),
    ]
    progress = judged(house, server)
    # All that failed, and the second attempt at the one that cannot be read.
    assert progress.asked == 8
    assert rows(house, "SELECT count(*) FROM judge_todo") == [(0,)]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"custom_id": "x', "row 1: not valid JSON"),
        ("[]", "row 1: is not a JSON object"),
        ("[" * 100_000, "row 1: is nested too deeply"),
        ('{"custom_id": "\\ud800"}', "was not exported with this cache"),
        ("{}", "row 1, field custom_id: is missing"),
        ('{"custom_id": "0123456789abcdef0123"}', "was not exported with this cache"),
    ],
)
def test_a_file_that_is_none_of_ours_changes_nothing(
    house: Warehouse, tmp_path: Path, line: str, problem: str
) -> None:
    fill(house, {"m": unclear(1)})
    export(house, "b.jsonl")
    good = provider(house.path.with_name("b.jsonl"))
    (tmp_path / "bad.jsonl").write_text(line + "\n")
    with pytest.raises(InputError, match=problem):
        read(house, good, tmp_path / "bad.jsonl")
    assert judgments(house) == []
    with Claims(cache_of(house.path, None)) as claims:
        assert len(claims.of_batch("b.jsonl")) == 1


def test_an_export_that_cannot_be_written_claims_nothing(
    house: Warehouse, server: JudgeServer, tmp_path: Path
) -> None:
    fill(house, {"m": unclear(3)})
    with pytest.raises(UsageError, match="cannot be written"):
        export(house, "no/such/folder.jsonl")
    assert judged(house, server).asked == 3


def test_batch_commands(house: Warehouse, server: JudgeServer, tmp_path: Path) -> None:
    fill(house, {"m": unclear(3)})
    run = CliRunner()
    db = ["--db", str(house.path)]
    file = tmp_path / "b.jsonl"
    words = ["judge", "export-batch", str(file), "--model", MODEL, *db]
    done = run.invoke(app, [*words, "--max-calls", "2"])
    assert "2 requests\n  there is more to ask" in done.stdout
    done = run.invoke(app, ["judge", "--model", MODEL, "--base-url", server.url, *db])
    assert "2 subjects are out in the batch b.jsonl" in done.stdout
    assert (done.exit_code, len(server)) == (0, 1)
    out = provider(file, lambda n, line: line if n else line | {"response": None})
    done = run.invoke(app, ["judge", "import-batch", str(out), "--price", "1,1", *db])
    assert (done.exit_code, "1 reply, 0 there already, 1 failed; $0.0002" in done.stdout) == (
        1,
        True,
    )
    assert (
        run.invoke(
            app, ["judge", "export-batch", str(tmp_path / "c.jsonl"), "--model", MODEL, *db]
        ).exit_code
        == 0
    )
    done = run.invoke(app, ["judge", "drop-batch", "some/where/c.jsonl", *db])
    assert done.stdout == "1 request is free again\n"
