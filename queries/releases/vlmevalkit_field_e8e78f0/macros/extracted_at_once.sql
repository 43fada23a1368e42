-- What an answer scores without a judge, as the peer has it: a right one other than 0, which its
-- `if` takes for none (utils/mathvista.py, post_check).
CREATE MACRO extracted_at_once(text, answer_type, score) AS
CASE
    WHEN answer_type IN ('integer', 'float') AND python_float(text) = 0.0 THEN NULL
    ELSE nullif(score, 0.0)
END
