"""Formats: what is read of each harness's files, and what is refused."""
