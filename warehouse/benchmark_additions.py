"""What `benchmarks set` adds to a benchmark: groups and figures, as its `benchmark.toml` has them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from warehouse.errors import UsageError

KEYS = ("group", "figure")
_EXAMPLES = {
    "group": '{ name = "image", key = [{ attribute = "image_path" }] }',
    "figure": '{ name = "Overall", aggregate = "micro" }',
}


def add(given: dict[str, Any], changes: Mapping[str, str]) -> None:
    """Add the tables that `changes` has to a benchmark's; one of a name that is there takes its place.

    Raises:
        UsageError: a value is no table of TOML, or no list of them. What is in the tables is read with
            the benchmark.
    """
    for key in KEYS:
        if key not in changes:
            continue
        made = _tables(key, changes[key])
        there = list(given.get(key, ()))
        places = {one["name"]: n for n, one in enumerate(there)}
        for one in made:
            place = places.get(one.get("name"))
            if place is None:
                there.append(one)
            else:
                there[place] = one
        given[key] = there


def _tables(key: str, value: str) -> list[dict[str, Any]]:
    try:
        found = tomllib.loads(f"given = {value}")
        # A date is no value of any of them, and has no text in JSON.
        json.dumps(found)
    except (ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"{key}: is not TOML ({error}); such as {_EXAMPLES[key]}") from error
    tables = found["given"]
    listed = tables if isinstance(tables, list) else [tables]
    if set(found) != {"given"} or not listed or not all(isinstance(one, dict) for one in listed):
        raise UsageError(f"{key}: is a table, or a list of tables; such as {_EXAMPLES[key]}")
    for one in listed:
        if not isinstance(one.get("name", ""), str):
            raise UsageError(f"{key}: a name is a text; such as {_EXAMPLES[key]}")
    return listed
