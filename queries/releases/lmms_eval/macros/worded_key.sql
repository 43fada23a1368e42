-- As open_key, without regard to equals signs.
-- @engines both
CREATE MACRO worded_key(line) AS
regexp_replace(
    stripped(
        regexp_extract(
            line, '(?s).*(?:could be |so |is |thus |therefore |final |answer |result )\s*([^\s].*)',
            1
        )
    ),
    '\A[:,.!?;\x27]\z', ''
)
