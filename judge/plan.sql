-- What there is to ask, with the content of each subject. {todo} is judge_todo or judge_todo_all.

-- name: wave
SELECT
    t.subject_hash,
    t.judge_sample,
    t.attempt,
    t.run_id,
    t.question_key,
    t.pass,
    t.prediction,
    t.n_answers,
    q.text AS question,
    d.name AS dataset,
    c.labels,
    c.texts,
    r.texts AS reference_texts
FROM {todo} AS t
INNER JOIN main.question AS q ON t.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
LEFT JOIN (
    SELECT
        question_id,
        pass,
        list(label ORDER BY label) AS labels,
        list(text ORDER BY label) AS texts
    FROM main.choice
    GROUP BY question_id, pass
) AS c ON t.question_id = c.question_id AND t.pass = c.pass
LEFT JOIN (
    SELECT question_id, list(text ORDER BY ordinal) AS texts
    FROM main.reference_answer
    GROUP BY question_id
) AS r ON t.question_id = r.question_id
ANTI JOIN given_up AS g ON t.subject_hash = g.subject_hash AND t.judge_sample = g.judge_sample
WHERE t.judge_id = $judge_id
ORDER BY t.judge_sample, t.question_id, t.pass, t.subject_hash
LIMIT $most

-- name: per_run
SELECT
    n.run_id,
    r.model,
    r.dataset,
    count(*) AS pending,
    count(*) FILTER (NOT $all AND NOT n.is_alive) AS decided,
    count(*) FILTER (NOT $all AND n.is_alive AND NOT n.is_next) AS later,
    count(*) FILTER ($all OR n.is_next) AS needed
FROM judge_need AS n
INNER JOIN current_run AS r ON n.run_id = r.run_id
WHERE n.judge_id = $judge_id
GROUP BY n.run_id, r.model, r.dataset
ORDER BY n.run_id
