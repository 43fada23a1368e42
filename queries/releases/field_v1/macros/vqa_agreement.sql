-- The share of annotators' answers that agree with one that as many of them gave: each is left out
-- in turn, and three of the others are enough.
CREATE MACRO vqa_agreement(n_equal, n_answers) AS
(
    n_equal * CASE WHEN n_equal > 4 THEN 3.0 WHEN n_equal > 0 THEN n_equal - 1.0 ELSE 0.0 END
    + (n_answers - n_equal) * CASE WHEN n_equal > 3 THEN 3.0 ELSE n_equal END
) / (3.0 * n_answers)
