-- Answer ranking (SEED-Bench, Section 3.3): the choice with the best score. One row per run, question, pass, sample and component, for runs whose method is loglik, perplexity or clip.
-- @picked The best choice's label, the first one if several are best; NULL: not every choice has a score.
-- @n_best How many choices share the best score.
WITH scored AS (
    SELECT
        s.run_id,
        r.model,
        r.dataset,
        r.dataset_id,
        s.question_id,
        s.pass,
        s.sample,
        s.component,
        s.label,
        c.ordinal,
        CASE WHEN r.method = 'perplexity' THEN -s.score ELSE s.score END AS merit
    FROM main.choice_score AS s
    INNER JOIN current_run AS r ON s.run_id = r.run_id
    INNER JOIN main.choice AS c
        ON s.question_id = c.question_id AND s.pass = c.pass AND s.label = c.label
    WHERE r.task = 'choice' AND r.method <> 'generation'
),

best AS (
    SELECT
        *,
        max(merit) OVER (PARTITION BY run_id, question_id, pass, sample, component) AS best_merit,
        count(*) OVER (PARTITION BY run_id, question_id, pass, sample, component) AS n_scored
    FROM scored
),

ordered AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY run_id, question_id, pass, sample, component
            ORDER BY CASE WHEN merit = best_merit THEN 0 ELSE 1 END, ordinal
        ) AS place,
        sum(CASE WHEN merit = best_merit THEN 1 ELSE 0 END) OVER (
            PARTITION BY run_id, question_id, pass, sample, component
        ) AS n_best
    FROM best
)

SELECT
    o.run_id,
    o.model,
    o.dataset,
    o.dataset_id,
    o.question_id,
    q.question_key,
    o.pass,
    o.sample,
    o.component,
    CASE WHEN o.n_scored = c.n_choices THEN o.label END AS picked,
    o.n_best
FROM ordered AS o
INNER JOIN choice_set AS c ON o.question_id = c.question_id AND o.pass = c.pass
INNER JOIN main.question AS q ON o.question_id = q.question_id
WHERE o.place = 1
