"""SEED-Bench's questions as samples hold them: by id, with the right letter and kind of data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from ingest import staged_rows
from ingest.facts.question_facts import Questions
from ingest.official.seedbench_questions import COMPONENTS

SECOND = "SEED-Bench-2"
KEY = "seed_all.question_id"
QUESTIONS = Questions(
    key=KEY, text=KEY, label="filtered_resps", answer="seed_all.answer", by_id_alone=True
)
_ID_OF_SECOND = re.compile(r"(\d+)_\d+")
_WANTS_BOTH = "27"


@dataclass(frozen=True)
class Known:
    """What a sample holds of its question; an answer of None is hidden."""

    row: int
    question_key: str
    answer: str | None
    data_type: str | None

    @property
    def dimension(self) -> str | None:
        """The dimension's number, if the id is one of SEED-Bench-2."""
        found = _ID_OF_SECOND.fullmatch(self.question_key)
        return found[1] if found else None

    @property
    def wants_both(self) -> bool:
        """Whether its answer is a text and an image."""
        return self.dimension == _WANTS_BOTH


def stage(con: duckdb.DuckDBPyConnection, questions: Sequence[Known]) -> None:
    """Stage the questions with the choices A to D, and their dimensions if the ids have them."""
    of_second = all(one.dimension for one in questions)
    places = [(one, (one.row, None, one.question_key)) for one in questions]
    staged_rows.add(
        con, "stage_question", [(*place, 0, "", one.answer, None) for one, place in places]
    )
    staged_rows.add(
        con,
        "stage_choice",
        [(*place, 0, label, n, "") for _, place in places for n, label in enumerate("ABCD")],
    )
    staged_rows.add(
        con,
        "stage_attribute",
        [(*place, "data_type", one.data_type) for one, place in places if one.data_type],
    )
    if of_second:
        staged_rows.add(
            con,
            "stage_ability",
            [(*place, 0, "dimension", KEY, one.dimension) for one, place in places],
        )
        staged_rows.add(
            con,
            "stage_component",
            [(*place, KEY, part) for one, place in places if one.wants_both for part in COMPONENTS],
        )
