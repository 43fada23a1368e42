-- A text with each of the known characters, 120 at most, as an ASCII character of its own, and
-- every other character as the mark.
-- @engines both
CREATE MACRO bytes_of(text, known, mark) AS
translate(
    text,
    known || coalesce(array_to_string(
        list_filter(
            list_distinct(regexp_extract_all(text, '(?s).')), lambda y_: NOT contains(known, y_)
        ),
        ''
    ), ''),
    substr(
        decode(unhex('0102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C'))
        || decode(unhex('3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F606162636465666768696A6B6C6D6E6F707172737475767778')),
        1, length(known)
    )
    || repeat(mark, length(text))
)
