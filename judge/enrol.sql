-- Making a judge known to a warehouse.

-- name: planned_samples
SELECT j.judge_id, count(s.judge_sample)
FROM main.judge AS j
LEFT JOIN main.judge_sample AS s ON j.judge_id = s.judge_id AND s.judge_sample < $samples
WHERE j.name = $name
GROUP BY j.judge_id

-- name: last_sample
SELECT max(s.judge_sample)
FROM main.judge AS j
INNER JOIN (
    SELECT judge_id, judge_sample FROM main.judge_sample
    UNION ALL
    SELECT judge_id, judge_sample FROM main.judgment
) AS s ON j.judge_id = s.judge_id
WHERE j.name = $name

-- name: add_template
INSERT INTO main.judge_template
SELECT $sha256, $name, $version, $task, $text, $source_id
WHERE NOT EXISTS (SELECT 1 FROM main.judge_template WHERE template_sha256 = $sha256)
