-- The choices of each question and pass with an answer to read, as the reader looks for them in
-- it: a list of what stands for a choice, with the sign that takes its place, in the order in which
-- they are looked for: labels that are called one, texts, the longest first, labels, numbers of
-- choices. A question with more than 26 choices has none. One row per question and pass.
-- @internal
-- @rows_of unread_choice
-- @forms Place in the order, what stands there (see reading_places), and the sign, between ¦.
-- @signs The two signs of each choice, its label and its text (see choice_key), between ¦.
-- @n_choices How many there are.
-- @spelled The words of four letters or more that a misspelt one may be meant for.
-- @no_sign The sign of the choice No beside Yes; NULL: the choices are others.
WITH asked AS (
    SELECT DISTINCT question_id, pass
    FROM unread_choice
),

looked_for AS (
    SELECT c.question_id, c.pass, c.label, c.text
    FROM main.choice AS c
    INNER JOIN asked USING (question_id, pass)
),

plain AS (
    SELECT text, reading_plain(text) AS plain
    FROM looked_for
    -- Passes have the same choices in another order, and many questions the same ones.
    GROUP BY text
),

tokens AS (
    SELECT text, reading_labels(reading_tokens(plain)) AS tokens
    FROM plain
),

ordered AS (
    SELECT text, reading_ordinals(tokens) AS tokens
    FROM tokens
),

counted AS (
    SELECT text, reading_numbers(tokens) AS tokens
    FROM ordered
),

measured AS (
    SELECT text, reading_units(tokens) AS tokens
    FROM counted
),

keyed AS (
    SELECT text, choice_key(reading_places(tokens)) AS key
    FROM measured
),

-- What stands for a text, with ◌ in place of its sign.
texts AS (
    SELECT
        text, key, first_group(key, '  ([^ ]+) $') AS last_word,
        is_function_word(key) AS is_function_word,
        CASE
            WHEN stripped(key) = '' THEN ''
            -- Yes, no, none are words of many sentences: choices where a mark follows.
            WHEN is_function_word(key)
                THEN
                    array_to_string(
                        list_transform(
                            ['.', ',', '!', ';', ':', '|', '¶', '?'],
                            lambda x_: choice_form_of(length(key), key || ' ' || x_, ' ◌  ' || x_)
                        ),
                        '§'
                    )
                    || '§' || choice_form_of(length(key), '| ' || key, '|  ◌ ')
                    || CASE key
                        WHEN ' yes ' THEN '§' || choice_form_of(7, '▤  true ', '▤  ◌ ')
                        WHEN ' no ' THEN '§' || choice_form_of(8, '▤  false ', '▤  ◌ ')
                        ELSE ''
                    END
                    || CASE
                        WHEN key IN (' none ', ' nothing ', ' both ', ' neither ', ' all ') THEN ''
                        ELSE '§' || choice_form_of(length(key), '¶ ' || key, '¶  ◌ ')
                    END
            ELSE
                choice_form_of(
                    length(key),
                    CASE WHEN first_group(key, '([一-鿿぀-ヿ가-힣ก-๛])') = '' THEN key ELSE stripped(key) END,
                    ' ◌ '
                )
                -- A plural, another order, less at the beginning; a number in brackets.
                || CASE
                    WHEN first_group(key, '([a-z][a-rt-z]) $') = '' THEN ''
                    ELSE '§' || choice_form_of(length(key) - 1, ' ' || stripped(key) || 's ', ' ◌ ')
                END
                || CASE
                    WHEN NOT contains(key, '  and  ') THEN ''
                    ELSE
                        '§' || choice_form_of(
                            length(key) - 1,
                            ' ' || stripped(split_part(key, '  and  ', 2)) || '  and  '
                            || stripped(split_part(key, '  and  ', 1)) || ' ', ' ◌ '
                        )
                END
                || CASE
                    WHEN choice_core(key) = '' THEN ''
                    ELSE '§' || choice_form_of(length(key) - 3, ' ' || choice_core(key), ' ◌ ')
                END
                || CASE
                    WHEN NOT contains(key, '⌖') THEN ''
                    ELSE '§' || choice_form_of(length(key), replace(key, '⌖', '⍟'), ' ◌ ')
                END
                -- A time with a dot, or in minutes to the next hour.
                || CASE
                    WHEN first_group(key, '^ ([0-9]+:)[0-5][0-9] $') = '' THEN ''
                    ELSE '§' || choice_form_of(length(key), replace(key, ':', '.'), ' ◌ ')
                END
                || CASE
                    WHEN first_group(key, '^ ([0-9]:)[3-5][0-9] $') = '' THEN ''
                    ELSE
                        '§' || choice_form_of(
                            length(key) + 3,
                            ' ' || CASE
                                WHEN first_group(key, ':([0-9]+)') = '45' THEN 'quarter'
                                ELSE CAST(60 - CAST(first_group(key, ':([0-9]+)') AS INTEGER) AS VARCHAR)
                            END
                            || '  to  ' || CAST(CAST(first_group(key, '([0-9]):') AS INTEGER) + 1 AS VARCHAR) || ' ',
                            ' ◌ '
                        )
                END
                || CASE
                    WHEN first_group(key, '^ ([0-9]) $') = '' THEN ''
                    ELSE '§' || choice_form_of(1, '⌙' || stripped(key) || ' ', ' ◌ ')
                END
        END AS forms
    FROM keyed
),

numbered AS (
    SELECT
        c.question_id, c.pass, c.label, python_lower(c.label) AS letter, t.key, t.last_word,
        t.is_function_word, t.forms,
        CAST(row_number() OVER (PARTITION BY c.question_id, c.pass ORDER BY c.label) AS INTEGER) AS n,
        count(*) OVER (PARTITION BY c.question_id, c.pass) AS n_choices,
        -- A number may be a choice's text there, and counts no choices.
        max(CASE WHEN first_group(t.key, '^ ([0-9.]+) ') = '' THEN 0 ELSE 1 END) OVER (
            PARTITION BY c.question_id, c.pass
        ) AS has_numbers,
        count(*) OVER (PARTITION BY c.question_id, c.pass, t.last_word) AS n_same_end
    FROM looked_for AS c
    INNER JOIN texts AS t USING (text)
),

signed AS (
    SELECT
        *, substr('ⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏ', n, 1) AS letter_sign,
        substr('ⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩ', n, 1) AS text_sign
    FROM numbered
    WHERE n_choices <= 26
),

written AS (
    SELECT
        question_id, pass, label, key, letter_sign, text_sign, n_choices,
        replace(
            forms
            || CASE
                WHEN is_function_word
                    THEN '§' || choice_form_of(
                        length(key) + 9, '⌖' || letter || '  . ' || key, '⌖' || letter || '  .  ◌ '
                    )
                -- Without the word that all of them end with.
                WHEN last_word <> '' AND n_same_end = n_choices
                    THEN '§' || choice_form_of(
                        length(key) - length(last_word), substr(key, 1, length(key) - length(last_word) - 2), ' ◌ '
                    )
                ELSE ''
            END,
            '◌', text_sign
        )
        || '§199999¦⍟' || letter || ' ¦' || letter || ' '
        || '§0¦⌘' || letter || ' ¦ ' || letter_sign || ' '
        || '§2¦⌖' || letter || ' ¦ ' || letter_sign || ' '
        || CASE
            WHEN n <= 10
                THEN '§3¦⌗' || substr('1234567890', n, 1) || ' ¦ ' || letter_sign
                    || CASE has_numbers
                        WHEN 0 THEN ' §3¦⌙' || substr('1234567890', n, 1) || ' ¦ ' || letter_sign || ' '
                        ELSE ''
                    END
            ELSE ''
        END
        || CASE n_choices - n
            WHEN 0 THEN '§3¦⌗z ¦ ' || letter_sign || ' '
            WHEN 1 THEN '§3¦⌗y ¦ ' || letter_sign || ' '
            ELSE ''
        END AS forms
    FROM signed
)

SELECT
    question_id, pass,
    list_sort(list_filter(string_split(array_to_string(list(forms), '§'), '§'), lambda x_: x_ <> '')) AS forms,
    list_sort(list(letter_sign || text_sign || '¦' || label || '¦' || key)) AS signs,
    CAST(n_choices AS INTEGER) AS n_choices,
    list_filter(
        string_split(
            stripped(array_to_string(list_sort(list(key)), '')) || '  answer  option  choice  correct', '  '
        ),
        lambda x_: length(x_) > 3 AND first_group(x_, '([^a-z])') = ''
    ) AS spelled,
    CASE
        WHEN max(CASE WHEN key = ' yes ' THEN 1 END) = 1 THEN max(CASE WHEN key = ' no ' THEN text_sign END)
        WHEN max(CASE WHEN key = ' true ' THEN 1 END) = 1 THEN max(CASE WHEN key = ' false ' THEN text_sign END)
    END AS no_sign
FROM written
GROUP BY question_id, pass, n_choices
