"""Judges: templates, requests, the cache, clients, processes."""
