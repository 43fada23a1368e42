-- The label that an answer names to MMMU (tasks/_task_utils/mmmu_mcq_utils.py), between spaces and
-- without marks at its ends: in brackets, else before a space, else before a full stop. Of several
-- the last one that stands in brackets, or between spaces; else the first label. NULL: none.
CREATE MACRO label_in(padded, labels) AS
CASE
    WHEN array_length(list_filter(labels, lambda x_: contains(padded, '(' || x_ || ')'))) > 0
        THEN first_group(padded, '(?s).*[(]([' || array_to_string(labels, '') || '])[)]')
    WHEN array_length(list_filter(labels, lambda x_: contains(padded, x_ || ' '))) > 0
        THEN coalesce(
            nullif(first_group(padded, '(?s).* ([' || array_to_string(labels, '') || ']) '), ''),
            list_min(list_filter(labels, lambda x_: contains(padded, x_ || ' ')))
        )
    ELSE list_min(list_filter(labels, lambda x_: contains(padded, x_ || '.')))
END
