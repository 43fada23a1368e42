-- Stand-in.
CREATE MACRO vqa_score(text, answers) AS CASE WHEN list_contains(answers, text) THEN 1.0 ELSE 0.0 END
