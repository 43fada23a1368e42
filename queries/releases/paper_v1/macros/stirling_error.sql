-- What Stirling's formula is short of the logarithm of n!, for n of 1 and above (Loader, "Fast and
-- Accurate Computation of Binomial Probabilities", 2000; the series is Abramowitz and Stegun
-- 6.1.41).
-- Absolute error below 2e-14.
CREATE MACRO stirling_error(n) AS
CASE
    WHEN n < 2 THEN 8.1061466795327258e-2
    WHEN n < 3 THEN 4.1340695955409294e-2
    WHEN n < 4 THEN 2.7677925684998339e-2
    WHEN n < 5 THEN 2.0790672103765093e-2
    WHEN n < 6 THEN 1.6644691189821192e-2
    WHEN n < 7 THEN 1.3876128823070748e-2
    WHEN n < 8 THEN 1.1896709945891770e-2
    WHEN n < 9 THEN 1.0411265261972096e-2
    WHEN n < 10 THEN 9.2554621827127329e-3
    ELSE
        (
            1e0 / 12 - (
                1e0 / 360 - (1e0 / 1260 - (1e0 / 1680 - 1e0 / 1188 / (1e0 * n * n)) / (1e0 * n * n)) / (1e0 * n * n)
            ) / (1e0 * n * n)
        ) / n
END
