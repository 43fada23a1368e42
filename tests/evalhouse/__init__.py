"""The commands, the Python API, the pages and the demo."""
