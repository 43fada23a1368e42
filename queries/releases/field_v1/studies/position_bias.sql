-- Whether a run prefers a place among the choices: how often it is right where each label is the
-- right one (recall), how far these are apart (Zheng et al., arXiv 2309.03882), and how often the
-- passes of a question disagree. Over every answered pass of choice questions, by the first
-- samples. One row per run, judge and label.
-- @label The label.
-- @n Passes of which it is the right one.
-- @recall Share of these that the run has right.
-- @n_said Passes that the run's answer was taken to name it in.
-- @share_said Share of all its answered passes.
-- @share_key Share of these of which the label is the right one.
-- @recall_spread Population standard deviation of the recalls over labels.
-- @n_circular Questions with several answered passes.
-- @share_disagreeing Share of these of which some passes are right and some wrong; NULL: there are
--   none.
WITH answered AS (
    SELECT
        run_id,
        question_id,
        judge,
        predicted,
        answer,
        CASE WHEN score = 1.0 THEN 1.0 ELSE 0.0 END AS is_right
    FROM pass_result
    WHERE
        task = 'choice'
        AND component = 'answer'
        AND sample = 0
        AND judge_sample = 0
        AND answer IS NOT NULL
        AND score IS NOT NULL
        AND resolved_by <> 'missing'
),

sized AS (
    SELECT
        run_id,
        judge,
        count(*) AS n_all
    FROM answered
    GROUP BY run_id, judge
),

keyed AS (
    SELECT
        run_id,
        judge,
        answer AS label,
        count(*) AS n,
        avg(is_right) AS recall
    FROM answered
    GROUP BY run_id, judge, answer
),

said AS (
    SELECT
        run_id,
        judge,
        predicted AS label,
        count(*) AS n_said
    FROM answered
    WHERE predicted IS NOT NULL
    GROUP BY run_id, judge, predicted
),

passes AS (
    SELECT
        run_id,
        judge,
        question_id,
        min(is_right) AS least,
        max(is_right) AS most
    FROM answered
    GROUP BY run_id, judge, question_id
    HAVING count(*) > 1
),

disagreeing AS (
    SELECT
        run_id,
        judge,
        count(*) AS n_circular,
        avg(most - least) AS share_disagreeing
    FROM passes
    GROUP BY run_id, judge
)

SELECT
    k.run_id,
    r.model,
    r.run,
    r.dataset,
    k.judge,
    k.label,
    k.n,
    k.recall,
    coalesce(s.n_said, 0) AS n_said,
    (1e0 * coalesce(s.n_said, 0)) / z.n_all AS share_said,
    (1e0 * k.n) / z.n_all AS share_key,
    stddev_pop(k.recall) OVER (PARTITION BY k.run_id, k.judge) AS recall_spread,
    coalesce(d.n_circular, 0) AS n_circular,
    d.share_disagreeing
FROM keyed AS k
INNER JOIN sized AS z ON k.run_id = z.run_id AND k.judge = z.judge
INNER JOIN current_run AS r ON k.run_id = r.run_id
LEFT JOIN said AS s ON k.run_id = s.run_id AND k.judge = s.judge AND k.label = s.label
LEFT JOIN disagreeing AS d ON k.run_id = d.run_id AND k.judge = d.judge
