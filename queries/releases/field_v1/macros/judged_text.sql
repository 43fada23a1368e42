-- The text that a judge gets of an answer; nothing is said in a blank one, and none gets it.
CREATE MACRO judged_text(text) AS text
