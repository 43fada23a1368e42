-- Average normalised Levenshtein similarity of one answer (DocVQA, arXiv 2007.00398, Section 5; from ST-VQA,
-- arXiv 1905.13648, Section 4): one minus the distance to the nearest reference as a share of the
-- longer text, and 0 where that share is 0.5 or more. Without regard to case and to white space. NULL:
-- a blank text.
CREATE MACRO anls_score(text, answers) AS
CAST(
CASE
    WHEN stripped(text) <> ''
        THEN list_max(
            list_transform(
                [
                    list_transform(
                        answers,
                        lambda a_:
                            edit_share(
                                squeezed(a_),
                                squeezed(text),
                                CASE
                                    WHEN length(squeezed(a_)) > length(squeezed(text))
                                        THEN length(squeezed(a_))
                                    ELSE length(squeezed(text))
                                END
                            )
                    )
                ],
                lambda d_:
                    anls_of_shares(
                        list_transform(d_, lambda e_: CASE WHEN e_ = 0.5 THEN 1.0 ELSE e_ END), 0.5
                    )
            )
        )
END
AS DOUBLE)
