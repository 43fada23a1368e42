-- What changes in a model's score where the judge changes, over the questions that all know the
-- score of: the judge's part is what the new judge gives the new answers more than the old judge
-- does, the model's what the old judge gives them more than the old answers. A judge's samples
-- count as judges of their own. With the mean of the judge's part over the runs of a dataset taken
-- off, a board under the old judge goes on under the new one. One row per pair of judges or judge
-- samples, in both orders, and pair of runs of a model on a dataset; both may be the same run.
-- @run_a The old run, as in main.run.
-- @run_b The new run; the same as run_a where the answers are the same.
-- @judge_a The old judge.
-- @judge_sample_a Its sample.
-- @judge_b The new judge.
-- @judge_sample_b Its sample.
-- @n Questions with all three scores.
-- @score_a The old answers under the old judge.
-- @score_b The new answers under the new judge.
-- @change score_b less score_a.
-- @judge_part What of the change is the judge's.
-- @model_part What of it is the model's; 0 where the answers are the same.
-- @judge_stderr Standard error of the judge's part over questions.
-- @n_higher Questions to which the new judge gives the new answers more.
-- @n_lower Questions to which it gives them less.
-- @mean_shift Mean of the judge's part over the runs of the dataset, each with itself.
-- @linked_score score_b less mean_shift: the new score as the old judge's board would go on.
WITH scored AS (
    SELECT
        run_id,
        model,
        dataset,
        dataset_id,
        question_id,
        judge,
        judge_sample,
        avg(score) AS score
    FROM answer_score
    GROUP BY run_id, model, dataset, dataset_id, question_id, judge, judge_sample
    HAVING count(score) = count(*)
),

compared AS (
    SELECT
        o.run_id AS run_a,
        n.run_id AS run_b,
        n.model,
        n.dataset,
        o.judge AS judge_a,
        o.judge_sample AS judge_sample_a,
        n.judge AS judge_b,
        n.judge_sample AS judge_sample_b,
        count(*) AS n,
        avg(o.score) AS score_a,
        avg(n.score) AS score_b,
        -- The last bits depend on the order in which an engine adds up.
        round(avg(n.score - b.score), 12) AS judge_part,
        round(avg(b.score - o.score), 12) AS model_part,
        stddev_samp(n.score - b.score) AS deviation,
        sum(CASE WHEN n.score > b.score THEN 1 ELSE 0 END) AS n_higher,
        sum(CASE WHEN n.score < b.score THEN 1 ELSE 0 END) AS n_lower
    FROM scored AS n
    INNER JOIN scored AS b
        ON
            n.run_id = b.run_id
            AND n.question_id = b.question_id
            AND (n.judge <> b.judge OR n.judge_sample <> b.judge_sample)
    INNER JOIN scored AS o
        ON
            n.dataset_id = o.dataset_id
            AND n.model = o.model
            AND n.question_id = o.question_id
            AND b.judge = o.judge
            AND b.judge_sample = o.judge_sample
    GROUP BY o.run_id, n.run_id, n.model, n.dataset, o.judge, o.judge_sample, n.judge, n.judge_sample
),

shifts AS (
    SELECT
        dataset,
        judge_a,
        judge_sample_a,
        judge_b,
        judge_sample_b,
        avg(judge_part) AS mean_shift
    FROM compared
    WHERE run_a = run_b
    GROUP BY dataset, judge_a, judge_sample_a, judge_b, judge_sample_b
)

SELECT
    c.run_a,
    c.run_b,
    c.model,
    c.dataset,
    c.judge_a,
    c.judge_sample_a,
    c.judge_b,
    c.judge_sample_b,
    c.n,
    c.score_a,
    c.score_b,
    c.score_b - c.score_a AS change,
    c.judge_part,
    c.model_part,
    c.deviation / sqrt(c.n) AS judge_stderr,
    CAST(c.n_higher AS BIGINT) AS n_higher,
    CAST(c.n_lower AS BIGINT) AS n_lower,
    s.mean_shift,
    c.score_b - s.mean_shift AS linked_score
FROM compared AS c
INNER JOIN shifts AS s
    ON
        c.dataset = s.dataset
        AND c.judge_a = s.judge_a
        AND c.judge_sample_a = s.judge_sample_a
        AND c.judge_b = s.judge_b
        AND c.judge_sample_b = s.judge_sample_b
