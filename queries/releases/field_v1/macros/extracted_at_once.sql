-- What an answer scores without a judge, where it is nothing but the answer: a number where one is
-- wanted, or the reference's own text. NULL: a judge has to extract it.
CREATE MACRO extracted_at_once(text, answers, answer_type, decimals) AS
CASE
    WHEN answer_type IN ('integer', 'float') THEN extracted_score(text, answers, answer_type, decimals)
    ELSE nullif(extracted_score(text, answers, answer_type, decimals), 0.0)
END
