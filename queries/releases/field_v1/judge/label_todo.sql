-- What a person should label, to see how far a judge is right: of the latest plan of the judge and
-- benchmark (`evalhouse label plan`) every answer to a drawn question that no rule reads; without a
-- plan whatever the judge has a verdict on, in the order of its hash. Each person labels all of it:
-- what is left of it for one are the rows whose labelled_by has not the name. One row per judge and
-- subject, with the first answer of that content.
-- @run_id The first run that needs it.
-- @question_id The first question with that content.
-- @pass The first pass of it.
-- @sample The first sample with it.
-- @prediction The raw output to be labelled.
-- @task What is to be said: the label that it names (choice_extraction), or a score.
-- @plan_id The plan that drew it; NULL: there is none.
-- @place Its place in the order in which to label, from 1.
-- @labelled_by The persons who have labelled it, by name; empty: nobody has.
WITH planned AS (
    SELECT judge_id, benchmark_id, max(plan_id) AS plan_id
    FROM main.label_plan
    GROUP BY judge_id, benchmark_id
),

-- What persons have said, by content.
labelled AS (
    SELECT v.task, v.subject_hash, list_sort(list(DISTINCT v.judge)) AS people
    FROM shared_verdict AS v
    INNER JOIN main.judge AS g USING (judge_id)
    WHERE g.kind = 'human' AND v.state = 'ok'
    GROUP BY v.task, v.subject_hash
),

wanted AS (
    SELECT
        c.run_id, r.model, r.run, r.dataset, c.question_id, c.pass, c.sample, c.judge_id, c.judge,
        c.task, c.subject_hash, c.prediction, p.plan_id,
        row_number() OVER (
            PARTITION BY c.judge_id, c.task, c.subject_hash
            ORDER BY c.run_id, c.question_id, c.pass, c.sample
        ) AS place
    FROM judged_content AS c
    INNER JOIN main.judge AS g USING (judge_id)
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    LEFT JOIN planned AS p USING (judge_id, benchmark_id)
    LEFT JOIN main.label_unit AS u
        ON p.plan_id = u.plan_id AND c.run_id = u.run_id AND c.question_id = u.question_id
    WHERE
        g.kind <> 'human'
        AND (b.strategy <> 'vanilla' OR c.pass = 0)
        AND CASE WHEN p.plan_id IS NULL THEN c.has_verdict ELSE coalesce(u.is_drawn, FALSE) END
)

SELECT
    w.run_id, w.model, w.run, w.dataset, w.question_id, q.question_key, w.pass, w.sample,
    w.subject_hash, w.prediction, w.judge_id, w.judge, w.task, w.plan_id,
    row_number() OVER (PARTITION BY w.judge_id ORDER BY md5(w.subject_hash), w.subject_hash) AS place,
    coalesce(l.people, CAST([] AS VARCHAR[])) AS labelled_by
FROM wanted AS w
INNER JOIN main.question AS q USING (question_id)
LEFT JOIN labelled AS l USING (task, subject_hash)
WHERE w.place = 1
