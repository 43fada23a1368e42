"""Measurements side by side: scripts that each print a table, run as `python -m bench.NAME`."""
