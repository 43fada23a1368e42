-- Agreement with the annotators (VQA v2, GT-Vision-Lab/VQA, vqaEval.py; TextVQA and VizWiz use it): the
-- mean, over leaving out one annotator, of min(1, equal answers / 3), after punctuation, articles,
-- numbers in words and contractions are made alike. All full stops go that no digit follows. One
-- reference alone stands for all annotators. NULL: a blank text.
CREATE MACRO vqa_score(text, answers) AS
CAST(
CASE
    WHEN stripped(text) = '' OR array_length(answers) = 0 THEN NULL
    ELSE list_max(
        list_transform(
            [vqa_plain(text)],
            lambda t_:
                list_max(
                    list_transform(
                        [array_length(list_filter(answers, lambda a_: vqa_plain(a_) = t_))],
                        lambda n_:
                            CASE
                                WHEN array_length(answers) = 1 THEN n_ * 1.0
                                ELSE vqa_agreement(n_, array_length(answers))
                            END
                    )
                )
        )
    )
END
AS DOUBLE)
