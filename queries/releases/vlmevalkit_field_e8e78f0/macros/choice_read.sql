-- As in field_v1, of the text as pandas hands it on; and on MVBench an answer that the peer finds
-- right, however it does.
CREATE MACRO choice_read(normaliser, text, matched, answer, answer_text) AS
CASE
    WHEN normaliser = 'video_mme' THEN video_choice_read(rule_text(text))
    WHEN normaliser = 'mvbench'
        THEN CASE
            WHEN mvbench_score(rule_text(text), answer_text, answer, matched) = 1.0 THEN answer
            ELSE matched
        END
    WHEN rule_text(text) = 'nan' AND text <> 'nan' THEN NULL
    ELSE matched
END
