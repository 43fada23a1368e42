"""A file's bytes as rows of text, whatever its kind."""
