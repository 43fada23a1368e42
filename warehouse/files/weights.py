"""Models on this machine: what they are called, and how they are found."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from warehouse.errors import UsageError

_DIGEST_BYTES = 4 * 2**20
"""Of each file's beginning and end; weights that differ do not differ in the middle alone."""


def model_name(path: str) -> str:
    """What a local model is called: its file's or folder's name, and a digest of what it holds, so
    that other weights in the same place are another model. A name that is no path stays as it is.
    """
    place = Path(path)
    if not place.exists():
        return path
    digest = sha256()
    files = [place] if place.is_file() else sorted(f for f in place.iterdir() if f.is_file())
    for file in files:
        size = file.stat().st_size
        digest.update(f"{file.name} {size}\n".encode())
        with file.open("rb") as content:
            digest.update(content.read(_DIGEST_BYTES))
            content.seek(max(0, size - _DIGEST_BYTES))
            digest.update(content.read(_DIGEST_BYTES))
    return f"{place.absolute().name}@{digest.hexdigest()[:12]}"


def pretrained(path: str) -> dict[str, str]:
    """The arguments by which transformers loads a folder, a hub name or a GGUF file."""
    file = Path(path)
    if file.suffix == ".gguf":
        return {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    return {"pretrained_model_name_or_path": path}


def extra_missing(what: str, error: ImportError) -> UsageError:
    """The error where something needs the extra `local`, which is not installed."""
    return UsageError(
        f"{what} needs the extra local ({error.name} is not installed): "
        "pip install 'evalhouse[local]'"
    )
