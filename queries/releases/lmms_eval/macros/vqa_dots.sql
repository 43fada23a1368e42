-- The text without its first 32 full stops, since the harness hands a flag (re.UNICODE) to re.sub
-- as the count, and with those that vqa_marked_dots keeps.
CREATE MACRO vqa_dots(text) AS
replace(
    CASE
        WHEN length(text) - length(replace(text, '.', '')) > 32
            THEN replace(regexp_extract(text, '(([^.]*[.]){32})', 1), '.', '')
                || substr(text, length(regexp_extract(text, '(([^.]*[.]){32})', 1)) + 1)
        ELSE replace(text, '.', '')
    END,
    '﷑', '.'
)
