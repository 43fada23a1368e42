-- Where facts come from.

-- name: of_content
SELECT source_id, flags
FROM main.source
WHERE sha256 = ? AND format = ? AND adapter_version = ?

-- name: flags_of_same_content
SELECT o.flags, s.flags
FROM main.source AS s
INNER JOIN main.source AS o
    ON s.sha256 = o.sha256 AND s.format = o.format AND s.adapter_version = o.adapter_version
WHERE s.source_id = $source_id AND o.source_id <> s.source_id

-- name: of_path
SELECT source_id, flags, format, adapter_version, n_rows, sha256
FROM main.source
WHERE path = ? AND bytes = ?

-- name: n_no_longer_valid
-- How many facts of a source were taken out. Of a score file that was written anew, the latest
-- figures hold: those of before are news.
SELECT
    (
        SELECT count(*)
        FROM main.run
        WHERE source_id = $source_id AND (superseded_by IS NOT NULL OR retracted_at IS NOT NULL)
    )
    + (SELECT count(*) FROM main.answer WHERE source_id = $source_id AND superseded_by IS NOT NULL)
    + (SELECT count(*) FROM main.superseded_fact WHERE source_id = $source_id)
    + (SELECT count(*) FROM main.dropped_question WHERE source_id = $source_id AND restored_by IS NULL)
    + (SELECT count(*) FROM main.dataset_subset WHERE source_id = $source_id AND superseded_by IS NOT NULL)
    + (
        SELECT count(*)
        FROM main.judgment AS g
        INNER JOIN main.judge AS j ON g.judge_id = j.judge_id
        WHERE g.source_id = $source_id AND j.retracted_at IS NOT NULL
    )
    + (
        SELECT count(*)
        FROM main.harness_figure AS f
        INNER JOIN main.harness_figure AS l
            ON f.model_id = l.model_id AND f.task = l.task AND f.label = l.label AND f.source_id < l.source_id
        INNER JOIN main.source AS s ON f.source_id = s.source_id
        INNER JOIN main.source AS t ON l.source_id = t.source_id AND s.path = t.path
        WHERE f.source_id = $source_id
    )
