-- The pick of each ranked answer by log-likelihood per character and per byte of the choice's text,
-- which lm-evaluation-harness calls acc_norm and acc_bytes (white space around a choice counts for
-- neither, and the first of equal choices is picked). One row per run, question, pass and sample,
-- for runs with the summed log-likelihoods of the choices' contents, where every choice has a score
-- and a text.
-- @picked The pick by the sum itself, as the harness's acc has it.
-- @picked_per_character The pick per character.
-- @picked_per_byte The pick per byte of UTF-8.
-- @answer The right label; NULL: hidden.
-- @score 1 if the pick by the sum is right, else 0; NULL where the answer is hidden.
-- @score_per_character The same of the pick per character.
-- @score_per_byte The same of the pick per byte.
WITH measured AS (
    SELECT
        s.run_id, s.question_id, s.pass, s.sample, s.label, s.ordinal, s.score,
        s.score / nullif(length(c.text), 0) AS per_character,
        s.score / nullif(length(hex(c.text)) / 2, 0) AS per_byte
    FROM ranked_score AS s
    INNER JOIN main.choice AS c USING (question_id, pass, label)
    WHERE
        s.method = 'loglik'
        AND s.reduction = 'sum'
        AND s.scored = 'content'
        AND s.scorer IS NULL
        AND s.component = 'answer'
),

placed AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY run_id, question_id, pass, sample
            ORDER BY score DESC, ordinal, label
        ) AS place,
        row_number() OVER (
            PARTITION BY run_id, question_id, pass, sample
            ORDER BY per_character DESC, ordinal, label
        ) AS place_per_character,
        row_number() OVER (
            PARTITION BY run_id, question_id, pass, sample
            ORDER BY per_byte DESC, ordinal, label
        ) AS place_per_byte
    FROM measured
),

picks AS (
    SELECT
        run_id, question_id, pass, sample, count(per_byte) AS n_measured,
        max(CASE WHEN place = 1 THEN label END) AS picked,
        max(CASE WHEN place_per_character = 1 THEN label END) AS picked_per_character,
        max(CASE WHEN place_per_byte = 1 THEN label END) AS picked_per_byte
    FROM placed
    GROUP BY run_id, question_id, pass, sample
)

SELECT
    k.run_id, r.model, r.run, r.dataset, k.question_id, d.question_key, k.pass, k.sample, k.picked,
    k.picked_per_character, k.picked_per_byte, d.answer,
    CAST(
        CASE
            WHEN d.answer IS NULL THEN NULL
            WHEN k.picked = d.answer THEN 1.0
            ELSE 0.0
        END AS DOUBLE
    ) AS score,
    CAST(
        CASE
            WHEN d.answer IS NULL THEN NULL
            WHEN k.picked_per_character = d.answer THEN 1.0
            ELSE 0.0
        END AS DOUBLE
    ) AS score_per_character,
    CAST(
        CASE
            WHEN d.answer IS NULL THEN NULL
            WHEN k.picked_per_byte = d.answer THEN 1.0
            ELSE 0.0
        END AS DOUBLE
    ) AS score_per_byte
FROM picks AS k
INNER JOIN current_run AS r USING (run_id)
INNER JOIN dataset_pass AS d USING (question_id, pass)
INNER JOIN choice_set AS c USING (question_id, pass)
WHERE k.n_measured = c.n_choices
