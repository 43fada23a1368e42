-- An answer to a visual question as the official script of VQA v2 compares it. Single words and
-- texts without punctuation, which most are, need few of the steps.
CREATE MACRO vqa_plain(text) AS
CASE
    WHEN is_simple_word(text) THEN vqa_word(python_lower(text))
    ELSE list_max(
        list_transform(
            [
                vqa_words(
                    CASE
                        WHEN is_plain_words(text) THEN text
                        ELSE vqa_punctuation(
                            stripped(
                                replace(replace(text, decode(unhex('0A')), ' '), decode(unhex('09')), ' ')
                            )
                        )
                    END
                )
            ],
            lambda w_: vqa_contractions(w_)
        )
    )
END
