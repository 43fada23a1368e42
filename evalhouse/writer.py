"""How the Python API writes to a warehouse: made or upgraded first, results computed in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from evalhouse.reader import Reader
from queries import install
from queries import release as releases
from queries.results import refresh as keeping
from queries.results.refresh import Kept
from warehouse import connection, known_benchmarks
from warehouse.errors import BusyError, EvalhouseError
from warehouse.later import Later
from warehouse.resources import using

if TYPE_CHECKING:
    from evalhouse import installing, placing
    from judge import unmerged
else:
    # Who opens a warehouse to read it waits for none of them.
    placing = Later("evalhouse.placing")
    installing = Later("evalhouse.installing")
    unmerged = Later("judge.unmerged")


class Writer(Reader):
    """A warehouse file, made by the first call that writes; what changes its facts is in `Warehouse`.

    The arguments are those of `Opened`: path, wait, warn, memory_limit, threads.
    """

    @contextmanager
    def writing(self, *, files: Iterable[Path] = ()) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection to write with; the warehouse is made or upgraded first where need be.

        Args:
            files: what else it may read; it reaches nothing but these and the warehouse.

        Raises:
            EvalhouseError: it cannot be opened, or is damaged.
        """
        connection.require_file(self.path)
        if not self.path.exists():
            with using(self._resources):
                placing.create(self.path)
        with using(self._resources):
            con = connection.open_for_writing(
                self.path, wait=self.wait, files=files, then=install.install_where_none_is
            )
        try:
            with connection.errors_naming(self.path):
                if not install.installed(con):
                    install.bring_up_to_date(con)
                self._check_releases(con)
                with known_benchmarks.of_warehouse(con):
                    yield con
        finally:
            con.close()

    @contextmanager
    def changing(
        self,
        *,
        files: Iterable[Path] = (),
        refresh: bool = True,
        step: Callable[[str], None] = lambda text: None,
    ) -> Iterator[duckdb.DuckDBPyConnection]:
        """The same for a change of facts: it ends by computing the results of the runs concerned.

        That is a transaction of its own, after those of the facts. If it fails or is interrupted,
        the facts stay, a note says so, and boards compute what is out of date.

        Args:
            files: what else it may read.
            refresh: False leaves the refresh to a later command.
            step: callback, called with what is being done.
        """
        with self.writing(files=files) as con:
            if not refresh:
                yield con
                return
            before = installing.last_facts(con)

            def bring_up() -> None:
                installing.refresh_all(con, step=step, note=self.note)

            try:
                yield con
            except EvalhouseError:
                # Of several files, those before the one that cannot be read are in.
                if installing.last_facts(con) not in (before, None):
                    bring_up()
                raise
            bring_up()

    def refresh_kept(self, *, step: Callable[[str], None] = lambda text: None) -> None:
        """What every writing command ends with, for those that open the file several times.

        It waits for no other process longer than judging does: that process refreshes the file too.
        """
        patient = self.at(self.path)
        patient.wait = max(self.wait, unmerged.BUSY_SECONDS)
        try:
            with patient.changing(step=step):
                pass
        except BusyError as error:
            self.note(f"{installing.STORED}, but results are not computed: {error}")

    def refresh(self, *, release: str = install.LATEST, verify: bool = False) -> Kept:
        """Compute the results of the runs that are out of date.

        Every call that changes facts ends with this. A run is out of date where such a call has
        changed what its results rest on.

        Args:
            release: a release by name, or the folder of one, which is installed first.
            verify: also look for facts that were changed by hand, in another client: every answer
                and judgment is hashed.
        """
        with using(self._resources):
            name = installing.install(self.path, release, wait=self.wait, compute=False)
        with self.writing() as con:
            if not keeping.is_of_now(con, name) and name in releases.shipped_names():
                install.install(con, releases.load(name))
            return keeping.refresh(con, name, verify=verify)

    def drop_kept(self, *, release: str = install.LATEST) -> None:
        """Forget the results of a release; `refresh` computes them anew."""
        with self.reading() as con:
            name = install.found_as(con, release)
        if name is None:
            return
        with self.writing() as con:
            keeping.drop(con, releases.default_name() if name == install.LATEST else name)

    def install_release(self, name_or_directory: str) -> str:
        """Install a release where it is not there as it stands on disk; return its name.

        Args:
            name_or_directory: a release by name, `latest`, or the folder of one.

        Raises:
            UsageError: no such release or folder.
            EvalhouseError: the folder is not a release, or a view does not bind.
        """
        with using(self._resources):
            return installing.install(self.path, name_or_directory, wait=self.wait)
