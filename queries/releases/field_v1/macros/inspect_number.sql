-- The number that a text is for Inspect's numeric match: without signs of currency, separators of
-- thousands, marks of emphasis, and brackets and marks of sentences. NULL: it is no finite number.
CREATE MACRO inspect_number(text) AS
CASE
    WHEN abs(as_number(translate(stripped(text), '$,£€*_!?:;()[]{}''"`', ''))) < 1e308
        THEN as_number(translate(stripped(text), '$,£€*_!?:;()[]{}''"`', ''))
END
