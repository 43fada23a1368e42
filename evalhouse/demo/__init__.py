"""The demo: a warehouse that replays the published MMBench dev results."""
