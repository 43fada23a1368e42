-- Student's t distribution from t on, as something to be integrated over half_line: with t =
-- √degrees
-- sinh(s) it is cosh(s)^-degrees, here from s on in steps of 1/√degrees, over cosh(s)^-degrees at
-- its
-- beginning. The integral from t = 0 is that of half of the distribution.
CREATE MACRO t_integrand(t, degrees, place) AS
exp(
    -degrees * ln(
        (
            (1 + t / sqrt(t * t + degrees)) * exp(place / sqrt(1e0 * degrees))
            + (1 - t / sqrt(t * t + degrees)) * exp(-place / sqrt(1e0 * degrees))
        ) / 2
    )
)
