-- Ours of a figure that a harness made of several samples of each question with a reducer other
-- than the mean of all: the question's scores become one number, as Inspect documents its reducers,
-- and ours is the mean of those. One row per run, scorer and reducer that a figure has.
-- @internal
-- @metric What the harness calls the scorer.
-- @reducer As the harness writes it: mean, median, mode, max, at_least_K, pass_at_K or pass_k_K.
-- @is_known Whether the reducer is one of these.
-- @ours 0 to 1; NULL: an answer has no score of ours, or there are fewer samples than K.
WITH wanted AS (
    SELECT DISTINCT
        run_id, filter AS metric, reducer,
        CASE
            WHEN reducer IN ('mean', 'mean_score') THEN 'mean'
            WHEN reducer IN ('median', 'median_score') THEN 'median'
            WHEN reducer IN ('mode', 'mode_score') THEN 'mode'
            WHEN reducer IN ('max', 'max_score') THEN 'max'
            ELSE nullif(regexp_extract(reducer || '~', '(at_least|pass_at|pass_k)_[0-9]+~', 1), '')
        END AS kind,
        as_number(nullif(regexp_extract(reducer || '~', '_([0-9]+)~', 1), '')) AS k
    FROM harness_bound
    WHERE fit IS NOT NULL AND filter IS NOT NULL AND reducer IS NOT NULL
),

scored AS (
    SELECT
        w.*, d.question_id, d.pass, d.sample, d.ours,
        row_number() OVER (
            PARTITION BY w.run_id, w.metric, w.reducer, d.question_id, d.pass ORDER BY d.ours, d.sample
        ) AS place,
        count(*) OVER (PARTITION BY w.run_id, w.metric, w.reducer, d.question_id, d.pass) AS n,
        sum(CASE WHEN d.ours >= 1.0 THEN 1 ELSE 0 END) OVER (
            PARTITION BY w.run_id, w.metric, w.reducer, d.question_id, d.pass
        ) AS n_right,
        count(*) OVER (
            PARTITION BY w.run_id, w.metric, w.reducer, d.question_id, d.pass, d.ours
        ) AS n_equal,
        min(d.sample) OVER (
            PARTITION BY w.run_id, w.metric, w.reducer, d.question_id, d.pass, d.ours
        ) AS first_equal
    FROM wanted AS w
    INNER JOIN harness_sample_difference AS d
        ON w.run_id = d.run_id AND w.metric = d.metric AND d.filter IS NULL
    WHERE d.published IS NOT NULL
),

-- Of values that are equally frequent the one that came first.
ranked AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY run_id, metric, reducer, question_id, pass ORDER BY n_equal DESC, first_equal, sample
        ) AS place_by_frequency
    FROM scored
),

-- C(n - c, k) / C(n, k) is the product of (n - c - i) / (n - i) over i from 0 to k - 1; the first k
-- rows of the question stand for i.
summed AS (
    SELECT
        run_id, metric, reducer, max(kind) AS kind, max(k) AS k, max(n) AS n,
        max(n_right) AS n_right, count(ours) AS n_ours, avg(ours) AS mean, max(ours) AS greatest,
        avg(CASE WHEN place IN ((n + 1) // 2, (n + 2) // 2) THEN ours END) AS middle,
        max(CASE WHEN place_by_frequency = 1 THEN ours END) AS most_frequent,
        exp(
            sum(
                CASE
                    WHEN place <= k AND place <= n - n_right
                        THEN ln(CAST(n - n_right - place + 1 AS DOUBLE) / (n - place + 1))
                    ELSE 0.0
                END
            )
        ) AS share_all_wrong,
        exp(
            sum(
                CASE
                    WHEN place <= k AND place <= n_right
                        THEN ln(CAST(n_right - place + 1 AS DOUBLE) / (n - place + 1))
                    ELSE 0.0
                END
            )
        ) AS share_all_right
    FROM ranked
    GROUP BY run_id, metric, reducer, question_id, pass
),

reduced AS (
    SELECT
        run_id, metric, reducer, kind, n, n_ours,
        CAST(
            CASE kind
                WHEN 'mean' THEN mean
                WHEN 'median' THEN middle
                WHEN 'mode' THEN most_frequent
                WHEN 'max' THEN greatest
                WHEN 'at_least' THEN CASE WHEN n_right >= k THEN 1.0 ELSE 0.0 END
                WHEN 'pass_at'
                    THEN
                        CASE
                            WHEN n < k THEN NULL
                            WHEN n - n_right < k THEN 1.0
                            ELSE 1.0 - share_all_wrong
                        END
                WHEN 'pass_k'
                    THEN
                        CASE
                            WHEN n < k THEN NULL
                            WHEN n_right < k THEN 0.0
                            ELSE share_all_right
                        END
            END AS DOUBLE
        ) AS value
    FROM summed
)

SELECT
    run_id, metric, reducer, max(kind) IS NOT NULL AS is_known,
    CASE WHEN count(CASE WHEN n_ours < n THEN 1 END) = 0 THEN avg(value) END AS ours
FROM reduced
GROUP BY run_id, metric, reducer
