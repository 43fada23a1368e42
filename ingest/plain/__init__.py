"""evalhouse's own formats: a row per answer, score, judgment, question, subset, ability or model."""
