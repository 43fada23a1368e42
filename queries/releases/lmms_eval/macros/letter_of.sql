-- The choice, A to D, that an answer names to MMStar and RealWorldQA
-- (tasks/_task_utils/mcq_extract.py). NULL: there is no such letter in it.
CREATE MACRO letter_of(text) AS
list_max(
    list_transform(
        [' ' || without_marks(unmarked(stripped(text)), '"') || ' '], lambda t_: letter_within(t_)
    )
)
