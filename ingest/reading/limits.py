"""How large a file may be in each direction; the error names the limit that a file exceeds.

The number of rows, and the size of a file that is read row by row, have no limit. Zips have limits
of their own, next to the code that unpacks them (`unpacked`, `json_stream`), and so have
pickles (`safe_pickle`).
"""

MAX_COLUMNS = 4_000
"""The columns of a table, or the different keys of all records. Datasets have some dozens; the time for
questions with very many attributes grows faster than their number."""

MAX_RECORD_BYTES = 64_000_000
"""The longest record of CSV, TSV, JSON lines and a JSON array, images in base64 included."""

MAX_DOCUMENT_BYTES = 256_000_000
"""The longest line, and the largest JSON document that has to be held as a whole: one object, or an
array of ids. A JSON array of records is none."""

MAX_MEMBER_BYTES = 64_000_000
"""The largest JSON object of a zip or of a list that is read one at a time, unpacked."""
