-- The letter A to D in an answer between spaces: at its start, at its end, behind a phrase, in
-- brackets, before a full stop, a colon, a bracket or a space, or anywhere; of several in the first
-- of these forms that is there the last one. NULL: none.
CREATE MACRO letter_within(padded) AS
coalesce(
    nullif(first_letter(stripped(padded)), ''), nullif(last_letter(stripped(padded)), ''),
    nullif(phrase_letter(padded, python_lower(padded)), ''),
    nullif(first_group(padded, '(?s).*[(]([ABCD])[)]'), ''),
    nullif(first_group(padded, '(?s).*([ABCD])[.]'), ''),
    nullif(first_group(padded, '(?s).*([ABCD]):'), ''),
    nullif(first_group(padded, '(?s).*([ABCD])[)]'), ''),
    nullif(first_group(padded, '(?s).*([ABCD]) '), ''),
    nullif(first_group(padded, '(?s).*([ABCD])'), '')
)
