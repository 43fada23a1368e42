-- What a run is worth that answered each question several times, for every number k of answers: by
-- the judge's first sample that counts for the run, over questions with the most answers, all of
-- them scored. pass@k and pass^k are the exact combinatorial estimates (Chen et al., arXiv
-- 2107.03374; Yao et al., arXiv 2406.12045). One row per run, judge and k.
-- @k So many answers, from 1 to n_samples.
-- @n Questions.
-- @n_samples Answers to each.
-- @mean Mean score of one answer.
-- @majority Score of the label that most answers name, at equal numbers of the one named first; of
--   answers without labels, and over several passes of a question, 1 where more than half are
--   right, 0.5 where half are. NULL: scores are soft.
-- @pass_at_k Share of questions of which at least one of k answers is right; NULL: scores are soft.
-- @pass_all_k Share of questions of which all of k answers are right (pass^k); NULL: scores are
--   soft.
-- @consistency How often two answers to a question are both right or both wrong; NULL: one answer,
--   or soft scores.
-- @share_constant Share of questions whose answers are all right or all wrong; NULL: scores are
--   soft.
WITH given AS (
    SELECT *
    FROM answer_score
),

first_sample AS (
    SELECT run_id, judge, min(judge_sample) AS judge_sample
    FROM given
    GROUP BY run_id, judge
),

answered AS (
    SELECT a.*
    FROM given AS a
    INNER JOIN first_sample AS f USING (run_id, judge, judge_sample)
),

votes AS (
    SELECT
        run_id, question_id, judge, predicted, count(*) AS n_votes, min(sample) AS first_said,
        max(score) AS score
    FROM answered
    -- A label of pass 0 does not say whether the other passes are right.
    WHERE predicted IS NOT NULL AND last_pass = 0
    GROUP BY run_id, question_id, judge, predicted
),

elected AS (
    SELECT
        run_id, question_id, judge, score,
        row_number() OVER (PARTITION BY run_id, question_id, judge ORDER BY n_votes DESC, first_said) AS place
    FROM votes
),

counted AS (
    SELECT
        run_id, question_id, judge, count(*) AS n, count(score) AS n_scored, avg(score) AS mean,
        sum(CASE WHEN score IN (0.0, 1.0) THEN 0 ELSE 1 END) AS n_soft,
        sum(CASE WHEN score = 1.0 THEN 1 ELSE 0 END) AS n_right
    FROM answered
    GROUP BY run_id, question_id, judge
),

sized AS (
    SELECT
        c.*, max(c.n) OVER (PARTITION BY c.run_id, c.judge) AS n_samples,
        sum(c.n_soft) OVER (PARTITION BY c.run_id, c.judge) AS n_soft_all,
        CASE
            WHEN e.score IS NOT NULL THEN e.score
            WHEN 2 * c.n_right > c.n THEN 1.0
            WHEN 2 * c.n_right = c.n THEN 0.5
            ELSE 0.0
        END AS majority
    FROM counted AS c
    LEFT JOIN elected AS e
        ON c.run_id = e.run_id AND c.question_id = e.question_id AND c.judge = e.judge AND e.place = 1
),

steps AS (
    SELECT run_id, judge, CAST(sample AS INTEGER) AS step
    FROM answered
    GROUP BY run_id, judge, sample
),

numbered AS (
    SELECT run_id, judge, row_number() OVER (PARTITION BY run_id, judge ORDER BY step) AS step
    FROM steps
),

-- The logarithm of the chance that k answers out of n hold none of the right ones, or none of the
-- wrong ones.
chances AS (
    SELECT
        s.run_id, s.question_id, s.judge, k.step AS k, max(s.n_samples) AS n_samples,
        max(s.n_soft_all) AS n_soft_all, max(s.mean) AS mean, max(s.majority) AS majority,
        max(s.n_right) AS n_right,
        CASE
            WHEN max(s.n - s.n_right) < k.step THEN 0.0
            ELSE exp(sum(ln((1e0 * CASE WHEN s.n - s.n_right - i.step + 1 > 0
                THEN s.n - s.n_right - i.step + 1 ELSE 1 END) / (s.n - i.step + 1))))
        END AS none_right,
        CASE
            WHEN max(s.n_right) < k.step THEN 0.0
            ELSE exp(sum(ln((1e0 * CASE WHEN s.n_right - i.step + 1 > 0 THEN s.n_right - i.step + 1 ELSE 1
                END) / (s.n - i.step + 1))))
        END AS all_right
    FROM sized AS s
    INNER JOIN numbered AS k ON s.run_id = k.run_id AND s.judge = k.judge AND k.step <= s.n
    INNER JOIN numbered AS i ON s.run_id = i.run_id AND s.judge = i.judge AND i.step <= k.step
    WHERE s.n = s.n_samples AND s.n_scored = s.n
    GROUP BY s.run_id, s.question_id, s.judge, k.step
)

SELECT
    c.run_id, r.model, r.run, r.dataset, c.judge, c.k, count(*) AS n, max(c.n_samples) AS n_samples,
    avg(c.mean) AS mean,
    CASE WHEN max(c.n_soft_all) = 0 THEN avg(c.majority) END AS majority,
    CASE WHEN max(c.n_soft_all) = 0 THEN avg(1.0 - c.none_right) END AS pass_at_k,
    CASE WHEN max(c.n_soft_all) = 0 THEN avg(c.all_right) END AS pass_all_k,
    CASE
        WHEN max(c.n_soft_all) = 0
            THEN avg(
                (1e0 * (c.n_right * (c.n_right - 1) + (c.n_samples - c.n_right) * (c.n_samples - c.n_right - 1)))
                / nullif(c.n_samples * (c.n_samples - 1), 0)
            )
    END AS consistency,
    CASE
        WHEN max(c.n_soft_all) = 0 THEN avg(CASE WHEN c.n_right IN (0, c.n_samples) THEN 1.0 ELSE 0.0 END)
    END AS share_constant
FROM chances AS c
INNER JOIN current_run AS r USING (run_id)
GROUP BY c.run_id, r.model, r.run, r.dataset, c.judge, c.k
