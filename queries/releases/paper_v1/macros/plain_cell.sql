-- A text as it is compared with another file's: spreadsheets turn 4 into 4.0, None into nothing and
-- carriage returns into _x000D_, and change white space and the case of True and False. NULL is nothing.
CREATE MACRO plain_cell(answer) AS
CASE
    WHEN plain_answer(replace(coalesce(answer, ''), '_x000D_', ' ')) IN ('none', 'nan', 'n/a', 'null') THEN ''
    WHEN
        translate(plain_answer(coalesce(answer, '')), '-0123456789', '') = '.'
        AND strpos(plain_answer(coalesce(answer, '')), '.') > 1
        AND replace(
            substr(
                plain_answer(coalesce(answer, '')), strpos(plain_answer(coalesce(answer, '')), '.') + 1
            ),
            '0',
            ''
        ) = ''
        THEN substr(plain_answer(answer), 1, strpos(plain_answer(answer), '.') - 1)
    ELSE plain_answer(replace(coalesce(answer, ''), '_x000D_', ' '))
END
