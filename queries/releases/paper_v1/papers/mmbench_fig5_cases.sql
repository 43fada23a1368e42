-- MMBench, Figure 5, the cases: answers of which a judge and a person say different things. One row
-- per dataset, judge, person and misaligned subject, with the first answer of that content.
-- @model_judge The judge that is no person.
-- @person The judge that is one.
-- @model The model of the first answer.
-- @disagreement Case 1: exactly one of the two says that it is none of the choices. Case 2: they
--   name different ones.
-- @pass The pass of the first answer.
-- @prediction The raw output that was judged.
-- @verdict What the judge says: a label, X for none of the choices.
-- @person_verdict What the person says.
-- @n_answers Answers with that content.
SELECT
    p.dataset, p.model_judge, p.person,
    CASE WHEN p.is_case_1 THEN 'case 1' ELSE 'case 2' END AS disagreement,
    p.question_key, p.pass, p.prediction, p.verdict, p.person_verdict, p.model, p.n_answers,
    p.run_id, p.question_id, p.subject_hash
FROM person_comparison AS p
INNER JOIN current_run AS r USING (run_id)
WHERE r.benchmark = 'MMBench' AND NOT p.is_aligned
