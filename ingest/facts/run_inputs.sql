-- What runs showed their models.

-- name: with_earlier_parts
-- The runs of a source, each with the part of it that was there before, and what was said of that.
SELECT r.run_id, former.run_id, i.input, t.marks
FROM main.run AS r
LEFT JOIN main.run AS former
    ON
        $is_part
        AND former.superseded_by = r.source_id
        AND former.model_id = r.model_id
        AND former.dataset_id = r.dataset_id
        AND former.label = r.label
LEFT JOIN main.run_input AS i ON former.run_id = i.run_id
LEFT JOIN main.run_thinking AS t ON former.run_id = t.run_id
WHERE r.source_id = $source_id
ORDER BY 1

-- name: live_runs_of_file
SELECT r.run_id
FROM main.run AS r
INNER JOIN main.source AS s ON r.source_id = s.source_id
WHERE s.path = $path AND r.superseded_by IS NULL AND r.retracted_at IS NULL
ORDER BY 1
