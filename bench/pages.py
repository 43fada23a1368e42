"""How long pages take: the demo, 1 million predictions, and with --large 20 million.

    python -m bench.pages

`--large --scale 11` is 11 and 220 million.

`evalhouse serve` starts in a process of its own; each page is requested as a browser does, with results
kept. The first time is that of a page nobody has requested since the file was written, the second that of
the same page again.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from bench import data, options
from bench.options import Options
from bench.report import Report
from evalhouse import Warehouse
from evalhouse.demo.build import JUDGE, build

SMALL, LARGE = (1.0,), (1.0, 20.0)
BOARD_SECONDS = 1.0
_STARTING = 60.0


def main() -> None:
    """Measure and print."""
    chosen = options.read(__doc__)
    report = Report("Pages", chosen.folder)
    _measure(report, "the demo", _demo(chosen), JUDGE)
    for million in (one * chosen.scale for one in (LARGE if chosen.large else SMALL)):
        house = _warehouse(chosen, million)
        _measure(report, f"{million:g} million predictions", house, "none")
    report.notes.append(
        "Seconds from asking to the last byte; in brackets the same page again; `then`: where the first "
        "answer says that the page is being computed. Boards are from kept "
        "results, lists and answers are computed from the facts of one run or two."
    )
    report.show()


def _demo(chosen: Options) -> Warehouse:
    folder = chosen.data / "pages-demo"
    house = build(folder)
    house.refresh_kept()
    return house


def _warehouse(chosen: Options, million: float) -> Warehouse:
    folder = chosen.data / "pages"
    folder.mkdir(parents=True, exist_ok=True)
    house = Warehouse(folder / f"{million:g}.duckdb")
    if not house.path.exists():
        data.fill(house, folder, data.n_runs(million), direct=True)
    house.refresh()
    return house


def _measure(report: Report, title: str, house: Warehouse, judge: str) -> None:
    with house.reading() as con:
        (one, other) = con.execute(
            "SELECT m.name, r.run_id FROM main.run AS r JOIN main.model AS m USING (model_id) "
            "WHERE r.superseded_by IS NULL ORDER BY r.run_id LIMIT 2"
        ).fetchall()
    report.section(title)
    a, b = quote(one[0]), quote(other[0])
    run = f"run={one[1]}&judge={judge}"
    pages = {
        "overview": "/",
        "leaderboard": f"/board?benchmark=MMBench&judge={judge}",
        "its radar": f"/figure?benchmark=MMBench&judge={judge}&drawn=radar",
        "questions": f"/questions?{run}&show=wrong",
        "their second page": f"/questions?{run}&show=wrong&page=2",
        "question": f"/question?{run}&show=wrong&question=3",
        "model": f"/model?name={a}",
        "compare": f"/compare?a={a}&b={b}&judge={judge}",
        "judges": "/judges",
        "SQL": "/sql?q=SELECT+42",
    }
    begun = time.perf_counter()
    with _serving(house.path) as address:
        _timed(f"{address}/")
        report.figure("from the command to the first page", f"{time.perf_counter() - begun:.2f} s")
        for name, path in (pages | {"suspect keys": f"/suspects?{run}"}).items():
            first, is_said = _timed(f"{address}{path}")
            then = _timed(f"{address}{path}")[0]
            again = _timed(f"{address}{path}")[0] if is_said else then
            # Where there is much to compute, the first answer says so, and the next one has it.
            figure = f"{first:.2f} s{f', then {then:.2f} s' if is_said else ''} [{again:.3f}]"
            if name == "leaderboard":
                report.at_most(name, figure, first, BOARD_SECONDS, "s")
            else:
                report.figure(name, figure)


def _timed(address: str) -> tuple[float, bool]:
    """Seconds to the last byte, and whether the page says that it is being computed."""
    begun = time.perf_counter()
    with urllib.request.urlopen(address, timeout=600) as answer:
        text = answer.read()
    return time.perf_counter() - begun, b"data-computing" in text


@contextmanager
def _serving(db: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = [sys.executable, "-c", "from evalhouse.cli import main; main()"]
    running = subprocess.Popen(
        [*program, "serve", "--db", str(db), "--port", str(port)], stdout=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    end = time.monotonic() + _STARTING
    try:
        while True:
            try:
                _timed(f"{address}/static/pages.css")
                break
            except OSError:
                if running.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.05)
        yield address
    finally:
        running.terminate()
        running.wait(30)


if __name__ == "__main__":
    main()
