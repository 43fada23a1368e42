"""How a harness's records have a benchmark's questions: the tables `[harness.NAME]` of its file.

key, split              the fields with a question's id, the first that is there; and a pattern of
                        the id, whose first group is the split
references              text: what looks like a list is one reference; choices: the right text of
                        a question with choices is one too
metric                  the field whose value is the name of a metric
judge                   what else than rules read the answers, in the harness's scores and figures
[[harness.NAME.field]]  name, of: a field that is made of another one. pattern: all of the other's
                        text; value: what becomes of it; values: texts, by what becomes of them
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warehouse.toml_table import Table

_KEYS = {"key", "split", "references", "metric", "judge", "field"}
_REFERENCES = ("lists", "text", "choices")
_LONGEST = 10_000
"""Characters of a text that is read; the time that a pattern takes may grow with their square."""
_REPEATED = re.compile(r"[*+}]\)?[*+{]|\([^)]*[*+][^)]*\)[*+{]")
_FIELD_KEYS = {"name", "of", "pattern", "value", "values"}


def may_never_end(pattern: str) -> bool:
    """Return whether a pattern repeats what is repeated, which can take for ever on some texts."""
    return _REPEATED.search(pattern) is not None


@dataclass(frozen=True)
class RecordField:
    """A field that is made of another one."""

    name: str
    of: str
    pattern: re.Pattern[str]
    value: str
    values: Mapping[str, str]

    def read(self, value: object) -> str | None:
        """What becomes of a value; None: nothing."""
        if value in (None, "") or len(str(value)) > _LONGEST:
            return None
        found = self.pattern.fullmatch(str(value))
        if found is None:
            return None
        text = found.expand(self.value)
        return self.values.get(text, text)


@dataclass(frozen=True)
class Records:
    """How records have questions; see above."""

    key: tuple[str, ...] = ()
    split: re.Pattern[str] | None = None
    references: str = _REFERENCES[0]
    metric: str | None = None
    judge: str | None = None
    fields: tuple[RecordField, ...] = ()

    def completed(self, record: Mapping[str, Any], also: Mapping[str, Any]) -> dict[str, Any]:
        """The record with the fields that are made of others, of its own or of `also`."""
        found = dict(record)
        for one in self.fields:
            made = one.read(found.get(one.of, also.get(one.of)))
            if made is not None:
                found[one.name] = made
        return found


def by_harness(given: Table) -> dict[str, Records]:
    """The tables of a file, by the harness.

    Raises:
        InputError: one says what cannot be.
    """
    found = given.given.get("harness", {})
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise given.error("harness", "is written [harness.NAME]")
    return {
        name: _records(Table(one, given.path, f"harness.{name}")) for name, one in found.items()
    }


def _records(given: Table) -> Records:
    given.allow(_KEYS)
    split = _pattern(given, "split")
    if split is not None and not split.groups:
        raise given.error("split", "has no group")
    return Records(
        given.words("key") or (),
        split,
        given.choice("references", _REFERENCES, _REFERENCES[0]),
        given.word_if("metric"),
        given.word_if("judge"),
        tuple(
            _field(Table(one.given, one.path, f"{given.place}.field", one.row))
            for one in given.tables("field")
        ),
    )


def _field(given: Table) -> RecordField:
    given.allow(_FIELD_KEYS)
    pattern = _pattern(given, "pattern") or re.compile("(.*)", re.DOTALL)
    value = given.word_if("value") or r"\1"
    groups = [int(number) for number in re.findall(r"\\(\d+)", value)]
    if any(number > pattern.groups for number in groups):
        raise given.error("value", "names a group that the pattern does not have")
    texts = given.given.get("values", {})
    if not isinstance(texts, dict):
        raise given.error("values", "is no table of lists")
    listed = Table(texts, given.path, f"{given.place}.values", given.row)
    values = {text: name for name in texts for text in listed.words(name) or ()}
    return RecordField(given.word("name"), given.word("of"), pattern, value, values)


def _pattern(given: Table, key: str) -> re.Pattern[str] | None:
    text = given.word_if(key)
    if text is not None and may_never_end(text):
        raise given.error(key, "may never end: it repeats what is repeated")
    try:
        return None if text is None else re.compile(text, re.DOTALL)
    except re.error as error:
        raise given.error(key, f"is no pattern: {error}") from error
