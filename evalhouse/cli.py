"""The two commands, `evalhouse` and `ingest`, put together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse.cli_ask import QueryCommand, leaderboard_command, show_command, sql
from evalhouse.cli_batch import drop_batch, export_batch, import_batch
from evalhouse.cli_benchmarks import benchmarks_app
from evalhouse.cli_cache import cache_app
from evalhouse.cli_compare import compare_command
from evalhouse.cli_dataset_diff import dataset_diff
from evalhouse.cli_export import export_app
from evalhouse.cli_file import check, migrate_command, refresh, status
from evalhouse.cli_formats import formats
from evalhouse.cli_import import import_command
from evalhouse.cli_ingest import FORMATS_HELP, ingest
from evalhouse.cli_judge import judge_app
from evalhouse.cli_judges import judges_app
from evalhouse.cli_merge import merge_command
from evalhouse.cli_papers import paper_table_command
from evalhouse.cli_releases import releases_app
from evalhouse.cli_resources import add_resource_options
from evalhouse.cli_runs import runs_app
from evalhouse.cli_score import score_choices_command, score_images_command
from evalhouse.cli_shared import console, escaped, out, shown
from evalhouse.cli_subsets import subsets_app
from evalhouse.cli_verify import verify
from evalhouse.demo.build import build as build_demo
from evalhouse.failing import run
from queries import render

app = typer.Typer(
    name="evalhouse",
    help="An offline warehouse for vision-language model evaluations: every answer is a row, every "
    "judgment is a row, every score is a view.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def main() -> None:
    """The command `evalhouse`."""
    run(app)


def ingest_main() -> None:
    """The command `ingest`."""
    alone = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode="rich")
    alone.command(epilog=FORMATS_HELP)(ingest)
    add_resource_options(alone)
    run(alone)


@app.command()
def demo(
    directory: Annotated[
        Path, typer.Argument(help="Where to put the demo's files and warehouse.")
    ] = Path("evalhouse-demo"),
) -> None:
    """Build a warehouse from published figures, offline, and print its leaderboards."""
    house = build_demo(directory, step=lambda text: console.print(escaped(text), style="dim"))
    for level in ("l2", "l3"):
        boards = house.leaderboard("MMBench", level=level)
        shown(render.render_boards(boards, "table", digits=1) + "\n")
    out(
        f"The warehouse is {house.path}. Try:\n"
        f"  evalhouse leaderboard MMBench --db {house.path} --strategy vanilla\n"
        f"  evalhouse leaderboard MMBench --db {house.path} --judge none\n"
        f'  evalhouse sql --db {house.path} "SELECT model, score FROM leaderboard '
        "WHERE level = 'overall' AND strategy = 'circular' AND average = 'micro'\""
    )


app.command(epilog=FORMATS_HELP)(ingest)
app.command()(formats)
app.command(name="dataset-diff")(dataset_diff)
app.command(cls=QueryCommand)(sql)
app.command(name="leaderboard")(leaderboard_command)
app.command(name="compare")(compare_command)
app.command(name="paper-table")(paper_table_command)
app.command(name="show")(show_command)
for batch_command in (export_batch, import_batch, drop_batch):
    judge_app.command(name=batch_command.__name__.replace("_", "-"))(batch_command)
app.add_typer(judge_app, name="judge")
app.add_typer(judges_app, name="judges")
app.add_typer(cache_app, name="cache")
app.command(name="score-choices")(score_choices_command)
app.command(name="score-images")(score_images_command)
app.add_typer(runs_app, name="runs")
app.add_typer(export_app, name="export")
app.command()(verify)
app.command(name="import")(import_command)
app.command(name="merge")(merge_command)
app.add_typer(benchmarks_app, name="benchmarks")
app.add_typer(releases_app, name="releases")
app.add_typer(subsets_app, name="subsets")
app.command()(status)
app.command()(refresh)
app.command()(check)
app.command(name="migrate")(migrate_command)
add_resource_options(app)
