-- The error, stability and cost of each judge: from the views of these names.
SELECT
    c.judge, CAST(sum(c.n_calls) AS BIGINT) AS n_calls, CAST(sum(c.n_cached) AS BIGINT) AS n_cached,
    CAST(sum(c.n_failed) AS BIGINT) AS n_failed,
    CAST(sum(c.prompt_tokens) AS BIGINT) AS prompt_tokens,
    CAST(sum(c.completion_tokens) AS BIGINT) AS completion_tokens, sum(c.cost_usd) AS cost_usd,
    max(c.day) AS last_day
FROM judge_cost AS c
GROUP BY c.judge
ORDER BY c.judge
