-- The incomplete beta function that k or fewer of n at even odds come to (Abramowitz and Stegun
-- 26.5.24),
-- as something to be integrated over half_line: with x = 1 / (1 + exp(w)) it is exp(-(n - k) w) (1
-- +
-- exp(-w))^-(n + 1), here in steps of 2/√(n + 1), over its value at the beginning. For k below n /
-- 2.
CREATE MACRO binomial_integrand(k, n, place) AS
exp(
    -(n - k) * (2 * place / sqrt(n + 1e0)) - (n + 1) * ln((1 + exp(-2 * place / sqrt(n + 1e0))) / 2)
)
