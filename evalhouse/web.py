"""The extra `web`."""

from __future__ import annotations

from importlib.util import find_spec

from warehouse.errors import UsageError


def require_web() -> None:
    """Refuse, with what to do, where the extra is not installed.

    Raises:
        UsageError: it is not.
    """
    missing = [name for name in ("jinja2", "starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"pages want {' and '.join(missing)}: pip install 'evalhouse[web]' brings what they need"
        )
