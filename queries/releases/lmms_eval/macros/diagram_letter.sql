-- The label that an answer to AI2D is: the capital before a full stop at its start, or all of it
-- but for ASCII punctuation and case (tasks/ai2d/utils.py, and exact_match of api/metrics.py).
CREATE MACRO diagram_letter(text, labels) AS
list_max(
    list_transform(
        [first_group(stripped(text), '^([A-Z])[.]')],
        lambda l_:
            list_max(
                list_filter(
                    labels,
                    lambda x_:
                        CASE
                            WHEN l_ <> '' THEN x_ = l_
                            ELSE
                                translate(
                                    python_lower(text), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', ''
                                ) = python_lower(x_)
                        END
                )
            )
    )
)
