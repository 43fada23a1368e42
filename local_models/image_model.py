"""Embeddings of image files under a CLIP model (extra `local`)."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import Any

from warehouse.connection import first_line
from warehouse.errors import EvalhouseError, UsageError
from warehouse.files.weights import extra_missing, pretrained

_FORMATS = ("BMP", "GIF", "JPEG", "PNG", "TIFF", "WEBP")


class UnreadableImage(Exception):
    """Bytes that are no image that is read here; the message says why."""


class ImageModel:
    """A CLIP model in memory; of its two halves only the one for images is used.

    Args:
        path: a folder or hub name that transformers loads.
        device: cpu, cuda, …; None: the GPU if there is one.

    Raises:
        UsageError: the extra `local` is not installed, or the model cannot be loaded.
    """

    def __init__(self, path: str, *, device: str | None = None) -> None:
        try:
            import PIL  # noqa: F401  # imported here, so that the error says how to get it
            import torch
            from transformers import AutoImageProcessor, AutoModel
            from transformers.utils.logging import disable_progress_bar
        except ImportError as error:
            raise extra_missing("score-images", error) from error
        disable_progress_bar()  # the command has its own
        self._torch = torch
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        source: dict[str, Any] = pretrained(path) | {"trust_remote_code": False}
        try:
            # Always the same way to resize, whether or not torchvision happens to be there.
            self._processor: Any = AutoImageProcessor.from_pretrained(**source, backend="pil")
            model: Any = AutoModel.from_pretrained(**source, dtype=torch.float32)
            self._model = model.to(self.device).eval()
        except (OSError, ValueError, ImportError, RuntimeError, KeyError) as error:
            raise UsageError(f"{path}: cannot be loaded: {first_line(error)}") from error
        if not hasattr(self._model, "get_image_features"):
            raise UsageError(f"{path}: is no CLIP model: it has no embeddings of images")

    def embed(self, images: Sequence[Any]) -> list[tuple[float, ...]]:
        """The embedding of each image, not normalised.

        Raises:
            EvalhouseError: memory does not suffice.
        """
        try:
            given = self._processor(images=list(images), return_tensors="pt").to(self.device)
            with self._torch.inference_mode():
                found = self._model.get_image_features(**given)
        except RuntimeError as error:
            raise EvalhouseError(
                f"on {self.device}, {len(images)} at a time: {first_line(error)}; a smaller "
                "--batch-size needs less memory"
            ) from error
        pooled = found if isinstance(found, self._torch.Tensor) else found.pooler_output
        return [tuple(row) for row in pooled.float().tolist()]


def decode(content: bytes) -> Any:
    """An image in RGB; of an animation the first frame.

    Raises:
        UnreadableImage: the bytes are no whole image, or one of too many pixels.
    """
    from PIL import Image

    with warnings.catch_warnings():
        # The library only warns where an image is large enough to exhaust memory.
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
                return image.convert("RGB")
        except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
            raise UnreadableImage(f"has too many pixels: {first_line(error)}") from error
        except Exception as error:  # the decoders' own errors have no common type
            raise UnreadableImage(f"cannot be read as an image: {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    # The library names the object in memory that it was given.
    text = first_line(error)
    known = ", ".join(_FORMATS)
    return f"it is none of {known}" if "cannot identify image file" in text else text
