-- Whether a text that is nothing but an answer is a reference: the same words but for case, white
-- space and a full stop, or the same number. NULL: the text says more, or nothing, and a judge has
-- to say what.
CREATE MACRO bare_score(text, answers) AS
CAST(
    CASE
        WHEN stripped(text) = '' THEN NULL
        WHEN exact_score(text, answers, 'plain') = 1.0 OR number_score(text, answers, 0.0) = 1.0
            THEN 1.0
        WHEN array_length(list_filter(answers, lambda r_: NOT is_bare_answer(text, r_))) = 0 THEN 0.0
    END
    AS DOUBLE
)
