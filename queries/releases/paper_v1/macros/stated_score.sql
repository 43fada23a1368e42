-- What a verdict that a harness stated without a reply counts (see stated_verdict). Right or wrong
-- counts, as the judge is said to have found it. A letter that was drawn does not: NULL, and the
-- answer is drawn for as any other one without a usable reply.
CREATE MACRO stated_score(stated, score) AS CASE WHEN stated <> 'drawn' THEN score END
