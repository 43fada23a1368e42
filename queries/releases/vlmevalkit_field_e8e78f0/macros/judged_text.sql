-- The text that the judge gets of an answer: a blank one is the word nan, as pandas hands it on.
CREATE MACRO judged_text(text) AS CASE WHEN nullif(stripped(text), '') IS NULL THEN 'nan' ELSE text END
