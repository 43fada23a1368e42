"""Receiving a whole reply, up to a size after unpacking, and without redirects."""

from __future__ import annotations

import sys
import zlib
from typing import Any

import openai

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MOST_BYTES = 16 * 2**20
"""What a reply may have, unpacked. A hundred thousand tokens with their probabilities are less."""
_MOST_CODINGS = 3
_GZIP, _ZLIB, _RAW = 31, 15, -15
_GZIP_MAGIC = b"\x1f\x8b"
_MAGIC = {"gzip": _GZIP_MAGIC, "x-gzip": _GZIP_MAGIC, "zstd": b"\x28\xb5\x2f\xfd"}
_KEPT_HEADERS = ("retry-after", "retry-after-ms", "x-request-id", "location")


class OversizedError(Exception):
    """A reply is larger than it may be; it is not read to its end."""


class UnpackingError(Exception):
    """A reply cannot be unpacked: it is damaged, or packed in a way that was not requested."""


class BoundedClient(openai.DefaultAsyncHttpxClient):
    """An HTTP client whose responses are whole when they come, and never larger than `most` bytes.

    Redirects are not followed, since the key would go along.

    Args:
        most: bytes of a body, packed and unpacked.
        more: what the HTTP library's client takes.
    """

    def __init__(self, most: int = MOST_BYTES, **more: Any) -> None:
        super().__init__(**more, follow_redirects=False)
        self._most = most
        self.headers["accept-encoding"] = "gzip, deflate, zstd"

    async def send(self, request: Any, **more: Any) -> Any:
        """The response with its body.

        Raises:
            OversizedError, UnpackingError: it cannot be had.
        """
        response = await super().send(request, **{**more, "stream": True})
        try:
            packed = bytearray()
            async for chunk in response.aiter_raw():
                packed += chunk
                if len(packed) > self._most:
                    raise _oversized(self._most)
        finally:
            await response.aclose()
        written = response.headers.get("content-encoding", "")
        codings = [coding.strip().lower() for coding in written.split(",") if coding.strip()]
        if len(codings) > _MOST_CODINGS:
            raise UnpackingError(f"the reply is packed {len(codings)} times over")
        content = bytes(packed)
        for coding in reversed(codings):
            content = unpacked(content, coding, self._most)
        headers = [(n, v) for n in _KEPT_HEADERS if (v := response.headers.get(n)) is not None]
        return type(response)(
            response.status_code,
            # Of its type nothing: completions come as text/plain too, and charsets that are none.
            headers=headers,
            content=content,
            request=request,
        )


def unpacked(content: bytes, coding: str, most: int) -> bytes:
    """A body without one of its content codings.

    Args:
        content: as it was sent.
        coding: gzip, deflate, zstd or identity.
        most: bytes that it may have.

    Raises:
        OversizedError: it has more.
        UnpackingError: it is not what it says, or is cut off.
    """
    # What is said to be packed and is not was unpacked on its way, by a proxy.
    if coding == "identity" or not content.startswith(_MAGIC.get(coding, b"")):
        return content
    try:
        if coding in ("gzip", "x-gzip"):
            return _inflated(content, _GZIP, most)
        if coding == "deflate":
            try:
                return _inflated(content, _ZLIB, most)
            except zlib.error:
                return _inflated(content, _RAW, most)
        if coding == "zstd":
            return _of_zstd(content, most)
    except (zlib.error, zstd.ZstdError) as error:
        raise UnpackingError(f"the reply cannot be unpacked ({coding}): {error}") from error
    raise UnpackingError(f"the reply is packed as {coding[:40]!r}, which was not asked for")


def _inflated(content: bytes, window: int, most: int) -> bytes:
    # What is cut off is returned as far as it goes: whether that is a reply shows when it is read.
    done = bytearray()
    while content:
        inflate = zlib.decompressobj(window)
        done += inflate.decompress(content, most + 1 - len(done))
        if len(done) > most:
            raise _oversized(most)
        # Several members are one text; anything else that follows is none of it.
        rest = inflate.unused_data
        content = rest if window == _GZIP and rest.startswith(_GZIP_MAGIC) else b""
    return bytes(done)


def _of_zstd(content: bytes, most: int) -> bytes:
    done = bytearray()
    while content:
        inflate = zstd.ZstdDecompressor()
        done += inflate.decompress(content, most + 1 - len(done))
        if len(done) > most:
            raise _oversized(most)
        content = inflate.unused_data if inflate.eof else b""
    return bytes(done)


def _oversized(most: int) -> OversizedError:
    return OversizedError(f"the reply is larger than {most / 2**20:g} MiB unpacked; it is not read")
