-- Whether Inspect's scorer match finds a reference in a text, 0 or 1: without white space and
-- punctuation at the ends of both. NULL for another place.
-- @location begin, end, any or exact.
CREATE MACRO inspect_match(text, reference, location) AS
CASE location
    WHEN 'exact' THEN CASE WHEN text = reference THEN 1.0 ELSE 0.0 END
    WHEN 'any' THEN CASE WHEN contains(text, reference) THEN 1.0 ELSE 0.0 END
    WHEN 'begin'
        THEN CASE WHEN substr(text, 1, length(reference)) = reference THEN 1.0 ELSE 0.0 END
    WHEN 'end'
        THEN
            CASE
                WHEN length(reference) > length(text) THEN 0.0
                WHEN substr(text, length(text) - length(reference) + 1) = reference THEN 1.0
                ELSE 0.0
            END
END
