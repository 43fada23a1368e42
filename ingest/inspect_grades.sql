-- From what graders said in an Inspect log to staged judgments. `stage_sample` holds the samples.

-- name: find_said
CREATE OR REPLACE TEMP TABLE stage_said AS
SELECT
    row, split, question_key, pass, sample, prediction,
    unnest(
        from_json(
            gradings,
            '[{"scorer":"VARCHAR","judge":"VARCHAR","prompt":"VARCHAR","reply":"VARCHAR","value":"VARCHAR"}]'
        )
    ) AS g
FROM stage_sample
WHERE gradings IS NOT NULL

-- name: graders
SELECT
    g.scorer,
    g.judge,
    bool_and(g.value IN ('"C"', '"P"', '"I"', '"N"', 'NaN', 'null')) AS is_lettered
FROM stage_said
GROUP BY g.scorer, g.judge
ORDER BY min(g.scorer), g.judge

-- name: stage_gradings
-- The same answer to the same question in two epochs is the same subject, put to the judge twice.
CREATE OR REPLACE TEMP TABLE stage_grading AS
SELECT
    s.row, s.split, s.question_key, s.pass, s.sample, j.judge, s.g.scorer, s.g.prompt, s.g.reply,
    s.g.value,
    CASE
        WHEN j.task = 'letter_grade'
            THEN row_number() OVER (
                PARTITION BY j.judge, s.split, s.question_key, s.pass, s.prediction
                ORDER BY s.sample, s.row
            ) - 1
        ELSE 0
    END AS judge_sample
FROM stage_said AS s
INNER JOIN stage_judge AS j ON s.g.scorer = j.scorer AND s.g.judge = j.model

-- name: stage_judgments
INSERT INTO stage_judgment
SELECT
    row, $model, split, question_key, pass, sample, judge, judge_sample, 0, NULL, reply, NULL,
    scorer || ': ' || value
FROM stage_grading

-- name: stage_prompts
INSERT INTO stage_prompt
SELECT row, judge, judge_sample, prompt
FROM stage_grading
