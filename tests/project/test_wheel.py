"""A wheel as people install it: on each Python that is here, with the lowest versions that it claims."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from evalhouse import __version__
from tests.conftest import ROOT
from tests.docs.test_pages import follow

pytestmark = pytest.mark.wheel

_NAMES = [f"python3.{minor}" for minor in range(11, 15)]


def _run(*words: object, cwd: Path) -> str:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, words)), cwd=cwd, env=env, capture_output=True, text=True, timeout=1_200
    )
    assert done.returncode == 0, f"{words}: {done.stdout[-2_000:]}{done.stderr[-2_000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean copy of what is committed."""
    folder = tmp_path_factory.mktemp("wheel")
    _run("git", "clone", "-q", "--depth", "1", f"file://{ROOT}", folder / "clone", cwd=folder)
    return folder / "clone"


@pytest.fixture(scope="module")
def wheel(clone: Path) -> Path:
    """Built from it."""
    folder = clone.parent
    # An environment that uv made has no pip.
    _run(sys.executable, "-m", "venv", folder / "build", cwd=folder)
    pip = (folder / "build" / "bin" / "python", "-m", "pip")
    _run(*pip, "wheel", "-q", "--no-deps", "-w", folder, clone, cwd=folder)
    (path,) = folder.glob("evalhouse-*.whl")
    return path


def _lowest(folder: Path) -> Path:
    """Constraints to the lowest version of each library that pyproject.toml allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = [re.match(r"([\w.-]+)>=([\d.]+)", line) for line in project["dependencies"]]
    lines = [f"{one[1]}=={one[2]}" for one in found if one]
    assert len(lines) == len(project["dependencies"])
    path = folder / "lowest.txt"
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("name", _NAMES)
def test_the_lowest_versions_do_the_main_job(wheel: Path, tmp_path: Path, name: str) -> None:
    python = shutil.which(name)
    # A name on the path may lead nowhere, as those of version managers do.
    if python is None or subprocess.run([python, "--version"], capture_output=True).returncode:
        pytest.skip(f"{name} is not on this machine")
    _run(python, "-m", "venv", tmp_path / "env", cwd=tmp_path)
    bin_ = tmp_path / "env" / "bin"
    _run(
        bin_ / "python", "-m", "pip", "install", "-q", "-c", _lowest(tmp_path), wheel, cwd=tmp_path
    )
    assert __version__ in _run(bin_ / "evalhouse", "--version", cwd=tmp_path)
    printed = _run(bin_ / "evalhouse", "demo", "here", cwd=tmp_path)
    assert re.search(r"1 +Kosmos-2 +59\.2", printed)
    (tmp_path / "q.csv").write_text("question_key,question,A,B,answer\n1,Which?,x,y,B\n")
    (tmp_path / "a.csv").write_text("question_key,model,prediction\n1,m,B\n")
    _run(
        bin_ / "ingest", "q.csv", "a.csv", "--benchmark", "Own", "--db", "own.duckdb", cwd=tmp_path
    )
    board = _run(bin_ / "evalhouse", "leaderboard", "Own", "--db", "own.duckdb", cwd=tmp_path)
    assert re.search(r"m +100\.00", board)
    query = "SELECT model, score FROM score"
    assert "m" in _run(bin_ / "evalhouse", "sql", query, "--db", "own.duckdb", cwd=tmp_path)
    for fmt in ("xlsx", "svg", "html", "latex"):
        _run(
            bin_ / "evalhouse", "leaderboard", "Own", "--db", "own.duckdb", "--format", fmt, "-o", f"b.{fmt}",
            cwd=tmp_path,
        )  # fmt: skip
        assert (tmp_path / f"b.{fmt}").stat().st_size > 100


def test_the_first_hour_from_pip_install(clone: Path, tmp_path: Path) -> None:
    """The tutorial as it begins: pip installs a checkout, and its commands print what the page says."""
    page = "tutorial-own-benchmark"
    (command,) = re.findall(
        r"from a checkout \(`(pip install \S+)`\)",
        (clone / "docs" / f"{page}.md").read_text("utf-8"),
    )
    _run(sys.executable, "-m", "venv", tmp_path / "env", cwd=tmp_path)
    bin_ = tmp_path / "env" / "bin"
    _run(bin_ / "python", "-m", *command.split(), "-q", cwd=clone)
    kitchen = tmp_path / "kitchen"
    kitchen.mkdir()
    assert follow(page, kitchen, bin_) >= 4
    assert (kitchen / "kitchen.svg").read_text("utf-8").startswith("<svg")


_PEERS = ("ms-vlmeval", "lm-eval")
_LARGE = re.compile(r"torch|nvidia|cuda|triton", re.IGNORECASE)
"""Packages of several GB, which nothing of ours looks at."""


def test_it_installs_beside_its_peers(wheel: Path, tmp_path: Path) -> None:
    """One environment for the wheel, VLMEvalKit and lm-eval: pip finds versions that suit all (five minutes)."""
    _run(sys.executable, "-m", "venv", tmp_path / "env", cwd=tmp_path)
    bin_ = tmp_path / "env" / "bin"
    pip = (bin_ / "python", "-m", "pip", "install", "-q")
    _run(*pip, "-U", "pip", cwd=tmp_path)
    _run(*pip, "--dry-run", "--report", "report.json", wheel, *_PEERS, cwd=tmp_path)
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))["install"]
    pins = [
        f"{one['metadata']['name']}=={one['metadata']['version']}"
        for one in report
        # What has to be compiled is left, and so is what takes most of the time.
        if one["download_info"]["url"].endswith(".whl")
        and not _LARGE.search(one["metadata"]["name"])
        and one["metadata"]["name"] != "evalhouse"
    ]
    assert {"duckdb", "lm_eval", "ms-vlmeval"} <= {pin.partition("==")[0] for pin in pins}
    (tmp_path / "pins.txt").write_text("\n".join(pins))
    _run(*pip, "--no-deps", "-r", "pins.txt", wheel, cwd=tmp_path)
    assert __version__ in _run(bin_ / "evalhouse", "--version", cwd=tmp_path)
    printed = _run(bin_ / "evalhouse", "demo", "here", cwd=tmp_path)
    assert re.search(r"1 +Kosmos-2 +59\.2", printed)
