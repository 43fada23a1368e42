-- An answer to a visual question as the harness compares it (tasks/_task_utils/vqa_eval_metric.py):
-- before the steps of the official script commas and question marks go, and a space stands before
-- 's.
CREATE MACRO vqa_plain(text) AS
CASE
    WHEN is_simple_word(text) THEN vqa_word(python_lower(text))
    ELSE list_max(
        list_transform(
            [
                vqa_words(
                    vqa_punctuation(
                        stripped(
                            replace(
                                replace(
                                    replace(
                                        replace(
                                            replace(python_lower(text), ',', ''), '?', ''
                                        ),
                                        '''s', ' ''s'
                                    ),
                                    decode(unhex('0A')), ' '
                                ),
                                decode(unhex('09')), ' '
                            )
                        )
                    )
                )
            ],
            lambda w_: vqa_contractions(w_)
        )
    )
END
