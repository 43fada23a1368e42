-- What a reply states in mathematics (evalscope 1.14, math_vista, by math_verify): what stands in
-- its last box, or else its last number; without a unit behind it.
-- @engines both
CREATE MACRO final_math(text) AS
regexp_replace(
    coalesce(
        nullif(regexp_extract(text, '(?s).*\\boxed[{]([^{}]*)[}]', 1), ''),
        regexp_extract(text, '(?s)\A(?:.*[^0-9.,-])?(-?[0-9.,]*[0-9])[^0-9]*\z', 1)
    ),
    ' *[a-z]+\z', ''
)
