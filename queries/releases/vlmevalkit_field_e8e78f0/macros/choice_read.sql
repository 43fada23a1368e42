-- As in field_v1; and on MVBench an answer that the peer finds right, however it does.
CREATE MACRO choice_read(normaliser, text, matched, answer, answer_text) AS
CASE normaliser
    WHEN 'video_mme' THEN video_choice_read(text)
    WHEN 'mvbench'
        THEN CASE WHEN mvbench_score(text, answer_text, answer, matched) = 1.0 THEN answer ELSE matched END
    ELSE matched
END
