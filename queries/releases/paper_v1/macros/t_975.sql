-- Student's t that 2.5 % of its distribution lie above, for a 95 % interval; NULL for no degree of
-- freedom. From 10 degrees on a polynomial in their inverse, whose first term is 1.96 of the normal
-- distribution (compare Abramowitz and Stegun 26.7.5); relative error below 1e-12.
CREATE MACRO t_975(degrees) AS
CASE
    WHEN degrees < 1 THEN NULL
    WHEN degrees < 2 THEN 12.7062047361747
    WHEN degrees < 3 THEN 4.302652729749464
    WHEN degrees < 4 THEN 3.18244630528371
    WHEN degrees < 5 THEN 2.776445105197794
    WHEN degrees < 6 THEN 2.570581835636316
    WHEN degrees < 7 THEN 2.44691185114497
    WHEN degrees < 8 THEN 2.364624251592785
    WHEN degrees < 9 THEN 2.306004135204167
    WHEN degrees < 10 THEN 2.262157162798206
    ELSE
        1.959963984540054 + (
            2.3722712302937925 + (
                2.822498620759229 + (
                    2.555848802212554 + (
                        1.589592967277337 + (
                            0.7309447383948077 + (
                                0.6627115718450836 - 0.22048387761159466 / degrees
                            ) / degrees
                        ) / degrees
                    ) / degrees
                ) / degrees
            ) / degrees
        ) / degrees
END
