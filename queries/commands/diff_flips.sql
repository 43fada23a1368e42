-- How many verdicts change, by model and kind of change.
SELECT
    a.dataset, a.model,
    coalesce(a.predicted, '-') || ' ' || a.resolved_by || ' → '
    || coalesce(b.predicted, '-') || ' ' || b.resolved_by AS change, count(*) AS verdicts,
    sum(b.score - a.score) AS points
FROM before_release.pass_result AS a
INNER JOIN after_release.pass_result AS b
    ON
        a.run_id = b.run_id
        AND a.question_id = b.question_id
        AND a.pass = b.pass
        AND a.sample = b.sample
        AND a.component = b.component
        AND a.judge = b.judge
        AND a.judge_sample = b.judge_sample
WHERE
    a.judge = 'none'
    AND (
        a.predicted IS DISTINCT FROM b.predicted
        OR a.resolved_by <> b.resolved_by
        OR a.score IS DISTINCT FROM b.score
    )
GROUP BY ALL
ORDER BY a.dataset, a.model, verdicts DESC, change
