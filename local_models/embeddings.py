"""The cache of image embeddings: the same image is never put through the same model twice.

A cache directory (`warehouse.files.json_cache`). The key is the sha256 of `{"image", "model",
"version"}`
as JSON with sorted keys: the sha256 of the image file's bytes, the model's id. A value is
`{"float32": text}`: the embedding as little-endian floats in base64.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from warehouse.files.json_cache import CacheError, failures_named, open_store, transaction

_VERSION = 1


class Embeddings:
    """The embeddings of one model in a cache directory.

    Args:
        directory: made where it does not exist.
        model: the model's id.

    Raises:
        CacheError: it cannot be made or written, or holds what is not ours.
    """

    def __init__(self, directory: Path, model: str) -> None:
        self.directory = directory
        self.model = model
        self._store = open_store(directory, durable=False)

    def close(self) -> None:
        """Let go of the directory."""
        self._store.close()

    def get(self, images: Sequence[str]) -> dict[str, tuple[float, ...]]:
        """The embeddings that are there, by the sha256 of the image's bytes.

        Raises:
            CacheError: the directory cannot be read, or holds what is not ours.
        """
        found = {}
        with failures_named(self.directory):
            for image in images:
                value = self._store.get(key_of(image, self.model))
                if value is not None:
                    found[image] = self._floats(value)
        return found

    def put(self, embeddings: Mapping[str, Sequence[float]]) -> None:
        """Store embeddings, by the sha256 of the image's bytes, in one atomic commit.

        Raises:
            CacheError: the directory cannot be written.
        """
        with transaction(self._store):
            for image, floats in embeddings.items():
                packed = struct.pack(f"<{len(floats)}f", *floats)
                value = {"float32": base64.b64encode(packed).decode("ascii")}
                self._store.set(key_of(image, self.model), value)

    def _floats(self, value: object) -> tuple[float, ...]:
        try:
            assert isinstance(value, dict)
            packed = base64.b64decode(value["float32"], validate=True)
            return struct.unpack(f"<{len(packed) // 4}f", packed)
        except (AssertionError, KeyError, TypeError, ValueError, struct.error) as error:
            raise CacheError(f"{self.directory}: has a value that is no embedding") from error


def key_of(image: str, model: str) -> str:
    """The cache's key of an image, by the sha256 of its bytes, under a model."""
    content = {"image": image, "model": model, "version": _VERSION}
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def default_directory(warehouse: Path) -> Path:
    """The cache of a warehouse: the directory next to it."""
    return warehouse.with_name(f"{warehouse.name}.embedding-cache")
