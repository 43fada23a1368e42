"""`python -m bench.inspect_ours LOG DB`: one log into a warehouse; prints the seconds as JSON."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from bench import asking

if __name__ == "__main__":
    house = asking.house(Path(sys.argv[2]))
    begun = time.perf_counter()
    (report,) = house.ingest(Path(sys.argv[1]), refresh=False)
    print(json.dumps({"read": time.perf_counter() - begun, "rows": report.n_rows}))
