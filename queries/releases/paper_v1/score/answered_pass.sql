-- Every answer of a run of any method, as far as no judge is needed. One row per run, question,
-- pass, sample and component.
-- @label What the rules read or the scores picked; NULL: neither.
-- @state matched, ranked, open (for a judge), blank, failed.
-- @prediction The raw output; NULL for a ranked run.
SELECT
    run_id, model, dataset, dataset_id, question_id, question_key, pass, sample,
    'answer' AS component, matched AS label, state, prediction
FROM choice_match
UNION ALL
SELECT
    run_id, model, dataset, dataset_id, question_id, question_key, pass, sample, component,
    picked AS label,
    CASE WHEN picked IS NULL THEN 'failed' ELSE 'ranked' END AS state,
    NULL AS prediction
FROM ranked_pick
