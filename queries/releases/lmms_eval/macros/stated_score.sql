-- What a verdict that a harness stated without a reply counts (see stated_verdict): what the
-- harness scored, also where it drew the letter.
CREATE MACRO stated_score(stated, score) AS score
