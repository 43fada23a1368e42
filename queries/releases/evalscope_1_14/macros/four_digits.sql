-- A share as reports have it (evalscope 1.14, normalize_score, which is Python's round): to four
-- digits by its exact binary value, a half to the even digit. The share less the nearest step, in
-- half steps, is exact, since its head has 24 bits.
CREATE MACRO four_digits(share) AS
list_max(
    list_transform(
        list_transform(
            [round(share * 16777216.0, 0) / 16777216.0],
            lambda h_: h_ * 20000.0 - 2.0 * round(share * 10000.0, 0) + (share - h_) * 20000.0
        ),
        lambda r_:
            CASE
                WHEN abs(r_) > 1.0 OR (abs(r_) = 1.0 AND round(share * 5000.0, 0) * 2.0 <> round(share * 10000.0, 0))
                    THEN round(share * 10000.0, 0) + round(r_, 0)
                ELSE round(share * 10000.0, 0)
            END
            / 10000.0
    )
)
