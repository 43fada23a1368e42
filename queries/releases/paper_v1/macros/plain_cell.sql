-- A text as it is compared with another file's: spreadsheets turn 4 into 4.0, None into nothing and
-- carriage returns into _x000D_, and change white space and the case of True and False. NULL is
-- nothing.
-- A plain answer has no two spaces in a row, so that split there it is one text, worked out once.
CREATE MACRO plain_cell(answer) AS
array_to_string(
    list_transform(
        string_split(plain_answer(replace(coalesce(answer, ''), '_x000D_', ' ')), '  '),
        lambda x_:
            CASE
                WHEN x_ IN ('none', 'nan', 'n/a', 'null') THEN ''
                WHEN
                    translate(x_, '-0123456789', '') = '.'
                    AND strpos(x_, '.') > 1
                    AND replace(substr(x_, strpos(x_, '.') + 1), '0', '') = ''
                    THEN substr(x_, 1, strpos(x_, '.') - 1)
                ELSE x_
            END
    ),
    ''
)
