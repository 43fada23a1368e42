-- The text as words between single marks: a full stop that stands alone takes the place of each
-- punctuation character, line end, pair of single quotes, single quote at the edge of a word, and
-- hyphen that stands alone; other white space becomes spaces. The result begins with a space and
-- ends
-- with ' . ', so that ' C ' finds the word C and ' A .' an A that ends something.
CREATE MACRO words(answer) AS
replace(
    replace(
        replace(
            ' ' || replace(
                replace(
                    spaced(
                        translate(
                            answer,
                            decode(unhex('0A0D')) || '()[]{}<>,:;!?*"`#$/|\“”‘’。，、：；！？（）【】「」《》—–…→',
                            repeat('.', 46)
                        )
                    ),
                    '''''', '.'
                ),
                '.', ' . '
            ) || ' . ',
            ' ''', ' . '
        ),
        ''' ', ' . '
    ),
    ' - ', ' . '
)
