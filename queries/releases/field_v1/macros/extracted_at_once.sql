-- What an answer scores without a judge, where it is nothing but the answer: a number where one is
-- wanted, or the reference's own text. NULL: a judge has to extract it.
-- @score What extracted_score makes of the text.
CREATE MACRO extracted_at_once(text, answer_type, score) AS
CASE WHEN answer_type IN ('integer', 'float') THEN score ELSE nullif(score, 0.0) END
