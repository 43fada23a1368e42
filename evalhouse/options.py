"""Functions and commands that are made from a dataclass of options, and misspelt options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar, get_type_hints

import typer

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
            return ask(self, options(*args, **kwargs))

        itself = Parameter("self", Parameter.POSITIONAL_ONLY)
        checked.__dict__["__signature__"] = Signature(
            [itself, *parameters.values()], return_annotation=signature(ask).return_annotation
        )
        of_each = (f"    {one.name}: {one.metadata['help']}" for one in fields(_kind(options)))
        checked.__doc__ = "\n".join((f"{ask.__doc__}\n\nArgs:", *of_each))
        return checked

    return decorate


def _kind(options: Callable[..., Any]) -> type[Any]:
    assert isinstance(options, type)
    return options


def with_options(**special: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command take the fields of the dataclass of options that it wants as its own options.

    Args:
        special: annotations that Typer takes in place of a field's own.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        parameters: list[Parameter] = []
        kinds: dict[str, type[Any]] = {}
        for one in signature(command).parameters.values():
            kind = hints[one.name]
            if not is_dataclass(kind):
                keyword = one.replace(kind=Parameter.KEYWORD_ONLY, annotation=kind)
                parameters.append(keyword)
                continue
            assert isinstance(kind, type)
            kinds[one.name] = kind
            parameters += _parameters(kind, special)
        # What has to be given comes first.
        parameters.sort(key=lambda one: one.default is not Parameter.empty)

        @wraps(command)
        def run(**given: Any) -> None:
            for name, kind in kinds.items():
                chosen = {one.name: _chosen(one, given.pop(one.name)) for one in fields(kind)}
                given[name] = kind(**chosen)
            command(**given)

        run.__dict__["__signature__"] = Signature(parameters)
        run.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": None}
        return run

    return decorate


def _parameters(kind: type[Any], special: dict[str, Any]) -> Iterator[Parameter]:
    hints = get_type_hints(kind)
    for one in fields(kind):
        annotation = special.get(one.name) or _annotation(one, hints[one.name])
        default = None if _is_list(one) else one.default
        default = Parameter.empty if default is MISSING else default
        yield Parameter(one.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _is_list(one: Field[Any]) -> bool:
    """Whether a command takes the option several times."""
    return one.default == () or "read" in one.metadata


def _chosen(one: Field[Any], value: Any) -> Any:
    """The value of a field; Typer has lists, and None for an empty one."""
    if not _is_list(one):
        return value
    return one.metadata.get("read", tuple)(value or [])


def _annotation(one: Field[Any], hint: Any) -> Any:
    words = {name: value for name, value in one.metadata.items() if name != "read"}
    if not one.kw_only:
        return Annotated[hint, typer.Argument(**words)]
    its_type = list[str] | None if _is_list(one) else hint
    return Annotated[its_type, typer.Option(f"--{one.name.replace('_', '-')}", **words)]


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
