-- A text as OCRBench's rule looks through it (tasks/ocrbench/utils.py): lower without regard to
-- case, blanks at its ends and line ends, the wide forms of ASCII's characters as those; math
-- without spaces and line ends, in its own case. NULL for another normaliser.
CREATE MACRO contained_text(text, normaliser) AS
CASE normaliser
    WHEN 'lower'
        THEN replace(
            stripped(
                python_lower(
                    translate(
                        stripped(text),
                        '　！＂＃＄％＆＇（）＊＋，－．／０１２３４５６７８９：；＜＝＞？＠ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ［＼］＾＿｀ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ｛｜｝～',
                        ' !"#$%&''()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`abcdefghijklmnopqrstuvwxyz{|}~'
                    )
                )
            ),
            decode(unhex('0A')), ' '
        )
    WHEN 'math' THEN replace(replace(stripped(text), decode(unhex('0A')), ' '), ' ', '')
END
