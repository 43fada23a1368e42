"""From staged questions to facts: what is new is added, what is known is compared."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.settings import Settings, Staged
from warehouse import sources, taxonomy

_DATASET_OF = "JOIN stage_dataset AS d ON coalesce(s.split, '') = d.split_key"


def check(con: duckdb.DuckDBPyConnection, path: Path, staged: Staged) -> None:
    """Refuse staged questions that are wrong in themselves.

    Raises:
        InputError: a question without text or choices, a pass out of range, or an answer that is
            none of the choices.
    """
    fields = staged.fields
    refuse_first(
        con,
        path,
        "SELECT row, question_key FROM stage_question WHERE text IS NULL ORDER BY row LIMIT 1",
        fields["text"],
        lambda row: f"question {row[1]} has no text",
    )
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_labels AS "
        "SELECT row, list(label ORDER BY ordinal) AS labels FROM stage_choice GROUP BY row"
    )
    refuse_first(
        con,
        path,
        "SELECT q.row, q.question_key, coalesce(len(l.labels), 0) FROM stage_question AS q "
        "LEFT JOIN stage_labels AS l USING (row) WHERE coalesce(len(l.labels), 0) < 2 "
        "ORDER BY q.row LIMIT 1",
        fields["label"],
        lambda row: f"question {row[1]} has {row[2]} choices; it takes two",
    )
    refuse_first(
        con,
        path,
        "SELECT q.row, q.question_key, q.pass, len(l.labels) FROM stage_question AS q "
        "JOIN stage_labels AS l USING (row) WHERE q.pass >= len(l.labels) ORDER BY q.row LIMIT 1",
        fields["pass"],
        lambda row: (
            f"pass {row[2]} of question {row[1]} is out of range: "
            f"{row[3]} choices have passes 0 to {row[3] - 1}"
        ),
    )
    refuse_first(
        con,
        path,
        "SELECT q.row, q.question_key, q.answer, array_to_string(l.labels, ', ') "
        "FROM stage_question AS q JOIN stage_labels AS l USING (row) "
        "WHERE q.answer IS NOT NULL AND NOT list_contains(l.labels, q.answer) "
        "ORDER BY q.row LIMIT 1",
        fields["answer"],
        lambda row: f"the answer {row[2]!r} of question {row[1]} is none of its choices ({row[3]})",
    )
    if staged.role == "questions":
        refuse_first(
            con,
            path,
            "SELECT max(row), question_key, max(pass), count(*) FROM stage_question "
            "GROUP BY split, question_key HAVING max(pass) >= count(*) ORDER BY 1 LIMIT 1",
            fields["pass"],
            lambda row: (
                f"pass {row[2]} of question {row[1]} is out of range: "
                f"the file has only {row[3]} of the passes before it"
            ),
        )


def load(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    staged: Staged,
    benchmark: tuple[int, str],
    source_id: int,
) -> tuple[list[str], list[str]]:
    """Store what is new about the questions; return what was loaded, and notes on differences.

    Raises:
        InputError: a question or pass that a complete dataset does not have, choices in another
            order, an answer or category that contradicts the dataset, an unknown category.
    """
    _refuse_unknown(con, path, staged)
    n_questions = _new_questions(con, source_id)
    n_passes = _new_passes(con, source_id)
    notes = _differences(con, path, staged)
    n_answers, answer_notes = _answers(con, path, settings, staged, source_id)
    n_filed = _abilities(con, path, benchmark, source_id)
    _further(con, source_id)
    con.execute(
        "INSERT INTO main.dataset_source SELECT DISTINCT dataset_id, ?, ? FROM stage_dataset",
        [source_id, staged.role],
    )
    loaded = []
    if n_questions or n_passes:
        loaded.append(f"{n_questions:,} new questions, {n_passes:,} new passes")
    if n_answers:
        loaded.append(f"{n_answers:,} answers")
    if n_filed:
        loaded.append(f"{n_filed:,} questions filed under their abilities")
    return loaded, notes + answer_notes


def bind(con: duckdb.DuckDBPyConnection) -> None:
    """Fill `stage_bound`: the question of each staged split and key, where it is known."""
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_bound AS "
        "SELECT d.split_key, q.question_key, q.question_id, q.dataset_id, d.complete "
        "FROM stage_dataset AS d JOIN main.question AS q USING (dataset_id)"
    )


_BOUND = (
    "LEFT JOIN stage_bound AS b "
    "ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key"
)


def _refuse_unknown(con: duckdb.DuckDBPyConnection, path: Path, staged: Staged) -> None:
    refuse_first(
        con,
        path,
        f"SELECT s.row, s.question_key FROM stage_question AS s {_DATASET_OF} {_BOUND} "
        "WHERE b.question_id IS NULL AND d.complete ORDER BY s.row LIMIT 1",
        staged.fields["question_key"],
        lambda row: (
            f"the dataset has no question {row[1]}; if the file is of another dataset, say "
            "which with --split, --version or --language"
        ),
    )
    refuse_first(
        con,
        path,
        f"SELECT s.row, s.question_key, s.pass FROM stage_question AS s {_BOUND} "
        "LEFT JOIN main.question_pass AS p ON b.question_id = p.question_id AND s.pass = p.pass "
        "WHERE b.complete AND p.pass IS NULL ORDER BY s.row LIMIT 1",
        staged.fields["pass"],
        lambda row: (
            f"pass {row[2]} of question {row[1]} is out of range: the dataset has no such pass"
        ),
    )


def _new_questions(con: duckdb.DuckDBPyConnection, source_id: int) -> int:
    con.execute(
        "INSERT INTO main.question SELECT ? - 1 + row_number() OVER (ORDER BY first_row), "
        "dataset_id, question_key, text, ? FROM ("
        "SELECT d.dataset_id, s.question_key, min(s.row) AS first_row, arg_min(s.text, s.pass) AS text "
        f"FROM stage_question AS s {_DATASET_OF} {_BOUND} WHERE b.question_id IS NULL "
        "GROUP BY d.dataset_id, s.question_key)",
        [sources.next_id(con, "question"), source_id],
    )
    count = _changed(con, "question", source_id)
    bind(con)
    return count


def _new_passes(con: duckdb.DuckDBPyConnection, source_id: int) -> int:
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_new_pass AS "
        f"SELECT s.row, b.question_id, s.pass FROM stage_question AS s {_BOUND} "
        "ANTI JOIN main.question_pass AS p ON b.question_id = p.question_id AND s.pass = p.pass"
    )
    con.execute(
        "INSERT INTO main.question_pass SELECT question_id, pass, ? FROM stage_new_pass",
        [source_id],
    )
    con.execute(
        "INSERT INTO main.choice SELECT n.question_id, n.pass, c.label, c.ordinal, c.text, ? "
        "FROM stage_new_pass AS n JOIN stage_choice AS c USING (row)",
        [source_id],
    )
    return _changed(con, "question_pass", source_id)


def _differences(con: duckdb.DuckDBPyConnection, path: Path, staged: Staged) -> list[str]:
    notes = []
    texts = con.execute(
        f"SELECT count(*), min(s.question_key) FROM stage_question AS s {_BOUND} "
        "JOIN main.question AS q ON b.question_id = q.question_id "
        "WHERE plain_text(s.text) <> plain_text(q.text)"
    ).fetchone()
    assert texts is not None
    if texts[0]:
        notes.append(
            f"{texts[0]:,} question texts differ from the dataset's (such as {texts[1]}); "
            "the dataset's hold"
        )
    return notes + choice_differences(con, path, staged)


def choice_differences(con: duckdb.DuckDBPyConnection, path: Path, staged: Staged) -> list[str]:
    """Compare staged choices with the dataset's; return a note on texts that differ.

    Raises:
        InputError: the same choices stand in another order, so that letters mean something else.
    """
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_other AS "
        "SELECT s.row, b.question_id, s.pass, s.question_key, s.label, s.text AS told, c.text AS known "
        f"FROM stage_choice AS s {_BOUND} "
        "JOIN main.question_pass AS p ON b.question_id = p.question_id AND s.pass = p.pass "
        "LEFT JOIN main.choice AS c "
        "ON b.question_id = c.question_id AND s.pass = c.pass AND s.label = c.label "
        "WHERE plain_text(s.text) IS DISTINCT FROM plain_text(c.text)"
    )
    refuse_first(
        con,
        path,
        "SELECT row, question_key, pass FROM stage_other GROUP BY ALL "
        "HAVING count(*) > 1 AND list_sort(list(plain_text(told))) "
        "= list_sort(list(plain_text(known))) ORDER BY row LIMIT 1",
        staged.fields["label"],
        lambda row: (
            f"the choices of question {row[1]} stand in another order than in pass {row[2]} "
            "of the dataset, so the letters mean something else"
        ),
    )
    row = con.execute("SELECT count(*), min(question_key) FROM stage_other").fetchone()
    assert row is not None
    if not row[0]:
        return []
    return [
        f"{row[0]:,} choice texts differ from the dataset's (such as one of {row[1]}); "
        "the dataset's hold"
    ]


def _answers(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    staged: Staged,
    source_id: int,
) -> tuple[int, list[str]]:
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_answer AS "
        "SELECT s.row, s.question_key, b.question_id, s.pass, s.answer, a.label AS known "
        f"FROM stage_question AS s {_BOUND} LEFT JOIN main.answer AS a "
        "ON b.question_id = a.question_id AND s.pass = a.pass AND a.superseded_by IS NULL "
        "WHERE s.answer IS NOT NULL"
    )
    notes = []
    if staged.role == "questions" and settings.replace:
        con.execute(
            "UPDATE main.answer SET superseded_by = ? FROM stage_answer AS s "
            "WHERE answer.question_id = s.question_id AND answer.pass = s.pass "
            "AND answer.superseded_by IS NULL AND s.known <> s.answer",
            [source_id],
        )
        corrected = con.execute(
            "UPDATE stage_answer SET known = NULL WHERE known <> answer"
        ).fetchone()
        if corrected and corrected[0]:
            notes.append(f"{corrected[0]:,} answers corrected; the former ones are superseded")
    elif staged.role == "questions":
        refuse_first(
            con,
            path,
            "SELECT row, question_key, pass, answer, known FROM stage_answer "
            "WHERE known <> answer ORDER BY row LIMIT 1",
            staged.fields["answer"],
            lambda row: (
                f"says {row[3]} for question {row[1]}, pass {row[2]}, where the dataset has "
                f"{row[4]}; --replace corrects the dataset"
            ),
        )
    else:
        row = con.execute(
            "SELECT count(*), min(question_key) FROM stage_answer WHERE known <> answer"
        ).fetchone()
        assert row is not None
        if row[0]:
            notes.append(
                f"{row[0]:,} answers differ from the dataset's (such as that of {row[1]}); "
                "the dataset's hold"
            )
    con.execute(
        "INSERT INTO main.answer SELECT question_id, pass, answer, ?, NULL FROM stage_answer "
        "WHERE known IS NULL",
        [source_id],
    )
    return _changed(con, "answer", source_id), notes


def _abilities(
    con: duckdb.DuckDBPyConnection, path: Path, benchmark: tuple[int, str], source_id: int
) -> int:
    known = con.execute(
        "SELECT count(*) FROM main.ability WHERE benchmark_id = ?", [benchmark[0]]
    ).fetchone()
    assert known is not None
    if not known[0]:
        _make_taxonomy(con, path, benchmark[0], source_id)
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_filed AS "
        "SELECT s.row, s.split, s.question_key, s.depth, s.field, s.spelling, "
        "a.ability_id, a.parent_id "
        "FROM stage_ability AS s LEFT JOIN ("
        "SELECT DISTINCT a.ability_id, a.parent_id, a.level, lower(p.spelling) AS spelling "
        "FROM main.ability AS a JOIN main.ability_spelling AS p USING (ability_id) "
        "WHERE a.benchmark_id = ?) AS a "
        "ON lower(s.spelling) = a.spelling AND s.level = a.level",
        [benchmark[0]],
    )
    refuse_first(
        con,
        path,
        "SELECT row, field, spelling FROM stage_filed WHERE ability_id IS NULL "
        "ORDER BY row, depth LIMIT 1",
        None,
        lambda row: f"unknown category {row[2]!r}: it is no ability of {benchmark[1]}",
    )
    refuse_first(
        con,
        path,
        "SELECT f.row, f.field, f.spelling, u.spelling FROM stage_filed AS f "
        "JOIN stage_filed AS u ON f.row = u.row AND u.depth = f.depth - 1 "
        "WHERE f.parent_id IS DISTINCT FROM u.ability_id ORDER BY f.row LIMIT 1",
        None,
        lambda row: (
            f"the category {row[2]!r} is not one of {row[3]!r} in the taxonomy of {benchmark[1]}"
        ),
    )
    con.execute(
        "INSERT INTO main.question_ability SELECT b.question_id, "
        "arg_max(s.ability_id, s.depth * 1e9 - s.row)::INTEGER, ? "
        f"FROM stage_filed AS s {_BOUND} "
        "ANTI JOIN main.question_ability AS q ON b.question_id = q.question_id "
        "GROUP BY b.question_id",
        [source_id],
    )
    return _changed(con, "question_ability", source_id)


def _make_taxonomy(
    con: duckdb.DuckDBPyConnection, path: Path, benchmark_id: int, source_id: int
) -> None:
    """The taxonomy of a benchmark of the user's own, from its question file's columns."""
    refuse_first(
        con,
        path,
        "SELECT max(f.row), f.field, f.spelling, count(DISTINCT u.spelling) FROM stage_ability AS f "
        "JOIN stage_ability AS u ON f.row = u.row AND u.depth = f.depth - 1 "
        "GROUP BY f.field, f.spelling HAVING count(DISTINCT u.spelling) > 1 ORDER BY 1 LIMIT 1",
        None,
        lambda row: (
            f"the ability {row[2]!r} stands under {row[3]} different ones; abilities are a tree"
        ),
    )
    rows = con.execute(
        "SELECT f.level, f.spelling, any_value(u.spelling) FROM stage_ability AS f "
        "LEFT JOIN stage_ability AS u ON f.row = u.row AND u.depth = f.depth - 1 "
        "GROUP BY f.depth, f.level, f.spelling ORDER BY f.depth, min(f.row)"
    ).fetchall()
    taxonomy.add_abilities(
        con,
        benchmark_id,
        [taxonomy.Ability(level, name, name, parent, ()) for level, name, parent in rows],
        source_id=source_id,
    )


def _further(con: duckdb.DuckDBPyConnection, source_id: int) -> None:
    con.execute(
        "INSERT INTO main.question_attribute "
        "SELECT b.question_id, s.name, arg_min(s.value, s.row), ? "
        f"FROM stage_attribute AS s {_BOUND} ANTI JOIN main.question_attribute AS a "
        "ON b.question_id = a.question_id AND s.name = a.name GROUP BY b.question_id, s.name",
        [source_id],
    )
    con.execute(
        "INSERT INTO main.question_image SELECT b.question_id, 0, arg_min("
        "CASE WHEN length(s.image) = 64 THEN s.image ELSE sha256(s.image) END, s.row), ? "
        f"FROM stage_question AS s {_BOUND} ANTI JOIN main.question_image AS i "
        "ON b.question_id = i.question_id WHERE s.image IS NOT NULL GROUP BY b.question_id",
        [source_id],
    )


def _changed(con: duckdb.DuckDBPyConnection, table: str, source_id: int) -> int:
    row = con.execute(
        f"SELECT count(*) FROM main.{table} WHERE source_id = ?", [source_id]
    ).fetchone()
    assert row is not None
    return int(row[0])
