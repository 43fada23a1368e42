-- The letter that a text says to a question with the choices A to D (Video-MME,
-- eval_your_results.py): the first capital A to D, after phrases such as 'The best answer is' are
-- cut. The script takes it within words too ('Based on' is B, 'Cannot tell' C); here it is a word
-- of its own, and an A none where a word in small letters follows other than and, or, is, was and
-- because. NULL: none.
CREATE MACRO video_choice_read(text) AS
nullif(
    regexp_extract(
        regexp_extract(
            letters_apart(text), '( [BCD] | A +([.A-Z0-9]|and |or |is |was |because ))', 1
        ),
        '([ABCD])', 1
    ),
    ''
)
