"""Releases of SQL, kept results, boards, comparisons, studies, rendering, export, Spark."""
