-- How answers were read, by ability: those that nothing could read, and of yes and no what
-- precision, recall and F1 are made of. One row per run, judge and ability, where there is
-- something to count.
-- @table per run
-- @key judge ability_id
-- @n_unread Answers (passes) that no rule and no judge could read: they count 0.
-- @n_judged Answers that a judge read, whatever it found.
-- @n_none Those of them in which it found none of the choices (X).
-- @n_said Of yes and no, answers read as yes.
-- @n_yes Of yes and no, questions whose answer is yes and that were answered with either word: the
--   harness's recall leaves the others out (tasks/pope/utils.py).
-- @n_both Of yes and no, questions whose answer is yes, and that were answered so.
WITH counted AS (
    SELECT
        p.run_id, p.judge, p.question_id,
        CASE WHEN p.resolved_by = 'unresolved' THEN 1 ELSE 0 END AS is_unread,
        CASE WHEN p.resolved_by = 'judge' THEN 1 ELSE 0 END AS is_judged,
        CASE WHEN p.resolved_by = 'judge' AND p.predicted = 'X' THEN 1 ELSE 0 END AS is_none,
        CASE WHEN u.rule = 'yes_no' AND p.predicted = 'yes' THEN 1 ELSE 0 END AS is_said,
        CASE
            WHEN u.rule = 'yes_no' AND p.predicted IS NOT NULL AND python_lower(stripped(p.answer)) = 'yes' THEN 1
            ELSE 0
        END AS is_yes
    FROM pass_result AS p
    LEFT JOIN question_rule AS u ON p.question_id = u.question_id AND p.task = 'rule'
    WHERE
        (u.rule = 'yes_no' OR p.resolved_by IN ('unresolved', 'judge'))
        AND is_counted(CASE WHEN p.resolved_by = 'missing' THEN 0 ELSE 1 END)
)

SELECT
    c.run_id, c.judge, l.ability_id, CAST(sum(c.is_unread) AS BIGINT) AS n_unread,
    CAST(sum(c.is_judged) AS BIGINT) AS n_judged, CAST(sum(c.is_none) AS BIGINT) AS n_none,
    CAST(sum(c.is_said) AS BIGINT) AS n_said, CAST(sum(c.is_yes) AS BIGINT) AS n_yes,
    CAST(sum(c.is_said * c.is_yes) AS BIGINT) AS n_both
FROM counted AS c
INNER JOIN question_level AS l USING (question_id)
GROUP BY c.run_id, c.judge, l.ability_id
