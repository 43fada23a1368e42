"""--memory-limit, --threads and --wide, for every command that opens a warehouse."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from warehouse import destination
from warehouse.resources import Resources, using

_OPTIONS = {
    "memory_limit": Annotated[
        str | None,
        typer.Option(
            "--memory-limit",
            metavar="SIZE",
            help="Memory for DuckDB, such as 8GB; by default EVALHOUSE_MEMORY_LIMIT, else 80 %. "
            "What is more goes to disk, next to the warehouse.",
        ),
    ],
    "threads": Annotated[
        int | None,
        typer.Option(
            "--threads",
            metavar="N",
            help="Threads for DuckDB; by default EVALHOUSE_THREADS, else all cores.",
        ),
    ],
    "wide": Annotated[
        bool,
        typer.Option(
            "--wide", help="Tables with every column, also where a terminal is too narrow for them."
        ),
    ],
}
_DEFAULTS: dict[str, Any] = {"wide": False}


def add_resource_options(app: typer.Typer) -> None:
    """Give the options to each command of an app, and of those below it, that has --db."""
    for command in app.registered_commands:
        command.callback = _limited(command.callback)
    if app.registered_callback is not None:
        app.registered_callback.callback = _limited(app.registered_callback.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_resource_options(group.typer_instance)


def _limited(function: Callable[..., Any] | None) -> Callable[..., Any] | None:
    if function is None:
        return None
    signature = inspect.signature(function, eval_str=True)
    if "db" not in signature.parameters or "threads" in signature.parameters:
        return function

    @wraps(function)
    def limited(*, memory_limit: str | None, threads: int | None, wide: bool, **given: Any) -> Any:
        has_formats = "format" in signature.parameters
        with (
            using(Resources(memory_limit, threads)),
            destination.a_terminal(wide=wide, has_formats=has_formats),
        ):
            return function(**given)

    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_DEFAULTS.get(name),
            annotation=option,
        )
        for name, option in _OPTIONS.items()
    ]
    extended = signature.replace(parameters=[*signature.parameters.values(), *options])
    # What typer reads a command's options from.
    vars(limited)["__signature__"] = extended
    limited.__annotations__ = {name: p.annotation for name, p in extended.parameters.items()}
    return limited
