-- What reading_statements left of a text, ready for stated_part: ¦ at the end of each sentence and
-- line, ⁇ at that of a question, minus and percent at their numbers.
CREATE MACRO stated_line(cues) AS
each_replaced(each_replaced(each_replaced(replace(replace(each_replaced(each_replaced(replace(
    cues,
    ' ? ', ' ⁇ ¦ '),
    ' [.!;¶] ', ' ¦ '),
    ' +', ' '),
    '◈ ', ''),
    '∧', 'and'),
    ' minus ([0-9])', ' -@1'),
    '([0-9]) %', '@1%'),
    '¬ (¦|$)', 'no @1')
