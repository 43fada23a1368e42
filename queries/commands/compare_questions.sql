-- The questions that two runs do not score alike, with what each answer was taken for by pass.
WITH verdict AS (
    SELECT
        run_id, question_id,
        string_agg(coalesce(predicted, '-'), ' ' ORDER BY pass, component) AS verdicts,
        string_agg(coalesce(answer, '-'), ' ' ORDER BY pass, component) AS answers
    FROM pass_result
    WHERE
        run_id IN ($run_a, $run_b)
        AND judge = $judge
        AND sample = 0
        AND judge_sample = (
            SELECT min(k.judge_sample) FROM pass_result AS k WHERE k.judge = $judge AND k.run_id = $run_a
        )
    GROUP BY run_id, question_id
),

ability_text AS (
    SELECT l.question_id, string_agg(DISTINCT t.ability, ' / ' ORDER BY t.ability) AS abilities
    FROM question_level AS l
    INNER JOIN ability_tree AS t ON l.ability_id = t.ability_id
    WHERE t.ability_id > 0
    GROUP BY l.question_id
),

said AS (
    SELECT run_id, question_id, text
    FROM main.prediction
    WHERE run_id IN ($run_a, $run_b) AND pass = 0 AND sample = 0
)

SELECT
    p.question_key, p.score_a, p.score_b, v.answers AS answer, v.verdicts AS verdict_a,
    w.verdicts AS verdict_b, q.text AS question, a.text AS prediction_a, b.text AS prediction_b,
    t.abilities
FROM paired_question AS p
INNER JOIN main.question AS q ON p.question_a = q.question_id
LEFT JOIN verdict AS v ON p.question_a = v.question_id AND v.run_id = $run_a
LEFT JOIN verdict AS w ON p.question_b = w.question_id AND w.run_id = $run_b
LEFT JOIN said AS a ON p.question_a = a.question_id AND a.run_id = $run_a
LEFT JOIN said AS b ON p.question_b = b.question_id AND b.run_id = $run_b
LEFT JOIN ability_text AS t ON p.question_a = t.question_id
WHERE
    p.run_a = $run_a
    AND p.run_b = $run_b
    AND p.strategy = $strategy
    AND p.judge = $judge
    AND p.difference <> 0
ORDER BY p.difference DESC, length(p.question_key), p.question_key
