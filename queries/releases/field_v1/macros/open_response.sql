-- An open answer in lower case without full stops at its ends.
-- @engines both
CREATE MACRO open_response(text) AS
python_lower(regexp_replace(regexp_replace(stripped(text), '\A[.]+', ''), '[.]+\z', ''))
