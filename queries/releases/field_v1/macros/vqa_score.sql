-- Agreement with the annotators (VQA v2, GT-Vision-Lab/VQA, vqaEval.py; TextVQA and VizWiz use
-- it): the mean, over leaving out one annotator, of min(1, equal answers / 3), after punctuation,
-- articles, numbers in words and contractions are made alike. All full stops go that no digit
-- follows. One reference alone stands for all annotators. NULL: a blank text.
CREATE MACRO vqa_score(text, answers) AS
CAST(
    CASE
        WHEN stripped(text) <> '' AND array_length(answers) > 0
            THEN list_max(
                list_transform(
                    [vqa_matches(text, answers)],
                    lambda n_:
                        CASE
                            WHEN array_length(answers) = 1 THEN n_ * 1.0
                            ELSE vqa_agreement(n_, array_length(answers))
                        END
                )
            )
    END
    AS DOUBLE
)
