-- The first line of a reply with a bar at its end and commas as blanks: where a judge of pairs says
-- its two scores.
CREATE MACRO pair_line(reply) AS
replace(
    replace(
        replace(
            substr(reply, 1, strpos(reply || decode(unhex('0A')), decode(unhex('0A'))) - 1), '|', '?'
        ) || '|',
        decode(unhex('0D7C')), '|'
    ),
    ',', ' '
)
