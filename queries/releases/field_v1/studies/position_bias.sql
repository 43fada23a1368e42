-- Whether a run prefers a place among the choices: how often it is right where each label is the
-- right one (recall), how far these are apart (Zheng et al., arXiv 2309.03882), and how often the
-- passes of a question disagree. Over every answered pass of choice questions, by the first
-- samples. One row per run, judge and label.
-- @label A label that is the right one of some pass, or that the run names.
-- @n Passes of which it is the right one.
-- @recall Share of these that the run has right; NULL: it is the right one of none.
-- @n_said Passes that the run's answer was taken to name it in, other than by a draw.
-- @share_said Share of all its answered passes.
-- @share_key Share of these of which the label is the right one.
-- @recall_spread Population standard deviation of the recalls over labels that are the right one.
-- @n_circular Questions with several answered passes.
-- @share_disagreeing Share of these of which some passes are right and some wrong; NULL: there are
--   none.
WITH given AS (
    SELECT run_id, question_id, judge, sample, judge_sample, predicted, answer, resolved_by, score
    FROM pass_result
    WHERE task = 'choice' AND component = 'answer' AND answer IS NOT NULL
),

first_sample AS (
    SELECT run_id, judge, min(sample) AS sample, min(judge_sample) AS judge_sample
    FROM given
    GROUP BY run_id, judge
),

answered AS (
    SELECT
        g.run_id, g.question_id, g.judge,
        CASE WHEN g.predicted <> 'X' AND g.resolved_by <> 'random' THEN g.predicted END AS predicted,
        g.answer,
        CASE WHEN g.score = 1.0 THEN 1.0 ELSE 0.0 END AS is_right
    FROM given AS g
    INNER JOIN first_sample AS f USING (run_id, judge, sample, judge_sample)
    WHERE g.score IS NOT NULL AND g.resolved_by <> 'missing'
),

sized AS (
    SELECT run_id, judge, count(*) AS n_all
    FROM answered
    GROUP BY run_id, judge
),

keyed AS (
    SELECT run_id, judge, answer AS label, count(*) AS n, avg(is_right) AS recall
    FROM answered
    GROUP BY run_id, judge, answer
),

said AS (
    SELECT run_id, judge, predicted AS label, count(*) AS n_said
    FROM answered
    WHERE predicted IS NOT NULL
    GROUP BY run_id, judge, predicted
),

labelled AS (
    SELECT run_id, judge, label
    FROM keyed
    UNION
    SELECT run_id, judge, label
    FROM said
),

passes AS (
    SELECT run_id, judge, question_id, min(is_right) AS least, max(is_right) AS most
    FROM answered
    GROUP BY run_id, judge, question_id
    HAVING count(*) > 1
),

disagreeing AS (
    SELECT run_id, judge, count(*) AS n_circular, avg(most - least) AS share_disagreeing
    FROM passes
    GROUP BY run_id, judge
)

SELECT
    a.run_id, r.model, r.run, r.dataset, a.judge, a.label, coalesce(k.n, 0) AS n, k.recall,
    coalesce(s.n_said, 0) AS n_said, (1e0 * coalesce(s.n_said, 0)) / z.n_all AS share_said,
    (1e0 * coalesce(k.n, 0)) / z.n_all AS share_key,
    -- In one order, as the last digits depend on it.
    stddev_pop(k.recall) OVER (
        PARTITION BY a.run_id, a.judge ORDER BY a.label ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS recall_spread,
    coalesce(d.n_circular, 0) AS n_circular, d.share_disagreeing
FROM labelled AS a
INNER JOIN sized AS z USING (run_id, judge)
INNER JOIN current_run AS r USING (run_id)
LEFT JOIN keyed AS k USING (run_id, judge, label)
LEFT JOIN said AS s USING (run_id, judge, label)
LEFT JOIN disagreeing AS d USING (run_id, judge)
