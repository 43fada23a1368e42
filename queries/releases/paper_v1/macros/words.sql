-- The text as words between single marks: white space becomes spaces, each punctuation character (and
-- each pair of single quotes) a full stop that stands alone, and a single quote at the edge of a word
-- vanishes. The result begins with a space and ends with ' . ', so that ' C ' finds the word C and
-- ' A .' an A that ends something.
CREATE MACRO words(answer) AS
replace(
    replace(
        ' ' || replace(
            replace(
                translate(
                    spaced(answer),
                    '()[]{}<>,:;!?*"`#$/|\“”‘’。，、：；！？（）【】「」《》—–…',
                    repeat('.', 43)
                ),
                '''''',
                '.'
            ),
            '.',
            ' . '
        ) || ' . ',
        ' ''',
        ' '
    ),
    ''' ',
    ' '
)
