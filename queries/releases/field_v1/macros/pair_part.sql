-- One of the two scores of a pair, from 0 to 1; they are given out of ten (LLaVA-Bench, Visual
-- Instruction Tuning, Section 5.1). NULL: the reply has no two numbers in its first line.
CREATE MACRO pair_part(reply, is_reference) AS
as_number(
    nullif(
        CASE
            WHEN is_reference
                THEN regexp_extract('|' || pair_line(reply), '[|]([0-9]+[.]?[0-9]*) [0-9]+[.]?[0-9]*[|]', 1)
            ELSE regexp_extract('|' || pair_line(reply), '[|][0-9]+[.]?[0-9]* ([0-9]+[.]?[0-9]*)[|]', 1)
        END,
        ''
    )
) / 10.0
