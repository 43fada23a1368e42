-- ANLS from the distances to each reference: the nearest counts; NULL where one is not known and
-- none is equal.
CREATE MACRO anls_of_shares(shares, most) AS
CASE
    WHEN list_min(shares) = 0 THEN 1.0
    WHEN array_length(list_filter(shares, lambda x_: x_ IS NULL)) > 0 THEN NULL
    WHEN list_min(shares) <= most THEN 1.0 - list_min(shares)
    WHEN array_length(shares) > 0 THEN 0.0
END
