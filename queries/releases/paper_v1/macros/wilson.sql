-- An end of the Wilson interval at 95 % of a share of so many (Wilson 1927): side -1 the lower, 1
-- the upper.
CREATE MACRO wilson(share, size, side) AS
(
    share
    + 1.9207294103470 / size
    + side * 1.959963984540054 * sqrt(share * (1 - share) / size + 0.9603647051735 / (size * size))
)
/ (1 + 3.8414588206941 / size)
