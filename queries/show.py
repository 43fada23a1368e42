"""Questions with what runs made of them, pass by pass and judge by judge: for `show`, `errors` and pages."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import duckdb
from rich import box, markup
from rich.console import Console
from rich.table import Table

from queries import session
from queries.comparison import Comparison
from queries.decimals import NOTHING
from queries.install import LATEST
from warehouse import models
from warehouse.errors import UsageError
from warehouse.files.visible import visible
from warehouse.later import pl


def wrong_answers(
    con: duckdb.DuckDBPyConnection,
    model: str,
    *,
    dataset: str | None = None,
    ability: str | None = None,
    judge: str | None = None,
    release: str = LATEST,
) -> pl.DataFrame:
    """The answers of a model's latest runs that are not wholly right; none of those is pending.

    Args:
        model: by name or alias.
        dataset: a dataset, or a benchmark; None: all.
        ability: by its name or abbreviation, in any case; None: all.
        judge: by default the one that the view `score` is under.

    Raises:
        UsageError: no such model, dataset, ability or judge.
    """
    session.use_release(con, release)
    model_id = models.find(con, model)
    if model_id is None:
        known = [name for (name,) in con.execute("SELECT name FROM main.model").fetchall()]
        raise _unknown("model", model, known)
    for what, name, sql in (
        ("dataset", dataset, "SELECT name FROM main.dataset UNION SELECT name FROM main.benchmark"),
        (
            "ability",
            ability,
            "SELECT name FROM main.ability UNION SELECT abbreviation FROM main.ability",
        ),
        ("judge", judge, "SELECT name FROM main.judge UNION SELECT 'none'"),
    ):
        _require(con, what, name, sql)
    parameters = {
        "model_id": model_id, "dataset": dataset, "ability": ability, "judge": judge,
    }  # fmt: skip
    return session.frame(con, "wrong_answers", parameters)


def differing_questions(con: duckdb.DuckDBPyConnection, found: Comparison) -> pl.DataFrame:
    """The questions that the two runs of a comparison do not score alike.

    Raises:
        UsageError: the comparison is over groups of questions.
    """
    if found.group is not None:
        raise UsageError(
            f"--questions is of questions, and {found.strategy} compares groups of them"
        )
    session.use_release(con, found.release)
    parameters = {
        "run_a": found.a.run_id, "run_b": found.b.run_id,
        "strategy": found.strategy, "judge": found.judge,
    }  # fmt: skip
    frame = session.frame(con, "compare_questions", parameters)
    one, two = found.names
    renamed = {
        f"{what}_{side}": f"{what} of {name}"
        for what in ("score", "verdict", "prediction")
        for side, name in (("a", one), ("b", two))
    }
    return frame.rename(renamed)


def _require(con: duckdb.DuckDBPyConnection, what: str, name: str | None, sql: str) -> None:
    if name is None:
        return
    known = [str(one) for (one,) in con.execute(sql).fetchall()]
    if name.lower() not in {one.lower() for one in known}:
        raise _unknown(what, name, known)


def _unknown(what: str, name: str, known: list[str]) -> UsageError:
    """The error for a name that is not there, with those that are like it, or else some of all."""
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    some = near or sorted(known)[:10]
    more = "" if near or len(known) <= len(some) else " …"
    return UsageError(f"no {what} {name!r} here; there is {', '.join(some) or 'none'}{more}")


def of_runs(
    con: duckdb.DuckDBPyConnection, task: str, runs: Sequence[int], question_ids: Sequence[int]
) -> list[dict[str, Any]]:
    """The answers of some runs to some questions; many take about as long as one.

    The release is in use. `attributes` of each are what stood next to it, reasoning first; not its prompt.

    Args:
        task: of their benchmark.
        runs: their numbers; none: there is no answer.
    """
    if not runs:
        return []
    query = "answers" if task == "choice" else "answers_in_words"
    given = {"questions": list(question_ids), **between(runs)}
    said = session.frame(con, query, given).to_dicts()
    of_each: dict[tuple[int, ...], list[dict[str, Any]]] = {}
    for one in session.frame(con, "answer_attributes", given).to_dicts():
        of_each.setdefault(_place(one), []).append(one)
    return [row | {"attributes": of_each.get(_place(row), [])} for row in said]


def _place(row: dict[str, Any]) -> tuple[int, ...]:
    return row["run_id"], row["question_id"], row["pass"], row["sample"]


def between(runs: Sequence[int]) -> dict[str, Any]:
    """Runs as queries want them: with the first and the last, which the engine looks at before it reads."""
    return {"runs": list(runs), "first": min(runs), "last": max(runs)}


_LONGEST = 20_000
"""Characters of what stood next to an answer; prompts and predictions are printed whole."""


@dataclass(frozen=True)
class QuestionView:
    """A question and what a model's runs made of it, as rows of plain dictionaries.

    `rival` is the label that more models name than the key, where there is one.
    """

    question: dict[str, Any]
    passes: list[dict[str, Any]]
    results: list[dict[str, Any]]
    scores: list[dict[str, Any]]
    rival: dict[str, Any] | None = None

    @property
    def n_models(self) -> int:
        """Models whose answers it has."""
        return len({row["model"] for row in self.results})


def show(
    con: duckdb.DuckDBPyConnection,
    key: str,
    *,
    model: str | None = None,
    dataset: str | None = None,
    judge: str | None = None,
    release: str = LATEST,
) -> tuple[QuestionView, ...]:
    """One view per dataset that has a question of that key.

    Args:
        model: by name or alias; None: every model.
        judge: by name, or none; None: every judge.

    Raises:
        UsageError: no such question, model or judge.
    """
    session.use_release(con, release)
    model_id = None if model is None else models.find(con, model)
    if model is not None and model_id is None:
        known = [
            name for (name,) in con.execute("SELECT name FROM main.model ORDER BY 1").fetchall()
        ]
        raise UsageError(f"no model {model!r}; there are {', '.join(known) or 'none'}")
    questions = session.frame(con, "show_question", {"key": key, "dataset": dataset}).to_dicts()
    if not questions:
        raise UsageError(f"no question {key!r}" + (f" in {dataset}" if dataset else ""))
    judges = [name for (name,) in con.execute("SELECT name FROM main.judge ORDER BY 1").fetchall()]
    if judge is not None and judge not in (*judges, "none"):
        raise UsageError(f"no judge {judge!r}; there are {', '.join((*judges, 'none'))}")
    views = []
    for question in questions:
        parameters = {"question_id": question["question_id"]}
        of_model = parameters | {"model_id": model_id, "judge": judge}
        views.append(
            QuestionView(
                question=question,
                passes=session.frame(con, "show_passes", parameters).to_dicts(),
                results=_results(con, question, model_id, judge),
                scores=session.frame(con, "show_scores", of_model).to_dicts(),
                rival=next(iter(session.frame(con, "show_votes", parameters).to_dicts()), None),
            )
        )
    return tuple(views)


def _results(
    con: duckdb.DuckDBPyConnection,
    question: dict[str, Any],
    model_id: int | None,
    judge: str | None,
) -> list[dict[str, Any]]:
    its = {"model_id": model_id, "dataset": question["dataset"]}
    runs = {row["run_id"]: row for row in session.frame(con, "show_runs", its).to_dicts()}
    task = next((row["task"] for row in runs.values()), "")
    found = [
        runs[row["run_id"]] | row
        for row in of_runs(con, task, list(runs), [question["question_id"]])
        if judge is None or row["judge"] == judge
    ]
    return sorted(found, key=lambda row: (row["model"], row["run_id"]))


def render(view: QuestionView) -> str:
    """A view as text for the terminal."""
    out = Console(width=100, file=io.StringIO(), highlight=False, emoji=False)
    with out.capture() as captured:
        question = view.question
        out.print(
            f"[bold]{_plain(question['dataset'])} · {_plain(question['question_key'])}[/bold]"
        )
        if question["abilities"]:
            out.print(_plain(question["abilities"]))
        out.print(_plain(question["text"]))
        if question["attributes"]:
            out.print(_plain(question["attributes"]), style="dim")
        if view.passes:
            out.print(_choices(view))
        else:
            out.print(f"references: {_plain(question['references'] or NOTHING)}\n")
        if view.rival is not None:
            out.print(_plain(_suspicion(view.rival)))
        seen = set()
        for result in view.results:
            _print_result(out, result, has_choices=bool(view.passes), has_model=view.n_models > 1)
            place = result["run_id"], result["pass"], result["sample"]
            for one in () if place in seen else result["attributes"]:
                out.print(f"  {_plain(one['name'])}: {_plain(_quoted(_cut(one['value'])))}")
            seen.add(place)
        if not view.results:
            out.print("no run has the question's dataset under that model and judge")
        out.print(_scores(view))
    return "\n".join(line.rstrip() for line in captured.get().splitlines()).strip("\n")


def _suspicion(rival: dict[str, Any]) -> str:
    return (
        f"{rival['n_for_other']} of {rival['n_models']} models name {rival['other']}, {rival['n_for_key']} "
        f"the key {rival['answer']} (judge {rival['judge']}): the key may be wrong; "
        "`evalhouse study suspect_answer` weighs the models\n"
    )


def _choices(view: QuestionView) -> Table:
    passes = sorted({row["pass"] for row in view.passes})
    labels = list(dict.fromkeys(row["label"] for row in view.passes))
    cells = {(row["pass"], row["label"]): row for row in view.passes}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for number in passes:
        hidden = any(row["is_hidden"] for row in view.passes if row["pass"] == number)
        table.add_column(f"pass {number}" + (" (answer hidden)" if hidden else ""))
    for label in sorted(labels):
        texts = []
        for number in passes:
            cell = cells.get((number, label))
            text = NOTHING if cell is None else _plain(cell["text"])
            texts.append(f"[bold]{text} ✓[/bold]" if cell and cell["is_answer"] else text)
        table.add_row(_plain(label), *texts)
    return table


def _print_result(
    out: Console, result: dict[str, Any], *, has_choices: bool, has_model: bool
) -> None:
    model = f"{_plain(result['model'])}, " if has_model else ""
    sample = f", sample {result['sample']}" if result["sample"] else ""
    judge = result["judge"] + (f" #{result['judge_sample']}" if result["judge_sample"] else "")
    score = NOTHING if result["score"] is None else f"{result['score']:g}"
    verdict = (
        f"{result['predicted'] or NOTHING} by {result['resolved_by']}, "
        f"answer {result['answer'] or NOTHING}"
        if has_choices
        else result["resolved_by"]
    )
    out.print(
        f"[bold]{model}{_plain(result['run'])}, pass {result['pass']}{sample}, judge {_plain(judge)}[/bold]: "
        f"{_plain(verdict)}, score {score}"
    )
    out.print(f"  prediction: {_plain(_quoted(result['prediction']))}")
    if result["judge"] == "none":
        matched = _plain(result["matched"] or NOTHING)
        rule = f" (rule {result['rule']})" if result["rule"] else ""
        evidence = f" in {_quoted(result['evidence'])}" if result["evidence"] else ""
        out.print(f"  match: {matched}{_plain(rule + evidence)}")
    for name in ("prompt", "reply", "error"):
        if result[name] is not None:
            out.print(f"  judge's {name}: {_plain(_quoted(result[name]))}")


def _scores(view: QuestionView) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    columns = (
        *(("model",) if view.n_models > 1 else ()),
        "run",
        "strategy",
        "judge",
        "score",
        "n_passes",
        "n_missing",
        "n_pending",
        "n_fallback",
    )
    for name in columns:
        table.add_column(name.removeprefix("n_"))
    for row in view.scores:
        if row["score"] is None and row["score_low"] is not None:
            row = row | {"score": f"{row['score_low']:g}–{row['score_high']:g}"}
        table.add_row(
            *(
                NOTHING
                if row[name] is None
                else _plain(f"{row[name]:g}" if isinstance(row[name], float) else str(row[name]))
                for name in columns
            )
        )
    return table


def _plain(text: str) -> str:
    """Text that is no markup, and that no terminal obeys."""
    return markup.escape(visible(text))


def _cut(text: str) -> str:
    """A text that is cut, with a word on it, where it is very long."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}… ({len(text) - _LONGEST:,} more characters)"


def _quoted(text: str | None) -> str:
    return NOTHING if text is None else f"“{text}”"
