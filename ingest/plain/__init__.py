"""evalhouse's own formats: a row per answer, score, judgment, question, ability or model."""
