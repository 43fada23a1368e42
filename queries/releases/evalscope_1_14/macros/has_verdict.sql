-- Whether one of some words, with | between them, stands in a text as a whole word.
-- @engines both
CREATE MACRO has_verdict(text, pattern) AS
regexp_matches(text, '(\A|[^\p{L}\p{N}_])(' || pattern || ')([^\p{L}\p{N}_]|\z)')
