-- Average normalised Levenshtein similarity of one answer (DocVQA, arXiv 2007.00398, Section 5;
-- from ST-VQA, arXiv 1905.13648, Section 4): one minus the distance to the nearest reference as a
-- share of the longer text, and 0 where that share is 0.5 or more. Without regard to case and to
-- white space. NULL: a blank text.
CREATE MACRO anls_score(text, answers) AS
CAST(
    CASE
        WHEN stripped(text) <> ''
            THEN list_max(
                list_transform(
                    list_transform(
                        [squeezed(text)],
                        lambda t_:
                            list_transform(
                                list_transform(answers, lambda a_: squeezed(a_)),
                                lambda b_:
                                    CASE
                                        WHEN b_ = t_ THEN 0.0
                                        ELSE edit_share(b_, t_, longer_length(b_, t_))
                                    END
                            )
                    ),
                    lambda d_: anls_of_shares(d_, 0.4999999999999999)
                )
            )
    END
    AS DOUBLE
)
