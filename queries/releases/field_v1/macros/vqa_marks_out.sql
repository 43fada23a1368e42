-- A text without 21 punctuation marks. One becomes a space, but it goes without one where it
-- stands next to a space anywhere in the text, and all do where a comma stands between digits.
CREATE MACRO vqa_marks_out(text) AS
translate(
    translate(
        text,
        CASE
            WHEN vqa_commas(text) THEN ''
            ELSE array_to_string(
                list_filter(
                    [
                        ';', '/', '[', ']', '"', '{', '}', '(', ')', '=',
                        '+', '\', '_', '-', '>', '<', '@', '`', ',', '?', '!'
                    ],
                    lambda m_: NOT (contains(text, m_ || ' ') OR contains(text, ' ' || m_))
                ),
                ''
            )
        END,
        repeat(' ', 21)
    ),
    ';/[]"{}()=+\_-><@`,?!', ''
)
