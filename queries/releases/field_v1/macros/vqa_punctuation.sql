-- A text without punctuation, as the official script of VQA v2 takes it out (GT-Vision-Lab/VQA,
-- vqaEval.py, processPunctuation). The lists of one text let each step read the one before once.
CREATE MACRO vqa_punctuation(text) AS
list_max(
    list_transform(
        list_transform(
            list_transform(
                [text],
                lambda x_:
                    CASE
                        WHEN is_plain_words(x_) THEN x_
                        ELSE vqa_marks_out(x_)
                    END
            ),
            lambda y_: CASE WHEN contains(y_, '.') THEN vqa_marked_dots(y_) ELSE y_ END
        ),
        lambda z_: CASE WHEN is_plain_words(z_) THEN z_ ELSE vqa_dots(z_) END
    )
)
