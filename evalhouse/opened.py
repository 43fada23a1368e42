"""A warehouse file as the Python API opens it. It is open only while a call runs, so that others can use
it between."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import duckdb

from queries import install, session
from warehouse import connection, known_benchmarks
from warehouse.resources import Resources, using
from warehouse.wording import counted


class Opened:
    """A warehouse file, with how it is opened; what can be asked of it is in `Boards` and `Reader`.

    Args:
        path: the DuckDB file; by default EVALHOUSE_DB, else `warehouse.duckdb`.
        wait: seconds to wait while another process holds the file.
        warn: callback, called when the installed views differ from those of this evalhouse.
        memory_limit: memory for DuckDB, such as 8GB; by default EVALHOUSE_MEMORY_LIMIT, else 80 %
            of the machine's. What is more goes to disk, next to the warehouse.
        threads: threads for DuckDB; by default EVALHOUSE_THREADS, else all cores.

    Raises:
        UsageError: a limit that is none.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        wait: float = 0,
        warn: Callable[[str], None] | None = None,
        memory_limit: str | None = None,
        threads: int | None = None,
    ) -> None:
        self.path = Path(path) if path is not None else connection.default_path()
        self.wait = wait
        self._warn = warn
        self._has_warned = False
        self._has_noted = False
        self._resources = Resources(memory_limit, threads)

    def at(self, path: Path) -> Self:
        """Another file, opened as this one is; that its views differ is not reported again."""
        house = type(self)(
            path,
            wait=self.wait,
            warn=self._warn,
            memory_limit=self._resources.memory_limit,
            threads=self._resources.threads,
        )
        house._has_warned = house._has_noted = True
        return house

    @contextmanager
    def reading(
        self, *, files: Iterable[Path] = (), folders: Iterable[Path] = ()
    ) -> Iterator[duckdb.DuckDBPyConnection]:
        """A read-only connection.

        Args:
            files: what else it may read or write; it reaches nothing but these and the warehouse.
            folders: the same of everything in a folder.

        Raises:
            EvalhouseError: there is no such warehouse, it cannot be opened, or it is damaged.
        """
        files, folders = list(files), list(folders)
        if files or folders:
            # A view of a stranger's file must not read these.
            self._look()
        with using(self._resources):
            con = connection.open_for_reading(
                self.path, wait=self.wait, files=files, folders=folders
            )
        try:
            with connection.errors_naming(self.path):
                self._check_releases(con)
                if not files and not folders:
                    self._note_of_before(con)
                with known_benchmarks.of_warehouse(con):
                    yield con
        finally:
            con.close()

    def note(self, text: str) -> None:
        """Report what is no error: to `warn`, or as a Python warning."""
        if self._warn is not None:
            self._warn(text)
        else:
            warnings.warn(text, stacklevel=2)

    @contextmanager
    def _reading_if_there(self) -> Iterator[duckdb.DuckDBPyConnection | None]:
        if self.path.exists():
            with self.reading() as con:
                yield con
        else:
            yield None

    def _look(self) -> None:
        """Note what there is to say of the file, on a connection that reaches nothing else."""
        if self._warn is not None and not self._has_noted:
            with self.reading():
                pass

    def _note_of_before(self, con: duckdb.DuckDBPyConnection) -> None:
        if self._warn is None or self._has_noted:
            return
        self._has_noted = True
        for name, n in session.of_before(con).items():
            self._warn(
                f"{self.path}: figures of {counted(n, 'run')} under {name} are of before their facts "
                f"changed; `evalhouse refresh --release {name}` computes them"
            )

    def _check_releases(self, con: duckdb.DuckDBPyConnection) -> None:
        if self._warn is None:
            return
        differing = install.differing(con)
        if differing and not self._has_warned:
            self._has_warned = True
            views = sorted({view for views in differing.values() for view in views})
            shown = ", ".join(views[:3]) + (" …" if len(views) > 3 else "")
            self._warn(
                f"{self.path}: {', '.join(differing)}: not as they come with this evalhouse "
                f"({shown}); `evalhouse releases install` installs those"
            )
