-- Subjects of which two judges say different things, each with its first answer.
WITH said AS (
    SELECT v.judge, v.task, v.subject_hash, v.verdict, v.judgment_id
    FROM shared_verdict AS v
    INNER JOIN judge_scope AS j ON v.judge_id = j.judge_id AND v.judge_sample = j.judge_sample
    WHERE v.state = 'ok' AND j.is_first AND v.judge IN ($judge_a, $judge_b)
),

paired AS (
    SELECT a.subject_hash, a.verdict AS verdict_a, b.verdict AS verdict_b
    FROM said AS a
    INNER JOIN said AS b ON a.subject_hash = b.subject_hash AND a.task = b.task
    WHERE a.judge = $judge_a AND b.judge = $judge_b AND a.verdict <> b.verdict
),

-- One of the two may be a person, who is no judge of label_todo.
answered AS (
    SELECT t.*, row_number() OVER (PARTITION BY t.subject_hash ORDER BY t.judge) AS place
    FROM label_todo AS t
    WHERE t.judge IN ($judge_a, $judge_b)
)

SELECT
    p.subject_hash, p.verdict_a, p.verdict_b, t.run_id, t.question_id, q.question_key, t.pass,
    r.model, r.dataset
FROM paired AS p
INNER JOIN answered AS t ON p.subject_hash = t.subject_hash AND t.place = 1
INNER JOIN current_run AS r ON t.run_id = r.run_id
INNER JOIN main.question AS q ON t.question_id = q.question_id
ORDER BY p.subject_hash
LIMIT $most
