-- What judging took. One row per judge, run, day and origin. Retracted judges are out.
-- @run_id The run that the call was made for, or that an import graded; NULL: neither is known.
-- @day The day of the judgments, UTC.
-- @origin call, batch, cache, local, import or human.
-- @n_judgments Judgments that came back, however.
-- @n_calls Those that this warehouse made: calls, batches, a local model.
-- @n_cached Those that the cache had, paid for by another warehouse.
-- @n_failed Calls that failed; they are not among the others.
-- @prompt_tokens Tokens that the judge read, as far as they are reported.
-- @completion_tokens Tokens that the judge wrote, as far as they are reported.
-- @cost_usd What this warehouse paid, in US dollars: calls and batches; NULL: no price is known.
-- @original_cost_usd What they cost when they were made, no matter who paid; NULL: no price is
--   known.
SELECT
    g.judge_id, g.name AS judge, g.task, coalesce(j.asked_run_id, j.run_id) AS run_id,
    CAST(j.judged_at AS DATE) AS day, j.origin,
    CAST(sum(CASE WHEN j.error IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS n_judgments,
    CAST(
        sum(
            CASE
                WHEN j.error IS NULL AND j.origin IN ('call', 'batch', 'local') THEN 1 ELSE 0
            END
        ) AS BIGINT
    ) AS n_calls,
    CAST(
        sum(CASE WHEN j.error IS NULL AND j.origin = 'cache' THEN 1 ELSE 0 END) AS BIGINT
    ) AS n_cached,
    CAST(sum(CASE WHEN j.error IS NULL THEN 0 ELSE 1 END) AS BIGINT) AS n_failed,
    CAST(sum(j.prompt_tokens) AS BIGINT) AS prompt_tokens,
    CAST(sum(j.completion_tokens) AS BIGINT) AS completion_tokens,
    CASE WHEN j.origin IN ('call', 'batch') THEN sum(j.cost_usd) ELSE 0.0 END AS cost_usd,
    sum(j.cost_usd) AS original_cost_usd
FROM main.judgment AS j
INNER JOIN main.judge AS g USING (judge_id)
WHERE g.retracted_at IS NULL
GROUP BY
    g.judge_id, g.name, g.task, coalesce(j.asked_run_id, j.run_id), CAST(j.judged_at AS DATE), j.origin
