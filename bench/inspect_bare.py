"""The least that reading an Inspect log takes: `python -m bench.inspect_bare hold|pass LOG`.

Every member is unpacked and parsed as JSON; `hold` keeps what came of it, as a user who is to query
it has to, `pass` lets it go. Prints the seconds and the number of samples as JSON.
"""

from __future__ import annotations

import json
import sys
import time

if sys.version_info >= (3, 14):
    import zipfile
else:
    from backports.zstd import zipfile

if __name__ == "__main__":
    begun = time.perf_counter()
    held = []
    n = 0
    with zipfile.ZipFile(sys.argv[2]) as archive:
        for name in archive.namelist():
            if name.startswith("samples/"):
                sample = json.loads(archive.read(name))
                n += 1
                if sys.argv[1] == "hold":
                    held.append(sample)
    print(json.dumps({"read": time.perf_counter() - begun, "rows": n}))
