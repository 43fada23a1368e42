-- Which of the two choices alone stands in a text that is at most twice as long as both together.
CREATE MACRO two_choice_text(lower_text, reference) AS
CASE
    WHEN length(lower_text) > 2 * (length(reference) + 13) THEN NULL
    WHEN contains(lower_text, python_lower(reference))
        THEN CASE WHEN NOT contains(lower_text, 'other answers') THEN 'A' END
    WHEN contains(lower_text, 'other answers') THEN 'B'
END
