-- Models as SEED-Bench's tables divide them. One row per model.
-- @type LLM (text alone), ImageLLM or VideoLLM, as the model's facts say; not told: they do not.
-- @type_ordinal The order of the types: 1 to 3, or 4 for any other.
-- @llm Its language model; NULL: not told.
SELECT
    model_id,
    model,
    coalesce(kind, 'not told') AS type,
    CASE kind WHEN 'LLM' THEN 1 WHEN 'ImageLLM' THEN 2 WHEN 'VideoLLM' THEN 3 ELSE 4 END AS type_ordinal,
    language_backbone AS llm
FROM current_model
