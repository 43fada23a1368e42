-- A text as contains looks through it: lower without regard to case, blanks at its ends and line
-- ends; math without spaces and line ends, in its own case. NULL for another normaliser.
CREATE MACRO contained_text(text, normaliser) AS
CASE normaliser
    WHEN 'lower' THEN replace(stripped(python_lower(text)), decode(unhex('0A')), ' ')
    WHEN 'math' THEN replace(replace(stripped(text), decode(unhex('0A')), ''), ' ', '')
END
