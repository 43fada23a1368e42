-- From what graders said in an Inspect log (`stage_said`) to staged judgments.
-- `stage_place_of_sample` has the question of each sample.

-- name: unnamed_voters
SELECT DISTINCT scorer, place
FROM stage_said
WHERE judge IS NULL
ORDER BY scorer, place

-- name: name_voter
UPDATE stage_said
SET judge = $judge
WHERE judge IS NULL AND scorer = $scorer AND place = $place

-- name: drop_votes_with_replies
DELETE FROM stage_said AS v
USING stage_said AS r
WHERE
    v.row = r.row
    AND v.scorer = r.scorer
    AND v.judge = r.judge
    AND v.reply IS NULL
    AND r.reply IS NOT NULL

-- name: graders
SELECT scorer, judge, bool_and(value IN ('"C"', '"P"', '"I"', '"N"', 'NaN', 'null')) AS is_lettered
FROM stage_said
GROUP BY scorer, judge
ORDER BY scorer, judge

-- name: add_judge
INSERT INTO stage_judge (judge, model, scorer, task, template, sampling, kind)
VALUES ($judge, $model, $scorer, $task, $template, $sampling, $kind)

-- name: find_gradings
-- The same answer to the same question in two epochs is the same subject, put to the judge twice;
-- so is one that two members of a panel judge who are the same model.
CREATE OR REPLACE TEMP TABLE stage_grading AS
SELECT
    p.row, s.scorer, s.place, j.judge,
    CASE
        WHEN j.task = 'letter_grade'
            THEN row_number() OVER (
                PARTITION BY j.judge, p.split, p.question_key, p.pass, md5(r.prediction)
                ORDER BY p.sample, p.row, s.place
            ) - 1
        ELSE 0
    END AS judge_sample
FROM stage_said AS s
INNER JOIN stage_place_of_sample AS p ON s.row = p.row
INNER JOIN raw AS r ON s.row = r.__row
INNER JOIN stage_judge AS j ON s.scorer = j.scorer AND s.judge = j.model

-- name: stage_judgments
-- Of a vote without its reply the word is what the log has.
INSERT INTO stage_judgment
SELECT
    k.row, $model, p.split, p.question_key, p.pass, p.sample, k.judge, k.judge_sample, 0, NULL,
    s.reply, NULL,
    k.scorer || ': ' || s.value
    || CASE WHEN s.vote IS NULL OR s.reply IS NULL THEN '' ELSE ', of the votes ' || s.vote END,
    CASE WHEN s.reply IS NULL THEN 'word' END,
    NULL,
    CASE WHEN s.reply IS NULL THEN trim(s.vote, '"') END
FROM stage_grading AS k
INNER JOIN stage_said AS s ON k.row = s.row AND k.scorer = s.scorer AND k.place = s.place
INNER JOIN stage_place_of_sample AS p ON k.row = p.row

-- name: stage_prompts
INSERT INTO stage_prompt
SELECT k.row, k.judge, k.judge_sample, s.prompt
FROM stage_grading AS k
INNER JOIN stage_said AS s ON k.row = s.row AND k.scorer = s.scorer AND k.place = s.place
WHERE s.prompt IS NOT NULL
