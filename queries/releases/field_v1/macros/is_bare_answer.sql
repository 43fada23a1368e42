-- Whether a text is nothing but an answer in the form of a reference: a number for a number,
-- letters for letters, the opposite of a word such as true; else words without marks around them,
-- no more than the reference has (beyond ASCII, no more characters), and not the reference's own in
-- another order or with other marks ("C, A", "24 %").
CREATE MACRO is_bare_answer(text, reference) AS
CASE
    WHEN truth_opposite(reference) IS NOT NULL
        THEN plain_answer(text) = truth_opposite(reference)
    WHEN plain_number(reference) IS NOT NULL
        THEN plain_number(text) IS NOT NULL AND contains(text, '%') = contains(reference, '%')
    -- Each use of a macro is planned: the words of both once.
    ELSE list_max(
        list_transform(
            [answer_words(text)],
            lambda v_:
                list_max(
                    list_transform(
                        [answer_words(reference)],
                        lambda u_:
                            CASE
                                WHEN array_to_string(list_sort(v_), '') = array_to_string(list_sort(u_), '')
                                    THEN FALSE
                                WHEN array_length(v_) > array_length(u_) THEN FALSE
                                WHEN are_letter_words(u_) THEN are_letter_words(v_)
                                WHEN
                                    regexp_matches(plain_answer(text), '[^ -~]')
                                    AND length(plain_answer(text)) > length(plain_answer(reference))
                                    THEN FALSE
                                ELSE
                                    translate(text, '()[]{}<>*_=:;|#$^~"`' || decode(unhex('5C')), '') = text
                            END
                    )
                )
        )
    )
END
