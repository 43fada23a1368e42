"""How often `field_v2` reads in an answer what its harness read.

    python -m bench.harness_readings [--rest]

The answers are those of the shared folders whose harness kept the letter it read: Inspect's and
lm-eval's of public repositories (real), evalscope's and the letters of a judge of VLMEvalKit's work
dir (made). A letter counts where the answer states it: where it is the one label that stands in it for itself.
Printed are, by harness, how many count, how many are read the same, and with `--rest` the others.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from bench.readings import GIVEN, Known, of_releases, warehouse
from bench.report import Report
from evalhouse import Warehouse

SHARED = GIVEN.parents[1]
_OPTION = re.compile(r"^\(?([A-Z])[).:] ?(.+)$", re.MULTILINE)
_LABEL = re.compile(r"(?<![A-Za-z0-9])([A-Z])(?![A-Za-z0-9'])")
_JUDGED = """
SELECT concat_ws('/', r.dataset, r.model, q.question_key, r.pass), r.predicted, m.matched, p.text
FROM field_v1.pass_result AS r
INNER JOIN main.prediction AS p USING (run_id, question_id, pass, sample)
INNER JOIN main.question AS q USING (question_id)
LEFT JOIN latest.choice_match AS m USING (run_id, question_id, pass, sample)
WHERE r.task = 'choice' AND r.resolved_by = 'judge' AND p.text IS NOT NULL
"""


def _lines(pattern: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the JSON lines of files, each with a key."""
    for path in sorted(SHARED.glob(pattern)):
        for n, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield f"{path.relative_to(SHARED)}:{n}", json.loads(line)


def _labelled(choices: list[str]) -> dict[str, str]:
    return {chr(ord("A") + n): text for n, text in enumerate(choices)}


def _text(content: str | list[dict[str, Any]]) -> str:
    """Return the text of a message, which is one or has parts."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text") or "" for part in content)


def of_evalscope() -> Iterator[Known]:
    """Read the reviews of evalscope whose prompt lists the choices."""
    for key, row in _lines("formats/evalscope/out/*/*/reviews/*/*.jsonl"):
        score = row["sample_score"]["score"]
        prompt = _text(row["messages"][0]["content"])
        choices = dict(_OPTION.findall(prompt))
        if score["extracted_prediction"] in choices and len(choices) > 1:
            yield Known(
                key, "evalscope", "", choices, score["prediction"], score["extracted_prediction"]
            )


def of_lm_eval() -> Iterator[Known]:
    """Read lm-eval's samples with their options, an answer and the letter that its filter read."""
    for key, row in _lines("wild/pyfade/tests/data/eval_*/samples_*.jsonl"):
        choices = _labelled(row["doc"]["options"])
        if row["filtered_resps"][0] in choices:
            yield Known(key, "lm-eval", "", choices, row["resps"][0][0], row["filtered_resps"][0])


def of_inspect() -> Iterator[Known]:
    """Read Inspect's logs of questions with choices."""
    for path in sorted(SHARED.glob("wild/eee/tests/data/inspect/*.json")):
        for sample in json.loads(path.read_text("utf-8")).get("samples") or ():
            read = sample["scores"].get("choice", {}).get("answer")
            choices = _labelled(sample["choices"] or [])
            if read in choices:
                said = _text(sample["output"]["choices"][0]["message"]["content"])
                yield Known(
                    f"{path.name} {sample['id']} {sample['epoch']}",
                    "Inspect",
                    "",
                    choices,
                    said,
                    read,
                )


def of_judge(folder: Path) -> list[tuple[str, str, str | None, str]]:
    """Return the key, the judge's letter, what `field_v2` reads, and the text of judged answers.

    They are those that `field_v1` left to the judge.
    """
    house = Warehouse(folder / "judged.duckdb")
    list(house.ingest_many(SHARED / "formats" / "vlmevalkit_field"))
    house.install_release("field_v1")
    with duckdb.connect(str(house.path), read_only=True) as con:
        return con.execute(_JUDGED).fetchall()


def states(text: str, label: str) -> bool:
    """Return whether a label stands in a text for itself, and no other does."""
    return set(_LABEL.findall(text)) == {label}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rest", action="store_true", help="print what is read otherwise")
    given = parser.parse_args()
    report = Report("Answers whose letter a harness read")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        known = [*of_evalscope(), *of_lm_eval(), *of_inspect()]
        house = warehouse(folder / "known.duckdb", known)
        read = of_releases(house.path, ("field_v2",))["field_v2"]
        rows = [(one.style, one.key, one.read, read[one.key], one.text) for one in known]
        rows += [("judge of VLMEvalKit", *row) for row in of_judge(folder)]
    for harness in dict.fromkeys(row[0] for row in rows):
        its = [row for row in rows if row[0] == harness and states(row[4], str(row[2]))]
        same = sum(row[2] == row[3] for row in its)
        report.figure(harness, f"{same} of {len(its)} ({same / len(its):.1%}) are read the same")
        for _, key, wanted, found, text in its if given.rest else ():
            if wanted != found:
                report.notes.append(f"{key} {text!r}: {found}, not {wanted}")
    report.show()


if __name__ == "__main__":
    main()
