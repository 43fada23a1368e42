"""Fields of dataclasses of options, which say once what commands, functions and pages say of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, field
from typing import Any


def option(default: Any, help: str, **command: Any) -> Any:
    """Make a field of an option.

    Args:
        help: what it says, in a line.
        command: what else the command line knows of it, as Typer takes it; also `flag`, where its name there
            is not the field's, and `read`, which makes the value of the word.
    """
    return field(default=default, metadata={"help": help, **command})


def argument(help: str, default: Any = MISSING) -> Any:
    """Make a field that stands in its place, without a name, on the command line too."""
    return field(default=default, metadata={"help": help, "is_argument": True})


def pairs(read: Callable[[list[str]], Any], help: str, metavar: str) -> Any:
    """Make a field of a mapping, which commands read from words such as KEY=VALUE.

    Args:
        read: what makes the mapping of the words.
    """
    words = {"help": help, "metavar": metavar, "read": read, "is_list": True}
    return field(default_factory=dict, metadata=words)
