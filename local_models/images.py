"""Image answers ranked by similarity to the choices (SEED-Bench-2's image outputs)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from hashlib import sha256
from operator import mul
from pathlib import Path

from local_models.embeddings import Embeddings
from local_models.image_model import ImageModel, UnreadableImage, decode
from local_models.manifest import Comparison, Picture
from warehouse import sources
from warehouse.errors import EvalhouseError


def similarities(
    comparisons: Sequence[Comparison],
    cache: Embeddings,
    load: Callable[[], ImageModel],
    *,
    batch_size: int,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[tuple[float, ...], int]:
    """The cosine similarity of each comparison, and how many images were put through the model.

    What is embedded is in the cache before the next batch begins, so that an interrupted command
    goes on where it was.

    Args:
        load: loads the model; called only if an image is not in the cache.
        batch_size: images at a time.
        on_progress: callback, called with how many images are done, of how many.

    Raises:
        InputError: an image cannot be read; the error names its place in the manifest.
        EvalhouseError: the model cannot compute them.
    """
    named: dict[Path, Picture] = {}
    for one in comparisons:
        for picture in (one.generated, one.choice):
            named.setdefault(picture.path, picture)
    digests = {path: _digest(picture) for path, picture in named.items()}
    pictures = {digests[path]: picture for path, picture in named.items()}
    known = cache.get(list(pictures))
    missing = [digest for digest in pictures if digest not in known]
    on_progress(len(known), len(pictures))
    model = load() if missing else None
    for begin in range(0, len(missing), batch_size):
        assert model is not None
        batch = missing[begin : begin + batch_size]
        found = model.embed([_image(pictures[digest], digest) for digest in batch])
        new = dict(zip(batch, found, strict=True))
        for digest, embedding in new.items():
            _require_direction(pictures[digest], embedding)
        cache.put(new)
        known |= new
        on_progress(len(known), len(pictures))
    scores = tuple(
        _cosine(known[digests[one.generated.path]], known[digests[one.choice.path]])
        for one in comparisons
    )
    return scores, len(missing)


def _digest(picture: Picture) -> str:
    try:
        return sources.digest(picture.path)
    except OSError as error:
        raise picture.error(f"cannot be read: {error.strerror}") from error


def _image(picture: Picture, digest: str) -> object:
    try:
        content = picture.path.read_bytes()
    except OSError as error:
        raise picture.error(f"cannot be read: {error.strerror}") from error
    if sha256(content).hexdigest() != digest:
        raise picture.error("changed while it was read")
    try:
        return decode(content)
    except UnreadableImage as error:
        raise picture.error(str(error)) from error


def _require_direction(picture: Picture, embedding: Sequence[float]) -> None:
    length = math.fsum(map(mul, embedding, embedding))
    if not math.isfinite(length) or length == 0:
        raise EvalhouseError(f"{picture.path}: the model's embedding has no direction")


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    if one is other:
        return 1.0
    dot = math.fsum(map(mul, one, other))
    lengths = math.fsum(map(mul, one, one)) * math.fsum(map(mul, other, other))
    return dot / math.sqrt(lengths)
