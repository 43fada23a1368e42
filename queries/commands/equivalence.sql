-- How likely values of Student's t so far from 0 are, on either side; and the t that 2.5 % lie
-- above.
WITH given AS (
    SELECT
        unnest($places::INTEGER[]) AS place_, unnest($values::DOUBLE[]) AS t,
        unnest($degrees::DOUBLE[]) AS degrees
),

integrated AS (
    SELECT
        g.place_, g.t, g.degrees, sum(t_integrand(abs(g.t), g.degrees, h.place) * h.weight) AS tail,
        sum(t_integrand(0.0, g.degrees, h.place) * h.weight) AS half
    FROM given AS g
    CROSS JOIN half_line AS h
    GROUP BY g.place_, g.t, g.degrees
)

SELECT
    place_, t, least(1.0, t_p_value(t, degrees, tail, half)) AS chance, t_975(degrees) AS quantile
FROM integrated
