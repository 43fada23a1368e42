-- MMBench, Table 3: exact match and a judge's marks. One row per model's latest run and judge that
-- gives marks, for datasets of open questions in which the judge has marked something; figures of
-- all questions, then of those with one reference and of those with a list of them.
-- @coverage Percent of the questions that the run answered.
-- @accuracy Exact matches in percent of the questions answered (see exact_match); NULL: none has a
--   reference.
-- @mean_mark Mean of the marks, 1 to 5, over the answers that have one; NULL: none has.
-- @n_marked Answers with a mark.
-- @accuracy_one Accuracy over the questions with one reference.
-- @mean_mark_one Mean mark over the questions with one reference.
-- @n_marked_one Answers with a mark to questions with one reference.
-- @accuracy_list Accuracy over the questions with several references.
-- @mean_mark_list Mean mark over the questions with several references.
-- @n_marked_list Answers with a mark to questions with several references.
-- @n Questions of the dataset.
WITH marked AS (
    SELECT judge, run_id, question_id, sample, avg(mark) AS mark
    FROM mark_result
    WHERE mark IS NOT NULL
    GROUP BY judge, run_id, question_id, sample
),

scope AS (
    SELECT DISTINCT m.judge, r.dataset_id
    FROM marked AS m
    INNER JOIN current_run AS r USING (run_id)
    WHERE r.is_latest
),

-- Each answer twice: with its exact match, and with its mark if it has one.
measured AS (
    SELECT
        s.judge, e.run_id, e.question_id, e.sample, e.n_references,
        CASE WHEN e.state IN ('failed', 'missing') THEN 0 ELSE 1 END AS is_answered,
        e.score, CAST(NULL AS DOUBLE) AS mark
    FROM exact_match AS e
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN scope AS s USING (dataset_id)
    WHERE r.is_latest
    UNION ALL
    SELECT
        m.judge, m.run_id, m.question_id, m.sample, f.n_references, NULL AS is_answered,
        NULL AS score, m.mark
    FROM marked AS m
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN reference_set AS f USING (question_id)
    WHERE r.is_latest
),

-- A question counts as answered if all of its samples are.
by_question AS (
    SELECT
        judge, run_id, question_id, n_references, min(is_answered) AS is_answered,
        avg(score) AS score, sum(mark) AS mark_sum, count(mark) AS n_marked
    FROM measured
    GROUP BY judge, run_id, question_id, n_references
),

summed AS (
    SELECT
        judge, run_id, count(*) AS n, sum(is_answered) AS n_answered,
        100 * avg(CASE WHEN is_answered = 1 THEN score END) AS accuracy,
        sum(mark_sum) / nullif(sum(n_marked), 0) AS mean_mark,
        CAST(sum(n_marked) AS BIGINT) AS n_marked,
        100 * avg(CASE WHEN is_answered = 1 AND n_references = 1 THEN score END) AS accuracy_one,
        sum(CASE WHEN n_references = 1 THEN mark_sum END)
        / nullif(sum(CASE WHEN n_references = 1 THEN n_marked END), 0) AS mean_mark_one,
        CAST(sum(CASE WHEN n_references = 1 THEN n_marked END) AS BIGINT) AS n_marked_one,
        100 * avg(CASE WHEN is_answered = 1 AND n_references > 1 THEN score END) AS accuracy_list,
        sum(CASE WHEN n_references > 1 THEN mark_sum END)
        / nullif(sum(CASE WHEN n_references > 1 THEN n_marked END), 0) AS mean_mark_list,
        CAST(sum(CASE WHEN n_references > 1 THEN n_marked END) AS BIGINT) AS n_marked_list
    FROM by_question
    GROUP BY judge, run_id
)

SELECT
    r.dataset, s.judge, s.run_id, r.model, s.accuracy, s.mean_mark, s.n_marked, s.accuracy_one,
    s.mean_mark_one, s.n_marked_one, s.accuracy_list, s.mean_mark_list, s.n_marked_list, s.n,
    CAST(100 * s.n_answered AS DOUBLE) / s.n AS coverage
FROM summed AS s
INNER JOIN current_run AS r USING (run_id)
