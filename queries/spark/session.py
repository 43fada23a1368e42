"""Starting Spark: on this machine by default, quietly, and with the settings that the views rely
on."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from warehouse.errors import UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL = "local[*]"
_JAVA = "Java 17 or newer (JAVA_HOME says where it is)"
_OF_QUERIES = {
    # An overflow or a text that is no number is an error, as it is to DuckDB.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    # With it Spark 4 fails to plan a union over rows that it keeps ("key not found: run_id").
    "spark.sql.constraintPropagation.enabled": "false",
}
_SETTINGS = {
    "spark.app.name": "evalhouse",
    # Nothing of ours outlives the session.
    "spark.sql.catalogImplementation": "in-memory",
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # What the parser remembers of long statements would take some gigabytes.
    "spark.sql.parser.manageParserCaches": "true",
    "spark.sql.parser.parserDfaCacheFlushRatio": "10",
}
_OF_FEW_ROWS = {
    # Compiling a plan takes longer than these rows do.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
_JAVA_OF_FEW_ROWS = {
    # And so does what Java compiles of itself for the long run.
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    # A table that a join sends around takes a whole page, which is 64 MB by default.
    "spark.buffer.pageSize": "1m",
}


@contextmanager
def running(master: str | None = None, *, has_few_rows: bool = False) -> Iterator[SparkSession]:
    """A Spark session for as long as the `with` lasts; within another, one of its own on the same Spark.

    Args:
        master: a cluster's URL; by default this machine's cores.
        has_few_rows: queries read so little that planning takes the most of their time.

    Raises:
        UsageError: pyspark or Java is missing, or Spark does not start.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise UsageError(
            f"Spark is not installed: pip install 'evalhouse[spark]'; it needs {_JAVA}"
        ) from error
    of_queries = _OF_QUERIES | (_OF_FEW_ROWS if has_few_rows else {})
    outer = SparkSession.getActiveSession()
    if outer is not None:
        inner = outer.newSession()
        for key, value in of_queries.items():
            inner.conf.set(key, value)
        yield inner
        return
    # It would repeat every error, with the engine's whole stack.
    logging.getLogger("SQLQueryContextLogger").disabled = True
    builder = SparkSession.builder.master(master or LOCAL)
    settings = _SETTINGS | of_queries | of_this_machine(master)
    if has_few_rows:
        settings |= _JAVA_OF_FEW_ROWS
    for key, value in settings.items():
        builder = builder.config(key, value)
    with tempfile.TemporaryFile() as said:
        try:
            with _errors_to(said):
                spark = builder.getOrCreate()
        except Exception as error:
            raise UsageError(_why_not(error, said)) from error
    try:
        yield spark
    finally:
        spark.stop()


def of_this_machine(master: str | None) -> dict[str, str]:
    """Settings that a cluster's configuration has and a single machine lacks."""
    if master is not None and not master.startswith("local"):
        return {}
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "spark.driver.memory": os.environ.get("SPARK_DRIVER_MEMORY")
        or f"{max(1024, memory // 2**21)}m",
        "spark.driver.maxResultSize": "0",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": str(2 * (os.cpu_count() or 1)),
    }


@contextmanager
def _errors_to(file: Any) -> Iterator[None]:
    """Java inherits standard error and writes a greeting there under all settings."""
    kept = os.dup(2)
    os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _why_not(error: Exception, said: Any) -> str:
    said.seek(0)
    lines = [line.strip() for line in said.read().decode(errors="replace").splitlines()]
    errors = [line for line in lines if "JAVA_HOME" in line or "rror" in line or "xception" in line]
    if any("JAVA_HOME is not set" in line or "java: " in line for line in lines):
        return f"Spark needs {_JAVA}, and there is none"
    if any("UnsupportedClassVersionError" in line for line in lines):
        return f"Spark needs {_JAVA}, and this one is older"
    why = errors[0] if errors else str(error).splitlines()[0]
    return f"Spark does not start: {why} (it needs {_JAVA})"
