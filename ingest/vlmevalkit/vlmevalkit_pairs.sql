-- LLaVA-Bench in VLMEvalKit.

-- name: pairs
SELECT
    __row, {key}, nullif(CAST(prediction AS VARCHAR), ''), CAST(gpt4_score AS VARCHAR),
    CAST(score AS VARCHAR)
FROM raw
ORDER BY __row
