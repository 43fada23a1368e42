"""Secrets in the settings that harnesses write are not stored: neither in flags nor in the file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalhouse import Warehouse
from ingest.redaction import REDACTED, without_secrets
from tests import inspect_logs

_SECRET = "Zq7vX2mK9pL4tR8w"


def _in_settings(value: str) -> list[object]:
    """Ways in which harnesses write a secret."""
    return [
        {"model_args": f"model=gpt-4o,api_key={value},max_length=2048"},
        {"model_args": {"model": "gpt-4o", "api_key": value}},
        {"model_args": {"OPENAI_API_KEY": value}},
        {"config": {"headers": {"Authorization": f"Bearer {value}"}}},
        {"command": f"run --hf_token {REDACTED} --api-key={value}"},
        {"command": f"curl -H 'Authorization: Bearer {value}'"},
        {"model_base_url": f"https://user:{value}@judge.example/v1"},
        {"plan": [{"params": ['{"password": "' + value + '"}']}]},
        {"token": value},
        f"key is sk-{value}",
        [f"hf_{value}"],
    ]


@pytest.mark.parametrize("settings", _in_settings(_SECRET), ids=range(11))
def test_each_way_to_write_a_secret(settings: object) -> None:
    kept = json.dumps(without_secrets(settings))
    assert _SECRET not in kept
    assert REDACTED in kept


def test_what_is_no_secret_stays() -> None:
    settings: dict[str, Any] = {
        "model_args": "pretrained=acme/vlm,dtype=bfloat16,max_tokens=512,token=True,api_key=None",
        "eos_token": "</s>",
        "max_tokens": 512,
        "token": True,
        "api_key": None,
        "tokenizer": "acme/vlm",
        "tokens": [1, 2],
        "model_base_url": "http://127.0.0.1:8000/v1",
        "num_fewshot": 5,
        "description": "Answer with one of the keys A, B, C or D.\nThe token count is 5.",
    }
    assert without_secrets(settings) == settings


_SETTINGS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)


@given(_SETTINGS, st.text("abcdefgXYZ0123456789", min_size=16, max_size=40))
def test_twice_is_once_and_no_secret_is_left(settings: object, secret: str) -> None:
    once = without_secrets([settings, {"api_key": secret}, f"a=1,token={secret}-"])
    assert without_secrets(once) == once
    assert secret not in json.dumps(once[1:] if isinstance(once, list) else once)


def _flags(house: Warehouse) -> str:
    ((flags,),) = house.sql("SELECT string_agg(flags, chr(10)) FROM main.source").rows()
    return str(flags)


@pytest.mark.slow
def test_an_lm_eval_results_file_with_a_key(tmp_path: Path, shared: Path) -> None:
    folder = shared / "formats/lm_eval_out/acme__model-A"
    time = "2026-11-21T21-02-06.164606"
    copied = tmp_path / folder.name
    copied.mkdir()
    shutil.copy(folder / f"samples_seedlike_gen_{time}.jsonl", copied)
    results = json.loads((folder / f"results_{time}.json").read_text("utf-8"))
    results["config"]["model_args"] = (
        f"model=acme,base_url=https://x:{_SECRET}@h/v1,api_key={_SECRET}"
    )
    (copied / f"results_{time}.json").write_text(json.dumps(results), "utf-8")
    house = Warehouse(tmp_path / "w.duckdb")
    house.ingest(next(copied.glob("samples_*")), benchmark="SEED-Bench")
    assert f"api_key={REDACTED}" in _flags(house)
    _nowhere(tmp_path / "w.duckdb")


@pytest.mark.slow
def test_an_inspect_log_with_a_key(tmp_path: Path) -> None:
    head = inspect_logs.header(
        model_args={"api_key": _SECRET, "device": "cuda"},
        model_base_url=f"https://user:{_SECRET}@models.example/v1",
    )
    samples = [inspect_logs.sample(key, "yes") for key in ("a", "b")]
    house = Warehouse(tmp_path / "w.duckdb")
    house.ingest(inspect_logs.write(tmp_path / "log.eval", samples, head))
    assert '"device": "cuda"' in _flags(house)
    _nowhere(tmp_path / "w.duckdb")


def _nowhere(path: Path) -> None:
    """Checks the file's own bytes; short texts are stored as they are."""
    for part in path.parent.glob(f"{path.name}*"):
        if part.is_file():
            assert _SECRET.encode() not in part.read_bytes(), part
