"""What a release is meant to change: the list of hooks, folders that begin from one, warnings, and the pages."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from evalhouse.demo.build import build as build_demo
from queries import hooks, render
from queries import release as releases
from tests.commands import run
from tests.conftest import ROOT
from tests.trunk import TRUNK
from warehouse.errors import UsageError


def test_the_command_has_the_table_of_the_hooks(tmp_path: Path) -> None:
    table = render.render_frame(hooks.frame(releases.load("field_v2")), "markdown").strip()
    assert run("evalhouse", "releases", "hooks", "--markdown", cwd=tmp_path).out.strip() == table


def test_every_view_of_the_trunk_is_a_hook() -> None:
    names = [hook.name for hook in hooks.hooks(releases.load("paper_v1"))]
    assert [name for name in names if name in TRUNK] == list(TRUNK)


def test_a_release_from_a_hook(tmp_path: Path) -> None:
    hooks.new(tmp_path / "own", ["question_result", "is_counted"], "paper_v1")
    made = releases.load(str(tmp_path / "own"))
    assert {file.name for file in made.own_files} == {"question_result", "is_counted"}
    shipped = releases.load("paper_v1")
    assert [f.text for f in made.own_files] == [
        f.text for f in shipped.files if f.name in ("question_result", "is_counted")
    ]
    assert hooks.warnings(made) == ()
    before = sorted(tmp_path.rglob("*"))
    for folder, names, words in (
        ("own", ["is_counted"], "is not empty"),
        ("other", ["current_run"], "no hook 'current_run'"),
        ("Not-a-name", ["is_counted"], "cannot be a release"),
        ("paper_v1", ["is_counted"], "cannot be a release"),
    ):
        with pytest.raises(UsageError, match=words):
            hooks.new(tmp_path / folder, names, "paper_v1")
    with pytest.raises(UsageError, match="no shipped release 'x'"):
        hooks.new(tmp_path / "other", ["is_counted"], "x")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.slow
def test_what_is_no_hook_is_warned_of(tmp_path: Path) -> None:
    hooks.new(tmp_path / "own", ["is_counted"], "paper_v1")
    shutil.copy(releases.load("paper_v1").views["ability_reach"].path, tmp_path / "own")
    (tmp_path / "own" / "of_mine.sql").write_text("SELECT run_id FROM current_run", "utf-8")
    (warning,) = hooks.warnings(releases.load(str(tmp_path / "own")))
    assert warning.startswith(
        f"{tmp_path / 'own' / 'ability_reach.sql'}, line 9: ability_reach is machinery"
    )
    assert warning.endswith("hooks that rest on it: ability_score")
    said = run("evalhouse", "releases", "install", "own", "--db", "x.duckdb", cwd=tmp_path)
    assert (said.code, "ability_reach is machinery" in said.err) == (0, True)
    for command in (
        ("leaderboard", "--release", "own"),
        ("releases", "diff", "paper_v1", "own"),
    ):
        said = run("evalhouse", *command, "--db", "x.duckdb", cwd=tmp_path)
        assert said.err.count("ability_reach is machinery") == 1, command


@pytest.mark.long
def test_the_page_s_example(tmp_path: Path) -> None:
    """The page on adding a rule, as a reader does what it says."""
    text = (ROOT / "docs" / "adding-a-rule.md").read_text("utf-8")
    build_demo(tmp_path / "evalhouse-demo")
    said = []
    for kind, block in re.findall(r"```(console|sql)\n(.*?)```", text, re.DOTALL):
        if kind == "sql":
            (path,) = re.findall(r"into `(.*?)`:\n\n```sql\n" + re.escape(block), text)
            assert (tmp_path / path).is_file()
            (tmp_path / path).write_text(block, "utf-8")
            assert block.count("\n") < 40
            continue
        for line in block.splitlines():
            done = run(*shlex.split(line), cwd=tmp_path)
            assert done.code == 0, f"{line}: {done.err}"
            said.append(done.out)
    _, diff, board, compared = said
    assert "85.37" in compared
    assert re.search(r"Shikra +85\.37 ", board)
    assert "required_passes" in diff
