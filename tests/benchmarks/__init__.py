"""The five sources: the papers' tables from answers, and the benchmarks' own files."""
