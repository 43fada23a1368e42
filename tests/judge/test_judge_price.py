"""What calls cost: each by what it used itself, at the list's prices for that, in whatever shape it comes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from typer.testing import CliRunner

from evalhouse import Warehouse
from evalhouse.cli import app
from judge import batch, price
from judge.budget import Budget
from judge.price import Usage
from tests.judging import assigned, fill, judged, rows, unclear
from tests.raw_server import good, http, raw_server
from tests.tables import write_jsonl

SONNET, GEMINI = "claude-sonnet-4-5", "gemini-2.5-pro"


def _listed(model: str) -> price.Price:
    found = price.of_model(model)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("model", "used", "dollars"),
    [
        (SONNET, Usage(1_000, 10), 1_000 * 3 + 10 * 15),
        (GEMINI, Usage(1_000, 10), 1_000 * 1.25 + 10 * 10),
        ("gpt-4o-mini", Usage(1_000, 10), 1_000 * 0.15 + 10 * 0.6),
        # Of a prompt that is long all is dearer; of many short ones nothing is.
        (SONNET, Usage(200_000, 10), 200_000 * 3 + 10 * 15),
        (SONNET, Usage(200_001, 10), 200_001 * 6 + 10 * 22.5),
        (GEMINI, Usage(250_000, 10), 250_000 * 2.5 + 10 * 15),
        (SONNET, Usage(1_000, 10, read=600), 400 * 3 + 600 * 0.3 + 10 * 15),
        (SONNET, Usage(1_000, 10, written=600), 400 * 3 + 600 * 3.75 + 10 * 15),
        (
            SONNET,
            Usage(1_000, 10, written=600, written_for_an_hour=200),
            400 * 3 + 400 * 3.75 + 200 * 6 + 10 * 15,
        ),
        ("gpt-4o-mini", Usage(2_000, 5, read=1_024), 976 * 0.15 + 1_024 * 0.075 + 5 * 0.6),
        # A model without a price for what is cached, or for sound, has one price.
        ("gpt-4", Usage(1_000, 10, read=600), 1_000 * 30 + 10 * 60),
        ("gpt-4", Usage(1_000, 10, sound_in=600), 1_000 * 30 + 10 * 60),
        ("gemini-2.5-flash", Usage(1_000, 0, sound_in=400), 600 * 0.3 + 400 * 1),
        # What nobody can have used is priced as if nothing had been cached.
        (SONNET, Usage(1_000, 10, read=700, written=700), 1_000 * 3 + 10 * 15),
    ],
)
def test_a_call_is_priced_by_its_own_usage(model: str, used: Usage, dollars: float) -> None:
    listed = _listed(model)
    assert listed.cost_of(used) == pytest.approx(dollars / 1e6, rel=1e-9)
    assert price.of_batch(listed).cost_of(used) == pytest.approx(dollars / 2e6, rel=1e-9)


def test_sums_are_sums_of_calls() -> None:
    listed = _listed(SONNET)
    assert sum(listed.cost(1_000, 10) for _ in range(1_000)) == pytest.approx(3.15)
    # As a single call it would be one of a million tokens.
    assert listed.cost(1_000_000, 10_000) == pytest.approx(6.225)
    assert (listed.prompt, listed.completion, listed.is_tiered) == (3.0, 15.0, True)
    assert not _listed("gpt-4o-mini").is_tiered


@pytest.mark.parametrize("model", ["gpt-4o-mini", SONNET, GEMINI, "gpt-5.6-sol", "gpt-4"])
def test_the_most_is_never_less_than_what_it_comes_to(model: str) -> None:
    """Whatever of it is read from a cache, or written to one."""
    listed = price.of_model(model)
    if listed is None:
        pytest.skip(f"this list does not know {model}")
    for n in (10, 5_000, 199_999, 200_001, 300_000):
        most = listed.most(n, 64)
        for used in (Usage(n, 64), Usage(n, 0, read=n), Usage(n, 64, written=n), Usage(n // 2, 64)):
            assert listed.cost_of(used) <= most


def test_a_price_that_was_given_is_one_for_all_tokens() -> None:
    given = price.parse("2,4")
    assert given.cost_of(Usage(1_000, 10, read=900)) == pytest.approx(2_040e-6)
    assert given.most(1_000, 10) == given.cost(1_000, 10) == pytest.approx(2_040e-6)
    assert given.cost(1_000_000, 0) == pytest.approx(2.0)
    assert price.of_batch(given).cost(1_000, 10) == pytest.approx(1_020e-6)
    assert price.of_model("unheard-of-9000") is None


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (None, Usage(None, None)),
        ({"prompt_tokens": 400, "completion_tokens": 2, "total_tokens": 402}, Usage(400, 2)),
        # OpenAI, Azure, OpenRouter, vLLM
        (
            {"prompt_tokens": 2_000, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 1_024}},
            Usage(2_000, 5, read=1_024),
        ),
        (
            {"prompt_tokens": 2_000, "completion_tokens": 5, "total_tokens": 2_005,
             "prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 1_500, "audio_tokens": 300},
             "completion_tokens_details": {"reasoning_tokens": 3, "audio_tokens": 2}},
            Usage(2_000, 5, written=1_500, sound_in=300, sound_out=2),
        ),
        ({"prompt_tokens": 9, "completion_tokens": 1, "prompt_tokens_details": None}, Usage(9, 1)),
        # Responses
        (
            {"input_tokens": 900, "output_tokens": 7, "input_tokens_details": {"cached_tokens": 512}},
            Usage(900, 7, read=512),
        ),
        # Anthropic's own, whose prompt is without what was cached
        (
            {"input_tokens": 100, "output_tokens": 7, "cache_read_input_tokens": 500,
             "cache_creation_input_tokens": 60, "cache_creation": {"ephemeral_1h_input_tokens": 40}},
            Usage(660, 7, read=500, written=60, written_for_an_hour=40),
        ),
        # the same through a gateway: within the prompt, or beside it, as the total tells
        (
            {"prompt_tokens": 660, "completion_tokens": 7, "total_tokens": 667,
             "cache_read_input_tokens": 500, "cache_creation_input_tokens": 60,
             "prompt_tokens_details": {"cached_tokens": 500}},
            Usage(660, 7, read=500, written=60),
        ),
        (
            {"prompt_tokens": 660, "completion_tokens": 7, "total_tokens": 1_227,
             "cache_read_input_tokens": 500, "cache_creation_input_tokens": 60},
            Usage(1_220, 7, read=500, written=60),
        ),
        (
            {"prompt_tokens": 100, "completion_tokens": 7, "cache_read_input_tokens": 500},
            Usage(600, 7, read=500),
        ),
        # DeepSeek, Moonshot
        (
            {"prompt_tokens": 90, "completion_tokens": 7, "total_tokens": 97, "prompt_cache_hit_tokens": 64,
             "prompt_cache_miss_tokens": 26},
            Usage(90, 7, read=64),
        ),
        ({"prompt_tokens": 90, "completion_tokens": 7, "cached_tokens": 64}, Usage(90, 7, read=64)),
        # Gemini's own, and as it says it through its compatible server: thoughts in the total alone
        (
            {"promptTokenCount": 90, "candidatesTokenCount": 7, "thoughtsTokenCount": 200,
             "totalTokenCount": 297, "cachedContentTokenCount": 64,
             "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 60}, {"modality": "AUDIO", "tokenCount": 30}],
             "cacheTokensDetails": [{"modality": "AUDIO", "tokenCount": 10}]},
            Usage(90, 207, read=64, sound_in=30, sound_read=10),
        ),
        (
            {"promptTokenCount": 90, "candidatesTokenCount": 7, "thoughtsTokenCount": 200},
            Usage(90, 207),
        ),
        ({"prompt_tokens": 90, "completion_tokens": 7, "total_tokens": 297}, Usage(90, 207)),
        # xAI
        (
            {"prompt_tokens": 90, "completion_tokens": 7, "total_tokens": 297,
             "prompt_tokens_details": {"cached_tokens": 64}, "completion_tokens_details": {"reasoning_tokens": 200}},
            Usage(90, 207, read=64),
        ),
        ({"prompt_eval_count": 90, "eval_count": 7, "total_duration": 10**10}, Usage(90, 7)),
        # nonsense
        ({"prompt_tokens": "many", "completion_tokens": 7}, Usage(None, 7)),
        (
            {"prompt_tokens": 90, "completion_tokens": 7, "total_tokens": -3,
             "prompt_tokens_details": {"cached_tokens": "all", "audio_tokens": 10**12},
             "promptTokensDetails": [3, {"modality": "AUDIO", "tokenCount": None}]},
            Usage(90, 7),
        ),
        ([1, 2], Usage(None, None)),
    ],
)  # fmt: skip
def test_what_servers_say_of_a_call(written: Any, expected: Usage) -> None:
    assert price.of(written) == expected


_SERVED = {
    "0": {"prompt_tokens": 1_000, "completion_tokens": 10},
    "1": {"prompt_tokens": 1_000, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 600}},
    "2": {"prompt_tokens": 300_000, "completion_tokens": 10, "total_tokens": 300_010},
    "3": {"prompt_tokens": 400, "completion_tokens": 10, "total_tokens": 1_010, "cache_read_input_tokens": 600},
    "4": {"completion_tokens": 10},
}  # fmt: skip
_COSTS = [0.00315, 0.00153, 1.800225, 0.00153, None]


def test_a_judgment_has_the_cost_of_its_own_call(house: Warehouse) -> None:
    fill(house, {"m": unclear(5)})
    served = {
        tag: http(json.dumps(good(usage=said)).encode(), "connection: close")
        for tag, said in _SERVED.items()
    }
    with raw_server(served) as server:
        budget = Budget(max_cost=50.0)
        progress = assigned(house, None, model=SONNET, max_cost=50.0, base_url=server.url).run(
            budget
        )
    assert (progress.asked, progress.failed) == (5, 0)
    found = rows(
        house,
        "SELECT cost_usd, body IS NOT NULL, prompt_tokens FROM main.judgment ORDER BY prompt",
    )
    assert [cost for cost, _, _ in found] == pytest.approx(_COSTS)
    # What no column holds of a usage stands in the body.
    assert [has_body for _, has_body, _ in found] == [False, True, False, True, False]
    assert [tokens for _, _, tokens in found] == [1_000, 1_000, 300_000, 400, None]
    paid = sum(cost for cost in _COSTS if cost is not None)
    assert progress.spent == pytest.approx(paid)
    assert rows(house, "SELECT sum(cost_usd) FROM judge_cost") == [(pytest.approx(paid),)]
    # Of the one that does not say what it read, the most is taken.
    assert paid < budget.spent < paid + 0.05


@pytest.mark.slow
def test_max_cost_lets_through_what_a_short_call_costs(house: Warehouse) -> None:
    """By the price of a long prompt, half of the budget would be left."""
    fill(house, {"m": unclear(6)})
    each = _listed(SONNET).cost(1_000, 10)
    said = http(json.dumps(good(usage=_SERVED["0"])).encode(), "connection: close")
    with raw_server({str(n): said for n in range(6)}) as server:
        wanted = {"model": SONNET, "max_cost": 1.0, "base_url": server.url, "concurrency": 1}
        most = 5.5 * each + 0.02
        progress = assigned(house, None, **wanted).run(Budget(max_cost=most))
    assert progress.asked == 6
    assert progress.spent == pytest.approx(6 * each)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "shown"),
    [
        (SONNET, r"\$3 and \$15 per .*, more where a prompt is long; tokens"),
        (GEMINI, r"\$1\.25 and \$10 per .*, more where a prompt is long; tokens"),
        ("gpt-4o-mini", r"\$0\.15 and \$0\.6 per .* \(OpenAI, gpt-4o-mini\); tokens"),
    ],
)
def test_a_dry_run_adds_up_calls(house: Warehouse, model: str, shown: str) -> None:
    fill(house, {"m": unclear(3)})
    (run,) = assigned(house, None, model=model).preview().runs
    listed = _listed(model)
    expected = run.tokens * listed.prompt + 3 * 2 * (listed.completion - listed.prompt)
    assert run.cost == pytest.approx(expected / 1e6)
    done = CliRunner().invoke(
        app, ["judge", "--model", model, "--db", str(house.path), "--dry-run"]
    )
    assert re.search(rf"Price: {shown}", done.stdout), done.stdout


@pytest.mark.slow
def test_an_answer_that_is_long_is_a_long_call(house: Warehouse) -> None:
    """Two hundred thousand tokens in one call are dear, and make no other call so."""
    fill(house, {"m": {"0": ["short"], "1": ["long " * 200_000]}})
    (run,) = assigned(house, None, model=SONNET).preview().runs
    assert run.calls == 2
    assert run.tokens > 250_000
    assert run.cost is not None
    short = run.tokens * 3 / 1e6
    assert 1.9 * short < run.cost < 2 * short + 0.001


@pytest.mark.slow
@pytest.mark.parametrize(("given", "dollars"), [(None, 0.00153 / 2), ("2,4", 2_040e-6 / 2)])
def test_a_batch_is_half_of_each_call(house: Warehouse, given: str | None, dollars: float) -> None:
    fill(house, {"m": unclear(2)})
    file, out = house.path.with_name("b.jsonl"), house.path.with_name("out.jsonl")
    assignment = assigned(house, None, model=SONNET)
    batch.export(assignment.job(), assignment.requests(), file, most=None)
    keys = [json.loads(line)["custom_id"] for line in file.read_text("utf-8").splitlines()]
    body = good(usage=_SERVED["1"])
    write_jsonl(
        out, [{"custom_id": key, "response": {"status_code": 200, "body": body}} for key in keys]
    )
    done = batch.read(
        house.path,
        assignment.cache,
        [out],
        given=None if given is None else price.parse(given),
        wait=5,
    )
    assert done.cost == pytest.approx(2 * dollars)
    assert rows(house, "SELECT cost_usd FROM main.judgment") == [(pytest.approx(dollars),)] * 2


def test_an_unknown_model_has_no_price(house: Warehouse) -> None:
    fill(house, {"m": unclear(1)})
    with raw_server({}) as server:
        progress = judged(house, None, model="unheard-of-9000", base_url=server.url)
    assert (progress.asked, progress.spent) == (1, 0.0)
    assert rows(house, "SELECT cost_usd FROM main.judgment") == [(None,)]
