-- Whether a text has a mark of a model's thinking (see the macro thinking_marks).
CREATE MACRO has_thinking(text) AS
contains(text, '[THINK]')
OR contains(text, '[/THINK]')
OR regexp_matches(
    text,
    '(</?(think|thinking|thought|seed:think)>|◁/?think▷|<[|](begin_of_thought|end_of_thought|channel[|]>(analysis|final)<[|]message)[|]>)'
)
