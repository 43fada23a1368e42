-- MMBench, Figure 5: how far judges agree with a person on what an answer in words picks. One row
-- per dataset, judge and person that have subjects in common. As in the paper, question–answer
-- pairs are counted: an answer that several models gave to a question, or one in several runs, is
-- as many pairs.
-- @model_judge The judge that is no person.
-- @person The judge that is one.
-- @n Answers that both have judged: question–answer pairs, a model's answer to a pass of a question
--   each.
-- @n_contents Those that differ in their content.
-- @alignment Answers of which both say the same, in percent.
-- @misaligned Answers of which they do not.
-- @case_1 Misaligned ones where exactly one of the two says that it is none of the choices, in
--   percent of the misaligned; NULL: none is.
-- @case_2 Misaligned ones where the two name different choices, in percent of the misaligned; NULL:
--   none is.
WITH counted AS (
    SELECT
        p.dataset, p.model_judge, p.person, count(*) AS n_contents,
        CAST(sum(p.n_answers) AS BIGINT) AS n,
        CAST(sum(CASE WHEN p.is_aligned THEN 0 ELSE p.n_answers END) AS BIGINT) AS misaligned,
        CAST(sum(CASE WHEN p.is_case_1 THEN p.n_answers ELSE 0 END) AS BIGINT) AS n_case_1
    FROM person_comparison AS p
    INNER JOIN current_run AS r USING (run_id)
    WHERE r.benchmark = 'MMBench'
    GROUP BY p.dataset, p.model_judge, p.person
)

SELECT
    dataset, model_judge, person, n, n_contents,
    100 * CAST(n - misaligned AS DOUBLE) / n AS alignment, misaligned,
    100 * CAST(n_case_1 AS DOUBLE) / nullif(misaligned, 0) AS case_1,
    100 * CAST(misaligned - n_case_1 AS DOUBLE) / nullif(misaligned, 0) AS case_2
FROM counted
