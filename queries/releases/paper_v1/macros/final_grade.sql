-- The word after the last `GRADE:` of a reply, in lower case; '' where there is none, or no word
-- follows.
-- White space and zero-width characters may stand around the colon.
CREATE MACRO final_grade(reply) AS
regexp_extract(
    translate(
        python_lower(spaced(' ' || reply || ' ')),
        '|' || decode(unhex('E2808BE2808CE2808DE2808EE2808FE281A0E281A3EFBBBF')), '         '
    ),
    '[^|]*[^0-9a-z_|]grade *: *([0-9a-z_]*)', 1
)
