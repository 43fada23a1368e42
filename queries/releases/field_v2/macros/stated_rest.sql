-- What stands behind the last phrase of a line (see stated_line) that states something: an answer
-- and what is said of it. Of a line without such a phrase all of it, but for "it is" at its head.
-- Empty where the sentence negates or weighs what it states, or where it is taken back.
CREATE MACRO stated_rest(line) AS
CASE
    WHEN NOT regexp_matches(line, '[＝≐▣▤]')
        THEN each_replaced(line, '^ *(?:⊢ )*(?:(?:it|this|that|there) (?:is|are) )?', '')
    WHEN first_group(line, '([⊗⊘⊝¬≈⁇⊥])[^¦]*[＝≐▣▤][^＝≐▣▤]*$') <> '' THEN ''
    WHEN first_group(line, '([↺⊥])[^＝≐▣▤]*$') <> '' THEN ''
    ELSE each_replaced(first_group(line, '[＝≐▣▤]([^＝≐▣▤]*)$'), '^[ ¦:=⊢]+', '')
END
