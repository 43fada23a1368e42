"""Files, without tables: reading untrusted ones, writing whole ones, caches, packages."""
