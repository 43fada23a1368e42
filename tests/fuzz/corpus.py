"""The files that are mutated: every real and example file, cut to a few records, and our own formats.

`prepare` writes them below a folder once, and next to them a warehouse that knows them all, so that a
mutated file meets its questions, its run and its judge.
"""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from evalhouse import Warehouse
from ingest.many import File, ingest_files
from ingest.pipeline import ingest_file
from ingest.pipeline import prepare as prepare_connection
from ingest.settings import Settings
from queries.eee_export import eee_files
from tests.nasty import nasty
from warehouse.connection import open_for_writing
from warehouse.errors import EvalhouseError
from warehouse.resources import Resources, using

if sys.version_info >= (3, 14):
    import zipfile
else:
    from backports.zstd import zipfile

ROWS = 12
"""How many records of a file are kept."""
_SMALL = 12_000
"""Files of so few bytes are kept as they are."""
_SEED = 14


@dataclass(frozen=True)
class Case:
    """A file to mutate: its path below the corpus, its group, and the flags it is read with."""

    path: str
    group: str
    flags: dict[str, Any] = field(default_factory=dict)
    accepted: bool = False


def prepare(shared: Path, folder: Path) -> None:
    """Write the corpus, the warehouses `empty.duckdb` and `base.duckdb`, and the list `cases.json`.

    The warehouses hold facts alone, as an ingest without a refresh asks no view: with the views of the
    releases most of an input's time would go into opening its copy.
    """
    files = folder / "files"
    cases = _own(files / "own")
    for top in ("real", "formats", "wild"):
        for path in sorted((shared / top).rglob("*")):
            if path.is_file():
                name = Path(top, path.relative_to(shared / top))
                _cut(path, files / name)
                cases.append(Case(str(name), _group(name)))
    open_for_writing(folder / "empty.duckdb").close()
    shutil.copy(folder / "empty.duckdb", folder / "base.duckdb")
    with using(Resources(None, 1)), closing(open_for_writing(folder / "base.duckdb")) as con:
        prepare_connection(con)
        cases = _ingest(con, files, cases)
    shutil.copy(folder / "base.duckdb", folder / "scored.duckdb")
    cases += _everyeval(Warehouse(folder / "scored.duckdb", threads=1), files / "eee")
    (folder / "cases.json").write_text(json.dumps([asdict(case) for case in cases]), "utf-8")


def load(folder: Path) -> dict[str, list[Case]]:
    """The cases of a corpus by group."""
    groups: dict[str, list[Case]] = {}
    for entry in json.loads((folder / "cases.json").read_text("utf-8")):
        case = Case(**entry)
        groups.setdefault(case.group, []).append(case)
    return groups


def _group(name: Path) -> str:
    """Files of a group are alike, so that each group gets its share of the inputs."""
    return f"{name.parts[0]}/{name.parts[1]}{name.suffix}"


_ALIKE = "vlmevalkit_field/outputs/Lynx-VL-2B"
"""The one of several models in whose folders the same files are; the others' runs are not in the warehouse."""
_FLAGS: dict[str, dict[str, Any]] = {
    "real/mmbench/llava-v1.5-13b.xlsx": {"benchmark": "MMBench", "version": "real"},
    "formats/inspect_json/": {"run": "json"},
    "wild/mmvet2/": {"benchmark": "MM-Vet v2"},
}
"""What the files' names do not tell."""


def _ingest(con: duckdb.DuckDBPyConnection, files: Path, cases: list[Case]) -> list[Case]:
    """Read the questions, with a benchmark where they do not tell theirs, and then everything else."""
    found: dict[str, Case] = {}
    later = []
    for case in cases:
        flags = case.flags or next((_FLAGS[one] for one in _FLAGS if case.path.startswith(one)), {})
        path = files / case.path
        if "LMUData" in case.path:
            flags = {} if _accepted(con, path, {}) else {"benchmark": path.stem}
        if flags or "LMUData" in case.path or case.path.startswith("own"):
            accepted = _accepted(con, path, flags) or _accepted(con, path, {})
            found[case.path] = replace(case, flags=flags, accepted=accepted)
        else:
            later.append(case)
    first = [
        case
        for case in later
        if "vlmevalkit_field/outputs/" not in case.path or _ALIKE in case.path
    ]
    by_path = {str(files / case.path): case for case in later}
    read = [File(files / case.path, named=False) for case in first]
    for outcome in ingest_files(con, read, Settings()):
        case = by_path[str(outcome.file.path)]
        found[case.path] = replace(case, accepted=outcome.report is not None)
    alike = {
        path.rpartition("Lynx-VL-2B")[2]
        for path, case in found.items()
        if case.accepted and _ALIKE in path
    }
    for case in later:
        if case.path not in found:
            accepted = any(case.path.endswith(name) for name in alike)
            found[case.path] = replace(case, accepted=accepted)
    return [found[path] for path in sorted(found)]


def _accepted(con: duckdb.DuckDBPyConnection, path: Path, flags: dict[str, Any]) -> bool:
    try:
        ingest_file(con, path, Settings(**flags))
    except EvalhouseError:
        return False
    return True


def _everyeval(house: Warehouse, folder: Path) -> list[Case]:
    """What `export eee` makes of some runs: aggregate and records, and the aggregate alone."""
    cases: list[Case] = []
    release = house.install_release("latest")
    with house.reading() as con:
        runs = con.execute("SELECT run_id FROM main.run ORDER BY run_id").fetchall()
        for (run_id,) in runs:
            try:
                made = eee_files(con, run_id, judge="none", release=release)
            except EvalhouseError:
                continue
            for name, text in made.files.items():
                path = folder / str(run_id) / Path(str(name)).name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
                if path.suffix == ".jsonl":
                    cases.append(Case(str(path.relative_to(folder.parent)), "eee.jsonl"))
                else:
                    alone = folder / f"alone/{path.name}"
                    alone.parent.mkdir(exist_ok=True)
                    shutil.copy(path, alone)
                    cases.append(Case(str(alone.relative_to(folder.parent)), "eee.json"))
            if len(cases) >= 4:
                break
    return cases


def _cut(path: Path, target: Path) -> None:
    """A copy with the first records alone."""
    target.parent.mkdir(parents=True, exist_ok=True)
    cut = _CUTTERS.get(path.suffix)
    if path.stat().st_size <= _SMALL or cut is None:
        shutil.copy(path, target)
    else:
        cut(path, target)


def _cut_lines(path: Path, target: Path) -> None:
    with path.open(encoding="utf-8") as file:
        lines = [line for line, _ in zip(file, range(ROWS), strict=False)]
    target.write_text("".join(lines), "utf-8")


def _cut_table(path: Path, target: Path) -> None:
    delimiter = "\t" if path.suffix == ".tsv" else ","
    csv.field_size_limit(2**30)
    with path.open(encoding="utf-8", newline="") as file:
        rows = [
            row
            for row, _ in zip(csv.reader(file, delimiter=delimiter), range(ROWS + 1), strict=False)
        ]
    out = io.StringIO(newline="")
    # Images in base64 are what makes rows long.
    csv.writer(out, delimiter=delimiter).writerows([cell[:2000] for cell in row] for row in rows)
    target.write_text(out.getvalue(), "utf-8", newline="")


def _cut_json(path: Path, target: Path) -> None:
    text = path.read_text("utf-8")
    try:
        data = json.loads(text)
    except ValueError:
        _cut_lines(path, target)
        return
    target.write_text(json.dumps(_shorter(data), ensure_ascii=False, indent=1), "utf-8")


def _shorter(value: Any, depth: int = 0) -> Any:
    """A value with the first members of long lists and objects."""
    if isinstance(value, dict):
        kept = list(value.items())[: ROWS if len(value) > 60 else None]
        return {key: _shorter(member, depth + 1) for key, member in kept}
    if isinstance(value, list):
        return [_shorter(member, depth + 1) for member in value[:ROWS]]
    return value


def _cut_xlsx(path: Path, target: Path) -> None:
    pl.read_excel(path).head(ROWS).write_excel(target)


def _cut_parquet(path: Path, target: Path) -> None:
    pl.read_parquet(path).head(ROWS).write_parquet(target)


def _cut_eval(path: Path, target: Path) -> None:
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(target, "w") as cut:
        n = 0
        for info in archive.infolist():
            n += info.filename.startswith("samples/")
            if not info.filename.startswith("samples/") or n <= ROWS // 2:
                cut.writestr(info.filename, archive.read(info), compress_type=info.compress_type)


_CUTTERS: dict[str, Callable[[Path, Path], None]] = {
    ".jsonl": _cut_lines,
    ".csv": _cut_table,
    ".tsv": _cut_table,
    ".json": _cut_json,
    ".xlsx": _cut_xlsx,
    ".parquet": _cut_parquet,
    ".eval": _cut_eval,
}


def _own(folder: Path) -> list[Case]:
    """Files in our own formats, with nasty texts."""
    folder.mkdir(parents=True)
    pick = random.Random(_SEED)
    questions: list[dict[str, Any]] = [
        {
            "question_key": str(n),
            "pass": step,
            "question": f"Q {n} {nasty(pick)[:50]}",
            "A": f"cat {n}", "B": f"dog {n}", "C": nasty(pick)[:20].strip() or "none",
            "answer": "ABC"[n % 3],
            "ability_l1": f"top {n % 2}", "ability_l2": f"leaf {n % 4}",
            "source": nasty(pick)[:30],
        }
        for n in range(1, ROWS + 1)
        for step in (0, 1)
    ]  # fmt: skip
    lists = [
        {"question_key": f"k{n}", "question": f"Q {n}", "choices": ["yes", "no", f"{n}"], "answer": "B"}
        for n in range(ROWS)
    ]  # fmt: skip
    opens = [
        {"question_key": f"o{n}", "question": f"Why {n}?", "references": [f"r {n}", "s"], "split": "dev"}
        for n in range(ROWS)
    ]  # fmt: skip
    said = [
        {
            "question_key": str(n),
            "pass": step,
            "sample": 0,
            "prediction": nasty(pick)[:200].replace("\x00", ""),
            "failed": n == 7,
        }
        for n in range(1, ROWS + 1)
        for step in (0, 1)
    ]
    scores = [
        {"question_key": str(n), "pass": 0, "label": label, "score": -pick.random() * 9, "n_tokens": 1 + n % 3}
        for n in range(1, ROWS + 1)
        for label in "ABC"
    ]  # fmt: skip
    verdicts = [
        {"question_key": str(n), "verdict": "ABCX"[n % 4], "judge": "Ann"} for n in range(1, ROWS)
    ]
    replies = [
        {
            "question_key": str(n),
            "reply": nasty(pick)[:80].replace("\x00", ""),
            "judge": "cache",
            "judge_sample": n % 2,
        }
        for n in range(1, ROWS)
    ]
    models = [
        {
            "name": f"model {n}",
            "parameters_billion": n + 0.5,
            "access": "open",
            "released_on": "2024-02-29",
            "aliases": f"m{n}",
        }
        for n in range(4)
    ]
    abilities = [
        {
            "level": "l1",
            "ability": "a",
            "parent": None,
            "abbreviation": "A",
            "spellings": "aa; aaa",
        },
        {"level": "l2", "ability": "b", "parent": "a", "abbreviation": "B", "spellings": None},
    ]
    own, with_model = {"benchmark": "Own"}, {"benchmark": "Own", "model": "m"}
    loglik = {"method": "loglik", "reduction": "sum", "scored": "content"}
    plans: list[tuple[str, list[dict[str, Any]], dict[str, Any], str]] = [
        ("questions", questions, own, "jsonl csv tsv parquet json"),
        ("lists", lists, {"benchmark": "Lists"}, "jsonl parquet json"),
        ("opens", opens, {"benchmark": "Opens"}, "jsonl parquet"),
        ("said", said, with_model, "jsonl csv tsv parquet json xlsx"),
        ("scores", scores, {"benchmark": "Own", "model": "scored"} | loglik, "jsonl csv parquet"),
        ("verdicts", verdicts, with_model | {"run": "said jsonl"}, "jsonl csv xlsx"),
        ("replies", replies, with_model | {"run": "said jsonl"}, "jsonl csv"),
        ("models", models, {}, "csv jsonl xlsx"),
        ("abilities", abilities, {"benchmark": "Sums"}, "csv jsonl"),
    ]
    cases = []
    for name, rows, flags, kinds in plans:
        for kind in kinds.split():
            path = folder / kind / f"{name}.{kind}"
            path.parent.mkdir(exist_ok=True)
            _write(path, rows)
            more = {"run": f"said {kind}"} if name in ("said", "scores") else {}
            if name == "abilities":
                more = {"benchmark": f"Sums {kind}"}
            cases.append(Case(f"own/{kind}/{path.name}", f"own/{name}", flags | more))
    (folder / "few.json").write_text(json.dumps(["1", "2", 3]), "utf-8")
    cases.append(Case("own/few.json", "own/subset", own))
    return cases


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    if path.suffix == ".jsonl":
        _write_lines(path, (json.dumps(row, ensure_ascii=False) for row in rows))
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    elif path.suffix in (".csv", ".tsv"):
        out = io.StringIO(newline="")
        writer = csv.DictWriter(
            out, list(rows[0]), delimiter="," if path.suffix == ".csv" else "\t"
        )
        writer.writeheader()
        writer.writerows(rows)
        path.write_bytes(out.getvalue().encode())
    else:
        frame = pl.DataFrame(rows, infer_schema_length=None)
        if path.suffix == ".parquet":
            frame.write_parquet(path)
        else:
            frame.write_excel(path)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
