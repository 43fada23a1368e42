-- What reading_characters left, without markup: LaTeX, Markdown, tags. A box of LaTeX leaves ▣, a
-- field of XML that holds an answer ▤.
CREATE MACRO reading_plain(text) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(translate(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(
    reading_characters(text),
    -- LaTeX
    '∖(?:boxed|fbox) *[{]', ' ▣ '),
    '∖[dt]?frac *[{]([^{}]*)[}] *[{]([^{}]*)[}]', '@1/@2'),
    '∖sqrt *[{]([^{}]*)[}]', '√@1'),
    '°C', ' celsius '),
    '(?:[{]? *∖circ *[}]?|∖degree|°)', ' degrees '),
    '∖(?:text|textbf|textrm|mathrm|mathbf|mathsf|mathit|bf|rm|mbox|left|right|quad)([^a-zA-Z])', '@1'),
    '(^|[ (])([A-Z])[.]([A-Z])[.]', '@1@2@3'),
    '∖[^a-zA-Z ]', ' '),
    '∖$^{}*`_~"', '          '),
    '[,(]? ?[iI][.] ?e[.],? ((?:option |letter |choice )?[A-Z][^a-zA-Z])', ' , @1'),
    '[,(]? ?[iI][.] ?e[.],?', ' , that is '),
    -- quotes, and no apostrophes
    '(^|[ (¶])''+|''+([ ).,;:!?¶]|$)', '@1 @2'),
    -- tags
    '<(?i:answer|final|final ?answer|ans|letter|choice|option|selected|output|response|result|solution)>', ' ▤ '),
    '</[a-zA-Z ]+>', ' . '),
    '<-+', ' ← '),
    '[-=]+>', ' → '),
    '<([a-zA-Z ]+)>', ' @1 '),
    '#([0-9])', ' option @1'),
    '[#<>=]+', ' = '),
    '(^|[ (=:,])-([0-9])', '@1 minus @2')
