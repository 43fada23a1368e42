"""The two commands, `evalhouse` and `ingest`, put together.

A command's module, and what it needs, is imported when the command is called: the list of commands
takes no library that opens a warehouse.
"""

from __future__ import annotations

import gc
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from evalhouse.cli_resources import add_resource_options
from evalhouse.failing import end_at_once, run

COMMANDS = {
    "demo": (
        "cli_demo:demo",
        "Build a warehouse from published figures, offline, and print its leaderboards.",
    ),
    "ingest": (
        "cli_ingest:ingest_app",
        "Read questions, predictions, choice scores, judgments or model facts into the warehouse.",
    ),
    "rotate": (
        "cli_rotate:rotate",
        "Write each question once for each of its choices, which move on by one: CircularEval's passes.",
    ),
    "formats": (
        "cli_formats:formats",
        "List the formats that ingest recognises, each with what a file of it holds.",
    ),
    "dataset-diff": (
        "cli_dataset_diff:dataset_diff",
        "Where two datasets or files disagree about a question, its choices or its answer.",
    ),
    "sql": (
        "cli_query:sql_app",
        "Ask the warehouse in SQL, read-only and without access to anything else.",
    ),
    "leaderboard": (
        "cli_query:leaderboard_command",
        "A benchmark's leaderboard as its paper prints it, in percent.",
    ),
    "board": (
        "cli_compare:board_command",
        "Models by the figures of many benchmarks, with their mean and mean rank.",
    ),
    "compare": (
        "cli_compare:compare_command",
        "Compare two runs over the questions that both answered, in percent.",
    ),
    "power": (
        "cli_study:power_command",
        "How large a difference can be seen, and how many questions one takes.",
    ),
    "paper-table": (
        "cli_compare:paper_table_command",
        "A table or figure of one of the papers, of each model's latest run, as the paper prints it.",
    ),
    "differences": (
        "cli_compare:differences_command",
        "Compare the figures that harnesses wrote of runs with ours, and say why they differ.",
    ),
    "serve": (
        "cli_serve:serve",
        "Show the warehouse in a browser: boards, answers, comparisons, judges, SQL, labels.",
    ),
    "report": (
        "cli_serve:report",
        "Write the pages of a warehouse as files that open from disk, without a server or a network.",
    ),
    "images": (
        "cli_images:images_app",
        "The pictures next to the warehouse: add, export and check them.",
    ),
    "show": (
        "cli_query:show_command",
        "Everything about one question: choices, predictions, matches, judgments, scores.",
    ),
    "errors": (
        "cli_compare:errors_command",
        "The wrong answers of a model's latest runs: question, right answer, what it said, the verdict.",
    ),
    "score-choices": (
        "cli_score:score_choices_command",
        "Score every choice with a language model that sees the questions' text alone.",
    ),
    "score-images": (
        "cli_score:score_images_command",
        "Score the choices of questions that are answered with an image, by CLIP similarity.",
    ),
    "verify": (
        "cli_export:verify",
        "Compute every figure of a leaderboard bundle again, from the warehouse.",
    ),
    "import": (
        "cli_export:import_command",
        "Make a new warehouse from a folder that `evalhouse export --parquet` wrote.",
    ),
    "merge": (
        "cli_file:merge_command",
        "Take over what another warehouse holds: its runs, questions, judges, judgments and sources.",
    ),
    "status": (
        "cli_file:status",
        "What is in the file: facts, datasets and how complete they are, subsets, judges, releases.",
    ),
    "refresh": (
        "cli_file:refresh",
        "Compute the results of the runs that are out of date.",
    ),
    "check": (
        "cli_file:check",
        "Verify what the engine does not enforce: damage, keys, references, orphans, views, files on disk.",
    ),
    "migrate": (
        "cli_file:migrate_command",
        "Upgrade an older warehouse to this evalhouse's schema and releases, and compute all results.",
    ),
    "judge": (
        "cli_judge:judge_app",
        "Ask a judge exactly what scoring still needs; replies are cached for good.",
    ),
    "label": (
        "cli_study:label_app",
        "Draw answers that a person should label, and list what is left of them.",
    ),
    "study": (
        "cli_study:study_command",
        "What scores are worth: judges checked by people, noise, questions, ranks.",
    ),
    "judges": (
        "cli_file:judges_app",
        "List the judges, give one a better name, or take one out.",
    ),
    "cache": (
        "cli_judge:cache_app",
        "The cache of paid replies: merge another one, export it, verify its keys.",
    ),
    "runs": ("cli_file:runs_app", "List runs, and mend a wrong label or model."),
    "export": (
        "cli_export:export_app",
        "Write what is here as files: for other tools, or with --parquet the whole warehouse.",
    ),
    "benchmarks": (
        "cli_benchmarks:benchmarks_app",
        "The benchmarks that are known: list, show, add, edit, set.",
    ),
    "releases": (
        "cli_releases:releases_app",
        "The releases of scoring views: list, compare, install, freeze.",
    ),
    "subsets": (
        "cli_subsets:subsets_app",
        "List the subsets of datasets, make one of what a model answered, or have a small one suggested.",
    ),
}  # fmt: skip
"""Each command: the module and the function or Typer app in it, and its help in one sentence."""


class _Later(TyperCommand):
    """A command in the list of commands, without what carries it out."""

    def __init__(self, name: str, place: str, help: str) -> None:
        super().__init__(name, help=help, rich_markup_mode="rich")
        self.place = place

    def load(self, *, is_alone: bool = False) -> Any:
        """The command itself."""
        module, _, attribute = self.place.partition(":")
        found = getattr(import_module(f"evalhouse.{module}"), attribute)
        return command_of(found, self.name or attribute, is_alone=is_alone)


class _Commands(TyperGroup):
    """The commands by name, each imported when it is called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {
            name: _Later(name, place, help) for name, (place, help) in COMMANDS.items()
        }
        self._is_listing = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command; the one sentence alone while they are listed."""
        found = self.commands.get(cmd_name)
        return found.load() if isinstance(found, _Later) and not self._is_listing else found

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The list of commands."""
        self._is_listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._is_listing = False


app = typer.Typer(
    name="evalhouse",
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _version(value: bool) -> None:
    if value:
        # Imported when it is asked for: the list of commands is quick.
        from importlib.metadata import version

        typer.echo(f"evalhouse {version('evalhouse')}")
        raise typer.Exit


@app.callback(
    help="An offline warehouse for vision-language model evaluations: every answer is a row, every "
    "judgment is a row, every score is a query over stored verdicts."
)
def _all(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def command_of(found: Any, name: str, *, is_alone: bool = False) -> Any:
    """A function or a Typer app as a command with the options of resources.

    Args:
        is_alone: it is a program of its own, and offers to complete its options in a shell.
    """
    one = found
    if not isinstance(found, typer.Typer):
        one = typer.Typer()
        one.command()(found)
    one.pretty_exceptions_enable = False
    one.rich_markup_mode = "rich"
    one._add_completion = is_alone
    add_resource_options(one)
    command = typer.main.get_command(one)
    command.name = name
    return command


def main() -> None:
    """The command `evalhouse`."""
    _collect_seldom()
    run(app)


def ingest_main() -> None:
    """The command `ingest`."""
    _collect_seldom()
    place, help = COMMANDS["ingest"]
    run(_Later("ingest", place, help).load(is_alone=True))


def program() -> None:
    """`evalhouse` as a process of its own."""
    end_at_once(main)


def ingest_program() -> None:
    """`ingest` as a process of its own."""
    end_at_once(ingest_main)


def _collect_seldom() -> None:
    """Let Python look for circular garbage once in 50,000 objects: what a command imports and reads is none,
    and to look at it time and again takes a twentieth of what a board takes."""
    gc.set_threshold(50_000, 10, 10)
