"""The warehouse: one DuckDB file of facts. Schema, connection, migrations, taxonomy, checks."""
