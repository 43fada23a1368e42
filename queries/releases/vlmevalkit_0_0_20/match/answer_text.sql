-- The distinct texts that the runs that count answered to a question and pass, as VLMEvalKit reads
-- them, those of further rows too: what matching has to look at.
-- @internal
WITH said AS (
    SELECT g.question_id, g.pass, g.given AS text
    FROM given_answer AS g
    INNER JOIN current_run AS r USING (run_id)
    UNION ALL
    SELECT question_id, pass, text
    FROM further_row
)

SELECT question_id, pass, text
FROM said
GROUP BY question_id, pass, text
-- As in paper_v1.
HAVING count(*) > 0
