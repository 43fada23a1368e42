"""Commands that are made from a dataclass of options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer


def with_options(**special: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command take the fields of the dataclass of options that it wants as its own options.

    Args:
        special: annotations that Typer takes in place of a field's own; None: the command has no such option.
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
                own = [one for one in fields(kind) if one.name in given]
                given[name] = kind(**{one.name: _chosen(one, given.pop(one.name)) for one in own})
            command(**given)

        run.__dict__["__signature__"] = Signature(parameters)
        run.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": None}
        return run

    return decorate


def _parameters(kind: type[Any], special: dict[str, Any]) -> Iterator[Parameter]:
    hints = get_type_hints(kind)
    for one in fields(kind):
        annotation = special.get(one.name, _annotation(one, hints[one.name]))
        if annotation is None:
            continue
        default = None if _is_list(one) else one.default
        default = Parameter.empty if default is MISSING else default
        yield Parameter(one.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _is_list(one: Field[Any]) -> bool:
    """Whether a command takes the option several times."""
    return one.default == () or "is_list" in one.metadata


def _annotation(one: Field[Any], hint: Any) -> Any:
    own = ("flag", "read", "is_argument", "is_list")
    words = {name: value for name, value in one.metadata.items() if name not in own}
    if "is_argument" in one.metadata:
        return Annotated[hint, typer.Argument(**words)]
    its_type = list[str] | None if _is_list(one) else str | None if "read" in one.metadata else hint
    flag = one.metadata.get("flag", f"--{one.name.replace('_', '-')}")
    return Annotated[its_type, typer.Option(flag, **words)]


def _chosen(one: Field[Any], value: Any) -> Any:
    """The value of a field; Typer has lists, and None for an empty one."""
    if _is_list(one):
        value = value or []
    read = one.metadata.get("read", tuple if _is_list(one) else None)
    return value if read is None or value is None else read(value)
