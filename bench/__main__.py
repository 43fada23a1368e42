"""All benchmarks, one after the other, each in a separate process.

    python -m bench [--large] [--profile]

What they print also goes to a file in the folder. A benchmark that fails does not keep the others
from running; the exit code is 1 then. Falling short of a target is a result, not a failure.
"""

from __future__ import annotations

import subprocess
import sys
import time

from bench import measure, options

SCRIPTS = (
    "vlmevalkit",
    "work_dir",
    "inspect_logs",
    "lm_eval_samples",
    "floor",
    "growth",
    "judge_planning",
    "pages",
    "corrected_board",
)
LARGE_SCRIPTS = ("vlmevalkit", "growth", "judge_planning", "pages")


def main() -> None:
    """Run them, and print what they print."""
    chosen = options.read(__doc__)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    name = f"{'bench-large' if chosen.large else 'bench'}-{time.strftime('%Y-%m-%dT%H%M%S')}.txt"
    log = chosen.folder / name
    failed = []
    for script in LARGE_SCRIPTS if chosen.large else SCRIPTS:
        print(f"bench.{script} …", file=sys.stderr, flush=True)
        begun = time.perf_counter()
        ended = subprocess.run(
            [sys.executable, "-m", f"bench.{script}", *chosen.words()],
            cwd=measure.ROOT,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if ended.returncode:
            failed.append(script)
        took = f"bench.{script}: {time.perf_counter() - begun:,.0f} s"
        print(ended.stdout, took, sep="", end="\n\n", flush=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{ended.stdout}{took}\n\n")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
