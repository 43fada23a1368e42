"""The error of a file that is in no format that is known here."""

from __future__ import annotations

from warehouse.errors import InputError


class UnknownFormatError(InputError):
    """A file that nothing here takes for a harness's: in a folder it is left, with the reason."""
