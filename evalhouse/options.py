"""Functions that are made from a dataclass of options, and misspelt options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, Signature, cleandoc, signature
from typing import Any, Concatenate, ParamSpec, TypeVar

from warehouse.errors import UsageError

_P = ParamSpec("_P")
_R = TypeVar("_R")
_S = TypeVar("_S")
_O = TypeVar("_O")


def asked(
    options: Callable[_P, _O],
) -> Callable[[Callable[[_S, _O], _R]], Callable[Concatenate[_S, _P], _R]]:
    """Let a method take the fields of a dataclass of options as arguments of its own.

    A misspelt one is an error that names those that there are; all of them stand in the docstring.
    """

    def decorate(ask: Callable[[_S, _O], _R]) -> Callable[Concatenate[_S, _P], _R]:
        parameters = signature(options).parameters
        words = sorted(n for n, one in parameters.items() if one.kind is Parameter.KEYWORD_ONLY)

        @wraps(ask)
        def checked(self: _S, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
            for name in kwargs:
                if name not in parameters:
                    raise _unknown(ask.__name__, name, words)
            try:
                shown.bind(self, *args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{ask.__name__}: {error}") from None
            return ask(self, options(*args, **kwargs))

        itself = Parameter("self", Parameter.POSITIONAL_ONLY)
        shown = Signature(
            [itself, *parameters.values()], return_annotation=signature(ask).return_annotation
        )
        checked.__dict__["__signature__"] = shown
        of_each = (f"    {one.name}: {one.metadata['help']}" for one in fields(_kind(options)))
        checked.__doc__ = "\n".join((f"{cleandoc(ask.__doc__ or '')}\n\nArgs:", *of_each))
        return checked

    return decorate


def _kind(options: Callable[..., Any]) -> type[Any]:
    assert isinstance(options, type)
    return options


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
