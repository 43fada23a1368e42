"""Run a command and write what it took: `python -I -S launch.py OUT COMMAND…`.

A process begins with the peak of memory of the one that started it, so measured commands are
started by this one, which imports next to nothing.
"""

import os
import sys
import time

begun = time.perf_counter()
pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
wall = time.perf_counter() - begun
with open(sys.argv[1], "w") as out:  # noqa: PTH123  # pathlib is an import more
    out.write(f"{wall} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss * 1024}")
sys.exit(os.waitstatus_to_exitcode(status) != 0)
