-- Every pass of the dataset and sample of a run: what was said, and what it is worth under one
-- judge.
WITH judged AS (
    SELECT
        question_id, pass, sample, component,
        CASE WHEN count(score) = count(*) THEN avg(score) END AS score,
        list(predicted ORDER BY judge_sample)[1] AS predicted,
        list(resolved_by ORDER BY judge_sample)[1] AS resolved_by
    FROM pass_result
    WHERE
        run_id = $run_id
        AND judge = $judge
        AND (
            NOT $is_graded
            OR judge_sample IN (
                SELECT judge_sample
                FROM graded_sample
                WHERE run_id = $run_id AND judge = $judge
            )
        )
    GROUP BY question_id, pass, sample, component
),

scored AS (
    SELECT
        question_id, pass, sample,
        -- An answer of two parts is right if both are.
        CASE WHEN count(score) = count(*) THEN min(score) END AS score,
        list(predicted ORDER BY component)[1] AS predicted,
        list(resolved_by ORDER BY component)[1] AS resolved_by
    FROM judged
    GROUP BY question_id, pass, sample
),

choices AS (
    SELECT
        c.question_id, c.pass, list(c.label ORDER BY c.ordinal) AS labels,
        list(c.ordinal ORDER BY c.ordinal) AS ordinals, list(c.text ORDER BY c.ordinal) AS texts
    FROM main.choice AS c
    INNER JOIN main.question AS q ON c.question_id = q.question_id
    WHERE q.dataset_id = $dataset_id
    GROUP BY c.question_id, c.pass
),

likelihoods AS (
    SELECT
        question_id, pass, sample,
        list(
            {
                'component': component, 'label': label, 'score': score, 'n_tokens': n_tokens,
                'scorer': scorer
            }
            ORDER BY component, label
        ) AS scores
    FROM main.choice_score
    WHERE run_id = $run_id
    GROUP BY question_id, pass, sample
)

SELECT
    s.question_id, q.question_key, q.text AS question, s.pass, s.sample, c.labels, c.ordinals,
    c.texts, a.label AS answer, p.run_id IS NOT NULL AS has_answer, p.text AS prediction,
    coalesce(p.failed, FALSE) AS failed, k.scores, s.score, s.predicted, s.resolved_by
FROM scored AS s
INNER JOIN main.question AS q ON s.question_id = q.question_id
LEFT JOIN choices AS c ON s.question_id = c.question_id AND s.pass = c.pass
LEFT JOIN main.answer AS a
    ON s.question_id = a.question_id AND s.pass = a.pass AND a.superseded_by IS NULL
LEFT JOIN main.prediction AS p
    ON
        p.run_id = $run_id
        AND s.question_id = p.question_id
        AND s.pass = p.pass
        AND s.sample = p.sample
LEFT JOIN likelihoods AS k
    ON s.question_id = k.question_id AND s.pass = k.pass AND s.sample = k.sample
ORDER BY s.question_id, s.pass, s.sample
