"""Commands that change facts end by keeping results; what goes wrong then takes no fact back."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from evalhouse import InputError, Warehouse
from queries import install
from queries import release as releases
from queries.results import refresh as keeping
from tests.commands import run
from tests.damaged import forget_what_is_read
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl
from warehouse.errors import FullDiskError, UsageError

pytestmark = pytest.mark.as_users


_CHOICES = {"A": "cat", "B": "dog"}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Questions, and the answers of three models: 4, 3 and 2 of 4 right."""
    asks = [Ask(str(n), {0: _CHOICES}, {0: "A"}) for n in range(4)]
    made = [write_jsonl(tmp_path / "q.jsonl", question_rows(asks))]
    for model, said in (("four", "AAAA"), ("three", "AAAB"), ("two", "AABB")):
        rows = [
            {"model": model, "question_key": str(n), "prediction": text}
            for n, text in enumerate(said)
        ]
        made.append(write_jsonl(tmp_path / f"{model}.jsonl", rows))
    return made


def _fresh(house: Warehouse) -> tuple[int, int]:
    (kept,) = (one for one in house.kept() if one.release == "field_v2")
    return kept.n_fresh, kept.n_runs


def _scores(house: Warehouse) -> dict[str, float]:
    (board,) = house.leaderboard("Own", strategy="vanilla")
    return {line.model: line.cells[0].score for line in board.lines if line.cells[0]}  # type: ignore[misc]


@pytest.mark.slow
def test_results_are_kept_as_they_come(
    house: Warehouse, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    house.ingest(files[0], files[1], benchmark="Own")
    assert _fresh(house) == (1, 1)
    house.ingest(files[2], benchmark="Own", refresh=False)
    assert _fresh(house) == (1, 2)
    assert _scores(house) == {"four": 1.0, "three": 0.75}
    calls = []
    monkeypatch.setattr(
        keeping, "refresh", lambda con, name, inner=keeping.refresh: calls.append(inner(con, name))
    )
    # Once after the last file, also for what an earlier command left.
    assert len(list(house.ingest_many(*files, benchmark="Own"))) == 4
    assert [(one.n_built, one.n_fresh) for one in calls] == [(2, 3)]
    house.rename_run(1, label="other")
    assert [one.n_built for one in calls] == [2, 1]
    house.retract_run(1)
    assert [(one.n_built, one.n_runs) for one in calls[2:]] == [(0, 2)]
    assert _scores(house) == {"three": 0.75, "two": 0.5}


@pytest.mark.slow
def test_the_option(house: Warehouse, files: list[Path], tmp_path: Path) -> None:
    own = ("--benchmark", "Own", "--db", house.path)
    assert run("ingest", *files[:2], *own, "--no-refresh", cwd=tmp_path).code == 0
    assert _fresh(house) == (0, 1)
    assert run("ingest", files[2], *own, cwd=tmp_path).code == 0
    assert _fresh(house) == (2, 2)
    words = ("runs", "rename", "1", "--label", "other", "--db", house.path)
    assert run("evalhouse", *words, "--no-refresh", cwd=tmp_path).code == 0
    assert _fresh(house) == (1, 2)
    # Also a command that finds nothing new, as one that is given again after it was killed.
    assert run("ingest", files[2], *own, cwd=tmp_path).code == 0
    assert _fresh(house) == (2, 2)


@pytest.mark.slow
def test_what_a_query_names_is_of_now_or_not_there(house: Warehouse, files: list[Path]) -> None:
    """Of a release whose runs are out of date, next to others and the papers."""
    house.ingest(files[0], files[1], benchmark="Own")
    house.install_release("paper_v1")
    with house.writing() as con:
        install.install_group(con, install.PAPERS)
    house.ingest(files[2], benchmark="Own", refresh=False)

    def models(view: str, release: str = "latest") -> list[str]:
        sql = f"SELECT DISTINCT model FROM {view} ORDER BY 1"
        return [str(model) for (model,) in house.sql(sql, release=release).rows()]

    both = ["four", "three"]
    assert models("question_result") == both
    assert models("field_v2.question_result") == models("latest.question_result") == both
    assert models("question_result", "paper_v1") == both
    # Another release in the same query is in the file as it was computed there.
    assert models("paper_v1.question_result") == both[:1]
    waiting = house.sql("SELECT count(*) FROM paper_v1_internal.stale_run").item()
    assert waiting == 1
    assert house.sql("SELECT count(*) FROM papers.mmbench_t2").item() == 0
    # A view that one release lacks is not taken from another.
    with pytest.raises(UsageError, match="harness_difference does not exist"):
        house.sql("FROM harness_difference", release="paper_v1")
    assert house.sql("FROM harness_difference").is_empty()


@pytest.mark.slow
@pytest.mark.all_releases
def test_every_installed_release_is_kept_up(house: Warehouse, files: list[Path]) -> None:
    house.ingest(*files[:2], benchmark="Own")
    house.ingest(files[2], benchmark="Own")
    fresh = {one.release: one.n_fresh for one in house.kept()}
    assert fresh == dict.fromkeys(releases.shipped_names(), 2)


def test_files_before_one_that_cannot_be_read(
    house: Warehouse, files: list[Path], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"question_key": "no such", "prediction": "A", "model": "m"}\n')
    with pytest.raises(InputError):
        house.ingest(*files[:2], bad, benchmark="Own")
    assert _fresh(house) == (1, 1)


def test_an_error_after_which_the_engine_answers_nothing_is_the_one_that_shows(
    house: Warehouse,
) -> None:
    def stopped() -> None:
        with house.changing() as con:
            con.close()
            raise FullDiskError("no space left")

    with pytest.raises(FullDiskError, match="no space left"):
        stopped()


@pytest.mark.slow
@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), duckdb.InterruptException("INTERRUPT Error")]
)
def test_an_interrupt_leaves_facts_and_what_was_kept(
    house: Warehouse,
    files: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
) -> None:
    house.ingest(*files[:2], benchmark="Own")
    notes: list[str] = []

    def interrupted(*_: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(keeping, "_store", interrupted)
        with pytest.raises(type(error)):
            Warehouse(house.path, warn=notes.append).ingest(files[2], benchmark="Own")
    assert notes == [
        "the facts are stored, but not the results of field_v2; boards compute what is missing; "
        "`evalhouse refresh` stores it"
    ]
    assert _fresh(house) == (1, 2)
    assert _scores(house) == {"four": 1.0, "three": 0.75}
    assert house.refresh().n_built == 1


def test_results_that_cannot_be_kept_are_a_note(
    house: Warehouse, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise duckdb.IOException("IO Error: no space left")

    with monkeypatch.context() as patched:
        patched.setattr(keeping, "_store", full)
        with pytest.warns(
            UserWarning, match=r"the facts are stored, but not .*: IO Error: no space"
        ):
            house.ingest(*files[:2], benchmark="Own")
    assert _scores(house) == {"four": 1.0}
    assert _fresh(house) == (0, 1)


@pytest.mark.slow
def test_a_release_with_views_that_know_of_no_stamp(house: Warehouse, files: list[Path]) -> None:
    house.ingest(*files[:2], benchmark="Own")
    with house.writing() as con:
        con.execute("DROP VIEW field_v2_internal.run_stamp CASCADE")
    with pytest.warns(UserWarning, match=r"`evalhouse releases install field_v2`"):
        house.ingest(files[2], benchmark="Own")
    assert house.refresh().n_built == 2
    assert _scores(house) == {"four": 1.0, "three": 0.75}


@pytest.mark.slow
@pytest.mark.parametrize(
    "table",
    ["ability_sum", "judge_coverage", "averaged_score", "computed_run", "judged_subject"],
)
def test_a_board_where_a_table_was_dropped(house: Warehouse, files: list[Path], table: str) -> None:
    """It names the table where it reads it, and what follows a change of facts always does."""
    house.ingest(*files[:2], benchmark="Own")
    forget_what_is_read(house.path)
    with duckdb.connect(str(house.path)) as con:
        con.execute(f"DROP TABLE field_v2_internal.{table}")
    scores = ["averaged_score"]
    for board, reads in (
        (house.sql, scores),
        (lambda _: house.leaderboard("Own"), [*scores, "judge_coverage"]),
    ):
        if table in reads:
            with pytest.raises(UsageError, match=rf"{table}(.|\n)*`evalhouse releases install`"):
                board("FROM leaderboard")
        else:
            board("FROM leaderboard")
    with pytest.warns(UserWarning, match=r"`evalhouse releases install field_v2`"):
        house.ingest(files[2], benchmark="Own")
    assert house.refresh().n_built == 2
    assert _scores(house) == {"four": 1.0, "three": 0.75}
