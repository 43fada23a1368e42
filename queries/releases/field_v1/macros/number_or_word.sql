-- What Inspect's exact and f1 compare of a part of a text between spaces: a number as a number,
-- else the part without ASCII's punctuation, as a number if that is one. For comparison within one
-- query.
-- @sees_ends Whether marks at the ends hide no number: "(3.14)" is 3.14, and else 314.
CREATE MACRO number_or_word(part, sees_ends) AS
coalesce(
    CAST(as_number(part) AS VARCHAR),
    CASE WHEN sees_ends THEN CAST(as_number(without_outer_marks(part)) AS VARCHAR) END,
    CAST(as_number(translate(part, decode(unhex('2122232425262728292A2B2C2D2E2F3A3B3C3D3E3F405B5C5D5E5F607B7C7D7E')), '')) AS VARCHAR),
    translate(part, decode(unhex('2122232425262728292A2B2C2D2E2F3A3B3C3D3E3F405B5C5D5E5F607B7C7D7E')), '')
)
