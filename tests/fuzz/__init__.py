"""Structure-aware fuzzing of ingest: files, mutators that know their formats, and what must hold."""
