-- What a person and another judge make of the same answers in words to choice questions, by each
-- judge's first sample. One row per dataset, judge, person and subject that both have judged, with
-- the first answer of that content.
-- @internal
-- @model_judge The judge that is no person.
-- @person The judge that is one.
-- @question_id The first question with that content.
-- @pass The first pass of it.
-- @run_id The first run with that answer.
-- @sample The first sample with it.
-- @prediction The raw output that was judged.
-- @verdict What the judge says: a label, X for none of the choices.
-- @person_verdict What the person says.
-- @n_answers Answers with that content, in all runs of the dataset.
-- @is_aligned Whether both say the same.
-- @is_case_1 Whether exactly one of the two says that it is none of the choices.
WITH said AS (
    SELECT v.judge, v.subject_hash, v.verdict, g.kind
    FROM shared_verdict AS v
    INNER JOIN judge_scope AS j USING (judge_id, judge_sample)
    INNER JOIN main.judge AS g USING (judge_id)
    WHERE v.task = 'choice_extraction' AND v.state = 'ok' AND j.is_first
),

paired AS (
    SELECT
        m.judge AS model_judge, p.judge AS person, m.subject_hash, m.verdict,
        p.verdict AS person_verdict
    FROM said AS m
    INNER JOIN said AS p USING (subject_hash)
    WHERE m.kind <> 'human' AND p.kind = 'human'
),

answered AS (
    SELECT
        c.run_id, c.model, c.dataset, c.dataset_id, c.question_id, c.question_key, c.pass, c.sample,
        c.prediction, s.subject_hash,
        row_number() OVER (
            PARTITION BY c.dataset_id, s.subject_hash
            ORDER BY c.question_id, c.pass, c.run_id, c.sample
        ) AS place,
        count(*) OVER (PARTITION BY c.dataset_id, s.subject_hash) AS n_answers
    FROM choice_match AS c
    INNER JOIN subject AS s
        ON c.question_id = s.question_id AND c.pass = s.pass AND c.prediction = s.text
    WHERE c.state = 'open'
)

SELECT
    a.run_id, a.model, a.dataset, a.dataset_id, a.question_id, a.question_key, a.pass, a.sample,
    p.model_judge, p.person, a.subject_hash, a.prediction, p.verdict, p.person_verdict, a.n_answers,
    p.verdict = p.person_verdict AS is_aligned,
    (p.verdict = 'X') <> (p.person_verdict = 'X') AS is_case_1
FROM answered AS a
INNER JOIN paired AS p USING (subject_hash)
WHERE a.place = 1
