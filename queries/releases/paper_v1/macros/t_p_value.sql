-- How likely a t this far from 0 or farther is, on either side: the integral of t_integrand from t
-- on,
-- over the one from 0 on.
CREATE MACRO t_p_value(t, degrees, tail, half) AS
exp(-degrees / 2e0 * ln(1 + t * t / degrees)) * tail / half
