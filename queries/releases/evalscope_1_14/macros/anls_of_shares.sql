-- ANLS from the distances to each reference (evalscope 1.14, docvqa and infovqa): half of the
-- longer text still counts.
CREATE MACRO anls_of_shares(shares, most) AS
CASE WHEN list_min(shares) <= 0.5 THEN 1.0 - list_min(shares) ELSE 0.0 END
