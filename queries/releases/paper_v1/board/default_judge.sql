-- The judge that figures are under where nobody names one, decided for each dataset from kept sums:
-- the model judge that leaves nothing pending on the latest runs (of several the one with most
-- verdicts, then the first by name); a program only where no model has judged; else none. Soft
-- scores have no none: there it is the model judge that leaves least pending, then a program.
-- People correct, and are never the default; nor is a judge that only ever drew letters, or one
-- whose verdicts the rules of answers in words do not want. One row per dataset and strategy that
-- decides: the benchmark's own, and of answers in words both graded and vanilla.
-- @internal
-- @strategy The strategy whose pending verdicts decide; a board under another one that is not of
--   soft scores has the judge of the benchmark's own.
-- @is_own Whether the strategy is the benchmark's own.
-- @n_judges Judges that scores of the dataset are under, none excluded: where there are several,
--   `ability_score` has the figures under each.
WITH coverage AS (
    SELECT
        *, max(CASE WHEN is_latest THEN 1 ELSE 0 END) OVER (PARTITION BY dataset_id) AS has_latest
    FROM judge_coverage
),

latest AS (
    SELECT
        dataset_id, benchmark_id, task, strategy, is_own, judge, sum(n_pending) AS n_pending,
        sum(n_fallback) AS n_drawn
    FROM coverage
    -- A dataset may have runs that stand for no model alone.
    WHERE is_latest OR has_latest = 0
    GROUP BY dataset_id, benchmark_id, task, strategy, is_own, judge
),

drawing AS (
    SELECT j.judge_id
    FROM main.judgment AS j
    INNER JOIN main.judge AS g USING (judge_id)
    WHERE g.kind = 'import'
    GROUP BY j.judge_id
    HAVING sum(CASE WHEN j.stated = 'drawn' THEN 0 ELSE 1 END) = 0
),

-- A harness's file may have a verdict of a judge that the benchmark's rules do not want.
wanted_by_rule AS (
    SELECT DISTINCT r.benchmark_id, g.judge_id
    FROM main.benchmark_rule AS r
    INNER JOIN main.judge AS g
        ON
            (
                g.task = rule_task(r.rule, r.normaliser)
                AND (g.task <> 'equivalence' OR coalesce(g.endpoint, '') NOT LIKE 'program:%')
            )
            OR (r.rule = 'extracted' AND r.normaliser = 'math' AND g.kind = 'program')
    WHERE r.superseded_by IS NULL
),

candidate AS (
    SELECT
        l.*, g.judge_id,
        CASE WHEN g.kind = 'import' THEN 1 ELSE 0 END AS is_import,
        CASE
            WHEN l.judge = 'none' THEN 'none'
            WHEN g.kind IN ('human', 'keyword') OR d.judge_id IS NOT NULL THEN NULL
            WHEN l.task = 'open' AND l.strategy <> 'graded' AND w.judge_id IS NULL THEN NULL
            -- What reads letters in Inspect is code, though its verdicts came with a file.
            WHEN g.kind = 'program' OR g.model LIKE 'inspect:%' THEN 'program'
            WHEN g.judge_id IS NOT NULL THEN 'model'
        END AS what
    FROM latest AS l
    LEFT JOIN main.judge AS g ON l.judge = g.name AND g.retracted_at IS NULL
    LEFT JOIN wanted_by_rule AS w ON l.benchmark_id = w.benchmark_id AND g.judge_id = w.judge_id
    LEFT JOIN drawing AS d ON g.judge_id = d.judge_id
),

counted AS (
    SELECT
        *,
        sum(CASE WHEN judge = 'none' THEN 0 ELSE 1 END)
            OVER (PARTITION BY dataset_id, strategy) AS n_judges,
        sum(
            CASE WHEN what = 'model' OR (what = 'program' AND n_pending = 0) THEN 1 ELSE 0 END
        ) OVER (PARTITION BY dataset_id, strategy) AS n_rivals,
        sum(
            CASE WHEN what IN ('model', 'program') AND n_pending = 0 THEN 1 ELSE 0 END
        ) OVER (PARTITION BY dataset_id, strategy) AS n_whole
    FROM candidate
),

said AS (
    SELECT
        v.dataset_id, v.strategy, v.judge_id,
        -- A call is tried again where its reply was of no use; only files have first attempts
        -- without one.
        count(CASE WHEN v.is_import = 0 AND j.attempt = 0 THEN 1 END)
        + count(
            DISTINCT CASE
                WHEN v.is_import = 1
                    THEN j.subject_hash || ' ' || CAST(j.judge_sample AS VARCHAR) || ' '
                        || coalesce(CAST(j.run_id AS VARCHAR), '')
            END
        ) AS n_replied
    FROM counted AS v
    INNER JOIN main.judgment AS j USING (judge_id)
    LEFT JOIN main.run AS r ON coalesce(j.run_id, j.asked_run_id) = r.run_id
    WHERE
        v.what IN ('model', 'program')
        -- Where more than one might be it: nobody else's judgments are counted.
        AND v.n_rivals > 1
        AND v.n_whole > 0
        AND j.error IS NULL
        AND j.refusal IS NULL
        AND (j.stated IN ('word', 'hit') OR (j.stated IS NULL AND regexp_matches(j.reply, '[^ ]')))
        -- Some judgments are kept for no run.
        AND (r.dataset_id IS NULL OR r.dataset_id = v.dataset_id)
    GROUP BY v.dataset_id, v.strategy, v.judge_id
),

weighed AS (
    SELECT
        c.*,
        -- What no reply could be read of was drawn.
        coalesce(s.n_replied, 0) - c.n_drawn AS n_verdicts,
        max(CASE WHEN c.what = 'model' THEN coalesce(s.n_replied, 0) ELSE 0 END)
            OVER (PARTITION BY c.dataset_id, c.strategy) AS n_by_models
    FROM counted AS c
    LEFT JOIN said AS s USING (dataset_id, strategy, judge_id)
    WHERE c.what IS NOT NULL
),

ordered AS (
    SELECT
        dataset_id, strategy, is_own, judge, n_judges,
        row_number() OVER (
            PARTITION BY dataset_id, strategy
            ORDER BY
                CASE
                    WHEN what = 'model' AND n_pending = 0 THEN 0
                    WHEN what = 'program' AND n_pending = 0 AND n_by_models = 0 THEN 1
                    WHEN what = 'none' THEN 2
                    WHEN what = 'model' THEN 3
                    ELSE 4
                END,
                n_pending, n_verdicts DESC, judge
        ) AS place
    FROM weighed
)

SELECT dataset_id, strategy, is_own, judge, CAST(n_judges AS BIGINT) AS n_judges
FROM ordered
WHERE place = 1
