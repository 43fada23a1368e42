"""The file: schema, connection, reading and writing, benchmarks, judges, merging, Parquet."""
