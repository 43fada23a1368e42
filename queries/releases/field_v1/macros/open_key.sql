-- What a line of an open answer states: what follows the last of the words that MMMU looks for; ''
-- where none is in it, or nothing but punctuation follows.
-- @engines both
CREATE MACRO open_key(line) AS
regexp_replace(
    stripped(
        regexp_extract(
            line,
            '(?s).*(?:could be |so |is |thus |therefore |final |answer |result |=)\s*([^\s].*)', 1
        )
    ),
    '\A[:,.!?;\x27]\z', ''
)
