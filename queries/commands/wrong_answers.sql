-- A model's answers of its latest runs that are not right, with all that their scores rest on:
-- under the named judge, else the default one of each dataset.
SELECT
    s.dataset, s.question_key, s.pass, s.sample, s.question, s.choices, s.answer, s.answer_text,
    s.prediction, s.verdict, s.score, s.resolved_by, s.reading, s.rule, s.judge, s.judge_sample,
    s.reply, s.abilities, s.run
FROM answer_sheet AS s
INNER JOIN current_run AS r ON s.run_id = r.run_id
LEFT JOIN default_judge AS j ON r.dataset_id = j.dataset_id AND j.is_own
WHERE
    r.is_latest
    AND r.model_id = $model_id
    AND ($dataset IS NULL OR s.dataset = $dataset OR lower(r.benchmark) = lower($dataset))
    AND s.judge = coalesce($judge, j.judge)
    AND s.score < 1
    AND (
        $ability IS NULL
        OR s.question_id IN (
            SELECT l.question_id
            FROM question_level AS l
            INNER JOIN ability_tree AS t ON l.ability_id = t.ability_id
            WHERE lower(t.ability) = lower($ability) OR lower(t.abbreviation) = lower($ability)
        )
    )
ORDER BY s.dataset, length(s.question_key), s.question_key, s.pass, s.sample, s.judge_sample
