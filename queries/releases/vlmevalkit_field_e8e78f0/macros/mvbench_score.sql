-- Whether a text counts on MVBench (dataset/mvbench.py, utils/mvbench.py): its first word without
-- full stops is a part of the answer's label in brackets, or has it as a part, or the matcher
-- finds the answer's label. A blank answer and a failed call count too, as the peer counts every
-- score but 0.
CREATE MACRO mvbench_score(text, answer_text, label, matched) AS
CAST(
    CASE
        WHEN coalesce(text, 'nan') = 'nan' OR contains(text, 'Failed to obtain answer via API') THEN 1.0
        WHEN
            contains(
                '(' || python_lower(label) || ')',
                replace(regexp_extract(stripped(python_lower(text)), '([^ ]*)', 1), '.', '')
            )
            THEN 1.0
        WHEN
            contains(
                regexp_extract(stripped(python_lower(text)), '([^ ]*)', 1),
                '(' || python_lower(label) || ')'
            )
            THEN 1.0
        WHEN matched = label THEN 1.0
        ELSE 0.0
    END
    AS DOUBLE
)
