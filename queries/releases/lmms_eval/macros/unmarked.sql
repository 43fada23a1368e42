-- An answer to a question with choices without punctuation at its ends, one mark after the other
-- (tasks/_task_utils/mmmu_mcq_utils.py).
CREATE MACRO unmarked(text) AS
without_marks(
    without_marks(
        without_marks(
            without_marks(
                without_marks(without_marks(without_marks(text, ','), '.'), '!'), '?'
            ),
            ';'
        ),
        ':'
    ),
    ''''
)
