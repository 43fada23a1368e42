"""Cases of readers as data: files with edits, and what comes of them (tests/ingest/cases/README.md)."""

from __future__ import annotations

import copy
import json
import re
import shutil
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import UsageError, Warehouse
from queries.install import LATEST
from tests import held, inspect_logs
from tests.tables import facts, write_jsonl

TOP = Path(__file__).parent / "ingest" / "cases"
_QUESTION = "main.question AS q JOIN main.dataset AS d USING (dataset_id)"
_RUN = (
    "main.run AS r JOIN main.model AS m USING (model_id) JOIN main.dataset AS d USING (dataset_id)"
)
_OF_RUN = "r.model, r.dataset, r.run, q.key, f.pass, f.sample"
_TABLES = {
    "runs": f"SELECT run_id, m.name AS model, d.name AS dataset, label AS run, harness, method, reduction, scored, "
    f"produced_at::VARCHAR AS made_at FROM {_RUN} WHERE superseded_by IS NULL",
    "questions": f"SELECT question_id, d.name AS dataset, question_key AS key, text FROM {_QUESTION}",
    "choices": "SELECT dataset, key, f.* FROM main.choice AS f JOIN questions USING (question_id)",
    "answers": "SELECT dataset, key, pass, label FROM main.answer JOIN questions USING (question_id) "
    "WHERE superseded_by IS NULL",
    "refs": "SELECT dataset, key, ordinal, f.text FROM main.reference_answer AS f JOIN questions USING (question_id)",
    "attributes": "SELECT dataset, key, name, value FROM main.question_attribute JOIN questions USING (question_id)",
    "images": "SELECT dataset, key, ordinal, sha256 FROM main.question_image JOIN questions USING (question_id)",
    "abilities": "SELECT dataset, key, level, name FROM main.question_ability JOIN main.ability USING (ability_id) "
    "JOIN questions USING (question_id)",
    "figures": "SELECT m.name AS model, task, label AS run, metric, filter, reducer, value, judge "
    "FROM main.harness_figure JOIN main.model AS m USING (model_id)",
    "judgments": "SELECT j.name AS judge, j.task, m.model, m.dataset, m.run, f.judge_sample, f.attempt, f.prompt, "
    "f.reply, f.error, f.log, f.score, f.word, f.labels, f.subject_hash FROM main.judgment AS f "
    "JOIN main.judge AS j USING (judge_id) LEFT JOIN runs AS m USING (run_id)",
} | {
    name: f"SELECT {_OF_RUN}, {columns} FROM main.{table} AS f JOIN runs AS r USING (run_id) "
    "JOIN questions AS q USING (question_id)"
    for name, table, columns in (
        ("predictions", "prediction", "f.text, f.failed"),
        ("scores", "choice_score", "f.component, f.label, f.score, f.n_tokens, f.scorer"),
        ("metrics", "harness_score", "f.metric, f.filter, f.value, f.score, f.answer"),
        ("details", "answer_attribute", "f.name, f.value"),
        ("errors", "sample_error", "f.error"),
    )
}
_WITH = "WITH " + ", ".join(f"{name} AS ({sql})" for name, sql in _TABLES.items()) + " "


@dataclass(frozen=True)
class Case:
    """A case, with what its folder says for all of its cases.

    Attributes:
        name: the folder and the case.
        folder: where its files lie.
        base: what `expected.toml` says for all.
        steps: what is done one after the other in the same warehouse.
        is_refused: it is of the table of refusals, so that it leaves every warehouse as it was.
    """

    name: str
    folder: Path
    base: Mapping[str, Any]
    steps: list[dict[str, Any]]
    is_refused: bool = False


def all_cases() -> list[Case]:
    """Return the cases of every folder, refusals first, which share a warehouse."""
    result = [case for path in sorted(TOP.rglob("expected.toml")) for case in _cases(path)]
    return sorted(result, key=lambda case: not case.is_refused)


def _cases(path: Path) -> Iterator[Case]:
    text = path.read_text("utf-8")
    for name, value in tomllib.loads(text).get("let", {}).items():
        text = text.replace(f"${name}", value)
    base = tomllib.loads(text)
    name = path.parent.relative_to(TOP).as_posix()
    cases, refused = base.pop("case", []), base.pop("refused", {})
    for words, edits in refused.items():
        for edit in edits if isinstance(edits, list) else [edits]:
            flags = {key[1:-1]: value for key, value in edit.items() if key.startswith("<")}
            rest = {key: value for key, value in edit.items() if not key.startswith("<")}
            step = {"error": words, "edit": rest, "flags": flags}
            step |= {"read": flags.pop("read")} if "read" in flags else {}
            yield Case(f"{name}: {words[:70]}", path.parent, base, [step], is_refused=True)
    joined: list[Case] = []
    for step in cases:
        if "then" in step:
            joined[-1].steps.append(step)
        else:
            joined.append(Case(f"{name}: {step['name']}", path.parent, base, [step]))
    yield from joined


class Run:
    """A case at work in a folder of its own.

    Args:
        shared: gives the folder of real data.
    """

    def __init__(self, case: Case, top: Path, shared: Callable[[], Path]) -> None:
        self.case, self.top, self.shared = case, top, shared
        self.read: Any = case.base.get("read")
        self._lay_out(case.base)
        self._edit(case.base)

    def _lay_out(self, spec: Mapping[str, Any]) -> None:
        for name, place in spec.get("shared", {}).items():
            source, target = self.shared() / place, self.top / name
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)
        for path in self.case.folder.rglob("*") if spec is self.case.base else ():
            target = self.top / path.relative_to(self.case.folder)
            if path.is_file() and path.name != "expected.toml":
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        for name, value in spec.get("files", {}).items():
            write(self.top / name, _plain(value, None))

    def _edit(self, spec: Mapping[str, Any]) -> None:
        by_file: dict[str, dict[str, Any]] = {}
        for key, value in spec.get("edit", {}).items():
            name, colon, place = key.rpartition(":")
            by_file.setdefault(name if colon else _listed(self.read)[0], {})[place] = value
        for name, edits in by_file.items():
            edit(self.top / name, edits)

    def begin(self, house: Warehouse) -> None:
        """Ingest what a warehouse has to hold before any case of the folder."""
        for step in self.case.steps[0].get("given", self.case.base.get("given", [])):
            self._ingest(house, step.get("flags", {}), _listed(step["read"]))

    def step(self, house: Warehouse, step: Mapping[str, Any], before: Any = None) -> None:
        """Do a step and compare what came of it with what it states."""
        self._lay_out(step)
        self.read = step.get("read") or self.read or next(iter(step["edit"])).rpartition(":")[0]
        self._edit(step)
        flags = _plain(self.case.base.get("flags", {}) | step.get("flags", {}), None)
        if "error" in step:
            before = facts(house.path) if before is None else before
            with pytest.raises(UsageError) as caught:
                self._ingest(house, flags, _listed(self.read))
            self._require_error(caught.value, step)
            assert facts(house.path) == before
        else:
            before = facts(house.path) if "already" in step else None
            self._require_reports(self._ingest(house, flags, _listed(self.read)), step)
            assert before is None or facts(house.path) == before
        for query, wanted in step.get("facts", {}).items():
            result = rows(house, query)
            assert result == as_rows(wanted), f"{query}: {result}"

    def _ingest(
        self, house: Warehouse, flags: dict[str, Any], names: Sequence[str]
    ) -> dict[str, Any]:
        """Return the reports by file; a name that ends in a slash is a folder, of which also the files left."""
        if not names[0].endswith("/"):
            result = house.ingest(*(self.top / name for name in names), **flags)
            return dict(zip(names, result, strict=True))
        outcomes = list(house.ingest_many(*(self.top / name for name in names), **flags))
        for one in outcomes:
            if one.error:
                raise one.error
        return {
            one.file.path.relative_to(self.top).as_posix(): one.report or one.left
            for one in outcomes
        }

    def _require_error(self, error: UsageError, step: Mapping[str, Any]) -> None:
        text = str(error).replace(f"{self.top}/", "")
        assert error.exit_code == 2
        for words in _listed(step["error"]):
            placed = ", " if words.startswith(("row ", "field ", "header,")) else ""
            assert _has(text, placed + words), text

    def _require_reports(self, reports: dict[str, Any], step: Mapping[str, Any]) -> None:
        left = {Path(name).name: words for name, words in reports.items() if isinstance(words, str)}
        assert left.keys() == step.get("left", {}).keys()
        for name, words in step.get("left", {}).items():
            assert _has(left[name], words), left[name]
        read = [one for one in reports.values() if not isinstance(one, str)]
        lines = [
            line for one in read for line in (*one.loaded, *one.inferred, *one.notes, *one.alerts)
        ]
        for words in step.get("says", []):
            assert any(_has(line, words) for line in lines), (words, lines)
        if "notes" in step:
            assert [note for one in read for note in one.notes] == step["notes"]
        if "formats" in step:
            assert [one.format for one in read] == step["formats"]
        assert all(one.already == step.get("already", False) for one in read)


def rows(house: Warehouse, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of what follows SELECT, in an order of their own; behind @ stands a release."""
    query, _, release = query.partition(" @ ")
    named = set(re.findall(r"(?:FROM|JOIN) ([\w.]+)", query))
    if named - _TABLES.keys() - {name for name in named if name.startswith("main.")}:
        result = house.sql(
            f"{_WITH * bool(named & _TABLES.keys())}SELECT {query}", release=release or LATEST
        ).rows()
    else:
        with held.looking(house.path) as con:
            result = con.execute(f"{_WITH}SELECT {query}").fetchall()
    return sorted((tuple(_comparable(cell) for cell in row) for row in result), key=repr)


def as_rows(wanted: Any) -> list[tuple[Any, ...]]:
    """Return what is stated as such rows: one value, a column of values, or rows; `<null>` is none."""
    listed = wanted if isinstance(wanted, list) else [wanted]
    table = [row if isinstance(row, list) else [row] for row in listed]
    return sorted((tuple(map(_comparable, _plain(row, None))) for row in table), key=repr)


def _comparable(cell: Any) -> Any:
    if isinstance(cell, bool | str) or cell is None:
        return cell
    if isinstance(cell, int | float):
        return float(f"{cell:.9g}")
    return [_comparable(one) for one in cell] if isinstance(cell, list | pl.Series) else str(cell)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _has(text: str, words: str) -> bool:
    """Say whether a text has these words; three dots stand for others."""
    place = 0
    for part in words.split("..."):
        place = text.find(part.strip(), place)
        if place < 0:
            return False
        place += len(part.strip())
    return True


# Files and edits.


def read(path: Path) -> Any:
    """Return what a file holds, as edits change it."""
    if path.suffix == ".eval":
        header, samples = inspect_logs.read(path)
        return {"header": header, "samples": samples}
    if path.suffix == ".parquet":
        return pl.read_parquet(path).to_dicts()
    text = path.read_text("utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.split("\n") if line]
    return json.loads(text) if path.suffix == ".json" else text


def write(path: Path, value: Any) -> None:
    """Write a value in the way of the file's name; a text is the file's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(value, str):
        path.write_text(value, "utf-8", newline="")
    elif path.suffix == ".eval":
        inspect_logs.write(path, value["samples"], value["header"], ended=value.get("ended", True))
    elif path.suffix == ".parquet":
        schema = pl.read_parquet_schema(path) if path.exists() else None
        pl.DataFrame(value, schema=schema).write_parquet(path)
    elif path.suffix == ".xlsx":
        pl.DataFrame(value).write_excel(path)
    elif path.suffix == ".jsonl":
        write_jsonl(path, value)
    else:
        path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")


def edit(path: Path, edits: Mapping[str, Any]) -> None:
    """Change places of a file, and then the file as a whole (the place of no name)."""
    whole = edits.get("")
    places = {place: value for place, value in edits.items() if place}
    if places:
        root = {"": read(path)}
        for place, value in places.items():
            # Rows of a file of lines are counted from 1, as messages do.
            first = path.suffix in (".jsonl", ".parquet")
            for owner, key in _owners(root, ["", *place.split(".")], first):
                _set(owner, key, value, root[""])
        write(path, root[""])
    if whole == "<gone>":
        (shutil.rmtree if path.is_dir() else Path.unlink)(path)
    elif isinstance(whole, dict) and next(iter(whole)).startswith("<"):
        for name, value in whole.items():
            if name == "<rows>":
                write(path, _plain(value, None))
            elif name == "<zip>":
                with zipfile.ZipFile(path, "w") as made:
                    made.writestr(value, path.with_name(value).read_bytes())
            elif name == "<log>":
                log = read(path.with_name(value))
                write(path, {**log["header"], "samples": log["samples"]})
            elif name == "<member>":
                _write_member(path, *value)
            else:
                content = path.read_bytes() if path.exists() else b""
                path.write_bytes(_OF_BYTES[name](content, value))
    elif isinstance(whole, list) and path.suffix in (".tsv", ".csv", ".txt"):
        path.write_bytes(_OF_BYTES["<replace>"](path.read_bytes(), whole))
    elif whole is not None:
        write(path, _plain(whole, None))


def _write_member(path: Path, name: str, text: str) -> None:
    """Write an archive again in which a member has another text."""
    with inspect_logs.zipfile.ZipFile(path) as archive:
        members = {other: archive.read(other) for other in archive.namelist()}
    with inspect_logs.zipfile.ZipFile(path, "w") as archive:
        for other, content in {**members, name: text.encode()}.items():
            archive.writestr(other, content)


_OF_BYTES: dict[str, Callable[[bytes, Any], bytes]] = {
    "<cut>": lambda content, n: content[:-n],
    "<times>": lambda content, n: content * n,
    "<end>": lambda content, text: content + text.encode(),
    "<replace>": lambda content, pairs: _replaced(content.decode(), pairs).encode(),
    "<byte>": lambda content, pair: content.replace(pair[0].encode(), bytes.fromhex(pair[1])),
    "<bytes>": lambda content, digits: bytes.fromhex(digits),
    "<utf-16>": lambda content, _: content.decode().encode("utf-16"),
}


def _replaced(text: str, pairs: list[str]) -> str:
    """Return a text in which each second of the pairs stands for the first."""
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert old in text, old
        text = text.replace(old, new)
    return text


def _owners(root: Any, place: list[str], counts_rows: bool) -> Iterator[tuple[Any, Any]]:
    """Yield what holds a place, and under which key; `*` is every member, `+` one more."""
    (name, *rest), depth = place, len(place)
    if isinstance(root, list):
        n = len(root) if name == "+" else name if name == "*" else int(name) - counts_rows
        keys = range(len(root)) if n == "*" else [n]
    else:
        keys = list(root) if name == "*" else [name]
    for key in keys:
        if depth == 1:
            yield root, key
        else:
            yield from _owners(root[key], rest, counts_rows and name == "")


def _set(owner: Any, key: Any, value: Any, whole: Any) -> None:
    if value == "<gone>":
        del owner[key]
    elif isinstance(owner, list) and key == len(owner):
        owner.append(_plain(value, whole))
    elif isinstance(value, dict) and "<insert>" in value:
        owner.insert(key, _plain(value["<insert>"], whole))
    elif isinstance(value, dict) and "<replace>" in value:
        owner[key] = _replaced(owner[key], value["<replace>"])
    else:
        owner[key] = _plain(value, whole)


def _plain(value: Any, whole: Any) -> Any:
    """Turn a value of TOML into one of JSON; `<of>` is a copy of a row or place, in which other keys are changed."""
    if isinstance(value, str):
        return None if value == "<null>" else value
    if isinstance(value, list):
        return [_plain(one, whole) for one in value]
    if not isinstance(value, dict):
        return value
    if "<texts>" in value:
        return [str(n) for n in range(value["<texts>"])]
    made = {key: _plain(one, whole) for key, one in value.items() if key != "<of>"}
    if "<of>" not in value:
        return made
    base = whole
    for name in str(value["<of>"]).split("."):
        base = base[int(name) - (base is whole) if isinstance(base, list) else name]
    base = copy.deepcopy(base)
    for place, one in made.items():
        for owner, key in _owners(base, place.split("."), False):
            _set(owner, key, one, whole)
    return base
