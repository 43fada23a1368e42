-- The judge that a figure is under where nobody names one. One row per dataset with a score: the
-- judge whose verdicts the benchmark's answers want, of several the one with the fewest pending
-- passes, then the first by name; a program or a person only where no model has judged; none where
-- there is no judge.
-- @internal
-- @n_judges Judges that scores of the dataset are under, none excluded: where there are several,
--   `ability_score` has the figures under each.
WITH drawing AS (
    SELECT judge_id
    FROM main.judgment
    GROUP BY judge_id
    HAVING sum(CASE WHEN stated = 'drawn' THEN 0 ELSE 1 END) = 0
),

-- A harness's file may have a verdict of a judge that the benchmark's rules do not want.
wanted_by_rule AS (
    SELECT DISTINCT
        r.benchmark_id,
        g.judge_id
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

overall AS (
    SELECT
        s.dataset_id,
        b.benchmark_id,
        s.judge,
        CASE WHEN b.task = 'open' AND b.strategy <> 'graded' THEN 1 ELSE 0 END AS is_by_rules,
        sum(s.n_pending) AS n_pending
    FROM ability_score AS s
    INNER JOIN current_run AS r ON s.run_id = r.run_id
    INNER JOIN main.benchmark AS b ON r.benchmark_id = b.benchmark_id
    WHERE s.ability_id = 0 AND s.average = 'micro' AND s.strategy = b.strategy
    GROUP BY s.dataset_id, b.benchmark_id, s.judge, b.task, b.strategy
),

ordered AS (
    SELECT
        o.dataset_id,
        o.judge,
        row_number() OVER (
            PARTITION BY o.dataset_id
            ORDER BY
                CASE
                    WHEN o.judge = 'none' THEN 2
                    WHEN o.is_by_rules = 1 AND w.judge_id IS NULL THEN 3
                    WHEN d.judge_id IS NOT NULL THEN 3
                    WHEN g.kind IN ('program', 'human', 'keyword') AND w.judge_id IS NULL THEN 1
                    ELSE 0
                END,
                o.n_pending,
                o.judge
        ) AS place,
        sum(CASE WHEN o.judge = 'none' THEN 0 ELSE 1 END) OVER (PARTITION BY o.dataset_id) AS n_judges
    FROM overall AS o
    LEFT JOIN main.judge AS g ON o.judge = g.name AND g.retracted_at IS NULL
    LEFT JOIN wanted_by_rule AS w ON o.benchmark_id = w.benchmark_id AND g.judge_id = w.judge_id
    LEFT JOIN drawing AS d ON g.judge_id = d.judge_id
)

SELECT
    dataset_id,
    judge,
    CAST(n_judges AS BIGINT) AS n_judges
FROM ordered
WHERE place = 1
