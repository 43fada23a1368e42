-- An answer with one sign for each punctuation mark, plain letters and digits, line ends as ¶, and
-- ▤ for a field of JSON that holds an answer. The signs that the reader writes itself go out first;
-- a backslash becomes ∖, so that no pattern needs one.
CREATE MACRO reading_characters(text) AS
each_replaced(each_replaced(each_replaced(each_replaced(each_replaced(translate(each_replaced(translate(
translate(
    spaced(replace(
        translate(translate(text, '⌂⍟¦§◌≐⇐⇠⊢¬⊘⊗⊝≈⁇∨∧↺⊥▣▤†·◆◇◈⌖⌘⌗⌙№⁈¤⊕⊖¶∖ⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩ' || decode(unhex('EFB88F')), ''), decode(unhex('5C')) || '[]', '∖()'),
        decode(unhex('0A')), ' ¶ '
    )),
    -- full width, quotes, dashes, digits of other scripts
    '！＂＃＄％＆＇（）＊＋，－．／０１２３４５６７８９：；＜＝＞？＠ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ［＼］＾＿｀ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ｛｜｝～。、；，【】「」『』《》〈〉“”„‘’´`—–−•·・،।«»×○٠١٢٣٤٥٦٧٨٩०१२३४५६७८९๐๑๒๓๔๕๖๗๘๙',
    '!"#$%&''()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ(∖)^_`abcdefghijklmnopqrstuvwxyz{|}~.,;,()()()()()"""'''''' ---,,,,.""✗✓012345678901234567890123456789'),
    'àáâãäåçèéêëìíîïñòóôõöøùúûüýßÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ',
    'aaaaaaceeeeiiiinoooooouuuuysAAAAAACEEEEIIIINOOOOOOUUUUY'),
    '([①②③④⑤⑥⑦⑧⑨])', ' option @1 '),
    '①②③④⑤⑥⑦⑧⑨✔✅☑★⭐✘❌☒➡⇒⟶⬅👈', '123456789✓✓✓✓✓✗✗✗→→→←←'),
    -- what is struck out
    '~~[^~]*~~', ' '),
    -- a field of JSON
    '["''](?:final ?_?answer|correct_answer|answer|choice|option|prediction|result|selected|letter|response|output|label)["''] *:',
    ' ▤ '),
    '^ *[{(] *["][a-zA-Z_ ?]+["] *: *(true|false) *[})] *$', ' ▤ @1 '),
    '<(?:/s|[|](?:im_end|endoftext|eot_id|end)[|])>', ' '),
    -- the end of a whole JSON object
    '}[ `¶]*$', ' . ')
