-- What the first character of each answer says, which is how lmms-eval reads SEED-Bench: white
-- space around the answer is passed over, and any other character than the right letter is wrong.
-- `The answer is C` is read as T, and `A dog` as A. One row per run, question, pass and sample, for
-- runs that generated text on choice questions.
-- @first_character The character; NULL: there is none.
-- @answer The right label; NULL: hidden.
-- @score 1 if it is the right label, else 0; NULL where the answer is hidden.
-- @data_type What the question file or the samples say of the question's kind of data, such as
--   image; NULL: nothing.
WITH kinds AS (
    SELECT question_id, max(value) AS data_type
    FROM main.question_attribute
    WHERE name = 'data_type'
    GROUP BY question_id
),

said AS (
    SELECT
        p.run_id, r.model, r.run, r.dataset, p.question_id, p.pass, p.sample,
        nullif(regexp_extract(spaced(p.text), '([^ ])', 1), '') AS first_character
    FROM main.prediction AS p
    INNER JOIN current_run AS r USING (run_id)
    WHERE r.task = 'choice' AND r.method = 'generation'
)

SELECT
    s.run_id, s.model, s.run, s.dataset, s.question_id, d.question_key, k.data_type, s.pass,
    s.sample, s.first_character, d.answer,
    CAST(
        CASE
            WHEN d.answer IS NULL THEN NULL
            WHEN s.first_character = d.answer THEN 1.0
            ELSE 0.0
        END AS DOUBLE
    ) AS score
FROM said AS s
INNER JOIN dataset_pass AS d USING (question_id, pass)
LEFT JOIN kinds AS k USING (question_id)
