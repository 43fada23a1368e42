-- How likely a split as uneven as k of n, or more so, is at even odds, on either side; for k of at
-- most
-- n / 2. The integral is that of binomial_integrand, and what it is multiplied by n - k times the
-- probability of k alone (Loader, "Fast and Accurate Computation of Binomial Probabilities", 2000).
CREATE MACRO binomial_p_value(k, n, tail) AS
CASE
    WHEN 2 * k >= n THEN 1.0
    WHEN k = 0 THEN 2 * exp(-n * ln(2e0)) * n * tail / sqrt(n + 1e0)
    ELSE
        2 * exp(
            stirling_error(n) - stirling_error(k) - stirling_error(n - k)
            - k * ln(2e0 * k / n) - (n - k) * ln(2e0 * (n - k) / n)
        ) * sqrt(1e0 * n / (6.283185307179586e0 * k * (n - k))) * (n - k) * tail / sqrt(n + 1e0)
END
