"""What `benchmarks set` takes away of a benchmark: figures, groups and levels, in this order, so that
what rests on another may go with it.

Each function changes the tables of a `benchmark.toml` and refuses a name that something rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from warehouse.errors import UsageError, shown

KEYS = ("without_figure", "without_group", "without_level")
_Tables = list[dict[str, Any]]


def take_away(given: dict[str, Any], changes: Mapping[str, str]) -> tuple[str, ...]:
    """Take out of a benchmark's tables what `changes` names; return the levels that are gone.

    Raises:
        UsageError: a name is not there, or something that stays rests on it.
    """
    _take(given, changes, "figure", lambda name: _resting_on_figure(given, name))
    _take(given, changes, "group", lambda name: _resting_on_group(given, name))
    levels = _take(given, changes, "level", lambda name: _resting_on_level(given, name))
    abilities = [one for one in given.get("ability", ()) if one.get("level") not in levels]
    if "ability" in given:
        given["ability"] = abilities
    return levels


def _take(
    given: dict[str, Any],
    changes: Mapping[str, str],
    kind: str,
    resting: Callable[[str], str | None],
) -> tuple[str, ...]:
    key = f"without_{kind}"
    if key not in changes:
        return ()
    there: _Tables = list(given.get(kind, ()))
    names = _named(changes[key], key, [str(one["name"]) for one in there])
    given[kind] = [one for one in there if one["name"] not in names]
    for name in names:
        on_it = resting(name)
        if on_it is not None:
            raise UsageError(f"{key}: {on_it} rests on the {kind} {shown(name)}")
    return names


def _named(value: str, key: str, there: Sequence[str]) -> tuple[str, ...]:
    """The names that a value gives, with commas between; a name may have commas of its own."""
    by_name = {name.lower(): name for name in there}
    whole = value.strip().lower()
    wanted = [whole] if whole in by_name else [one.strip().lower() for one in value.split(",")]
    if not all(wanted):
        raise UsageError(f"{key}: names what is to go, with commas between")
    for name in wanted:
        if name not in by_name:
            known = ", ".join(there) or "none"
            kind = key.removeprefix("without_")
            raise UsageError(f"{key}: there is no {kind} {shown(name)!r}; there are {known}")
    return tuple(dict.fromkeys(by_name[name] for name in wanted))


def _resting_on_figure(given: Mapping[str, Any], name: str) -> str | None:
    return _figure(given, lambda one: name in one.get("parts", ()))


def _resting_on_group(given: Mapping[str, Any], name: str) -> str | None:
    return _figure(given, lambda one: one.get("strategy") == f"group:{name}")


def _resting_on_level(given: Mapping[str, Any], name: str) -> str | None:
    if given.get("macro_level") == name:
        return "macro_level"
    spelt = f"{{{name}}}"
    return _figure(
        given,
        lambda one: (
            one.get("level") == name or any(spelt in text for text in one.get("metrics", ()))
        ),
    )


def _figure(given: Mapping[str, Any], does_rest: Callable[[dict[str, Any]], bool]) -> str | None:
    figures: _Tables = given.get("figure", [])
    found = next((str(one["name"]) for one in figures if does_rest(one)), None)
    return None if found is None else f"the figure {shown(found)}"
