-- From what graders said in an Inspect log (`stage_said`) to staged judgments.
-- `stage_place_of_sample` has the question of each sample; a scorer says one thing of each.

-- name: graders
SELECT
    scorer,
    judge,
    bool_and(value IN ('"C"', '"P"', '"I"', '"N"', 'NaN', 'null')) AS is_lettered
FROM stage_said
GROUP BY scorer, judge
ORDER BY scorer, judge

-- name: find_gradings
-- The same answer to the same question in two epochs is the same subject, put to the judge twice.
CREATE OR REPLACE TEMP TABLE stage_grading AS
SELECT
    p.row,
    s.scorer,
    j.judge,
    CASE
        WHEN j.task = 'letter_grade'
            THEN row_number() OVER (
                PARTITION BY j.judge, p.split, p.question_key, p.pass, md5(r.prediction)
                ORDER BY p.sample, p.row
            ) - 1
        ELSE 0
    END AS judge_sample
FROM stage_said AS s
INNER JOIN stage_place_of_sample AS p ON s.row = p.row
INNER JOIN raw AS r ON s.row = r.__row
INNER JOIN stage_judge AS j ON s.scorer = j.scorer AND s.judge = j.model

-- name: stage_judgments
INSERT INTO stage_judgment
SELECT
    k.row, $model, p.split, p.question_key, p.pass, p.sample, k.judge, k.judge_sample, 0, NULL,
    s.reply, NULL, k.scorer || ': ' || s.value, NULL, NULL, NULL
FROM stage_grading AS k
INNER JOIN stage_said AS s ON k.row = s.row AND k.scorer = s.scorer
INNER JOIN stage_place_of_sample AS p ON k.row = p.row

-- name: stage_prompts
INSERT INTO stage_prompt
SELECT k.row, k.judge, k.judge_sample, s.prompt
FROM stage_grading AS k
INNER JOIN stage_said AS s ON k.row = s.row AND k.scorer = s.scorer
