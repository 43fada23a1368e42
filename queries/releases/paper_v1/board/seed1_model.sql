-- Models as SEED-Bench's tables divide them. One row per model.
-- @internal
-- @type LLM (text alone), ImageLLM or VideoLLM, as the model's facts say, or unknown.
-- @type_ordinal The order of the types: 1 to 3, or 4 for any other.
-- @llm Its language model; NULL: not stated.
SELECT
    model_id, model, coalesce(kind, 'unknown') AS type,
    CASE kind WHEN 'LLM' THEN 1 WHEN 'ImageLLM' THEN 2 WHEN 'VideoLLM' THEN 3 ELSE 4 END AS type_ordinal,
    language_backbone AS llm
FROM current_model
