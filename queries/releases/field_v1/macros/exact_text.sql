-- A text as exact compares it: none as it stands, lower without regard to case and to blanks at
-- its ends, plain without regard to all white space and a full stop at its end either. NULL for
-- another normaliser.
CREATE MACRO exact_text(text, normaliser) AS
CASE normaliser
    WHEN 'none' THEN text
    WHEN 'lower' THEN stripped(python_lower(stripped(text)))
    WHEN 'plain' THEN CASE WHEN stripped(text) = '' THEN '' ELSE plain_answer(text) END
END
