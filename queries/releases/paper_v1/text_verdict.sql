-- What the rules make of each text, beside the right answer. One row per question, pass and text, for passes that the dataset holds.
-- @matched The label; NULL: no match.
-- @state matched, open (a judge can tell), blank (nothing there), failed (the harness wrote that inference failed).
-- @is_answered 1 unless the text says that inference failed.
-- @is_right 1 if the match is the answer.
-- @is_open 1 if a judge can tell more.
SELECT
    m.question_id,
    m.pass,
    m.text,
    m.matched,
    m.rule,
    m.state,
    CASE WHEN m.state <> 'failed' THEN 1 ELSE 0 END AS is_answered,
    CASE WHEN m.matched = d.answer THEN 1 ELSE 0 END AS is_right,
    CASE WHEN m.state = 'open' THEN 1 ELSE 0 END AS is_open
FROM text_match AS m
INNER JOIN dataset_pass AS d ON m.question_id = d.question_id AND m.pass = d.pass
