"""Text from files and models as a terminal may have it."""

from __future__ import annotations

_SHOWN = (
    {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n"}
    | {0x7F: "\u2421"}
    # Controls of eight bits, ends of lines, and what turns the direction of the text after it.
    | {
        code: f"\\u{code:04x}"
        for code in (
            *range(0x80, 0xA0),
            0x2028,
            0x2029,
            *range(0x202A, 0x202F),
            *range(0x2066, 0x206A),
        )
    }
)


def visible(text: str) -> str:
    """Text whose control characters are seen instead of obeyed; tabs and line ends stay."""
    return text.translate(_SHOWN)
