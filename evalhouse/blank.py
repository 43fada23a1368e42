"""A new warehouse: a copy of the empty one that was made when evalhouse was set up, where it is there.

To make one from the SQL takes seconds, for two hundred views with their comments; to copy one does not. The
copy is used only if it was made by the code, the views and the engine that are here now, so it is what
they would make, but for its identity and its dates, which a copy gets anew. `python -m evalhouse.blank`
makes it, next to this module.
"""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from queries import install
from queries import release as releases
from warehouse import connection

_HERE = Path(__file__).parent
_MADE_BY = (
    "queries/*.py",
    "queries/*.sql",
    "queries/results/*",
    "queries/releases/columns.toml",
    "warehouse/*.py",
    "warehouse/*.sql",
    "warehouse/migrations/*.sql",
)
"""What an empty warehouse follows from, besides the default release's own views."""
_ITS_OWN = {
    "warehouse_identity": "warehouse_uuid = CAST(uuid() AS VARCHAR)",
    "schema_version": "applied_at = now() AT TIME ZONE 'UTC'",
    "release": "installed_at = now() AT TIME ZONE 'UTC'",
}
"""What is another value in each warehouse. Two of one identity would count as copies of one another."""


def path() -> Path:
    """Where the empty warehouse lies, if it was made; its name says what it was made by."""
    release = releases.load(releases.default_name())
    files = sorted(file for pattern in _MADE_BY for file in _HERE.parent.glob(pattern))
    made_by = [
        duckdb.__version__,
        release.state,
        *(file.key + file.sha256 for file in release.lasting_files),
        *(file.name + sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()),
    ]
    return _HERE / f"blank-{sha256('/'.join(made_by).encode()).hexdigest()[:16]}.duckdb"


def put(new: Path) -> None:
    """Make an empty warehouse where there is none."""
    try:
        shutil.copyfile(path(), new)
    except FileNotFoundError:
        make(new)
        return
    con = connection.open_for_writing(new)
    try:
        with connection.transaction(con):
            for table, change in _ITS_OWN.items():
                con.execute(f"UPDATE main.{table} SET {change}")
    finally:
        con.close()


def make(new: Path) -> None:
    """Make one from the SQL."""
    connection.open_for_writing(new, then=install.install_where_none_is).close()


def main() -> None:
    """Make the empty warehouse that later ones are copied from, where it is not there."""
    blank = path()
    if blank.is_file():
        return
    with TemporaryDirectory(dir=_HERE) as folder:
        new = Path(folder, "new.duckdb")
        make(new)
        for older in _HERE.glob("blank-*.duckdb"):
            older.unlink(missing_ok=True)
        new.replace(blank)


if __name__ == "__main__":
    main()
