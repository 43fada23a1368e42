"""Functions that are made from a dataclass of options, and misspelt options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, Signature, cleandoc, signature
from numbers import Real
from operator import index
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Any,
    Concatenate,
    ParamSpec,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from warehouse.errors import UsageError

_P = ParamSpec("_P")
_R = TypeVar("_R")
_S = TypeVar("_S")
_O = TypeVar("_O")
_WORDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    Path: "a path",
    Mapping: "a mapping",
}


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
                given = shown.bind(self, *args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{ask.__name__}: {error}") from None
            values = dict(given.arguments)
            del values["self"]
            return ask(self, made(_kind(options), values, ask.__name__))

        itself = Parameter("self", Parameter.POSITIONAL_ONLY)
        shown = Signature(
            [itself, *parameters.values()], return_annotation=signature(ask).return_annotation
        )
        checked.__dict__["__signature__"] = shown
        of_each = (f"    {one.name}: {one.metadata['help']}" for one in fields(_kind(options)))
        checked.__doc__ = "\n".join((f"{cleandoc(ask.__doc__ or '')}\n\nArgs:", *of_each))
        return checked

    return decorate


def made(options: type[_O], values: Mapping[str, Any], of: str) -> _O:
    """Make options of the values of a call.

    Args:
        of: the method that is called.

    Raises:
        UsageError: a value is of another kind, or beyond a limit.
    """
    types = get_type_hints(options)
    limits = {one.name: one.metadata for one in fields(_kind(options))}
    return options(
        **{
            name: _value(value, types[name], limits[name], f"{of}: {name}")
            for name, value in values.items()
        }
    )


def _value(value: Any, kind: Any, limits: Mapping[str, Any], name: str) -> Any:
    """Return the value of an option; one text stands for a list of it, and for a path.

    Raises:
        UsageError: it is of another kind, or beyond a limit.
    """
    if get_origin(kind) is tuple:
        texts = (value,) if isinstance(value, str) else () if value is None else value
        if isinstance(texts, Iterable) and not isinstance(texts, bytes | Mapping):
            texts = tuple(texts)
            if all(isinstance(one, str) for one in texts):
                return texts
        raise UsageError(f"{name} is a list of texts, not {value!r}")
    every = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    kinds = [get_origin(one) or one for one in every]
    if isinstance(value, str) and Path in kinds:
        return Path(value)
    is_bool = type(value).__name__ in ("bool", "bool_")
    # NumPy's numbers are numbers too.
    if bool in kinds and is_bool:
        value = bool(value)
    elif int in kinds and not is_bool and hasattr(value, "__index__"):
        value = index(value)
    elif float in kinds and not is_bool and isinstance(value, Real):
        value = float(value)
    if (is_bool and bool not in kinds) or not isinstance(value, tuple(kinds)):
        words = " or ".join(
            _WORDS.get(one, f"a {one.__name__}") for one in kinds if one is not NoneType
        )
        raise UsageError(f"{name} is {words}, not {value!r}")
    least, most = limits.get("min"), limits.get("max")
    number: Any = value
    if number is not None and least is not None and not least <= number <= (most or number):
        up = f" to {most}" if most else " up"
        raise UsageError(f"{name} is a number from {least}{up}, not {value!r}")
    return value


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
