-- The label that the rule of a benchmark of choices reads, where it has one of its own.
-- @hook Gets the rule's normaliser (NULL: none), the raw answer, what the matcher read, and the
--   right label with its text; gives the label.
CREATE MACRO choice_read(normaliser, text, matched, answer, answer_text) AS
CASE normaliser
    WHEN 'video_mme' THEN video_choice_read(rule_text(text))
    ELSE matched
END
