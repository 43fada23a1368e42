-- ANLS as the harness has it (api/metrics.py, anls): the
-- distance of the squeezed texts over the length of the longer one as it stands, blanks at its
-- ends and all, in upper case; half of it still counts.
CREATE MACRO anls_score(text, answers) AS
CAST(
    list_max(
        list_transform(
            list_transform(
                [squeezed(text)],
                lambda t_:
                    list_transform(
                        answers,
                        lambda a_:
                            list_max(
                                list_transform(
                                    [squeezed(a_)],
                                    lambda b_:
                                        edit_share(
                                            b_, t_,
                                            CASE
                                                WHEN upper_length(a_) > upper_length(text)
                                                    THEN upper_length(a_)
                                                ELSE upper_length(text)
                                            END
                                        )
                                )
                            )
                    )
            ),
            lambda d_: anls_of_shares(d_, 0.5)
        )
    )
    AS DOUBLE
)
