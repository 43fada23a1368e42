-- F1 of an answer's words and a reference's, as Inspect has it, of the numbers of words; the
-- operations are in its order, so that the last bits are the same.
CREATE MACRO inspect_f1(n_common, n_answer, n_reference) AS
CASE
    WHEN n_common = 0 AND n_answer > 0 AND n_reference > 0 THEN 0.0
    WHEN n_answer = 0 AND n_reference = 0 THEN 1.0
    WHEN n_answer = 0 OR n_reference = 0 THEN 0.0
    ELSE
        (2.0 * (CAST(n_common AS DOUBLE) / n_answer) * (CAST(n_common AS DOUBLE) / n_reference))
        / (CAST(n_common AS DOUBLE) / n_answer + CAST(n_common AS DOUBLE) / n_reference)
END
