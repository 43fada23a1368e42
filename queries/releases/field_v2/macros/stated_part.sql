-- The answer at the head of what stated_rest left: to the end of its sentence or to the reason that
-- follows, without marks around it. Without a phrase that states it, it has to be all there is.
-- Empty where it is negated or weighed, or one of several.
CREATE MACRO stated_part(line, rest) AS
CASE
    WHEN NOT regexp_matches(line, '[＝≐▣▤]') AND regexp_matches(rest, '¦ *[^ ¦]') THEN ''
    WHEN regexp_matches(each_replaced(rest, '¦.*$', ''), '[⇐⇠⊢¬⊘⊗⊝≈⁇∨↺⊥⌂✓✗]') THEN ''
    ELSE each_replaced(each_replaced(
        rest,
        '¦.*$| (?:because|since) .*$| , (?:which|where|given|as|so|with) .*$', ''),
        '^[ ,:()"''⍟]+|[ ,:()"'']+$', '')
END
