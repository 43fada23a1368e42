-- The figures of evalscope's reports, of our verdicts (evalscope 1.14, Report): of a subset the
-- mean over samples, rounded to four digits; of a category the mean of its subsets' rounded scores,
-- by samples, rounded; of the whole the same over categories. One row per run, metric and part.
-- @metric As a report identifies it: name/aggregation and its dimensions.
-- @part overall, category or subset.
-- @name The category's or subset's name.
-- @n Samples, or groups of HallusionBench's.
-- @macro The plain mean of what the part is made of; NULL: a subset.
WITH asked AS (
    SELECT
        q.question_id, q.benchmark,
        coalesce(max(CASE WHEN a.name = 'subset' THEN a.value END), 'default') AS subset,
        max(CASE WHEN a.name = 'category' THEN a.value END) AS category,
        max(CASE WHEN a.name = 'subcategory' THEN a.value END) AS subcategory,
        max(CASE WHEN a.name = 'set_id' THEN a.value END) AS set_id,
        max(CASE WHEN a.name = 'figure_id' THEN a.value END) AS figure,
        max(CASE WHEN a.name = 'question_id' THEN a.value END) AS question
    FROM question_benchmark AS q
    LEFT JOIN main.question_attribute AS a USING (question_id)
    GROUP BY q.question_id, q.benchmark
),

-- A judge is asked about what the rule has wrong (llm_recall), and the better of both counts.
recalled AS (
    SELECT run_id, question_id, pass, sample, avg(score) AS score
    FROM stated_verdict
    GROUP BY run_id, question_id, pass, sample
),

scored AS (
    SELECT
        p.run_id, p.question_id, p.sample, q.* EXCLUDE (question_id),
        CASE WHEN v.score > p.score THEN v.score ELSE p.score END AS score,
        CASE WHEN p.predicted = 'yes' THEN 1.0 ELSE 0.0 END AS said,
        CASE WHEN python_lower(p.answer) = 'yes' THEN 1.0 ELSE 0.0 END AS wanted
    FROM pass_result AS p
    INNER JOIN asked AS q USING (question_id)
    LEFT JOIN recalled AS v USING (run_id, question_id, pass, sample)
    WHERE p.judge = 'none' AND p.component = 'answer' AND p.resolved_by <> 'missing'
),

item AS (
    SELECT
        s.run_id, coalesce(m.metric, 'accuracy/mean') AS metric,
        CASE WHEN s.benchmark = 'cmmmu' THEN s.category ELSE 'default' END AS category, s.subset,
        s.score, s.said, s.wanted
    FROM scored AS s
    LEFT JOIN (VALUES
        ('ChartQA', 'relaxed_acc/mean'), ('DocVQA', 'anls/mean'), ('InfoVQA', 'anls/mean'),
        ('POPE', 'accuracy/identity'), ('POPE', 'precision/identity'), ('POPE', 'recall/identity'),
        ('POPE', 'f1/identity'), ('POPE', 'yes_ratio/identity')
    ) AS m (benchmark, metric) USING (benchmark)
    WHERE s.benchmark <> 'HallusionBench'
    UNION ALL
    -- All answers of a figure or question have to be right; VS without a figure (0) is of none.
    SELECT
        s.run_id,
        'accuracy/mean,'
        || CASE l.level
            WHEN 'category' THEN 'category=' || s.category || ','
            WHEN 'subcategory' THEN 'category=' || s.subcategory || ','
            ELSE ''
        END
        || 'level=' || l.level || ',target=' || t.target AS metric,
        'default' AS category, s.subset, min(s.score) AS score, 0.0 AS said, 0.0 AS wanted
    FROM scored AS s
    CROSS JOIN (VALUES ('overall'), ('category'), ('subcategory')) AS l (level)
    CROSS JOIN (VALUES ('answer'), ('figure'), ('question')) AS t (target)
    WHERE
        s.benchmark = 'HallusionBench'
        AND NOT (t.target = 'figure' AND s.category = 'VS' AND s.figure = '0')
    GROUP BY
        s.run_id, s.subset, l.level, t.target, s.category, s.subcategory, s.set_id,
        CASE WHEN t.target <> 'question' THEN s.figure END,
        CASE WHEN t.target <> 'figure' THEN s.question END,
        CASE WHEN t.target = 'answer' THEN s.question_id || '/' || s.sample END
    UNION ALL
    -- simple_vqa has no rule: its judge says A (right), B (wrong) or C (not attempted).
    SELECT
        a.run_id, m.metric, 'default' AS category, q.subset,
        CASE WHEN regexp_extract(j.log, '"verdict": *"([ABC])"', 1) = m.letter THEN 1.0 ELSE 0.0 END AS score,
        0.0 AS said, 0.0 AS wanted
    FROM open_answer AS a
    INNER JOIN asked AS q USING (question_id)
    INNER JOIN open_subject AS s ON a.question_id = s.question_id AND a.prediction = s.text
    INNER JOIN main.judgment AS j ON a.run_id = j.run_id AND s.subject_hash = j.subject_hash
    CROSS JOIN (VALUES
        ('is_correct/mean', 'A'), ('is_incorrect/mean', 'B'), ('is_not_attempted/mean', 'C')
    ) AS m (metric, letter)
    WHERE q.benchmark = 'simple_vqa' AND j.error IS NULL
),

-- POPE's are of each subset's answers, and no means of them.
of_subset AS (
    SELECT
        run_id, metric, category, subset, count(*) AS n,
        four_digits(
            coalesce(
                CASE metric
                    WHEN 'precision/identity' THEN sum(said * wanted) / nullif(sum(said), 0.0)
                    WHEN 'recall/identity' THEN sum(said * wanted) / nullif(sum(wanted), 0.0)
                    WHEN 'f1/identity' THEN 2.0 * sum(said * wanted) / nullif(sum(said + wanted), 0.0)
                    WHEN 'yes_ratio/identity' THEN avg(said)
                    ELSE avg(score)
                END,
                0.0
            )
        ) AS score
    FROM item
    GROUP BY run_id, metric, category, subset
),

of_category AS (
    SELECT
        run_id, metric, category, sum(n) AS n, four_digits(sum(score * n) / sum(n)) AS score,
        four_digits(avg(score)) AS macro
    FROM of_subset
    GROUP BY run_id, metric, category
),

figure AS (
    SELECT run_id, metric, 'subset' AS part, subset AS name, n, score, CAST(NULL AS DOUBLE) AS macro
    FROM of_subset
    UNION ALL
    SELECT run_id, metric, 'category' AS part, category AS name, n, score, macro
    FROM of_category
    UNION ALL
    SELECT
        run_id, metric, 'overall' AS part, 'Overall' AS name, sum(n) AS n,
        four_digits(sum(score * n) / sum(n)) AS score, four_digits(avg(score)) AS macro
    FROM of_category
    GROUP BY run_id, metric
)

SELECT
    run_id, r.dataset, r.model, r.run, f.metric, f.part, f.name, CAST(f.n AS BIGINT) AS n, f.score,
    f.macro
FROM figure AS f
INNER JOIN current_run AS r USING (run_id)
