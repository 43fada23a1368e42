-- Judgments for the benchmark's own warehouse, by SQL: no file format is measured here.

-- name: make_subjects
CREATE TEMP TABLE known_subject (subject_hash VARCHAR)

-- name: add_subjects
INSERT INTO known_subject
SELECT subject_hash FROM subject
EXCEPT
FROM known_subject

-- name: insert_judgments
-- Of every subject in no particular order, as a cache that was filled over time: the first so many.
INSERT INTO main.judgment (
    judgment_id, judge_id, subject_hash, labels, judge_sample, attempt, reply, finish_reason,
    returned_model, prompt_tokens, completion_tokens, cost_usd, latency_seconds, judged_at, source_id,
    request_key, origin
)
SELECT
    row_number() OVER (), $judge_id, subject_hash, ['A', 'B', 'C', 'D', 'X'], 0, 0,
    chr(65 + (hash(subject_hash) % 2)::INTEGER), 'stop', 'bench', 180, 1, 0.00003, 0.5,
    TIMESTAMP '2026-01-01', $source_id, subject_hash, 'cache'
FROM (
    SELECT subject_hash
    FROM known_subject
    ORDER BY subject_hash
    LIMIT $n
)
