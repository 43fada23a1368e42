-- What a text says to a question of yes or no: 'yes', 'no', or NULL where it says neither or both.
-- A text that begins with one of the words says that one (MME, calculation.py: it reads the head
-- of the answer). Otherwise its first sentence says no with the word no or not, and yes with the
-- word yes (POPE, evaluate.py: the words of the first sentence, 'not' among them). POPE takes
-- every other text for a yes; here it is not read, and left to a judge.
CREATE MACRO yes_no_read(text) AS
list_max(
    list_transform(
        [lower_words(regexp_extract(text, '([^.]*)', 1))],
        lambda w_:
            CASE
                WHEN w_ LIKE ' yes %' THEN 'yes'
                WHEN w_ LIKE ' no %' THEN 'no'
                WHEN contains(w_, ' no ') OR contains(w_, ' not ')
                    THEN CASE WHEN NOT contains(w_, ' yes ') THEN 'no' END
                WHEN contains(w_, ' yes ') THEN 'yes'
            END
    )
)
