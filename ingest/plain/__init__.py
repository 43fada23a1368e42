"""Formats of no harness's: a row per answer, score, judgment, question, subset, ability or model."""
