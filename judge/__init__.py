"""Judges and what they said: identity of what is judged, and the table of judgments."""
