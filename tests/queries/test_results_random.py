"""Random operations on a warehouse: after each, results are what is computed anew from the facts.

A few of them in each run (EVALHOUSE_KEPT is another number), 300 under `make test-long`.
EVALHOUSE_FUZZ_SEED begins elsewhere.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evalhouse import Warehouse
from queries import install
from queries import release as releases
from queries.results import refresh as keeping
from tests.fuzz import CHUNKS
from tests.oracle import Ask
from tests.results import rows_of_results
from tests.tables import add_replies, question_rows, write_jsonl
from warehouse import judges, merge, sources
from warehouse.connection import transaction, with_logs
from warehouse.errors import EvalhouseError

_FEW = int(os.environ.get("EVALHOUSE_KEPT") or 6)
_MANY = int(os.environ.get("EVALHOUSE_OPERATIONS") or 300)
_BEGIN = int(os.environ.get("EVALHOUSE_FUZZ_SEED") or 0)
_TEXTS = ["A", "B.", "(C)", "The answer is B", "no idea", "A or B", "", None, "dog"]
_OWN = "mine"


class _Operator:
    """Operations on one warehouse, drawn from a seed; each says what it did."""

    def __init__(self, house: Warehouse, folder: Path, seed: int) -> None:
        self.house = house
        self.folder = folder
        self.pick = random.Random(seed)
        self.n_files = 0
        # Two datasets; each question has its choices, and the answer that is its.
        self.asks = {
            split: [
                Ask(
                    f"{split}{n}",
                    {step: {c: f"{c}{n}{step}" for c in "ABC"[: 2 + n % 2]} for step in range(1 + n % 2)},
                    {step: "AB"[(n + step) % 2] for step in range(1 + n % 2)},
                )
                for n in range(4)
            ]
            for split in ("dev", "test")
        }  # fmt: skip

    def file(self, rows: list[dict[str, object]]) -> Path:
        self.n_files += 1
        return write_jsonl(self.folder / f"f{self.n_files}.jsonl", rows)

    def begin(self) -> None:
        """Both datasets, and a run of each of two models on both."""
        for split, asks in self.asks.items():
            rows = self.questions(split, asks)
            self.house.ingest(self.file(rows), benchmark="Own", refresh=False)
            for model in ("one", "two"):
                self.answers(split, model, "r1", replace=False, refresh=False)

    def answers(self, split: str, model: str, label: str, *, replace: bool, refresh: bool) -> None:
        rows: list[dict[str, object]] = [
            {
                "model": model,
                "split": split,
                "question_key": ask.key,
                "pass": step,
                "prediction": self.pick.choice(_TEXTS),
            }
            for ask in self.asks[split]
            for step in ask.choices
            if self.pick.random() < 0.9
        ]
        self.house.ingest(
            self.file(rows), benchmark="Own", run=label, replace=replace, refresh=refresh
        )

    def questions(self, split: str, asks: list[Ask]) -> list[dict[str, object]]:
        return [
            {**row, "split": split, "ability_l1": "even" if int(row["question_key"][-1]) % 2 else "odd"}
            for row in question_rows(asks)
        ]  # fmt: skip

    def ingest_questions(self, refresh: bool) -> str:
        split = self.pick.choice(list(self.asks))
        rows = self.questions(split, self.asks[split])
        if self.pick.random() < 0.4:
            rows = [{k: v for k, v in row.items() if k != "answer"} for row in rows]
        self.house.ingest(self.file(rows), benchmark="Own", refresh=refresh)
        return f"{len(rows)} questions of {split}"

    def correct_key(self, refresh: bool) -> str:
        split = self.pick.choice(list(self.asks))
        rows = self.questions(split, self.asks[split])
        for row in rows:
            row["answer"] = self.pick.choice("AB")
        self.house.ingest(self.file(rows), benchmark="Own", replace=True, refresh=refresh)
        return f"another key of {split}"

    def change_questions(self, refresh: bool) -> str:
        split = self.pick.choice(list(self.asks))
        asks = self.pick.sample(self.asks[split], self.pick.choice([2, 3, 4]))
        rows = self.questions(split, asks)
        for row in rows:
            if self.pick.random() < 0.3:
                row["A"] = self.pick.choice(["dog", "cat"])
            row["ability_l1"] = self.pick.choice(["even", "odd", "prime"])
        drops = self.pick.random() < 0.5
        self.house.ingest(
            self.file(rows), benchmark="Own", replace=True, drop_missing=drops, refresh=refresh
        )
        return f"{len(asks)} questions of {split} changed{', others dropped' * drops}"

    def ingest_run(self, refresh: bool) -> str:
        split, model = self.pick.choice(list(self.asks)), self.pick.choice(["one", "two", "six"])
        label = self.pick.choice(["r1", "r2"])
        replace = self.pick.random() < 0.6
        self.answers(split, model, label, replace=replace, refresh=refresh)
        return f"run {label} of {model} on {split}"

    def ingest_subset(self, refresh: bool) -> str:
        split = self.pick.choice(list(self.asks))
        keys = self.pick.sample([ask.key for ask in self.asks[split]], 2)
        rows: list[dict[str, object]] = [{"question_key": key, "subset": "some"} for key in keys]
        self.house.ingest(
            self.file(rows), benchmark="Own", split=split, format="subset", replace=True, refresh=refresh
        )  # fmt: skip
        return f"subset of {split}"

    def ingest_judgments(self, refresh: bool) -> str:
        split = self.pick.choice(list(self.asks))
        model = self.pick.choice(["one", "two"])
        rows: list[dict[str, object]] = [
            {
                "judge": self.pick.choice(["Ann", "Bob"]),
                "judge_sample": self.pick.choice([0, 0, 1]),
                "split": split,
                "model": model,
                "question_key": ask.key,
                "pass": 0,
                "prediction": self.pick.choice(["no idea", "dog", "A or B"]),
                "verdict": self.pick.choice("ABX"),
            }
            for ask in self.asks[split][:3]
        ]
        self.house.ingest(self.file(rows), benchmark="Own", on_duplicate="first", refresh=refresh)
        return f"verdicts on {split}"

    def store_judgments(self, refresh: bool) -> str:
        name = self.pick.choice(["eager", "slow"])
        with self.house.changing(refresh=refresh) as con, transaction(con):
            source = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, 0))
            judge = judges.Judge(name, "choice_extraction", "llm", max_attempts=len(name) - 3)
            judge_id = judges.register(con, judge, source_id=source)
            judges.plan_samples(con, judge_id, self.pick.choice([1, 2]), source_id=source)
        add_replies(
            self.house,
            judge_id,
            [
                (ask, 0, self.pick.choice(["no idea", "dog"]), self.pick.choice(["A", "B", "??", None]))
                for ask in self.pick.sample(self.asks["dev"], 3)
            ],
            judge_sample=self.pick.choice([0, 1]),
        )  # fmt: skip
        if refresh:
            self.house.refresh_kept()
        return f"judgments of {name}"

    def rename_run(self, refresh: bool) -> str:
        run_id = self.pick.randint(1, 6)
        if self.pick.random() < 0.5:
            label = self.pick.choice(["r1", "r3", "r4"])
            self.house.rename_run(run_id, label=label, refresh=refresh)
        else:
            model = self.pick.choice(["one", "nine"])
            self.house.rename_run(run_id, model=model, refresh=refresh)
        return f"run {run_id} renamed"

    def retract_run(self, refresh: bool) -> str:
        run_id = self.pick.randint(1, 8)
        self.house.retract_run(run_id, refresh=refresh)
        return f"run {run_id} retracted"

    def change_judge(self, refresh: bool) -> str:
        name = self.pick.choice(["eager", "slow", "Ann", "Bob"])
        with self.house.changing(refresh=refresh) as con:
            if self.pick.random() < 0.3:
                judges.retract(con, name)
            else:
                judges.rename(con, name, f"{name} {self.pick.randint(1, 9)}")
        return f"judge {name} changed"

    def rename_model(self, refresh: bool) -> str:
        rows: list[dict[str, object]] = [{"name": "One", "aliases": "one", "family": "ones"}]
        self.house.ingest(self.file(rows), format="models", refresh=refresh)
        return "models"

    def merge(self, refresh: bool) -> str:
        path = self.folder / f"other{self.n_files}.duckdb"
        shutil.copy(self.folder / "empty.duckdb", path)
        other = _Operator(self.house.at(path), self.folder, self.pick.randrange(10**6))
        other.n_files = 1000 * (self.n_files + 1)
        for operation in (other.ingest_questions, other.ingest_run, other.store_judgments):
            _try(operation, False)
        self.n_files += 1
        with self.house.changing(files=with_logs(path), refresh=refresh) as con:
            merge.merge(con, path)
        return "merged"

    def refresh(self, refresh: bool) -> str:
        # As `evalhouse refresh --all`, or of the default release: what waits in others goes on waiting.
        names = [one.release for one in self.house.kept()] if refresh else [install.LATEST]
        for name in names:
            assert self.house.refresh(release=name, verify=refresh).changed == ()
        return "refreshed"

    def drop(self, refresh: bool) -> str:
        self.house.drop_kept()
        if refresh:
            self.house.refresh_kept()
        return "dropped"

    def install(self, refresh: bool) -> str:
        folder = self.folder / _OWN
        (folder / "macros").mkdir(parents=True, exist_ok=True)
        (folder / "release.toml").write_text('description = "Mine."\nbuilds_on = "paper_v1"\n')
        body = self.pick.choice(["failed_flag", "FALSE"])
        (folder / "macros" / "is_failed.sql").write_text(
            f"-- One of two.\nCREATE MACRO is_failed(failed_flag) AS {body}\n"
        )
        release = self.pick.choice([str(folder), "paper_v1"])
        loaded = releases.load(release)
        with self.house.changing(refresh=refresh) as con:
            install.install(con, loaded)
        return f"installed {loaded.name} ({body})"


_OPERATIONS = [
    name
    for name in vars(_Operator)
    if not name.startswith("_") and name not in ("file", "begin", "answers", "questions")
]
_OFTEN = [
    "ingest_run",
    "ingest_judgments",
    "store_judgments",
    "ingest_questions",
    "change_questions",
]


def _try(operation: Callable[[bool], str], refresh: bool) -> str:
    try:
        return operation(refresh)
    except EvalhouseError as error:
        # A refusal is an operation too: it changes nothing.
        return f"refused: {error}"


def _require_results(house: Warehouse, *, all_fresh: bool) -> None:
    with house.writing() as con:
        for name in install.installed(con):
            if not keeping.is_of_now(con, name):
                continue
            assert keeping.changed_by_hand(con, name) == (), "the stamp missed a change"
            stale = keeping.stale(con, name)
            assert not (all_fresh and stale), f"{name}: boards would wait"
            stored, anew = rows_of_results(con, name, stale)
            assert stored == anew


def _operate(empty_file: Path, folder: Path, seed: int, n: int) -> int:
    """Do n operations; return how many were not refused."""
    shutil.copy(empty_file, folder / "empty.duckdb")
    path = folder / "warehouse.duckdb"
    shutil.copy(empty_file, path)
    operator = _Operator(Warehouse(path, warn=pytest.fail), folder, seed)
    operator.begin()
    done: list[str] = []
    for _ in range(n):
        name = operator.pick.choice([*_OPERATIONS, *_OFTEN, *_OFTEN])
        refresh = operator.pick.random() < 0.8
        done.append(f"{name}: {_try(getattr(operator, name), refresh)}")
        refused = ": refused" in done[-1]
        try:
            _require_results(operator.house, all_fresh=refresh and not refused)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, after " + "\n".join(done)) from error
    return sum(": refused" not in one for one in done)


@pytest.mark.slow
def test_a_few_operations(empty_file: Path, tmp_path: Path) -> None:
    assert _operate(empty_file, tmp_path, _BEGIN, _FEW) > _FEW // 2


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_operations(empty_file: Path, tmp_path: Path, chunk: int) -> None:
    n = -(-_MANY // CHUNKS)
    assert _operate(empty_file, tmp_path, _BEGIN + 1 + chunk, n) > n // 4
