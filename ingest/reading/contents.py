"""What a file is that no reader here reads, by its first bytes: a picture, an array, an archive, a database.

Folders of results are full of them. Whether such a file is damaged, or just no result, is in its name.
"""

from __future__ import annotations

import codecs
from pathlib import Path

from warehouse.errors import InputError


class UnknownFormatError(InputError):
    """A file that nothing here takes for a harness's: in a folder it is left, with the reason."""


MOST_BYTES = 8_192

_RESULTS = frozenset(
    {".csv", ".tsv", ".json", ".jsonl", ".xlsx", ".xls", ".parquet", ".pkl", ".eval"}
)
"""How the names of files end that harnesses write results to."""
_PACKED = frozenset({".gz", ".zst", ".bz2", ".xz", ".zip"})

_BEGINNINGS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n", "is a picture (PNG)"),
    (0, b"\xff\xd8\xff", "is a picture (JPEG)"),
    (0, b"GIF8", "is a picture (GIF)"),
    (0, b"II*\x00", "is a picture (TIFF)"),
    (0, b"MM\x00*", "is a picture (TIFF)"),
    (8, b"WEBP", "is a picture (WebP)"),
    (8, b"WAVE", "is sound (WAV)"),
    (8, b"AVI ", "is a video (AVI)"),
    (0, b"OggS", "is sound or a video (Ogg)"),
    (0, b"fLaC", "is sound (FLAC)"),
    (0, b"ID3", "is sound (MP3)"),
    (4, b"ftyp", "is a video, sound or a picture (MPEG-4)"),
    (0, b"\x1aE\xdf\xa3", "is a video (Matroska or WebM)"),
    (0, b"%PDF-", "is a PDF document"),
    (0, b"\x93NUMPY", "is an array (NumPy)"),
    (0, b"\x89HDF", "is arrays (HDF5)"),
    (0, b":W&B", "is what wandb recorded"),
    (0, b"SQLite format 3", "is a SQLite database"),
    (0, b"\x1f\x8b", "is packed by gzip; unpack it first (gunzip)"),
    (0, b"\x28\xb5\x2f\xfd", "is packed by Zstandard; unpack it first (unzstd)"),
    (0, b"BZh", "is packed by bzip2; unpack it first (bunzip2)"),
    (0, b"\xfd7zXZ\x00", "is packed by xz; unpack it first (unxz)"),
    (0, b"7z\xbc\xaf\x27\x1c", "is an archive (7z); unpack it first"),
    (0, b"Rar!\x1a\x07", "is an archive (RAR); unpack it first"),
    (257, b"ustar", "is an archive (tar); unpack it first"),
    (0, b"\xd0\xcf\x11\xe0", "is an old or encrypted file of Office; save a table as xlsx"),
)
"""Where bytes stand in a file that is no text, and what they say."""
_READ = (b"PK", b"PAR1", b"\x80", b"\xff\xfe", b"\xfe\xff")
"""How files begin that are no UTF-8, and that a reader reads or names the damage of."""
_DUCKDB = "is a DuckDB database; `evalhouse merge` takes over another warehouse"
_NO_TEXT = "is neither text in UTF-8, nor xlsx, nor Parquet"


def may_hold_results(path: Path) -> bool:
    """Whether a file is called as results are, packed ones too."""
    endings = ["", "", *(ending.lower() for ending in path.suffixes)]
    return endings[-1] in _RESULTS or (endings[-1] in _PACKED and endings[-2] in _RESULTS)


def describe(path: Path, head: bytes) -> str | None:
    """What a file is that cannot be read here; None: a reader may read it, or names the damage.

    Args:
        head: its first `MOST_BYTES`.
    """
    # A DuckDB file begins with a checksum, which may look like any other file's beginning.
    if head.startswith(b"DUCK", 8):
        return _DUCKDB
    if not _is_binary(head) or head.startswith(_READ):
        return None
    for place, beginning, words in _BEGINNINGS:
        if head.startswith(beginning, place):
            return words
    if ".tfevents." in path.name:
        return "is what TensorBoard recorded"
    # Of text that is damaged further on, a reader names the line.
    is_damaged = may_hold_results(path) and b"\x00" not in head.partition(b"\n")[0]
    return None if is_damaged else _NO_TEXT


def _is_binary(head: bytes) -> bool:
    if b"\x00" in head:
        return True
    try:
        # The last character may be cut in two.
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return True
    return False
