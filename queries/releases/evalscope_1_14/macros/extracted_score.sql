-- Whether a reply to a free question of math_vista is right: the reference's text or number, to six
-- digits (evalscope 1.14, by math_verify, which reads more mathematics than that).
CREATE MACRO extracted_score(text, answers, answer_type, decimals) AS math_score(final_math(text), answers)
