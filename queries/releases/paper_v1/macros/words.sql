-- The text as words between single marks: white space becomes spaces, each punctuation character
-- a full stop that stands alone, and single quotes at the edge of a word vanish. The result begins
-- with a space and ends with ' . ', so that ' C ' finds the word C and ' A .' an A that ends something.
CREATE MACRO words(answer) AS
replace(
    replace(
        ' ' || replace(
            translate(
                spaced(answer),
                '()[]{}<>,:;!?*"`#$/|\“”‘’。，、：；！？（）【】「」《》—–…',
                repeat('.', 43)
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
