-- What changes in a model's score where the judge changes, over the questions that all know the
-- score of: the judge's part is what the new judge gives the new answers more than the old judge
-- does, the model's what the old judge gives them more than the old answers. A judge's samples
-- count as judges of their own; and where the server answered one judge's requests under several
-- names, so do these, each with the answers that it decided alone, over its samples (of what rules
-- read it is the same for all). With the mean of the judge's part over the runs of a dataset taken
-- off, a score under the new judge is one of the old judge's board (board_link). One row per pair
-- of judges, judge samples or names of a server, in both orders, and pair of runs of a model on a
-- dataset; both may be the same run.
-- @run_a The old run, as in main.run.
-- @run_b The new run; the same as run_a where the answers are the same.
-- @judge_a The old judge.
-- @judge_sample_a Its sample; NULL where it differs by what the server answered as.
-- @answered_as_a The model's name in the server's replies; NULL where it differs by samples.
-- @judge_b The new judge.
-- @judge_sample_b Its sample.
-- @answered_as_b The model's name in the server's replies to it.
-- @n Questions with all three scores.
-- @score_a The old answers under the old judge.
-- @score_b The new answers under the new judge.
-- @change score_b less score_a.
-- @judge_part What of the change is the judge's.
-- @model_part What of it is the model's; 0 where the answers are the same.
-- @judge_stderr Standard error of the judge's part over questions.
-- @n_higher Questions to which the new judge gives the new answers more.
-- @n_lower Questions to which it gives them less.
-- @mean_shift Mean of the judge's part over the runs of the dataset, each with itself: those of
--   which the old judge knows the score of every question that the new one does; of names of a
--   server, over all. NULL: there is none.
-- @linked_score score_b less mean_shift: the new score as the old judge's board would go on.
WITH given AS (
    SELECT *
    FROM answer_score
),

decided AS (
    SELECT run_id, question_id, pass, sample, judge, judge_sample, judgment_id
    FROM judged_pass
    UNION ALL
    SELECT run_id, question_id, pass, sample, judge, judge_sample, judgment_id
    FROM open_judged
    UNION ALL
    SELECT
        run_id, question_id, CAST(0 AS SMALLINT) AS pass, sample, judge, judge_sample, judgment_id
    FROM judged_answer
),

-- Judges that have said nothing of a run that they could decide an answer of: the questions that
-- rules read would show no shift.
silent AS (
    SELECT run_id, judge, judge_sample
    FROM decided
    GROUP BY run_id, judge, judge_sample
    HAVING count(judgment_id) = 0
),

-- What the server answered as, of all passes that the strategy counts; several: not as one model.
served AS (
    SELECT
        d.run_id, d.question_id, d.sample, d.judge, d.judge_sample,
        min(j.returned_model) AS answered_as,
        CASE
            WHEN count(j.returned_model) = count(*) AND min(j.returned_model) = max(j.returned_model) THEN 1
            ELSE 0
        END AS is_one
    FROM decided AS d
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    LEFT JOIN main.judgment AS j USING (judgment_id)
    WHERE b.strategy IN ('circular', 'vanilla_all') OR d.pass = 0
    GROUP BY d.run_id, d.question_id, d.sample, d.judge, d.judge_sample
),

name AS (
    SELECT run_id, judge, answered_as, count(*) OVER (PARTITION BY run_id, judge) AS n_names
    FROM (
        SELECT DISTINCT run_id, judge, answered_as
        FROM served
        WHERE is_one = 1
    ) AS named
),

sampled AS (
    SELECT *, count(*) OVER (PARTITION BY run_id, question_id, judge, judge_sample) AS n_samples
    FROM given
),

served_answer AS (
    SELECT
        a.run_id, a.model, a.dataset, a.dataset_id, a.question_id, a.judge, n.answered_as, a.sample,
        max(a.n_samples) AS n_samples, avg(a.score) AS score, count(*) - count(a.score) AS n_pending
    FROM sampled AS a
    INNER JOIN name AS n ON a.run_id = n.run_id AND a.judge = n.judge AND n.n_names > 1
    LEFT JOIN served AS s
        ON
            a.run_id = s.run_id
            AND a.question_id = s.question_id
            AND a.sample = s.sample
            AND a.judge = s.judge
            AND a.judge_sample = s.judge_sample
    WHERE s.run_id IS NULL OR (s.is_one = 1 AND s.answered_as = n.answered_as)
    GROUP BY
        a.run_id, a.model, a.dataset, a.dataset_id, a.question_id, a.judge, n.answered_as, a.sample
),

scored AS (
    SELECT
        a.run_id, a.model, a.dataset, a.dataset_id, a.question_id, a.judge, a.judge_sample,
        CAST(NULL AS VARCHAR) AS answered_as,
        -- What tells it apart from others.
        'sample ' || CAST(a.judge_sample AS VARCHAR) AS reading,
        avg(a.score) AS score
    FROM given AS a
    LEFT JOIN silent AS s USING (run_id, judge, judge_sample)
    WHERE s.run_id IS NULL
    GROUP BY a.run_id, a.model, a.dataset, a.dataset_id, a.question_id, a.judge, a.judge_sample
    HAVING count(a.score) = count(*)
    UNION ALL
    SELECT
        run_id, model, dataset, dataset_id, question_id, judge,
        CAST(NULL AS SMALLINT) AS judge_sample, answered_as, 'name ' || answered_as AS reading,
        avg(score) AS score
    FROM served_answer
    GROUP BY run_id, model, dataset, dataset_id, question_id, judge, answered_as
    HAVING count(*) = max(n_samples) AND sum(n_pending) = 0
),

known AS (
    SELECT run_id, judge, reading, count(*) AS n_known
    FROM scored
    GROUP BY run_id, judge, reading
),

compared AS (
    SELECT
        o.run_id AS run_a, n.run_id AS run_b, n.model, n.dataset, o.judge AS judge_a,
        o.judge_sample AS judge_sample_a, o.answered_as AS answered_as_a, o.reading AS reading_a,
        n.judge AS judge_b, n.judge_sample AS judge_sample_b, n.answered_as AS answered_as_b,
        n.reading AS reading_b, count(*) AS n, avg(o.score) AS score_a, avg(n.score) AS score_b,
        -- The last bits, and the sign of a zero, depend on the order in which an engine adds up.
        0.0 + round(avg(n.score - b.score), 12) AS judge_part,
        0.0 + round(avg(b.score - o.score), 12) AS model_part,
        stddev_samp(n.score - b.score) AS deviation,
        sum(CASE WHEN n.score > b.score THEN 1 ELSE 0 END) AS n_higher,
        sum(CASE WHEN n.score < b.score THEN 1 ELSE 0 END) AS n_lower
    FROM scored AS n
    INNER JOIN scored AS b
        ON
            n.run_id = b.run_id
            AND n.question_id = b.question_id
            AND (
                (n.judge <> b.judge AND n.answered_as IS NULL AND b.answered_as IS NULL)
                OR (
                    n.judge = b.judge
                    AND n.reading <> b.reading
                    AND (n.answered_as IS NULL) = (b.answered_as IS NULL)
                )
            )
    INNER JOIN scored AS o
        ON
            n.dataset_id = o.dataset_id
            AND n.model = o.model
            AND n.question_id = o.question_id
            AND b.judge = o.judge
            AND b.reading = o.reading
    GROUP BY
        o.run_id, n.run_id, n.model, n.dataset, o.judge, o.judge_sample, o.answered_as, o.reading,
        n.judge, n.judge_sample, n.answered_as, n.reading
),

shifts AS (
    SELECT
        c.dataset, c.judge_a, c.reading_a, c.judge_b, c.reading_b, avg(c.judge_part) AS mean_shift
    FROM compared AS c
    INNER JOIN known AS k ON c.run_b = k.run_id AND c.judge_b = k.judge AND c.reading_b = k.reading
    WHERE c.run_a = c.run_b AND (c.n = k.n_known OR c.answered_as_b IS NOT NULL)
    GROUP BY c.dataset, c.judge_a, c.reading_a, c.judge_b, c.reading_b
)

SELECT
    c.run_a, c.run_b, c.model, c.dataset, c.judge_a, c.judge_sample_a, c.answered_as_a, c.judge_b,
    c.judge_sample_b, c.answered_as_b, c.n, c.score_a, c.score_b, c.score_b - c.score_a AS change,
    c.judge_part, c.model_part, c.deviation / sqrt(c.n) AS judge_stderr,
    CAST(c.n_higher AS BIGINT) AS n_higher, CAST(c.n_lower AS BIGINT) AS n_lower, s.mean_shift,
    c.score_b - s.mean_shift AS linked_score
FROM compared AS c
LEFT JOIN shifts AS s USING (dataset, judge_a, reading_a, judge_b, reading_b)
