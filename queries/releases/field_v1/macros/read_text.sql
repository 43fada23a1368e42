-- An answer with its own marks of thinking as the macro after_thinking knows them: <think> and
-- </think> in place of those that its run or benchmark declares ("OPEN ... CLOSE"). Of an answer
-- that is read whole (none) the marks are no marks: a control character stands before it.
-- @hook Gets the raw answer and current_run.thinking; gives the text for after_thinking.
CREATE MACRO read_text(text, thinking) AS
CASE
    WHEN thinking IS NULL OR thinking = 'known' THEN text
    WHEN thinking = 'none' THEN CASE WHEN has_thinking(text) THEN decode(unhex('1E')) || text ELSE text END
    ELSE
        replace(
            coalesce(replace(text, nullif(stripped(split_part(thinking, '...', 1)), ''), '<think>'), text),
            stripped(split_part(thinking, '...', 2)), '</think>'
        )
END
