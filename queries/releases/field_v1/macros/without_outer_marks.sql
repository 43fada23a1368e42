-- A text without ASCII's punctuation and white space at its ends.
-- @engines both
CREATE MACRO without_outer_marks(answer) AS
trim(answer, decode(unhex('090A0B0C0D202122232425262728292A2B2C2D2E2F3A3B3C3D3E3F405B5C5D5E5F607B7C7D7E')))
