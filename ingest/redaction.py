"""Secrets in the settings that harnesses write next to their results: they are not stored.

A command line such as `model_args: model=gpt-4o,api_key=sk-...`, a server's address with a password
in it, or a token of a model hub would else be kept with the source of each answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

REDACTED = "REDACTED"
"""What stands where a secret was."""
_NAME = (
    r"(?:api|access|secret|private|auth|account|subscription|hf|hub|wandb|openai|anthropic|azure"
    r"|google|gemini|github)[_-]?(?:api[_-]?)?(?:access[_-]?)?(?:key|token)(?:[_-]?id)?"
    r"|(?:client[_-]?)?secret|passwd|password|authorization|credentials?|bearer"
)
_IS_SECRET = re.compile(rf"(?:.*[_.\-\s])?(?:{_NAME})|token", re.IGNORECASE)
_ASSIGNED = re.compile(
    rf"""(?P<name>(?<![A-Za-z])(?:{_NAME}|(?<![A-Za-z_])token)["']?\s*[=:]\s*)"""
    r"""(?P<value>"[^"]*"|'[^']*'|(?:Bearer\s+|Basic\s+)?[^\s,;&"'})\]]+)""",
    re.IGNORECASE,
)
_IN_ADDRESS = re.compile(r"(?<=://)[^/\s@]+:[^/\s@]+(?=@)")
_KNOWN = re.compile(
    r"\b(?:sk-[\w-]{16,}|hf_[A-Za-z0-9]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}"
    r"|AIza[\w-]{30,}|xox[abpr]-[\w-]{10,})|(?<=Bearer )[\w.~+/-]{8,}=*"
)
_NO_SECRET = frozenset({"", "none", "null", "true", "false", "empty", REDACTED.lower()})
"""Words that say whether there is a secret, or that there is none."""


def without_secrets(value: object) -> object:
    """A JSON value in which a text stands for each secret; everything else is as it was.

    A value is a secret where its name is that of one (`api_key`, `token`, `password`,
    `authorization`), in objects as in texts (`api_key=...`), where it is in an address
    (`https://user:password@host`), or where it has the form of a known kind of key.
    """
    match value:
        case Mapping():
            return {
                name: REDACTED if _is_secret(str(name), one) else without_secrets(one)
                for name, one in value.items()
            }
        case list() | tuple():
            return [without_secrets(one) for one in value]
        case str():
            return _in_text(value)
        case _:
            return value


def _is_secret(name: str, value: object) -> bool:
    return (
        isinstance(value, str)
        and value.strip().lower() not in _NO_SECRET
        and _IS_SECRET.fullmatch(name) is not None
    )


def _in_text(text: str) -> str:
    text = _ASSIGNED.sub(_assigned, text)
    return _KNOWN.sub(REDACTED, _IN_ADDRESS.sub(REDACTED, text))


def _assigned(found: re.Match[str]) -> str:
    is_word = found["value"].strip("\"'").lower() in _NO_SECRET
    return found[0] if is_word else found["name"] + REDACTED
