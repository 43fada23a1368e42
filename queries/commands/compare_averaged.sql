-- Two runs compared by means of abilities (macro) or of questions (micro), Overall first and then
-- the abilities of a level; clustered by image or by an attribute of the questions. The difference
-- is the mean of its abilities' differences, and its variance that of the sum of what each cluster
-- of questions adds to it, with the correction for few questions that paired_test has; degrees of
-- freedom are those of Welch (1947, Biometrika 34) and Satterthwaite over the abilities. Of one
-- ability all of it is as in paired_test, so that micro with clusters by image has its intervals.
-- Of right and wrong where five or fewer questions are apart, no t can tell: there p is exact, from
-- every way in which these could have gone to the one run or the other, each alike (the test of
-- Fisher and Pitman); where each counts alike it is McNemar's.
WITH base AS (
    SELECT ability_id, base_id
    FROM ability_base
    WHERE benchmark_id = $benchmark_id AND $average = 'macro'
    UNION ALL
    SELECT ability_id, ability_id AS base_id
    FROM ability_tree
    WHERE
        benchmark_id = $benchmark_id
        AND (
            $average = 'micro'
            OR ability_id NOT IN (SELECT ability_id FROM ability_base WHERE benchmark_id = $benchmark_id)
        )
),

compared AS (
    SELECT
        q.question_a, q.state, q.difference, q.score_a, q.score_b, q.weight_a, q.weight_b,
        l.ability_id,
        CASE
            WHEN $cluster IS NULL THEN CAST(q.cluster_id AS VARCHAR)
            -- A question that lacks the attribute is a cluster of its own.
            ELSE coalesce('=' || t.value, CAST(q.question_a AS VARCHAR))
        END AS cluster_id
    FROM paired_question AS q
    INNER JOIN subset_level AS l ON q.question_a = l.question_id AND l.subset = $subset
    LEFT JOIN main.question_attribute AS t ON q.question_a = t.question_id AND t.name = $cluster
    WHERE
        q.run_a = $run_a
        AND q.run_b = $run_b
        AND q.strategy = $strategy
        AND q.judge = $judge
        AND EXISTS (
            SELECT 1
            FROM subset_level AS m
            WHERE q.question_b = m.question_id AND l.subset = m.subset AND l.ability_id = m.ability_id
        )
),

summed AS (
    SELECT
        ability_id, count(*) AS n_common, count(difference) AS n,
        count(*) FILTER (state IN ('missing_a', 'missing_both')) AS n_missing_a,
        count(*) FILTER (state IN ('missing_b', 'missing_both')) AS n_missing_b,
        count(*) FILTER (state = 'pending') AS n_pending,
        count(*) FILTER (state = 'hidden') AS n_hidden,
        count(DISTINCT cluster_id) FILTER (state = 'both') AS n_clusters,
        sum(weight_a) FILTER (state = 'both') AS weight_a,
        sum(weight_b) FILTER (state = 'both') AS weight_b,
        sum(score_a * weight_a) FILTER (state = 'both') / sum(weight_a) FILTER (state = 'both') AS score_a,
        sum(score_b * weight_b) FILTER (state = 'both') / sum(weight_b) FILTER (state = 'both') AS score_b,
        avg(difference) AS mean,
        $strategy IN ('vanilla', 'circular')
        AND bool_and(state <> 'both' OR (score_a IN (0.0, 1.0) AND score_b IN (0.0, 1.0))) AS is_right_or_wrong,
        -- What rounding leaves of no spread at all is none.
        CASE WHEN var_pop(difference) < 1e-12 THEN 0.0 ELSE var_pop(difference) * count(difference) END AS residuals
    FROM compared
    GROUP BY ability_id
),

-- What a cluster adds to the mean of an ability.
added AS (
    SELECT a.ability_id, a.cluster_id, sum(a.difference - s.mean) / s.n AS addition
    FROM compared AS a
    INNER JOIN summed AS s ON a.ability_id = s.ability_id
    WHERE a.state = 'both' AND s.residuals > 0
    GROUP BY a.ability_id, a.cluster_id, s.n
),

spread AS (
    SELECT
        s.*,
        CASE WHEN s.n > 1 THEN s.residuals / (1e0 * s.n * (s.n - 1)) END AS question_variance,
        CASE WHEN s.n > 1 THEN s.residuals / ((s.n - 1) * (1e0 * s.n * s.n)) END AS correction,
        coalesce(c.squares, 0.0) AS squares
    FROM summed AS s
    LEFT JOIN (
        SELECT ability_id, sum(addition * addition) AS squares
        FROM added
        GROUP BY ability_id
    ) AS c ON s.ability_id = c.ability_id
),

joined AS (
    SELECT
        b.ability_id, count(*) AS n_bases, min(s.n) AS least_n, min(s.n_clusters) AS least_clusters,
        sum(s.n_pending) AS n_pending, sum(s.n_hidden) AS n_hidden, avg(s.score_a) AS score_a,
        avg(s.score_b) AS score_b, bool_and(s.is_right_or_wrong) AS is_right_or_wrong,
        sum(s.residuals) AS residuals, sum(s.correction) AS correction,
        sum(s.question_variance) AS question_variance,
        (sum(s.squares + s.correction) * sum(s.squares + s.correction))
        / nullif(sum((s.squares + s.correction) * (s.squares + s.correction) / nullif(s.n_clusters - 1, 0)), 0)
            AS degrees
    FROM base AS b
    INNER JOIN spread AS s ON b.base_id = s.ability_id
    GROUP BY b.ability_id
),

-- A cluster may have questions of several abilities.
clustered AS (
    SELECT ability_id, sum(addition * addition) AS squares
    FROM (
        SELECT b.ability_id, a.cluster_id, sum(a.addition) AS addition
        FROM base AS b
        INNER JOIN added AS a ON b.base_id = a.ability_id
        GROUP BY b.ability_id, a.cluster_id
    )
    GROUP BY ability_id
),

measured AS (
    SELECT
        j.ability_id, j.n_pending, j.n_hidden, j.residuals, j.n_bases, j.is_right_or_wrong,
        CASE WHEN j.least_n > 0 AND j.n_pending = 0 AND j.n_hidden = 0 THEN j.score_a END AS score_a,
        CASE WHEN j.least_n > 0 AND j.n_pending = 0 AND j.n_hidden = 0 THEN j.score_b END AS score_b,
        CASE WHEN j.least_n > 1 THEN sqrt(j.question_variance) / j.n_bases END AS stderr_questions,
        CASE
            WHEN j.least_clusters > 1 THEN sqrt(coalesce(c.squares, 0.0) + j.correction) / j.n_bases
        END AS stderr,
        CASE WHEN j.least_clusters > 1 THEN round(j.degrees, 9) END AS degrees
    FROM joined AS j
    LEFT JOIN clustered AS c ON j.ability_id = c.ability_id
),

integrated AS (
    SELECT
        m.ability_id,
        sum(t_integrand(abs((m.score_a - m.score_b) / m.stderr), m.degrees, h.place) * h.weight) AS tail,
        sum(t_integrand(0.0, m.degrees, h.place) * h.weight) AS half
    FROM measured AS m
    CROSS JOIN half_line AS h
    WHERE m.stderr > 0 AND m.degrees > 0
    GROUP BY m.ability_id
),

-- The questions that one run alone has right, and what each adds to the mean of the differences.
apart AS (
    SELECT
        b.ability_id, a.question_a, sum(a.difference / s.n) AS addition,
        count(*) OVER (PARTITION BY b.ability_id) AS n_apart,
        row_number() OVER (PARTITION BY b.ability_id ORDER BY a.question_a) - 1 AS place
    FROM base AS b
    INNER JOIN summed AS s ON b.base_id = s.ability_id
    INNER JOIN compared AS a ON s.ability_id = a.ability_id
    WHERE a.state = 'both' AND a.difference <> 0
    GROUP BY b.ability_id, a.question_a
),

-- Each way is a number, whose binary digits say which questions went the other way round.
ways AS (
    SELECT
        a.ability_id, w.way,
        abs(sum(CASE WHEN (w.way >> a.place) % 2 = 1 THEN -a.addition ELSE a.addition END)) AS size
    FROM apart AS a
    INNER JOIN (SELECT unnest(range(32)) AS way) AS w ON w.way < (1 << a.n_apart)
    WHERE a.n_apart <= 5
    GROUP BY a.ability_id, w.way
),

exact AS (
    SELECT
        ability_id,
        -- What is as large but for rounding counts.
        count(CASE WHEN size > observed - 1e-12 THEN 1 END) / count(*) AS p_value
    FROM (
        SELECT *, max(CASE WHEN way = 0 THEN size END) OVER (PARTITION BY ability_id) AS observed
        FROM ways
    )
    GROUP BY ability_id
),

apart_of AS (
    SELECT ability_id, list(addition ORDER BY place) AS additions
    FROM apart
    WHERE n_apart <= 5
    GROUP BY ability_id
),

tested AS (
    SELECT
        m.*,
        CASE
            WHEN m.is_right_or_wrong AND m.score_a IS NOT NULL AND coalesce(a.n_apart, 0) <= 5
                THEN list_transform(coalesce(l.additions, []), lambda x_: x_ / m.n_bases)
        END AS apart,
        CASE
            WHEN NOT m.is_right_or_wrong OR coalesce(a.n_apart, 0) > 5 THEN 't'
            WHEN m.n_bases = 1 THEN 'mcnemar'
            ELSE 'signs'
        END AS test,
        CASE WHEN m.score_a IS NOT NULL THEN coalesce(x.p_value, 1.0) END AS exact_p_value,
        m.score_a - m.score_b AS difference,
        (m.score_a - m.score_b) / nullif(m.stderr, 0) AS t_statistic,
        CASE
            WHEN m.stderr = 0 AND m.score_a = m.score_b THEN 1.0
            ELSE probability(t_p_value((m.score_a - m.score_b) / m.stderr, m.degrees, i.tail, i.half))
        END AS p_value
    FROM measured AS m
    LEFT JOIN integrated AS i ON m.ability_id = i.ability_id
    LEFT JOIN exact AS x ON m.ability_id = x.ability_id
    LEFT JOIN apart AS a ON m.ability_id = a.ability_id AND a.place = 0
    LEFT JOIN apart_of AS l ON m.ability_id = l.ability_id
),

named AS (
    SELECT
        r.run_id AS run_a, o.run_id AS run_b, r.model AS model_a, o.model AS model_b,
        r.run AS label_a, o.run AS label_b, r.dataset AS dataset_a, o.dataset AS dataset_b,
        $subset AS subset, $strategy AS strategy, $judge AS judge, $average AS average, t.level,
        t.ability, t.abbreviation, t.ordinal AS ability_ordinal, t.ability_id, s.n_common, s.n,
        s.n_missing_a, s.n_missing_b, CAST(e.n_pending AS BIGINT) AS n_pending,
        CAST(e.n_hidden AS BIGINT) AS n_hidden, s.n_clusters,
        CAST(s.weight_a AS BIGINT) AS weight_a, CAST(s.weight_b AS BIGINT) AS weight_b, e.score_a,
        e.score_b, e.difference, e.stderr_questions, e.stderr,
        CASE WHEN e.stderr > 0 THEN e.difference - t_975(e.degrees) * e.stderr END AS low,
        CASE WHEN e.stderr > 0 THEN e.difference + t_975(e.degrees) * e.stderr END AS high,
        e.degrees, e.t_statistic, e.p_value AS t_p_value, CAST(NULL AS BIGINT) AS n_a_alone,
        CAST(NULL AS BIGINT) AS n_b_alone, CAST(NULL AS DOUBLE) AS mcnemar_p_value, e.test,
        e.headline AS p_value,
        -- What each of five or fewer questions that are apart adds to the difference.
        e.apart,
        -- A test that waits for verdicts is one of the family.
        count(CASE WHEN e.headline IS NOT NULL OR e.n_pending > 0 THEN 1 END) OVER (PARTITION BY t.level) AS n_tests,
        row_number() OVER (PARTITION BY t.level ORDER BY e.headline NULLS LAST, t.ability_id) AS place
    FROM (SELECT *, CASE WHEN test = 't' THEN p_value ELSE exact_p_value END AS headline FROM tested) AS e
    INNER JOIN summed AS s ON e.ability_id = s.ability_id
    INNER JOIN ability_tree AS t ON e.ability_id = t.ability_id AND t.benchmark_id = $benchmark_id
    INNER JOIN current_run AS r ON r.run_id = $run_a
    INNER JOIN current_run AS o ON o.run_id = $run_b
)

SELECT
    * EXCLUDE (n_tests, place),
    CASE
        WHEN p_value IS NOT NULL
            THEN probability(max((n_tests - place + 1) * p_value) OVER (PARTITION BY level ORDER BY place))
    END AS p_holm
FROM named
WHERE level = 'overall' OR level = $level
ORDER BY ability_ordinal, ability_id
