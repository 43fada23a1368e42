-- Half of the last of so many decimals, and a little more, so that halves count whatever their
-- binary form is; NULL where the number of decimals is not known.
CREATE MACRO half_unit(decimals) AS 0.50000001 * exp(-decimals * ln(10.0))
