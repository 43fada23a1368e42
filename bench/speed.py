"""Speed: next to peers, the engine's floor and another revision, and to the targets.

    python -m bench.speed [NAME …] [--large] [--scale 0.01]

By default everything is measured, each part by the function of that name, one after the other. One
that fails does not keep the others from running; the exit code is 1 then. Falling short of a target
is a result, not a failure. Data stay in `.bench` and are used again, as are the peers' environments
(2.6 GB). Limits are 2 threads and 8 GB. Figures are medians of `--pairs` rounds in turn, least to
greatest in brackets; those of a `--scale` of less than 1 mean nothing.

`targets` wants `--before CHECKOUT`, a checkout of the other revision with its own environment in
`.venv`. `--shell DUCKDB` is DuckDB's own command, for what is asked from a shell; without it
Python's client stands for it, of which most is starting Python.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.request
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from urllib.parse import quote

import duckdb
import openai

from bench import answers, data, measure
from bench.answers import PEERS, SHARED
from bench.data import PeerSet
from bench.measure import EVALHOUSE, LIMITS, ROOT, SQL, Cost, Side, kept
from bench.report import Report, data_folder, parser, ratios, spread
from evalhouse import Warehouse
from evalhouse.demo.build import JUDGE
from evalhouse.judging import JudgeSettings, assign
from ingest.reading.json_stream import JsonZip
from judge.budget import Budget
from judge.request import body_of
from queries import corrected, session

RELEASE = "vlmevalkit_0_0_20"
TIMES_BYTES = 2.0
"""The target of memory over a samples file's bytes, beyond an ingest of one document."""


class Differ(Exception):
    """Our figure is not the peer's, or the file's own."""


def _new_file(folder: Path) -> Path:
    """A warehouse that holds nothing, to be copied."""

    def make(part: Path) -> None:
        with Warehouse(part).writing():
            pass

    return kept(folder / "empty.duckdb", make)


def _scaled(given: Namespace, n: int) -> int:
    return max(20, int(n * given.scale))


def _shown(*costs: Cost) -> str:
    cpu, peak = median(cost.cpu for cost in costs), max(cost.peak for cost in costs)
    return f"{spread(_walls(costs))}, processor {cpu:.2f} s, {peak / 1e6:,.0f} MB"


def _walls(costs: Iterable[Cost]) -> list[float]:
    return [cost.wall for cost in costs]


def require_same(ours: float | None, theirs: float, what: object) -> None:
    """Compare a figure with ours.

    Raises:
        Differ: they are not the same.
    """
    if ours is None or abs(ours - theirs) > 1e-9:
        raise Differ(f"{what}: {ours} here, {theirs} there")


def vlmevalkit(given: Namespace, report: Report) -> None:
    """Compare with VLMEvalKit's evaluation of the same prediction files (exact matching).

    CircularEval and the report per ability over 2,974 questions × 4 passes × 4 models from xlsx
    files, and 1,000 plain questions; with --large from TSV files, and 14,232 plain questions (half
    an hour for VLMEvalKit). Both sides must give the same accuracy for every model and ability.
    """
    python, folder = measure.python_of(given.folder, "vlmevalkit"), data_folder(given) / "peer"
    kind, n_plain = ("tsv", 14_232) if given.large else ("xlsx", 1_000)
    circular = data.peer_set(folder, kind, _scaled(given, 2_974), "circular")
    _evaluate(given, report, python, circular)
    plain = data.peer_set(folder, "tsv", _scaled(given, n_plain), "vanilla")
    _evaluate(given, report, python, plain)
    report.notes.append(
        "Whole: processes from start to end, ours into a new warehouse (ingest, then leaderboard). "
        "Calls: after imports and with an empty warehouse there, against the peer's reading of its "
        "dataset and evaluating. Re-scoring is the leaderboard alone, of what is ingested: computed"
        " in it, or kept; the peer has nothing but its files."
    )


def _evaluate(given: Namespace, report: Report, python: Path, asked: PeerSet) -> None:
    folder, query = asked.questions.parent, SQL[f"peer_{asked.strategy}"]
    scratch = folder / "scratch"
    empty = shutil.copy(_new_file(folder), folder / "empty-with-release.duckdb")
    Warehouse(empty).install_release(RELEASE)
    db = scratch / "calls" / "ours.duckdb"
    evaluations: list[float] = []
    accuracies: dict[str, dict[str, float]] = {}
    words = ["leaderboard", asked.benchmark, "--judge", "none", "--release", RELEASE]
    board = partial(measure.evalhouse, *words, "--strategy", asked.strategy, *LIMITS, "--db")

    def theirs() -> float:
        files = asked.fresh(scratch / "peer")
        command = [python, "-I", PEERS, "scores", asked.dataset, *files]
        cost = measure.process(command, env={"LMUData": str(folder)}, cwd=scratch / "peer")
        said = json.loads(cost.output.splitlines()[-1])
        evaluations.append(said["seconds"]["dataset"] + said["seconds"]["evaluate"])
        for path, found in said["accuracy"].items():
            accuracies[Path(path).stem.removesuffix(f"_{asked.dataset}")] = found
        return cost.wall

    def commands() -> float:
        files, new = asked.fresh(scratch / "commands"), scratch / "commands" / "ours.duckdb"
        flags = ("--no-refresh", "--benchmark", asked.benchmark, "--db", new, *LIMITS)
        return measure.evalhouse("ingest", asked.questions, *files, *flags).wall + board(new).wall

    def calls() -> float:
        files = asked.fresh(db.parent)
        shutil.copy(empty, db)
        house = measure.house(db)

        def work() -> None:
            house.ingest(asked.questions, *files, benchmark=asked.benchmark, refresh=False)
            with house.reading() as con:
                session.use_release(con, RELEASE)
                con.sql(query).to_arrow_table()

        return measure.seconds(work)

    whole, ours, called = measure.in_turn(given.pairs, theirs, commands, calls)
    n = check(Warehouse(db), asked, accuracies)
    title = f"{asked.n_rows:,} {asked.strategy} rows ({asked.files[0].suffix[1:]})"
    report.section(f"{title}: {n} accuracies, equal on both sides")
    report.figure("VLMEvalKit, whole", whole)
    rate = f", {asked.n_rows / median(evaluations):,.0f} rows/s"
    report.figure("VLMEvalKit, calls", evaluations, note=rate)

    def faster(what: str, theirs: list[float], ours: list[float], least: float) -> None:
        report.figure(what, ours)
        report.figure(f"{what}: times as fast", ratios(theirs, ours), "×", least=least)

    faster("ingest and scores, whole", whole, ours, 100)
    faster("ingest and scores, calls", evaluations, called, 100)
    for state in ("computed", "kept"):
        if state == "kept":
            measure.evalhouse("refresh", "--release", RELEASE, "--db", db, *LIMITS)
        faster(f"re-scoring by command, {state}", whole, [board(db).wall for _ in whole], 1_000)
        # The first round of a process computes what is out of date.
        rounds = [given.pairs] if state == "kept" else [0] * given.pairs
        asked_for = (measure.ask(db, f"peer_{asked.strategy}", n, RELEASE) for n in rounds)
        by_query = [one for cost in asked_for for one in cost.seconds]
        faster(f"re-scoring by query, {state}", evaluations, by_query, 1_000)
    shutil.rmtree(scratch)


def check(house: Warehouse, asked: PeerSet, accuracies: Mapping[str, Mapping[str, float]]) -> int:
    """Compare every accuracy of the peer with ours; return how many there are.

    Raises:
        Differ: one is not the same, or not there.
    """
    names, sql = data.peer_names(), SQL[f"peer_{asked.strategy}"]
    ours = {
        (model, "Overall" if level == "overall" else names.get(ability, ability)): score
        for model, level, ability, score in house.sql(sql, release=RELEASE).iter_rows()
    }
    theirs = {
        (model, name): score for model, found in accuracies.items() for name, score in found.items()
    }
    if ours.keys() != theirs.keys():
        raise Differ(f"only on one side: {sorted(ours.keys() ^ theirs.keys())}")
    for key, score in theirs.items():
        require_same(ours[key], score, key)
    return len(theirs)


def work_dir(given: Namespace, report: Report) -> None:
    """Ingest a lab's work dir and make its Open VLM board: 37 data sets by three models.

    The folder is `formats/vlmevalkit_field` of the shared data (EVALHOUSE_SHARED), into a new
    warehouse; each a whole process.
    """
    field, db = SHARED / "formats" / "vlmevalkit_field", data_folder(given) / "work_dir.duckdb"
    if not field.is_dir():
        report.text("the work dir", "-", f"no folder {field}: EVALHOUSE_SHARED names the data")
        return
    db.parent.mkdir(parents=True, exist_ok=True)

    def ingest() -> float:
        db.unlink(missing_ok=True)
        return measure.evalhouse("ingest", field / "outputs", "--db", db).wall

    def board() -> float:
        return measure.evalhouse("board", "openvlm", "--db", db).wall

    pairs = [(ingest(), board()) for _ in range(given.pairs)]
    with Warehouse(db).reading() as con:
        ((n_rows,),) = con.execute(SQL["counted_predictions"]).fetchall()
    ingests, boards = zip(*pairs, strict=True)
    report.figure("ingest", ingests)
    per_rows = [one / n_rows * 10_000 for one in ingests]
    report.figure(f"per 10,000 of its {n_rows:,} predictions", per_rows, most=3)
    report.figure("board openvlm", boards, most=1.5)
    db.unlink()


def inspect_logs(given: Namespace, report: Report) -> None:
    """Read an Inspect log of 5,000 graded samples into rows, next to Inspect (0.3.285).

    The log is made by Inspect itself with mock models (minutes, once), and read by `evalhouse
    ingest` into a warehouse that is there, and by Inspect's `samples_df(full=True)`. The accuracy
    that Inspect wrote into the log has to be ours.
    """
    python, n = measure.python_of(given.folder, "inspect"), _scaled(given, 5_000)
    folder = data_folder(given) / "inspect"
    logs = kept(
        folder / f"log-{n}",
        lambda part: measure.process([python, "-I", PEERS, "inspect_make", part, str(n)]),
    )
    (log,) = logs.glob("*.eval")
    with JsonZip(log) as archive:
        scores = archive.read("header.json")["results"]["scores"]
    empty, db = _new_file(folder), folder / "ours.duckdb"

    def ingest() -> Cost:
        shutil.copy(empty, db)
        return measure.evalhouse("ingest", "--no-refresh", log, "--db", db, *LIMITS)

    def samples_df() -> Cost:
        cost = measure.process([python, "-I", PEERS, "inspect_read", log])
        require_same(int(cost.output.split()[-1]), n, "samples of Inspect's")
        return cost

    ours, peers = measure.in_turn(given.pairs, ingest, samples_df)
    found = Warehouse(db).sql("SELECT score FROM letter_total WHERE level = 'overall'").item()
    require_same(found, scores[0]["metrics"]["accuracy"]["value"], log)
    report.section(f"{n:,} samples with a grader's replies, {log.stat().st_size / 1e6:.1f} MB")
    report.text("evalhouse ingest", _shown(*ours))
    report.text("Inspect's samples_df(full=True)", _shown(*peers))
    peak, other = (max(cost.peak for cost in costs) for costs in (ours, peers))
    report.figure("the command", _walls(ours), most=2.5)
    report.figure("its memory", peak / 1e6, "MB", most=300)
    report.figure("memory, over Inspect's", peak / other, "×", most=1)
    db.unlink()


def lm_eval_samples(given: Namespace, report: Report) -> None:
    """Ingest a samples file of lm-evaluation-harness of 20,000 documents, next to one document.

    The file is generated: multiple choice with four choices, the prompt in each of four requests.
    What the large one takes beyond the small one is reading; the share of right answers has to be
    the file's.
    """
    folder, n = data_folder(given) / "lm_eval", _scaled(given, 20_000)
    paths = {size: data.lm_eval_samples(folder, size) for size in (1, n)}
    empty, db = _new_file(folder), folder / "ours.duckdb"

    def work(size: int) -> Cost:
        shutil.copy(empty, db)
        words = ("--map", f"{data.TASK}=Large", "--no-refresh", "--db", db)
        cost = measure.evalhouse("ingest", paths[size], *words)
        if size == n:
            require_share(Warehouse(db), paths[n])
        return cost

    costs = measure.in_turn(given.pairs, partial(work, 1), partial(work, n))
    bytes_of_file = paths[n].stat().st_size
    report.section(f"{n:,} documents, {bytes_of_file / 1e6:.1f} MB")
    for size, of_size in zip(paths, costs, strict=True):
        report.text(f"ingest of {size:,}", _shown(*of_size))
    beyond = [large.wall - small.wall for small, large in zip(*costs, strict=True)]
    report.figure("seconds beyond one document", beyond, most=4)
    small, large = (max(cost.peak for cost in of_size) for of_size in costs)
    share = (large - small) / bytes_of_file
    report.figure("memory beyond it, over the file's bytes", share, "×", most=TIMES_BYTES)
    db.unlink()


def require_share(house: Warehouse, path: Path) -> None:
    """Compare a samples file's own share of right answers with ours."""
    with path.open(encoding="utf-8") as file:
        scores = [json.loads(line)["acc"] for line in file]
    ours = house.sql(SQL["vanilla_score"]).item()
    require_same(ours, sum(scores) / len(scores), path)


_CREATE_TABLE = f"""
import sys, duckdb
config = {{"memory_limit": "{measure.MEMORY_LIMIT}", "threads": {measure.THREADS}}}
con = duckdb.connect(sys.argv[1], config=config)
con.execute(f"CREATE TABLE t AS SELECT * FROM {{sys.argv[3]}}('{{sys.argv[2]}}')")
con.close()
"""


def floor(given: Namespace, report: Report) -> None:
    """Ingest 10 million predictions, next to the engine's own floor.

    A Parquet, CSV and JSONL file against `CREATE TABLE AS SELECT * FROM` the same file, both as
    whole processes that end with a file on disk. Scoring next to a bare GROUP BY is part of
    `bench.growth`.
    """
    n, folder = data.n_runs(10 * given.scale), data_folder(given) / "floor"
    questions = data.write_questions(folder / "mmbench.tsv")
    template = kept(
        folder / "questions.duckdb",
        lambda part: measure.house(part).ingest(questions, benchmark="MMBench"),
    )
    db = folder / "scratch.duckdb"
    flags = ("--no-refresh", "--benchmark", "MMBench", "--db", db, *LIMITS)
    for kind, reader in (("parquet", "read_parquet"), ("csv", "read_csv"), ("jsonl", "read_json")):
        file = data.write_predictions(folder / f"predictions.{kind}", 1, n)

        def ingest(file: Path) -> Cost:
            shutil.copy(template, db)
            return measure.evalhouse("ingest", file, *flags)

        def create(file: Path, reader: str) -> Cost:
            db.unlink(missing_ok=True)
            return measure.process([sys.executable, "-c", _CREATE_TABLE, db, file, reader])

        works = (partial(ingest, file), partial(create, file, reader))
        ours, bare = measure.in_turn(given.pairs, *works)
        report.section(f"Ingest, {kind}, {file.stat().st_size / 1e6:,.0f} MB")
        report.text("CREATE TABLE AS SELECT", _shown(*bare))
        report.text("evalhouse ingest", _shown(*ours))
        report.figure("ratio", ratios(_walls(ours), _walls(bare)), "×", most=2)
    db.unlink()


_README = "SELECT model, score FROM latest.score WHERE ability = 'Overall' ORDER BY rank"
_PAIR = (
    "FROM latest.paired_difference WHERE model_a = 'OpenFlamingo' AND model_b = 'OpenFlamingo v2'"
)
_SHEET = "FROM latest.answer_sheet WHERE score = 0 LIMIT 100"
_ASKED = {
    "FROM latest.score": ("FROM latest.score", 1 / 200),
    "the README's query": (_README, 1 / 200),
    "latest.benchmark_score": ("FROM latest.benchmark_score", 1 / 60),
    "latest.leaderboard": ("FROM latest.leaderboard", 1 / 30),
    "answer_sheet WHERE score = 0 LIMIT 100": (_SHEET, 1 / 40),
    "question_result of one model": ("FROM latest.question_result WHERE model = 'Shikra'", 1 / 40),
    "paired_difference of two models": (_PAIR, 1 / 40),
}
"""What a plain client asks of the demo, and the most that it may take of what it took."""
_ASK = """
import sys, time, duckdb
con = duckdb.connect(sys.argv[1], read_only=True)
if sys.argv[2]:
    con.execute("SET enable_progress_bar = false")
    begun = time.process_time()
    con.execute(sys.argv[2]).fetchall()
    print(time.process_time() - begun)
"""
_COMPUTE_OFTEN = """
import sys
from evalhouse import Warehouse
from queries.release import default_name
from queries.results import refresh
release = default_name()
with Warehouse(sys.argv[1]).writing() as con:
    runs = [run_id for (run_id,) in con.execute("SELECT run_id FROM main.run").fetchall()]
    for n in range(220):
        among = ", ".join(map(str, runs if n < 20 else runs[n % len(runs):][:1]))
        con.execute(f"DELETE FROM {release}_internal.computed_run WHERE run_id IN ({among})")
        assert refresh.refresh(con, release).n_built == among.count(",") + 1
"""


class _Measured(Side):
    """A side with its demo and generated answers; figures are of the processor."""

    def __init__(self, checkout: Path, folder: Path, given: Namespace) -> None:
        super().__init__(checkout, folder)
        self.shell: Path | None = given.shell
        self.of_demo, self.many = self.demo(), self.answers(given.million)
        self.n_more = 0

    def query(self, sql: str, python: Path | None = None, db: Path | None = None) -> float:
        """A query alone, on a connection that was opened before, without evalhouse."""
        command = [python or self.python, "-I", "-c", _ASK, db or self.of_demo, sql]
        return float(measure.process(command, cwd=self.folder).output)

    def client(self, sql: str) -> float:
        """A whole plain client; without a query it opens the file."""
        command = [self.python, "-I", "-c", _ASK, self.of_demo, sql]
        if self.shell is not None:
            command = [self.shell, "-readonly", self.of_demo, sql or "SELECT 1"]
        return measure.process(command).cpu

    def asked(self, words: Sequence[str]) -> float:
        """A command on the demo."""
        return self.command(*words, "--db", self.of_demo).cpu

    def refresh(self) -> float:
        """Computing all runs of the generated answers."""
        self.command("refresh", "--drop", "--db", self.many)
        return self.command("refresh", "--db", self.many).cpu

    def one_more(self, db: Path) -> float:
        """Reading one run of 100 answers more, with its results."""
        self.n_more += 1
        sql = "SELECT question_key FROM main.question ORDER BY question_id LIMIT 100"
        with duckdb.connect(str(db), read_only=True) as con:
            keys = con.execute(sql).fetchall()
            ((version, split),) = con.execute("SELECT version, split FROM main.dataset").fetchall()
        rows = "".join(f"model {self.n_more},{key},A\n" for (key,) in keys)
        file = self.folder / f"more{self.n_more}.csv"
        file.write_text(f"model,question_key,prediction\n{rows}", encoding="utf-8")
        words = ["--version", version] if version is not None else []
        words += ["--split", split] if split is not None else []
        return self.command("ingest", file, "--benchmark", "MMBench", *words, "--db", db).cpu


def targets(given: Namespace, report: Report) -> None:
    """Ask the same of another revision in turn: seconds of the processor, and the ratio to it."""
    if given.before is None:
        report.text("another revision", "-", "not measured: --before CHECKOUT names it")
        return
    title, rounds = f"{given.million:g} million", given.pairs
    with tempfile.TemporaryDirectory(prefix="targets-") as name:
        before = _Measured(given.before, Path(name, "before"), given)
        now = _Measured(ROOT, Path(name, "now"), given)

        def compare(what: str, work: Callable[[_Measured], float], most: float) -> None:
            theirs, ours = measure.in_turn(rounds, lambda: work(before), lambda: work(now))
            note = f": {spread(ours)}, was {spread(theirs)}"
            report.figure(what, median(ours) / median(theirs), "×", most=most, note=note)

        def size(what: str, file: Path, other: int, most: float) -> None:
            n = file.stat().st_size
            note = f": {n / 1e6:.1f} MB, was {other / 1e6:.1f} MB"
            report.figure(what, n / other, "×", most=most, note=note)

        report.section("a plain client, the query alone")
        for what, (sql, most) in _ASKED.items():
            compare(what, partial(_Measured.query, sql=sql), most)
            if given.older_python is not None:
                older = [now.query(sql, given.older_python) for _ in range(rounds)]
                report.figure(f"{what}, the older DuckDB", older)
        report.section("files")
        size("the demo", now.of_demo, before.of_demo.stat().st_size, 1.4)
        size(title, now.many, before.many.stat().st_size, 1.4)
        report.section("whole processes")
        compare("opening the file", lambda side: side.client(""), 0.5)
        compare("a client with the README's query", lambda side: side.client(_README), 1 / 40)
        for words in (["leaderboard", "MMBench"], ["sql", _README.replace("latest.", "")]):
            compare(f"evalhouse {words[0]}", partial(_Measured.asked, words=words), 1 / 1.5)
        compare(f"refresh, {title}", _Measured.refresh, 0.5)
        compare("one run more, the demo", lambda side: side.one_more(side.of_demo), 0.6)
        compare(f"one run more, {title}", lambda side: side.one_more(side.many), 0.6)
        board = "FROM latest.leaderboard WHERE benchmark = 'MMBench' AND level = 'overall'"
        plain = [now.query(board, db=now.many) for _ in range(rounds)]
        whole = [now.command("leaderboard", "MMBench", "--db", now.many).cpu for _ in plain]
        what = f"leaderboard of {title}, to the whole process of the command"
        note = f": {spread(plain)} to {spread(whole)}"
        report.figure(what, median(plain) / median(whole), "×", most=0.35, note=note)
        fresh = now.of_demo.stat().st_size
        measure.process([now.python, "-c", _COMPUTE_OFTEN, now.of_demo])
        size("the demo after 20 computes of all runs and 200 of one", now.of_demo, fresh, 1.5)


def judge_planning(given: Namespace, report: Report) -> None:
    """Plan for a judge: `judge_todo` where 5 % of the answers wait and many are cached already.

    12 million predictions with 0.5 million judgments; with --large 220 million with 10 million. All
    rows of `judge_todo` are fetched over an open connection.
    """
    million, judgments = (220.0, 10e6) if given.large else (12.0, 0.5e6)
    n, n_judgments = data.n_runs(million * given.scale), max(1, round(judgments * given.scale))
    db = data.judged(data_folder(given), n, n_judgments)
    measure.drop_results(db)
    refresh = measure.evalhouse("refresh", "--db", db, *LIMITS)
    cost = measure.ask(db, "judge_todo", given.pairs)
    what = f"{n * data.PASSES:,} predictions, {n_judgments:,} judgments"
    report.section(f"{what}: {cost.n_rows:,} subjects to be judged now")
    report.figure("judge_todo", cost.seconds, most=5)
    report.memory("peak of memory", cost.peak, 2)
    report.text("keeping it, once", _shown(refresh))
    report.memory("its peak of memory", refresh.peak, 8)


@contextmanager
def _judge_server(latency: float, log: Path) -> Iterator[str]:
    """A server in a separate process; gives its base URL."""
    words = ["-m", "tests.judge_server", "--log", str(log), "--latency", str(latency)]
    running = subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    try:
        yield f"http://127.0.0.1:{running.stdout.readline().strip()}/v1"
    finally:
        running.kill()
        running.wait()


def judge_throughput(given: Namespace, report: Report) -> None:
    """Judge 2,000 answers by a local server, next to a bare loop of the same client.

    For servers of 500 ms and 50 ms latency at concurrency 64: the calls per second of `judge` (from
    the first request that the server sees to the last reply; replies durable), of a bare loop,
    which stores nothing, and the share of the ideal or of the bare loop.
    """
    os.environ.setdefault("OPENAI_API_KEY", "none")
    concurrency, n = 64, _scaled(given, 2_000)
    settings = partial(JudgeSettings, model="bench-model", concurrency=concurrency)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        choices = {"A": "cat", "B": "dog", "C": "owl", "D": "fox"}
        known = [
            answers.Known(str(i), "", "", choices, f"it is an animal, number {i}", None)
            for i in range(n)
        ]
        house = answers.warehouse(folder / "bench.duckdb", known)

        async def loop(url: str, bodies: Iterator[Mapping[str, object]]) -> None:
            async with openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:

                async def work() -> None:
                    for body in bodies:
                        await client.chat.completions.create(**body)  # type: ignore[call-overload]

                await asyncio.gather(*(work() for _ in range(concurrency)))

        def rate(is_bare: bool, latency: float) -> float:
            """Calls per second, from the first request to the last reply, by a separate judge."""
            log = folder / f"{time.monotonic_ns()}.jsonl"
            with _judge_server(latency, log) as url:
                judge = settings(base_url=url, name=log.stem, sampling={"seed": int(log.stem)})
                (assignment,) = assign(house.path, judge)
                if is_bare:
                    bodies = [body_of(one, assignment.template) for one in assignment.requests()]
                    asyncio.run(loop(url, iter(bodies)))
                else:
                    progress = assignment.run(Budget())
                    assert (progress.failed, progress.error) == (0, None), progress
            events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
            replied = [one["t"] for one in events if one["event"] == "replied"]
            first = min(one["t"] for one in events if one["event"] == "request")
            return float(len(replied) / (max(replied) - first))

        for latency, against in ((0.5, "the ideal"), (0.05, "the bare loop")):
            works = [partial(rate, is_bare, latency) for is_bare in (True, False)]
            bare, ours = measure.in_turn(given.pairs, *works)
            ideal = concurrency / latency
            report.section(f"{latency * 1000:.0f} ms, ideal {ideal:,.0f} calls/s, {n:,} subjects")
            report.figure("bare loop", bare, "calls/s")
            report.figure("evalhouse judge, replies durable", ours, "calls/s")
            shares = ratios(ours, bare if against == "the bare loop" else [ideal] * len(ours))
            report.figure(f"share of {against}", [100 * x for x in shares], "%", least=90)


def corrected_board(given: Namespace, report: Report) -> None:
    """Make the boards that `evalhouse leaderboard --corrected` prints: corrected by a person.

    1 million predictions with a judge's verdict on every answer that no rule reads, and 10,000
    labels by a person, from kept results. A board is made over an open connection, which computes
    the studies that it needs.
    """
    n, n_labels = data.n_runs(given.scale), _scaled(given, 10_000)
    db = data.judged(data_folder(given), n, n_labels, person=True)
    measure.evalhouse("refresh", "--db", db, *LIMITS)
    walls, processor = [], []
    for method in corrected.METHODS:
        for _ in range(given.pairs):
            with measure.house(db).reading() as con:
                con.execute("SELECT 1")
                begun, used = time.perf_counter(), time.process_time()
                words = {"person": "person", "judge": "bench", "correction": method}
                (board,) = corrected.boards(con, "MMBench", **words)
                walls.append(time.perf_counter() - begun)
                processor.append(time.process_time() - used)
    report.section(f"{n * data.PASSES:,} predictions, {n_labels:,} labels")
    report.text("rows of the board", f"{board.frame.height:,}")
    report.figure("seconds of the processor, over 2 threads", processor)
    report.figure("the board", walls, most=2)


def pages(given: Namespace, report: Report) -> None:
    """Request each page of `evalhouse serve`, for the first time and again.

    Of the demo and of 1 million predictions, with --large 20 million too (`--large --scale 11`: 11
    and 220 million). The server starts in a process of its own; results are kept. The first time is
    that of a page nobody has requested since the file was written.
    """
    side = Side(ROOT, data_folder(given) / "pages")
    _pages_of(report, "the demo", side.demo(), JUDGE)
    # Two runs at least, to compare.
    small = max(given.scale, 0.03)
    for million in (small, 20 * given.scale) if given.large else (small,):
        _pages_of(report, f"{million:g} million predictions", side.answers(million), "none")
    report.notes.append(
        "In brackets the same page again; `then`: where the first answer says that the page is "
        "being computed. Boards are of kept results, lists and answers of the facts of one run."
    )


def _pages_of(report: Report, title: str, db: Path, judge: str) -> None:
    measure.evalhouse("refresh", "--db", db)
    with Warehouse(db).reading() as con:
        (one, run_id), (other, _) = con.execute(SQL["two_runs"]).fetchall()
    report.section(title)
    a, b, run = quote(one), quote(other), f"run={run_id}&judge={judge}"
    paths = {
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
        "suspect keys": f"/suspects?{run}",
    }
    begun = time.perf_counter()
    with _serving(db) as address:
        _timed(f"{address}/")
        report.figure("from the command to the first page", time.perf_counter() - begun)
        for name, path in paths.items():
            first, is_said = _timed(f"{address}{path}")
            then = f", then {_timed(f'{address}{path}')[0]:.2f} s" if is_said else ""
            note = f"{then} [{_timed(f'{address}{path}')[0]:.3f}]"
            report.figure(name, first, note=note, most=1 if name == "leaderboard" else None)


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
    words = [*EVALHOUSE, "serve", "--db", str(db), "--port", str(port)]
    running = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    end = time.monotonic() + 60
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


def readings(given: Namespace, report: Report) -> None:
    """Tell how well each release, and each harness of PEER, reads answers whose readings are known.

    Each line of a FILE is an answer: id, style, language, choices, text, and read (the label that a
    careful person reads; null: it states none). By default they are those that the project was
    given, and those of `tests/readings`.
    """
    own = [path for path in (answers.GIVEN, *sorted(answers.OWN.glob("*.jsonl"))) if path.exists()]
    for path in given.file or own:
        known = answers.load([path])
        with tempfile.TemporaryDirectory() as name:
            house = answers.warehouse(Path(name, "known.duckdb"), known, answers.RELEASES)
            read = answers.of_releases(house.path)
            times = answers.seconds(Path(name), known) if given.time else {}
        if given.peer is not None:
            read |= answers.of_peers(given.peer, known)
        report.section(f"{path.name}: {len(known)} answers")
        for reader, its in read.items():
            took = f"  {1000 * times[reader]:.0f} ms for 1,000" if reader in times else ""
            report.text(reader, f"{answers.quality(known, its)}{took}")
            for group in sorted({getattr(one, given.by) for one in known} if given.by else ()):
                members = [one for one in known if getattr(one, given.by) == group]
                report.text(f"  {group} ({len(members)})", str(answers.quality(members, its)))
        for one in known if given.misses else ():
            found = read["field_v2"].get(one.key)
            if found != one.read:
                report.notes.append(f"{one.key} {one.style} {one.text!r}: {found}, not {one.read}")


def harness_readings(given: Namespace, report: Report) -> None:
    """Count how often `field_v2` reads in an answer what its harness read.

    The answers are those of the shared folders whose harness kept the letter it read: Inspect's and
    lm-eval's of public repositories (real), evalscope's and the letters of a judge of VLMEvalKit's
    work dir (made). A letter counts where the answer states it: it is the one label that stands in
    it for itself.
    """
    with tempfile.TemporaryDirectory() as name:
        known = list(answers.of_harnesses())
        house = answers.warehouse(Path(name, "known.duckdb"), known)
        read = answers.of_releases(house.path, ("field_v2",))["field_v2"]
        rows = [(one.style, one.key, one.read, read[one.key], one.text) for one in known]
        rows += [("judge of VLMEvalKit", *row) for row in answers.of_judge(Path(name))]
    for harness in dict.fromkeys(row[0] for row in rows):
        its = [row for row in rows if row[0] == harness and answers.states(row[4], str(row[2]))]
        same = sum(row[2] == row[3] for row in its)
        report.text(harness, f"{same} of {len(its)} ({same / len(its):.1%}) are read the same")
        for _, key, wanted, found, text in its if given.misses else ():
            if wanted != found:
                report.notes.append(f"{key} {text!r}: {found}, not {wanted}")


MEASURED = {
    one.__name__: one
    for one in (
        *(vlmevalkit, work_dir, inspect_logs, lm_eval_samples, floor, targets, judge_planning),
        *(judge_throughput, corrected_board, pages, readings, harness_readings),
    )
}


def main() -> None:
    """Measure what is named, and print."""
    if measure.environment() != dict(os.environ):
        # What is measured within this process is of its environment too.
        words = [sys.executable, "-m", "bench.speed", *sys.argv[1:]]
        os.execve(sys.executable, words, measure.environment())
    options = parser(__doc__)
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASURED))
    for name, kind in (("before", Path), ("older-python", Path), ("shell", Path), ("peer", str)):
        options.add_argument(f"--{name}", type=kind)
    options.add_argument("--million", type=float, default=2, help="of targets' generated answers")
    options.add_argument("--file", type=Path, action="append", help="of readings")
    options.add_argument("--by", choices=("style", "language"), help="take readings apart")
    options.add_argument("--time", action="store_true", help="of readings, for 1,000 answers")
    options.add_argument("--misses", action="store_true", help="print what is read otherwise")
    given = options.parse_args()
    if unknown := set(given.names) - MEASURED.keys():
        options.error(f"no {', '.join(sorted(unknown))}; there are {', '.join(MEASURED)}")
    failed = []
    for name in given.names or MEASURED:
        report = Report((inspect.getdoc(MEASURED[name]) or name).split("\n")[0])
        try:
            MEASURED[name](given, report)
        except Exception:  # the others are measured all the same
            traceback.print_exc()
            failed.append(name)
        report.show(given.folder)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
