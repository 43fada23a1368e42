-- Cells of our long format.

-- name: key
-- A column of numbers with a gap comes as floating-point numbers.
CASE
    WHEN typeof(question_key) IN ('DOUBLE', 'FLOAT')
        THEN regexp_replace(CAST(question_key AS VARCHAR), '[.]0$', '')
    ELSE CAST(question_key AS VARCHAR)
END
