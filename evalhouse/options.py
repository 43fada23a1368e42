"""Misspelt options of the Python API: an error that names what there is."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from warehouse.errors import UsageError

_P = ParamSpec("_P")
_R = TypeVar("_R")


def known_options(*more: type) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Let a function refuse options that it does not have with an error that names them.

    Args:
        more: the typed dictionaries of the options that it takes as `**options`.
    """

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        kinds = (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        parameters = signature(function).parameters.values()
        words = {one.name for one in parameters if one.kind in kinds}
        options = [one.name for one in parameters if one.kind is Parameter.KEYWORD_ONLY]
        options += [name for one in more for name in one.__annotations__]

        @wraps(function)
        def checked(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            for name in kwargs:
                if name not in words and name not in options:
                    raise _unknown(function.__name__, name, sorted(options))
            return function(*args, **kwargs)

        return checked

    return decorate


def _unknown(function: str, name: str, options: list[str]) -> UsageError:
    near = get_close_matches(name, options, n=2)
    meant = f"; did you mean {' or '.join(near)}?" if near else "."
    return UsageError(f"{function} has no option {name!r}{meant} It has {', '.join(options)}")
