-- Agreement with the annotators as the harness has it (tasks/textvqa/utils.py): one
-- reference alone leaves no other when it is left out, so that it gives 0.
CREATE MACRO vqa_score(text, answers) AS
CAST(
    CASE
        WHEN array_length(answers) > 0
            THEN list_max(
                list_transform(
                    [vqa_matches(text, answers)],
                    lambda n_: vqa_agreement(n_, array_length(answers))
                )
            )
    END
    AS DOUBLE
)
