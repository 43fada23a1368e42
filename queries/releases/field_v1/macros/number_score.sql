-- Stand-in.
CREATE MACRO number_score(text, answers, tolerance) AS CASE WHEN list_contains(answers, text) THEN tolerance * 0 + 1.0 ELSE 0.0 END
