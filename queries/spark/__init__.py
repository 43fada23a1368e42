"""Apache Spark as a second engine: the same `.sql` files over an exported folder of Parquet."""
