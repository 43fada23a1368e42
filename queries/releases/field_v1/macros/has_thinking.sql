-- Whether a text has a mark of a model's thinking (see the macro thinking_marks). Those in brackets
-- are no part of the pattern: Java takes a bracket within brackets for a set of its own. A text
-- that is read whole has none (see read_text).
CREATE MACRO has_thinking(text) AS
substr(text, 1, 1) <> decode(unhex('1E'))
AND (regexp_matches(
    text,
    '(</?(think|thinking|thought|seed:think)>|◁/?think▷|<[|](begin_of_thought|end_of_thought|channel[|]>(analysis|final)<[|]message)[|]>)'
)
OR contains(text, '[THINK]')
OR contains(text, '[/THINK]'))
