-- An answer with one sign for each punctuation mark, plain letters and digits, line ends as ¶, and
-- without markup: LaTeX, Markdown, tags. A box of LaTeX leaves ▣, a field of XML that holds an
-- answer ▤. The signs that the reader writes itself go out first; a backslash becomes ∖, so that no
-- pattern needs one.
CREATE MACRO reading_plain(text) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(translate(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(translate(each_replaced(
translate(translate(
    spaced(replace(
        translate(translate(text, '⌂⍟¦§◌≐⇐⇠⊢¬⊘⊗⊝≈⁇∨∧↺⊥▣▤†·◆◇◈⌖⌘⌗⌙№⁈¤⊕⊖¶∖ⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩ', ''), decode(unhex('5C')) || '[]', '∖()'),
        decode(unhex('0A')),
        ' ¶ '
    )),
    -- full width, quotes, dashes, digits of other scripts
    '！＂＃＄％＆＇（）＊＋，－．／０１２３４５６７８９：；＜＝＞？＠ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ［＼］＾＿｀ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ｛｜｝～。、；，【】「」『』《》〈〉“”„‘’´`—–−•·・،।«»×○٠١٢٣٤٥٦٧٨٩०१२३४५६७८९๐๑๒๓๔๕๖๗๘๙',
    '!"#$%&''()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ(∖)^_`abcdefghijklmnopqrstuvwxyz{|}~.,;,()()()()()"""'''''' ---,,,,.""✗✓012345678901234567890123456789'),
    'àáâãäåçèéêëìíîïñòóôõöøùúûüýßÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ',
    'aaaaaaceeeeiiiinoooooouuuuysAAAAAACEEEEIIIINOOOOOOUUUUY'),
    '([①②③④⑤⑥⑦⑧⑨])', ' option @1 '),
    '①②③④⑤⑥⑦⑧⑨✔✅☑✘❌☒➡⇒⟶', '123456789✓✓✓✗✗✗→→→'),
    -- what is struck out
    '~~[^~]*~~', ' '),
    -- a field of JSON
    '["''](?:final ?_?answer|correct_answer|answer|choice|option|prediction|result|selected|letter|response|output|label)["''] *:',
    ' ▤ '),
    '<(?:/s|[|](?:im_end|endoftext|eot_id|end)[|])>', ' '),
    -- the end of a whole JSON object
    '}[ `¶]*$', ' . '),
    -- LaTeX
    '∖(?:boxed|fbox) *[{]', ' ▣ '),
    '∖[dt]?frac *[{]([^{}]*)[}] *[{]([^{}]*)[}]', '@1/@2'),
    '∖sqrt *[{]([^{}]*)[}]', '√@1'),
    '°C', ' celsius '),
    '(?:[{]? *∖circ *[}]?|∖degree|°)', ' degrees '),
    '∖(?:text|textbf|textrm|mathrm|mathbf|mathsf|mathit|bf|rm|mbox|left|right|quad)([^a-zA-Z])', '@1'),
    '∖[^a-zA-Z ]', ' '),
    '∖$^{}*`_~"', '          '),
    -- quotes, and no apostrophes
    '(^|[ (¶])''+|''+([ ).,;:!?¶]|$)', '@1 @2'),
    -- tags
    '<(?:answer|final ?answer|choice|selected|output|response|result|solution)>', ' ▤ '),
    '</[a-zA-Z ]+>', ' . '),
    '<-+', ' ← '),
    '[-=]+>', ' → '),
    '<([a-zA-Z ]+)>', ' @1 '),
    '#([0-9])', ' option @1'),
    '[#<>=]+', ' = '),
    '(^|[ (=:,])-([0-9])', '@1 minus @2')
