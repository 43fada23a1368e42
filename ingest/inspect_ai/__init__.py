"""Inspect's logs, without inspect-ai."""
