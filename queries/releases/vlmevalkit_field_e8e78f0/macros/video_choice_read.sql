-- The first capital A to D anywhere in the text, after phrases are cut (utils/videomme.py,
-- extract_characters_regex). Two commas are missing in the peer's list, which make four phrases
-- two that no text has. NULL: none.
CREATE MACRO video_choice_read(text) AS
nullif(
    regexp_extract(
        replace(replace(replace(replace(replace(replace(replace(replace(
            stripped(text),
            'The best answer is', ''),
            'The correct answer is', ''),
            'The answer is', ''),
            'The answer', ''),
            'The best option isThe correct option is', ''),
            'Best answer:Best option:', ''),
            'Answer:', ''),
            'Option:', ''),
        '([ABCD])', 1
    ),
    ''
)
